// What the engine asks of the program around it (src/hooks/jsonnet/engine.ts): texts in numbered slots, and files. There is
// no other way in or out: the WASI that it gets has no directories.

package main

import (
	"errors"
	"unsafe"

	"github.com/google/go-jsonnet"
)

// The numbers are the same in src/hooks/jsonnet/engine.ts.
const (
	slotProgram  = 0 // in: absolute path of the program
	slotRequest  = 1 // in: the request as JSON
	slotFrom     = 2 // out: the file that an import stands in; empty for the program itself
	slotWanted   = 3 // out: the path as the import has it
	slotFound    = 4 // in: absolute path of what was found
	slotContents = 5 // in: its contents, or why there are none
	slotTrace    = 6 // out: a line of std.trace
	slotResult   = 7 // out: the answer as JSON, or the error
)

//go:wasmimport metactl length
func hostLength(slot uint32) uint32

//go:wasmimport metactl take
func hostTake(slot uint32, to unsafe.Pointer)

//go:wasmimport metactl give
func hostGive(slot uint32, from unsafe.Pointer, length uint32)

// Looks for slotWanted and fills slotFound and slotContents; 0: not found.
//
//go:wasmimport metactl find
func hostFind() uint32

func take(slot uint32) []byte {
	text := make([]byte, hostLength(slot))
	if len(text) > 0 {
		hostTake(slot, unsafe.Pointer(unsafe.SliceData(text)))
	}
	return text
}

func give(slot uint32, text string) {
	hostGive(slot, unsafe.Pointer(unsafe.StringData(text)), uint32(len(text)))
}

// Reads files through the host. Jsonnet demands one instance of Contents a file, for as long as the VM lives.
type hostImporter struct {
	files map[string]jsonnet.Contents
}

func (importer hostImporter) Import(from, wanted string) (jsonnet.Contents, string, error) {
	give(slotFrom, from)
	give(slotWanted, wanted)
	if hostFind() == 0 {
		return jsonnet.Contents{}, "", errors.New(string(take(slotContents)))
	}
	found := string(take(slotFound))
	if contents, known := importer.files[found]; known {
		return contents, found, nil
	}
	contents := jsonnet.MakeContentsRaw(take(slotContents))
	importer.files[found] = contents
	return contents, found, nil
}

type hostTrace struct{}

func (hostTrace) Write(text []byte) (int, error) {
	give(slotTrace, string(text))
	return len(text), nil
}
