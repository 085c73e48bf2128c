// Plays what gpol's C++ programs print against the real code of Kueue, Kubernetes and kustomize. All in one program: what
// they share is compiled once anyway, and linked once so.
//
//	judge histories [-shrink PROGRAM] [-crds DIR]   scheduling, cycle by cycle (../differential/judge)
//	judge quotas                                    quotas of the newest version (../differential/judge/quotas.go)
//	judge guards                                    ValidatingAdmissionPolicies (../guards/judge)
//	judge preemption                                kube-scheduler's plugins (../preemption/judge)
//	judge reading                                   YAML, quantities, pods (../reading/judge)
//	judge kustomize                                 kustomizations (../kustomize/judge)
//	judge ways WAY open|closed                      ways round quota (../ways/judge)
//	judge ways drawn CRDS LEAST                     elastic Jobs in random clusters (../ways/judge/drawn.go)
//	judge accept ...                                manifests, Configurations (../accept); also where it is called `accept`
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"gpol.dev/tests/conformance/accept"
	differential "gpol.dev/tests/conformance/differential/judge"
	guards "gpol.dev/tests/conformance/guards/judge"
	kustomizations "gpol.dev/tests/conformance/kustomize/judge"
	preemption "gpol.dev/tests/conformance/preemption/judge"
	reading "gpol.dev/tests/conformance/reading/judge"
	ways "gpol.dev/tests/conformance/ways/judge"
)

var commands = map[string]func(args []string) int{
	"histories":  differential.Main,
	"quotas":     differential.Quotas,
	"guards":     guards.Main,
	"preemption": preemption.Main,
	"reading":    reading.Main,
	"kustomize":  kustomizations.Main,
	"ways":       ways.Main,
	"accept":     accept.Main,
}

func main() {
	args := os.Args
	if called := filepath.Base(args[0]); commands[called] == nil {
		args = args[1:]
	} else {
		args = append([]string{called}, args[1:]...)
	}
	if len(args) == 0 || commands[args[0]] == nil {
		var names []string
		for name := range commands {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintln(os.Stderr, "usage: judge "+strings.Join(names, "|")+" [ARG...]")
		os.Exit(2)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a quarter less processor time, and little memory
	}
	os.Exit(commands[args[0]](args[1:]))
}
