// The request as a node of Jsonnet's syntax tree. Made directly from JSON: a third of the time that Jsonnet's own parser
// takes for it. An integer that a double can't hold for certain becomes an error, raised only if the program uses it.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/go-jsonnet/ast"
)

func requestNode(text []byte) (ast.Node, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	reader := requestReader{decoder: decoder}
	return reader.value()
}

type requestReader struct {
	decoder *json.Decoder
	// Keys and indexes that lead to where the decoder stands.
	path []any
}

func (reader *requestReader) value() (ast.Node, error) {
	token, err := reader.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return reader.object()
		}
		return reader.array()
	case string:
		return &ast.LiteralString{NodeBase: base(), Value: token, Kind: ast.StringDouble}, nil
	case json.Number:
		return reader.number(token.String()), nil
	case bool:
		return &ast.LiteralBoolean{NodeBase: base(), Value: token}, nil
	default:
		return &ast.LiteralNull{NodeBase: base()}, nil
	}
}

func (reader *requestReader) object() (ast.Node, error) {
	object := &ast.DesugaredObject{NodeBase: base()}
	for reader.decoder.More() {
		token, err := reader.decoder.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		name := &ast.LiteralString{NodeBase: base(), Value: key, Kind: ast.StringDouble}
		body, err := reader.below(key)
		if err != nil {
			return nil, err
		}
		field := ast.DesugaredObjectField{Name: name, Body: body, Hide: ast.ObjectFieldInherit}
		object.Fields = append(object.Fields, field)
	}
	_, err := reader.decoder.Token()
	return object, err
}

func (reader *requestReader) array() (ast.Node, error) {
	array := &ast.Array{NodeBase: base()}
	for reader.decoder.More() {
		item, err := reader.below(len(array.Elements))
		if err != nil {
			return nil, err
		}
		array.Elements = append(array.Elements, ast.CommaSeparatedExpr{Expr: item})
	}
	_, err := reader.decoder.Token()
	return array, err
}

func (reader *requestReader) below(step any) (ast.Node, error) {
	reader.path = append(reader.path, step)
	node, err := reader.value()
	reader.path = reader.path[:len(reader.path)-1]
	return node, err
}

// Beyond it several integers share one double.
const maxSafeInteger = 1<<53 - 1

func (reader *requestReader) number(digits string) ast.Node {
	literal := &ast.LiteralNumber{NodeBase: base(), OriginalString: digits}
	if strings.ContainsAny(digits, ".eE") {
		return literal
	}
	integer, err := strconv.ParseInt(digits, 10, 64)
	if err == nil && integer <= maxSafeInteger && integer >= -maxSafeInteger {
		return literal
	}
	text := fmt.Sprintf("%s is %s: a number of Jsonnet can not hold it exactly", formatPath(reader.path), digits)
	message := &ast.LiteralString{NodeBase: base(), Value: text, Kind: ast.StringDouble}
	return &ast.Error{NodeBase: base(), Expr: message}
}

func formatPath(path []any) string {
	text := "request"
	for _, step := range path {
		switch step := step.(type) {
		case int:
			text += fmt.Sprintf("[%d]", step)
		case string:
			if isIdentifier(step) {
				text += "." + step
			} else {
				text += "[" + strconv.Quote(step) + "]"
			}
		}
	}
	return text
}

func isIdentifier(text string) bool {
	for index, letter := range text {
		alphabetic := letter == '_' || letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z'
		if !alphabetic && (index == 0 || letter < '0' || letter > '9') {
			return false
		}
	}
	return text != ""
}

func base() ast.NodeBase {
	return ast.NewNodeBaseLoc(ast.MakeLocationRangeMessage("the request"), nil)
}
