// Package kustomizations compares what gpol built of kustomizations (../built.cpp) with what kustomize's own code builds of them. In: lines of
// JSON. Out: each difference, and a last line that counts. Exit 1 where there is one.
//
//	judge kustomize                               compares
//	judge kustomize random SEED COUNT DIRECTORY   writes random cases instead
package kustomizations

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"reflect"
	"strconv"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

type line struct {
	Case     string            `json:"case"`
	Entry    string            `json:"entry"`
	Expect   string            `json:"expect"`
	Files    map[string]string `json:"files"`
	Objects  []any             `json:"objects"`
	Errors   []string          `json:"errors"`
	NotBuilt []string          `json:"not_built"`
}

// In kustomize's order; a panic of its own is an error.
func build(one line) (objects []any, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v", caught)
		}
	}()
	files := filesys.MakeFsInMemory()
	for name, text := range one.Files {
		if err := files.WriteFile(path.Join("/", name), []byte(text)); err != nil {
			return nil, err
		}
	}
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified // as the program has it without a flag
	built, err := krusty.MakeKustomizer(options).Run(files, path.Join("/", one.Entry))
	if err != nil {
		return nil, err
	}
	for _, resource := range built.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			return nil, err
		}
		var object any
		if err := yaml.Unmarshal(text, &object); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

func shown(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// What is wrong with gpol's answer; empty: nothing.
func differs(one line) string {
	objects, err := build(one)
	failed, unbuilt := len(one.Errors) > 0, len(one.NotBuilt) > 0
	if one.Expect == "any" { // a random one
		if unbuilt {
			return ""
		}
	} else if (err != nil) != (one.Expect == "fails") {
		return fmt.Sprintf("the case expects %q, and kustomize says: %v", one.Expect, err)
	}
	if one.Expect != "any" && unbuilt != (one.Expect == "not-built") {
		return fmt.Sprintf("the case expects %q, and gpol does not build: %q", one.Expect, one.NotBuilt)
	}
	if unbuilt {
		return ""
	}
	if failed != (err != nil) {
		return fmt.Sprintf("kustomize: %v; gpol: %q", err, one.Errors)
	}
	for i := 0; i < len(objects) || i < len(one.Objects); i++ {
		if i >= len(objects) || i >= len(one.Objects) {
			return fmt.Sprintf("kustomize builds %d objects, gpol %d", len(objects), len(one.Objects))
		}
		if !reflect.DeepEqual(objects[i], one.Objects[i]) {
			return fmt.Sprintf("object %d:\n  kustomize %s\n  gpol      %s", i, shown(objects[i]), shown(one.Objects[i]))
		}
	}
	return ""
}

// Main judges standard input and returns the exit code.
func Main(args []string) int {
	if len(args) == 4 && args[0] == "random" {
		seed, errSeed := strconv.ParseInt(args[1], 10, 64)
		count, errCount := strconv.Atoi(args[2])
		if err := errors.Join(errSeed, errCount); err != nil {
			fmt.Println(err)
			return 2
		}
		if err := writeRandom(seed, count, args[3]); err != nil {
			fmt.Println(err)
			return 2
		}
		return 0
	}
	os.Stderr, _ = os.Open(os.DevNull) // warnings of deprecated fields
	log.SetOutput(io.Discard)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	count, wrong, counts := 0, 0, map[string]int{}
	for in.Scan() {
		var one line
		if err := json.Unmarshal(in.Bytes(), &one); err != nil {
			fmt.Println("kustomizations:", err)
			return 1
		}
		count++
		switch {
		case len(one.NotBuilt) > 0:
			counts["not-built"]++
		case len(one.Errors) > 0:
			counts["fails"]++
		default:
			counts["equal"]++
		}
		if os.Getenv("VERBOSE") != "" && len(one.Errors) > 0 {
			_, err := build(one)
			fmt.Printf("%s\n  gpol:      %q\n  kustomize: %v\n", one.Case, one.Errors, err)
		}
		if what := differs(one); what != "" {
			wrong++
			fmt.Printf("%s: %s\n", one.Case, what)
		}
	}
	fmt.Printf("kustomizations: %d compared (%d equal, %d fail in both, %d not built by gpol), %d differ\n", count,
		counts["equal"], counts["fails"], counts["not-built"], wrong)
	if wrong > 0 || count == 0 {
		return 1
	}
	return 0
}
