// The hook of hello-world as a web server that speaks TLS and wants a token.
//
//	go run ./examples/webhook-tls -listen 127.0.0.1:8443 -manifests /tmp/webhook-tls.yaml
//
// At each start it makes an authority, a certificate of its own and a token, all in memory, and writes a file for metactl: a ConfigMap
// with the certificate of the authority and a Secret with the token. Nobody but the owner can read that file. In a cluster
// cert-manager or the like makes such things; what the definition says is the same.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8443", "address to listen on; port 0 is any free one")
	manifests := flag.String("manifests", "", "file to write the ConfigMap and the Secret to")
	flag.Parse()

	token := randomToken()
	certificate, authority, err := makeCertificate()
	if err == nil {
		err = writeManifests(*manifests, authority, token)
	}
	if err == nil {
		err = serve(*listen, certificate, token)
	}
	log.Fatal(err)
}

func serve(address string, certificate tls.Certificate, token string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("https://%s/sync\n", listener.Addr())
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sync", withToken(token, handleSync))
	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 10 * time.Second,
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
	}
	return server.ServeTLS(listener, "", "")
}

// withToken lets pass who shows the token. The comparison takes as long for a wrong one as for the right one.
func withToken(token string, next http.HandlerFunc) http.HandlerFunc {
	want := []byte("Bearer " + token)
	return func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

type request struct {
	Parent struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Spec struct {
			Who string `json:"who"`
		} `json:"spec"`
	} `json:"parent"`
	Children map[string]map[string]json.RawMessage `json:"children"`
}

type response struct {
	Status   map[string]int `json:"status"`
	Children []any          `json:"children"`
}

type object = map[string]any

func handleSync(w http.ResponseWriter, r *http.Request) {
	var asked request
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(sync(asked)); err != nil {
		log.Print(err)
	}
}

func sync(asked request) response {
	who := asked.Parent.Spec.Who
	if who == "" {
		who = "World"
	}
	pod := object{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata":   object{"name": asked.Parent.Metadata.Name},
		"spec": object{
			"restartPolicy": "OnFailure",
			"containers": []object{{
				"name":    "hello",
				"image":   "busybox:1.37",
				"command": []string{"echo", "Hello, " + who + "!"},
			}},
		},
	}
	return response{Status: map[string]int{"pods": len(asked.Children["Pod.v1"])}, Children: []any{pod}}
}

func randomToken() string {
	bytes := make([]byte, 32)
	rand.Read(bytes) // never fails
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// makeCertificate returns a certificate for 127.0.0.1 and the authority, as PEM, that it is to be checked against.
func makeCertificate() (tls.Certificate, []byte, error) {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	now := time.Now()
	authority := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "webhook-tls authority"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(0, 1, 0),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	own := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: "webhook-tls"},
		NotBefore:    authority.NotBefore,
		NotAfter:     authority.NotAfter,
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, own, authority, key.Public(), authorityKey)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	certificate := tls.Certificate{Certificate: [][]byte{leaf}, PrivateKey: key}
	return certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root}), nil
}

// writeManifests writes JSON, which is YAML too: a List of the ConfigMap and the Secret that controller.yaml names.
func writeManifests(path string, authority []byte, token string) error {
	metadata := func(name string) object { return object{"name": name, "namespace": "default"} }
	list := object{
		"apiVersion": "v1",
		"kind":       "List",
		"items": []object{
			{
				"apiVersion": "v1",
				"kind":       "ConfigMap",
				"metadata":   metadata("hello-hook-ca"),
				"data":       object{"ca.crt": string(authority)},
			},
			{
				"apiVersion": "v1",
				"kind":       "Secret",
				"metadata":   metadata("hello-hook-token"),
				"type":       "Opaque",
				"data":       object{"token": base64.StdEncoding.EncodeToString([]byte(token))},
			},
		},
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}
