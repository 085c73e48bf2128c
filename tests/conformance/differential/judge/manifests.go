//go:build !quotas

package differential

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	configv1beta1 "sigs.k8s.io/kueue/apis/config/v1beta1"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueuev1beta1 "sigs.k8s.io/kueue/apis/kueue/v1beta1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/yaml"
)

// The defaults of upstream's CRDs, by apiVersion and kind; read once.
var structurals = map[string]*schema.Structural{}

// ReadDefaults reads them from a directory of CRDs.
func ReadDefaults(crds string) error {
	for _, kind := range []string{"clusterqueue", "cohort", "resourceflavor"} {
		content, err := os.ReadFile(filepath.Join(crds, "kueue.x-k8s.io_"+kind+"s.yaml"))
		if err != nil {
			return err
		}
		var v1 apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(content, &v1); err != nil {
			return err
		}
		var crd apiextensions.CustomResourceDefinition
		if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&v1, &crd, nil); err != nil {
			return err
		}
		for _, version := range []string{"v1beta1", "v1beta2"} {
			versioned, err := apiextensions.GetSchemaForVersion(&crd, version)
			if err != nil {
				return err
			}
			structural, err := schema.NewStructural(versioned.OpenAPIV3Schema)
			if err != nil {
				return err
			}
			structurals["kueue.x-k8s.io/"+version+" "+crd.Spec.Names.Kind] = structural
		}
	}
	return nil
}

// The objects of a history that is given as YAML, as the API server would hand them to Kueue: read as kubectl reads
// them, Lists taken apart, with the defaults of their version, and converted by Kueue's own code.
type manifests struct {
	flavors []*kueue.ResourceFlavor
	cohorts []*kueue.Cohort
	queues  map[string]*kueue.ClusterQueue
	fair    *config.FairSharing
	gates   map[string]bool // of the Configuration
}

// Objects is the same for another judge.
type Objects struct {
	Flavors []*kueue.ResourceFlavor
	Cohorts []*kueue.Cohort
	Queues  map[string]*kueue.ClusterQueue
	Fair    *config.FairSharing
	Gates   map[string]bool
}

// ReadObjects wants ReadDefaults before.
func ReadObjects(text string) (Objects, error) {
	m, err := readManifests(text)
	if err != nil {
		return Objects{}, err
	}
	return Objects{m.flavors, m.cohorts, m.queues, m.fair, m.gates}, nil
}

func readManifests(text string) (*manifests, error) {
	m := &manifests{queues: map[string]*kueue.ClusterQueue{}}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		raw, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := yaml.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), &object); err != nil {
			return nil, err
		}
		if err := m.take(object); err != nil {
			return nil, err
		}
	}
	m.complete()
	return m, nil
}

func (m *manifests) take(object map[string]any) error {
	kind, _ := object["kind"].(string)
	version, _ := object["apiVersion"].(string)
	if items, ok := object["items"].([]any); ok && strings.HasSuffix(kind, "List") {
		for _, item := range items {
			object := item.(map[string]any)
			// The API server leaves both out in a list of one kind.
			if of := strings.TrimSuffix(kind, "List"); of != "" && object["kind"] == nil {
				object["kind"], object["apiVersion"] = of, version
			}
			if err := m.take(object); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case kind == "Configuration" && strings.HasPrefix(version, "config.kueue.x-k8s.io/"):
		return m.configure(object, version)
	case kind == "ConfigMap":
		return m.configureBy(object)
	}
	structural, known := structurals[version+" "+kind]
	if !known {
		return nil // what priority classes say is in the workloads
	}
	defaulting.Default(object, structural)
	content, err := json.Marshal(object)
	if err != nil {
		return err
	}
	if err := m.add(kind, strings.HasSuffix(version, "/v1beta1"), content); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

func (m *manifests) add(kind string, old bool, content []byte) error {
	switch kind {
	case "ResourceFlavor":
		flavor := &kueue.ResourceFlavor{} // the same in both versions
		m.flavors = append(m.flavors, flavor)
		return json.Unmarshal(content, flavor)
	case "Cohort":
		cohort, before := &kueue.Cohort{}, &kueuev1beta1.Cohort{}
		m.cohorts = append(m.cohorts, cohort)
		if !old {
			return json.Unmarshal(content, cohort)
		}
		if err := json.Unmarshal(content, before); err != nil {
			return err
		}
		return before.ConvertTo(cohort)
	}
	queue, before := &kueue.ClusterQueue{}, &kueuev1beta1.ClusterQueue{}
	defer func() { m.queues[queue.Name] = queue }()
	if !old {
		return json.Unmarshal(content, queue)
	}
	if err := json.Unmarshal(content, before); err != nil {
		return err
	}
	return before.ConvertTo(queue)
}

// The controller's own Configuration: of its fields fair sharing and gates alone decide anything here.
func (m *manifests) configure(object map[string]any, version string) error {
	content, err := json.Marshal(object)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	must(config.AddToScheme(scheme))
	must(configv1beta1.AddToScheme(scheme))
	read := &config.Configuration{}
	if strings.HasSuffix(version, "/v1beta1") {
		before := &configv1beta1.Configuration{}
		if err := json.Unmarshal(content, before); err != nil {
			return err
		}
		scheme.Default(before)
		if err := before.ConvertTo(read); err != nil {
			return err
		}
	} else if err := json.Unmarshal(content, read); err != nil {
		return err
	}
	scheme.Default(read)
	m.fair, m.gates = read.FairSharing, read.FeatureGates
	return nil
}

func (m *manifests) configureBy(configMap map[string]any) error {
	data, _ := configMap["data"].(map[string]any)
	text, ok := data["controller_manager_config.yaml"].(string)
	if !ok {
		return nil
	}
	var object map[string]any
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		return err
	}
	version, _ := object["apiVersion"].(string)
	return m.configure(object, version)
}

// Flavors that are named and not there are taken to exist, with no node labels. Every workload of a history comes from
// one namespace.
func (m *manifests) complete() {
	known := map[kueue.ResourceFlavorReference]bool{}
	for _, flavor := range m.flavors {
		known[kueue.ResourceFlavorReference(flavor.Name)] = true
	}
	for _, queue := range m.queues {
		queue.Spec.NamespaceSelector = &metav1.LabelSelector{MatchLabels: selected}
		for _, group := range queue.Spec.ResourceGroups {
			for _, row := range group.Flavors {
				if !known[row.Name] {
					known[row.Name] = true
					m.flavors = append(m.flavors, &kueue.ResourceFlavor{ObjectMeta: metav1.ObjectMeta{Name: string(row.Name)}})
				}
			}
		}
	}
}

// What a pod selects that is to stand on the flavor's nodes.
func (m *manifests) selector(flavor string) map[string]string {
	if m == nil {
		return map[string]string{"pool": flavor}
	}
	for _, f := range m.flavors {
		if f.Name == flavor {
			return f.Spec.NodeLabels
		}
	}
	return nil
}
