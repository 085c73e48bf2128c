package accept

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// A breakage spoils a good ClusterQueue in one way; `judge` is who must notice.
type breakage struct {
	judge, name string
	spoil       func(queue map[string]any)
}

var breakages = []breakage{
	{"schema", "preemption-policy-unknown", func(q map[string]any) { set(q, "Always", "spec", "preemption", "reclaimWithinCohort") }},
	{"schema", "field-of-v1beta1", func(q map[string]any) { set(q, "gpu", "spec", "cohort") }},
	{"schema", "strategy-unknown", func(q map[string]any) { set(q, "FIFO", "spec", "queueingStrategy") }},
	{"cel", "borrowing-limit-without-cohort", func(q map[string]any) {
		delete(q["spec"].(map[string]any), "cohortName")
		firstQuota(q)["borrowingLimit"] = "0"
		delete(firstQuota(q), "lendingLimit")
	}},
	{"cel", "borrow-within-cohort-without-reclaim", func(q map[string]any) {
		set(q, "Never", "spec", "preemption", "reclaimWithinCohort")
		set(q, "LowerPriority", "spec", "preemption", "borrowWithinCohort", "policy")
	}},
	{"webhook", "lending-limit-above-nominal", func(q map[string]any) {
		firstQuota(q)["nominalQuota"] = "8"
		firstQuota(q)["lendingLimit"] = "9"
	}},
	{"webhook", "quota-negative", func(q map[string]any) {
		firstQuota(q)["nominalQuota"] = "-1"
		delete(firstQuota(q), "lendingLimit")
	}},
}

// breakInto writes the broken twins of the first ClusterQueue with a cohort in `file`, and checks that the offline
// judges refuse each, and the right one does.
func breakInto(crds, file, dir string) error {
	judge, err := newJudge(crds)
	if err != nil {
		return err
	}
	documents, err := readDocuments(file)
	if err != nil {
		return err
	}
	good := goodQueue(documents)
	if good == nil {
		return fmt.Errorf("%s: no ClusterQueue in a cohort", file)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, b := range breakages {
		object := runtime.DeepCopyJSON(good.object)
		set(object, "broken-"+b.name, "metadata", "name")
		b.spoil(object)
		content, err := yaml.Marshal(object)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, b.judge+"-"+b.name+".yaml")
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
		refusals := judge.refusals(document{raw: content, object: object})
		if len(refusals) == 0 {
			return fmt.Errorf("%s was accepted", path)
		}
		if !strings.HasPrefix(refusals[0], b.judge+": ") {
			return fmt.Errorf("%s was refused by another judge: %s", path, refusals[0])
		}
		fmt.Printf("refused as it must be: %s: %s\n", b.name, refusals[0])
	}
	return nil
}

func goodQueue(documents []document) *document {
	for i, d := range documents {
		spec, _ := d.object["spec"].(map[string]any)
		if text(d.object, "kind") == "ClusterQueue" && text(spec, "cohortName") != "" {
			return &documents[i]
		}
	}
	return nil
}

func set(m map[string]any, value any, path ...string) {
	for _, key := range path[:len(path)-1] {
		below, ok := m[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			m[key] = below
		}
		m = below
	}
	m[path[len(path)-1]] = value
}

func firstQuota(queue map[string]any) map[string]any {
	spec := queue["spec"].(map[string]any)
	group := spec["resourceGroups"].([]any)[0].(map[string]any)
	flavor := group["flavors"].([]any)[0].(map[string]any)
	return flavor["resources"].([]any)[0].(map[string]any)
}
