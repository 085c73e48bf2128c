package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// judge holds, per "apiVersion kind" of the CRDs, the validators that the API server would build from them.
type judge struct {
	resources map[string]resource
	builtin   runtime.Decoder // strict, for the kinds that need no CRD
}

type resource struct {
	structural *schema.Structural
	schema     validation.SchemaValidator
	cel        *cel.Validator
}

// newJudge reads every CRD of a folder.
func newJudge(crds string) (*judge, error) {
	codecs := serializer.NewCodecFactory(clientscheme.Scheme, serializer.EnableStrict)
	j := &judge{resources: map[string]resource{}, builtin: codecs.UniversalDeserializer()}
	files, err := filepath.Glob(filepath.Join(crds, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := j.read(file); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if len(j.resources) == 0 {
		return nil, fmt.Errorf("no CRD in %s", crds)
	}
	return j, nil
}

func (j *judge) read(file string) error {
	content, err := os.ReadFile(file)
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
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		versioned, err := apiextensions.GetSchemaForVersion(&crd, version.Name)
		if err != nil {
			return err
		}
		structural, err := schema.NewStructural(versioned.OpenAPIV3Schema)
		if err != nil {
			return err
		}
		validator, _, err := validation.NewSchemaValidator(versioned.OpenAPIV3Schema)
		if err != nil {
			return err
		}
		j.resources[crd.Spec.Group+"/"+version.Name+" "+crd.Spec.Names.Kind] = resource{
			structural: structural, schema: validator, cel: cel.NewValidator(structural, true, celconfig.PerCallLimit)}
	}
	return nil
}

// refusals says why the API server, with --validate=strict, would refuse the document: each with its judge's name
// before it. None: it would be accepted. Order as in the server: unknown fields, defaults, schema, CEL, webhooks.
func (j *judge) refusals(d document) []string {
	r, known := j.resources[d.kind()]
	if !known {
		if _, _, err := j.builtin.Decode(d.raw, nil, nil); err != nil {
			return []string{"schema: " + err.Error()}
		}
		return nil
	}
	object := runtime.DeepCopyJSON(d.object)
	var out []string
	add := func(judge string, errs field.ErrorList) {
		for _, err := range errs {
			out = append(out, judge+": "+err.Error())
		}
	}
	options := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	for _, path := range pruning.PruneWithOptions(object, r.structural, true, options) {
		out = append(out, "schema: unknown field "+path)
	}
	defaulting.Default(object, r.structural)
	add("schema", validation.ValidateCustomResource(nil, object, r.schema))
	add("schema", objectmeta.Validate(nil, object, r.structural, false))
	add("schema", listtype.ValidateListSetsAndMaps(nil, r.structural, object))
	if len(out) > 0 {
		return out // the server does not run CEL rules on what its schema refuses
	}
	errs, _ := r.cel.Validate(context.Background(), nil, r.structural, object, nil, celconfig.RuntimeCELCostBudget)
	add("cel", errs)
	add("webhook", webhookErrors(object))
	return out
}
