package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/yaml"
)

// The defaults of upstream's CRDs, by kind; read once.
var structurals = map[string]*schema.Structural{}

func readDefaults(crds string) error {
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
		versioned, err := apiextensions.GetSchemaForVersion(&crd, "v1beta2")
		if err != nil {
			return err
		}
		structural, err := schema.NewStructural(versioned.OpenAPIV3Schema)
		if err != nil {
			return err
		}
		structurals[crd.Spec.Names.Kind] = structural
	}
	return nil
}

// The objects of a history that is given as YAML, as the API server would hand them to Kueue.
type manifests struct {
	flavors []*kueue.ResourceFlavor
	cohorts []*kueue.Cohort
	queues  map[string]*kueue.ClusterQueue
}

func readManifests(text string) (*manifests, error) {
	m := &manifests{queues: map[string]*kueue.ClusterQueue{}}
	for _, document := range strings.Split(text, "---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return nil, err
		}
		kind, _ := object["kind"].(string)
		structural, known := structurals[kind]
		if !known {
			continue // priority classes and the Configuration: what they say is in the workloads and in `fairSharing`
		}
		defaulting.Default(object, structural)
		content, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		var into any
		switch kind {
		case "ResourceFlavor":
			flavor := &kueue.ResourceFlavor{}
			m.flavors, into = append(m.flavors, flavor), flavor
		case "Cohort":
			cohort := &kueue.Cohort{}
			m.cohorts, into = append(m.cohorts, cohort), cohort
		case "ClusterQueue":
			queue := &kueue.ClusterQueue{}
			into = queue
			defer func() { m.queues[queue.Name] = queue }()
		}
		if err := json.Unmarshal(content, into); err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
	}
	return m, nil
}
