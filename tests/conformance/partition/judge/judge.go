// Says whether NVIDIA's own code accepts what gpol writes for it:
//
//	judge mig FILE...       mig-parted's configuration: a file, or a ConfigMap with the key config.yaml
//	judge sharing FILE...   the device plugin's: a file, or a ConfigMap each of whose keys is one
//
// One line for every thing accepted, or for every reason against it. Exit 0: all accepted; 1: something refused; 2: usage.
//
// This package is the device plugin's own package main: run.sh lays the files of its cmd/nvidia-device-plugin beside these
// (go build -overlay), unchanged, so that its loadConfig and validateFlags are called, and no copies. The module has a name
// below the plugin's, so that its internal packages may be imported. Upstream's main runs only where it is called.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/klog/v2"
	"sigs.k8s.io/yaml"
)

// What is said of one file.
type verdict struct {
	file     string
	accepted []string
	refused  []string
}

func (v *verdict) accept(format string, of ...any) {
	v.accepted = append(v.accepted, fmt.Sprintf(format, of...))
}
func (v *verdict) refuse(format string, of ...any) {
	v.refused = append(v.refused, strings.Join(strings.Fields(fmt.Sprintf(format, of...)), " ")) // one line
}

// Before upstream's main, which would start the plugin.
func init() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	arguments := os.Args[1:]
	os.Clearenv() // the plugin's flags have environment variables
	judges := map[string]func(*verdict, []byte){"mig": judgeMig, "sharing": judgeSharing}
	if len(arguments) < 2 || judges[arguments[0]] == nil {
		fmt.Fprintln(os.Stderr, "usage: judge mig|sharing FILE...")
		os.Exit(2)
	}
	exit := 0
	for _, file := range arguments[1:] {
		v := &verdict{file: file}
		if text, err := os.ReadFile(file); err != nil {
			v.refuse("%v", err)
		} else {
			judges[arguments[0]](v, text)
		}
		if len(v.refused) > 0 {
			exit = 1
			for _, reason := range v.refused {
				fmt.Printf("%s: refused: %s\n", file, reason)
			}
			continue
		}
		for _, line := range v.accepted {
			fmt.Printf("%s: %s\n", file, line)
		}
	}
	os.Exit(exit)
}

// The configurations in a file by the keys of their ConfigMap; a file that is none has itself, with the key "".
func configurations(v *verdict, text []byte) map[string]string {
	if !onlyDocument(v, "", text) {
		return nil
	}
	var kind struct {
		Kind string `json:"kind"`
	}
	if err := yaml.Unmarshal(text, &kind); err != nil {
		v.refuse("%v", err)
		return nil
	}
	if kind.Kind == "" {
		return map[string]string{"": string(text)}
	}
	var of corev1.ConfigMap
	if err := yaml.UnmarshalStrict(text, &of); err != nil {
		v.refuse("%v", err)
		return nil
	}
	if of.Kind != "ConfigMap" || of.APIVersion != "v1" {
		v.refuse("not a ConfigMap of v1: %s of %s", of.Kind, of.APIVersion)
	}
	for _, why := range validation.IsDNS1123Subdomain(of.Name) {
		v.refuse("metadata.name %q: %s", of.Name, why)
	}
	if len(of.BinaryData) > 0 {
		v.refuse("binaryData is there")
	}
	if len(of.Data) == 0 {
		v.refuse("the ConfigMap has no data")
	}
	for _, key := range slices.Sorted(maps.Keys(of.Data)) {
		for _, why := range validation.IsConfigMapKey(key) {
			v.refuse("key %q: %s", key, why)
		}
		onlyDocument(v, key, []byte(of.Data[key]))
	}
	return of.Data
}

// All of NVIDIA's readers take the first document and leave the others.
func onlyDocument(v *verdict, key string, text []byte) bool {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	documents := 0
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var holds any
		if err == nil {
			err = yaml.Unmarshal(document, &holds)
		}
		if err != nil {
			v.refuse("%s%v", prefix(key), err)
			return false
		}
		if holds != nil {
			documents++
		}
	}
	switch {
	case documents == 0:
		v.refuse("%sempty", prefix(key))
	case documents > 1:
		v.refuse("%s%d documents, of which only the first is read", prefix(key), documents)
	}
	return documents == 1
}

// A node picks a configuration by its name in a label.
func nameable(v *verdict, name string) {
	for _, why := range validation.IsValidLabelValue(name) {
		v.refuse("no node can be labelled %q: %s", name, why)
	}
}

func prefix(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

// NVIDIA's programs read files.
func asFile(text string) string {
	file, err := os.CreateTemp("", "judge")
	if err == nil {
		_, err = file.WriteString(text)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		panic(err)
	}
	return file.Name()
}
