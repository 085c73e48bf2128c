package accept

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	// Integers must become int64, as in the API server: CEL knows no other.
	"k8s.io/apimachinery/pkg/util/json"
)

// document is one YAML document as the API server would decode it.
type document struct {
	raw    []byte
	object map[string]any
}

func (d document) kind() string { return text(d.object, "apiVersion") + " " + text(d.object, "kind") }
func (d document) name() string {
	metadata, _ := d.object["metadata"].(map[string]any)
	name := text(metadata, "name")
	if ns := text(metadata, "namespace"); ns != "" {
		name = ns + "/" + name
	}
	return text(d.object, "kind") + " " + name
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// readDocuments reads all documents of a file. A duplicate key is an error; an empty document is skipped.
func readDocuments(file string) ([]document, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var documents []document
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	for {
		raw, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		d, err := parseDocument(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if d != nil {
			documents = append(documents, *d)
		}
	}
}

// parseDocument reads one document as kubectl does before it sends it: nil when it is empty.
func parseDocument(raw []byte) (*document, error) {
	asJSON, err := yaml.YAMLToJSONStrict(raw)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(bytes.TrimSpace(asJSON), []byte("null")) {
		return nil, nil
	}
	object := map[string]any{}
	if err := json.Unmarshal(asJSON, &object); err != nil {
		return nil, err
	}
	return &document{raw: raw, object: object}, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
