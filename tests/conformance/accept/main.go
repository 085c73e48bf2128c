// Package accept (`judge accept ...`) has the judges that need no server: what the API server and Kueue's webhooks would say about the manifests that gpol
// wrote, said by their own code. Subcommands print one line per refusal and exit 1 when there was one.
//
//	judge accept check CRDS FILE...       every document of the files is judged (schema, CEL, webhooks); at least one is needed
//	judge accept break CRDS FILE DIR      writes DIR/<judge>-<what>.yaml: the documents of FILE, each broken in one way
//	judge accept config FILE              Kueue's own strict loader and validation on a Configuration
//	judge accept merge FILE HARNESS       FILE with the keys of HARNESS put over it, on stdout; stderr names what they replaced
//	judge accept agree CRDS < LINES       what gpol said of documents (../schema) against the judges
//	judge accept configurations < LINES   what gpol said of Configurations against Kueue's loader and validation
//	judge accept server FILE              the same lines, asked of the API server of KUBECONFIG
//	judge accept gates FILE < JSON        gpol's tables of Kueue's feature gates and frameworks against Kueue's own
//	judge accept tables CRDS < JSON       gpol's tables of the kinds (../schema) against the CRDs
//	judge accept ports N                  N free ports of 127.0.0.1
package accept

import (
	"fmt"
	"os"
)

// Main obeys a subcommand and returns the exit code.
func Main(args []string) int {
	err := usage()
	if len(args) > 0 {
		command, args := args[0], args[1:]
		switch {
		case command == "check" && len(args) >= 2:
			err = check(args[0], args[1:])
		case command == "break" && len(args) == 3:
			err = breakInto(args[0], args[1], args[2])
		case command == "config" && len(args) == 1:
			err = checkConfig(args[0])
		case command == "agree" && len(args) == 1:
			err = agree(args[0], os.Stdin)
		case command == "configurations" && len(args) == 0:
			err = agreeConfigurations(os.Stdin)
		case command == "server" && len(args) == 1:
			err = askServer(os.Getenv("KUBECONFIG"), args[0])
		case command == "tables" && len(args) == 1:
			err = compareTables(args[0], os.Stdin)
		case command == "gates" && len(args) == 1:
			err = compareGates(args[0], os.Stdin)
		case command == "ports" && len(args) == 1:
			err = printPorts(args[0])
		case command == "merge" && len(args) == 2:
			err = merge(args[0], args[1])
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "accept:", err)
		return 1
	}
	return 0
}

func usage() error {
	return fmt.Errorf("usage: judge accept check CRDS FILE... | break CRDS FILE DIR | config FILE | merge FILE HARNESS | agree CRDS | configurations | server FILE | tables CRDS | gates FILE | ports N")
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
