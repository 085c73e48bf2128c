// The judges that need no server: what the API server and Kueue's webhooks would say about the manifests that gpol
// wrote, said by their own code. Subcommands print one line per refusal and exit 1 when there was one.
//
//	accept check CRDS FILE...       every document of the files is judged (schema, CEL, webhooks); at least one is needed
//	accept break CRDS FILE DIR      writes DIR/<judge>-<what>.yaml: the documents of FILE, each broken in one way
//	accept config FILE              Kueue's own strict loader and validation on a Configuration
//	accept merge FILE HARNESS       FILE with the keys of HARNESS put over it, on stdout; stderr names what they replaced
//	accept agree CRDS < LINES       what gpol said of documents (../schema) against the judges
//	accept configurations < LINES   what gpol said of Configurations against Kueue's loader and validation
//	accept server FILE              the same lines, asked of the API server of KUBECONFIG
//	accept gates FILE < JSON        gpol's tables of Kueue's feature gates and frameworks against Kueue's own
//	accept tables CRDS < JSON       gpol's tables of the kinds (../schema) against the CRDs
//	accept ports N                  N free ports of 127.0.0.1
package main

import (
	"fmt"
	"os"
)

func main() {
	err := usage()
	if len(os.Args) > 1 {
		args := os.Args[2:]
		switch {
		case os.Args[1] == "check" && len(args) >= 2:
			err = check(args[0], args[1:])
		case os.Args[1] == "break" && len(args) == 3:
			err = breakInto(args[0], args[1], args[2])
		case os.Args[1] == "config" && len(args) == 1:
			err = checkConfig(args[0])
		case os.Args[1] == "agree" && len(args) == 1:
			err = agree(args[0], os.Stdin)
		case os.Args[1] == "configurations" && len(args) == 0:
			err = agreeConfigurations(os.Stdin)
		case os.Args[1] == "server" && len(args) == 1:
			err = askServer(os.Getenv("KUBECONFIG"), args[0])
		case os.Args[1] == "tables" && len(args) == 1:
			err = compareTables(args[0], os.Stdin)
		case os.Args[1] == "gates" && len(args) == 1:
			err = compareGates(args[0], os.Stdin)
		case os.Args[1] == "ports" && len(args) == 1:
			err = printPorts(args[0])
		case os.Args[1] == "merge" && len(args) == 2:
			err = merge(args[0], args[1])
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "accept:", err)
		os.Exit(1)
	}
}

func usage() error {
	return fmt.Errorf("usage: accept check CRDS FILE... | break CRDS FILE DIR | config FILE | merge FILE HARNESS | agree CRDS | configurations | server FILE | tables CRDS | gates FILE | ports N")
}

// check judges every document of every file and prints how many of each kind were accepted.
func check(crds string, files []string) error {
	judge, err := newJudge(crds)
	if err != nil {
		return err
	}
	accepted, refused := map[string]int{}, 0
	for _, file := range files {
		documents, err := readDocuments(file)
		if err != nil {
			return err
		}
		for _, document := range documents {
			for _, refusal := range judge.refusals(document) {
				refused++
				fmt.Printf("refused: %s: %s: %s\n", file, document.name(), refusal)
			}
			accepted[document.kind()]++
		}
	}
	if refused > 0 {
		return fmt.Errorf("%d refusals", refused)
	}
	if len(accepted) == 0 {
		return fmt.Errorf("no document to judge")
	}
	for _, kind := range sortedKeys(accepted) {
		fmt.Printf("accepted: %d %s\n", accepted[kind], kind)
	}
	return nil
}
