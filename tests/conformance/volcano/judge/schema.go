package main

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// config/crd/volcano/bases/scheduling.volcano.sh_queues.yaml of the module: build.sh lays it over this name.
//
//go:embed queues.yaml
var queuesCRD []byte

// crdSchema is what the API server makes of the CRD's schema. It has no CEL rules, and no lists that are sets or maps.
type crdSchema struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
}

var queueSchema = sync.OnceValue(func() crdSchema {
	s, err := readSchema(queuesCRD)
	if err != nil {
		panic(err)
	}
	return s
})

func readSchema(content []byte) (s crdSchema, err error) {
	var v1 apiextensionsv1.CustomResourceDefinition
	if err = yaml.UnmarshalStrict(content, &v1); err != nil {
		return s, err
	}
	var crd apiextensions.CustomResourceDefinition
	if err = apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&v1, &crd, nil); err != nil {
		return s, err
	}
	versioned, err := apiextensions.GetSchemaForVersion(&crd, "v1beta1")
	if err != nil {
		return s, err
	}
	if s.structural, err = schema.NewStructural(versioned.OpenAPIV3Schema); err != nil {
		return s, err
	}
	s.validator, _, err = validation.NewSchemaValidator(versioned.OpenAPIV3Schema)
	return s, err
}

// decode does what the server's decoder does for a client that asks for strictness, as kubectl does.
func (s crdSchema) decode(object map[string]any) error {
	metadata, found, unknown, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return err
	}
	track := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown = append(unknown, pruning.PruneWithOptions(object, s.structural, true, track)...)
	if len(unknown) > 0 {
		return fmt.Errorf("unknown field %s", strings.Join(unknown, ", "))
	}
	if found {
		if err := objectmeta.SetObjectMeta(object, metadata); err != nil {
			return err
		}
	}
	s.complete(object)
	return nil
}

func (s crdSchema) complete(object map[string]any) {
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	defaulting.Default(object, s.structural)
}

func metadataErrors(object map[string]any) field.ErrorList {
	u := &unstructured.Unstructured{Object: object}
	if u.GetNamespace() != "" {
		u.SetNamespace("") // of a cluster-scoped kind the server clears it where the request has none
	}
	return apivalidation.ValidateObjectMetaAccessor(u, false, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
}
