package accept

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// judge holds, per "apiVersion kind" of the CRDs, the validators that the API server would build from them.
type judge struct {
	resources map[string]resource
	builtin   runtime.Decoder // strict, for the kinds that need no CRD
}

type resource struct {
	namespaced bool
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
			namespaced: crd.Spec.Scope == apiextensions.NamespaceScoped,
			structural: structural, schema: validator, cel: cel.NewValidator(structural, true, celconfig.PerCallLimit)}
	}
	return nil
}

// refusals says why the API server, with --validate=strict, would refuse to create the document: each with its judge's
// name before it. None: it would be accepted. The steps and their order are the server's: decoding (unknown fields,
// nulls, metadata), defaults, schema and metadata, CEL, webhooks.
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
	unknown, err := decode(object, r.structural)
	if err != nil {
		return []string{"schema: " + err.Error()}
	}
	for _, path := range unknown {
		out = append(out, "schema: unknown field "+path)
	}
	if len(out) > 0 {
		return out
	}
	defaulting.Default(object, r.structural)
	delete(object, "status") // a create cannot set it
	add("metadata", metadataErrors(object, r.namespaced))
	add("schema", validation.ValidateCustomResource(nil, object, r.schema))
	add("schema", objectmeta.Validate(nil, object, r.structural, false))
	add("schema", listtype.ValidateListSetsAndMaps(nil, r.structural, object))
	if len(out) > 0 {
		return out // the server runs CEL rules after some of these, but refuses the object already
	}
	errs, _ := r.cel.Validate(context.Background(), nil, r.structural, object, nil, celconfig.RuntimeCELCostBudget)
	add("cel", errs)
	add("webhook", webhookErrors(object))
	return out
}

// decode does to the object what the server's decoder of custom resources does (unstructuredSchemaCoercer in
// apiextensions-apiserver, which it does not export).
func decode(object map[string]any, structural *schema.Structural) (unknown []string, err error) {
	metadata, found, unknown, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, err
	}
	options := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown = append(unknown, pruning.PruneWithOptions(object, structural, true, options)...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
	if found {
		err = objectmeta.SetObjectMeta(object, metadata)
	}
	return unknown, err
}

// metadataErrors is what a create without a namespace in its request checks of an object's metadata.
func metadataErrors(object map[string]any, namespaced bool) field.ErrorList {
	u := &unstructured.Unstructured{Object: object}
	rest.FillObjectMetaSystemFields(u)
	if u.GetName() == "" && u.GetGenerateName() != "" {
		u.SetName(names.SimpleNameGenerator.GenerateName(u.GetGenerateName()))
	}
	if !namespaced {
		// With a namespace that is not the request's this would be an error, but the request has none: it is cleared.
		if err := rest.EnsureObjectNamespaceMatchesRequestNamespace("", u); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
	}
	u.SetGeneration(1)
	u.SetManagedFields(nil) // the server writes its own
	var owners []metav1.OwnerReference
	for _, owner := range u.GetOwnerReferences() {
		if !slices.ContainsFunc(owners, func(other metav1.OwnerReference) bool { return reflect.DeepEqual(owner, other) }) {
			owners = append(owners, owner)
		}
	}
	u.SetOwnerReferences(owners)
	return apivalidation.ValidateObjectMetaAccessor(u, namespaced, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
}
