package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

type verdict struct {
	Name    string `json:"name"`
	Allowed bool   `json:"allowed"`
	Message string `json:"message"` // begins with who refuses: "schema", "mutate", "validate", "server"
}

// accept asks about each Queue in the order of the stream, `root`, `default` and those that were accepted being there.
//
// Without -update each is a CREATE: also the first `root` and the first `default`, as before the scheduler's first start.
// A second one of a name is refused, since it exists. With -update each whose name is there is an UPDATE that replaces
// its spec, also of `root` and `default`.
func accept(args []string) error {
	flags := flag.NewFlagSet("accept", flag.ContinueOnError)
	update := flags.Bool("update", false, "")
	if err := parse(flags, args); err != nil {
		return err
	}
	objects, err := readObjects(os.Stdin)
	if err != nil {
		return err
	}
	w := theWebhook()
	existing := map[string]*scheduling.Queue{}
	builtin := map[string]bool{}
	for _, queue := range builtinQueues() {
		existing[queue.Name], builtin[queue.Name] = queue, true
		if err := w.existing.Add(queue); err != nil {
			return err
		}
	}
	out := newEncoder()
	for _, object := range objects {
		if object["kind"] != "Queue" {
			continue
		}
		metadata, _ := object["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		v := verdict{Name: name}
		old := existing[name]
		if !*update && builtin[name] {
			old = nil
		}
		var queue *scheduling.Queue
		switch {
		case object["apiVersion"] != scheduling.SchemeGroupVersion.String():
			err = fmt.Errorf("server: no Queue in version %v", object["apiVersion"])
		case old != nil && !*update:
			err = fmt.Errorf("server: queues.scheduling.volcano.sh %q already exists", name)
		default:
			queue, err = w.admit(object, old)
		}
		if err != nil {
			v.Message = err.Error()
		} else {
			v.Allowed = true
			existing[name], builtin[name] = queue, false
			if err := w.existing.Add(queue); err != nil { // replaces one of the same name
				return err
			}
		}
		if err := out.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// readObjects reads a stream as kubectl does, Lists taken apart.
func readObjects(from io.Reader) ([]map[string]any, error) {
	var objects []map[string]any
	reader := utilyaml.NewYAMLReader(bufio.NewReader(from))
	for {
		raw, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := yaml.YAMLToJSONStrict(bytes.TrimPrefix(raw, []byte("\ufeff")))
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := utiljson.Unmarshal(content, &object); err != nil { // integers as int64, which schemas want
			return nil, err
		}
		if items, ok := object["items"].([]any); ok {
			for _, item := range items {
				if item, ok := item.(map[string]any); ok {
					objects = append(objects, item)
				}
			}
		} else if object != nil {
			objects = append(objects, object)
		}
	}
}
