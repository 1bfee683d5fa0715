// Jsonnet for metactl, compiled to WebAssembly (tools/engines/build.ts): evaluates a program that is a function of the
// request. One thread, one call at a time. The program's files stay parsed from call to call until the host says that one
// of them has changed.

package main

import (
	"github.com/google/go-jsonnet"
)

// By the path of the program.
var machines = map[string]*jsonnet.VM{}

// Result: 0 and the answer in slotResult, or 1 and the error, as Jsonnet's own command prints it.
//
//go:wasmexport evaluate
func evaluate(changed uint32) uint32 {
	program := string(take(slotProgram))
	machine := machines[program]
	if machine == nil || changed != 0 {
		machine = newMachine()
		machines[program] = machine
	}
	request, err := requestNode(take(slotRequest))
	if err != nil {
		give(slotResult, "the request: "+err.Error())
		return 1
	}
	machine.TLANode("request", request)
	answer, err := machine.EvaluateFile(program)
	machine.TLAReset()
	if err != nil {
		give(slotResult, err.Error())
		return 1
	}
	give(slotResult, answer)
	return 0
}

func newMachine() *jsonnet.VM {
	machine := jsonnet.MakeVM()
	machine.Importer(hostImporter{files: map[string]jsonnet.Contents{}})
	machine.SetTraceOut(hostTrace{})
	return machine
}

func main() {}
