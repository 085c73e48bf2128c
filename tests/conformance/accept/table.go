package accept

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// shape is what a field may hold, as gpol's tables say it (checker/observe/schema/type.h).
type shape struct {
	Is          string
	Syntax      string            `json:",omitempty"`
	Required    bool              `json:",omitempty"`
	Distinct    bool              `json:",omitempty"`
	Open        bool              `json:",omitempty"`
	Least, Most *int64            `json:",omitempty"`
	Words       []string          `json:",omitempty"`
	Key         string            `json:",omitempty"`
	Fallback    string            `json:",omitempty"`
	Fields      map[string]*shape `json:",omitempty"`
	Item        *shape            `json:",omitempty"`
}

type kindTable struct {
	Api, Kind  string
	Namespaced bool
	Root       *shape
	CelRules   map[string]int // by the place where they stand
}

// compareTables demands that gpol's tables say exactly what the CRDs say, and metav1.ObjectMeta of metadata. So a field
// or rule that a new Kueue adds fails here, whether or not an object uses it.
func compareTables(crds string, in io.Reader) error {
	var tables []kindTable
	if err := json.NewDecoder(in).Decode(&tables); err != nil {
		return err
	}
	bad, fields := 0, 0
	differ := func(where, format string, args ...any) {
		bad++
		fmt.Printf("objects: TABLE: %s: %s\n", where, fmt.Sprintf(format, args...))
	}
	for _, table := range tables {
		scope, root, err := schemaOf(crds, table.Api, table.Kind)
		if err != nil {
			return err
		}
		where := table.Api + " " + table.Kind
		if (scope == apiextensions.NamespaceScoped) != table.Namespaced {
			differ(where, "its scope is %s", scope)
		}
		c := comparison{differ: differ, rules: map[string]int{}}
		c.compare(where, "", table.Root, root)
		fields += c.fields
		if !reflect.DeepEqual(c.rules, table.CelRules) {
			differ(where, "CEL rules: the CRD has %v, the table %v", c.rules, table.CelRules)
		}
	}
	fmt.Printf("objects: %d tables, %d fields, %d differences\n", len(tables), fields, bad)
	if bad > 0 || len(tables) == 0 {
		return fmt.Errorf("%d differences between the tables and the CRDs", bad)
	}
	return nil
}

func schemaOf(crds, api, kind string) (apiextensions.ResourceScope, *apiextensions.JSONSchemaProps, error) {
	files, err := filepath.Glob(filepath.Join(crds, "*.yaml"))
	if err != nil {
		return "", nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return "", nil, err
		}
		var v1 apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(content, &v1); err != nil {
			return "", nil, err
		}
		var crd apiextensions.CustomResourceDefinition
		if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&v1, &crd, nil); err != nil {
			return "", nil, err
		}
		for _, version := range crd.Spec.Versions {
			if crd.Spec.Group+"/"+version.Name == api && crd.Spec.Names.Kind == kind && version.Served {
				validation, err := apiextensions.GetSchemaForVersion(&crd, version.Name)
				if err != nil {
					return "", nil, err
				}
				return crd.Spec.Scope, validation.OpenAPIV3Schema, nil
			}
		}
	}
	return "", nil, fmt.Errorf("no CRD of %s %s in %s", api, kind, crds)
}

type comparison struct {
	differ func(where, format string, args ...any)
	rules  map[string]int
	fields int
}

func (c *comparison) compare(where, path string, ours *shape, theirs *apiextensions.JSONSchemaProps) {
	c.fields++
	at := where + " " + path
	if path == "metadata" {
		c.compareMeta(at, ours, reflect.TypeOf(metav1.ObjectMeta{}))
		return
	}
	if ours.Is == "any" {
		return
	}
	expected := c.shapeOf(at, theirs)
	mine := *ours
	mine.Fields, mine.Item, mine.Open, mine.Required = nil, nil, false, false
	if !reflect.DeepEqual(mine, expected) {
		a, _ := json.Marshal(mine)
		b, _ := json.Marshal(expected)
		c.differ(at, "the table says %s, the CRD %s", a, b)
	}
	for _, rule := range theirs.XValidations {
		if !strings.Contains(rule.Rule, "oldSelf") && !strings.Contains(rule.Rule, "self.status") {
			c.rules[path]++
		}
	}
	switch ours.Is {
	case "list", "map":
		item := (*apiextensions.JSONSchemaProps)(nil)
		suffix := "[]"
		if ours.Is == "map" {
			item, suffix = theirs.AdditionalProperties.Schema, "{}"
		} else {
			item = theirs.Items.Schema
		}
		c.compare(where, path+suffix, ours.Item, item)
	case "object":
		for _, name := range sortedKeys(ours.Fields) {
			property, ok := theirs.Properties[name]
			if !ok {
				c.differ(at, "the CRD has no field %s", name)
				continue
			}
			required := false
			for _, other := range theirs.Required {
				required = required || other == name
			}
			if required != ours.Fields[name].Required {
				c.differ(at, "the CRD says required: %v of %s", required, name)
			}
			c.compare(where, strings.TrimPrefix(path+"."+name, "."), ours.Fields[name], &property)
		}
		for _, name := range sortedKeys(theirs.Properties) {
			if ours.Fields[name] == nil && !ours.Open {
				c.differ(at, "the table has no field %s", name)
			}
		}
	}
}

var syntaxes = map[string]string{
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`:                                                 "subdomain",
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`:                                                                                   "label",
	`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`:   "label-key",
	`^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$`:                                                                                  "kind",
	`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`: "quantity",
}

// shapeOf says what a node of a CRD's schema demands, but for its fields and items.
func (c *comparison) shapeOf(at string, s *apiextensions.JSONSchemaProps) shape {
	out := shape{Is: s.Type}
	switch {
	case s.XIntOrString:
		out.Is = "quantity"
	case s.Type == "string":
		out.Is = "text"
	case s.Type == "array":
		out.Is = "list"
	case s.Type == "object" && s.AdditionalProperties != nil:
		out.Is = "map"
	}
	if s.Pattern != "" {
		if out.Syntax = syntaxes[s.Pattern]; out.Syntax == "" {
			c.differ(at, "an unknown pattern %s", s.Pattern)
		}
	} else if s.Format == "date-time" {
		out.Syntax = "date-time"
	}
	limit := func(into **int64, value *int64) {
		if value != nil {
			*into = value
		}
	}
	switch out.Is {
	case "integer":
		low, high := int64(math.MinInt64), int64(math.MaxInt64)
		if s.Format == "int32" {
			low, high = math.MinInt32, math.MaxInt32
		}
		if s.Minimum != nil {
			low = max(low, int64(*s.Minimum))
		}
		if s.Maximum != nil {
			high = min(high, int64(*s.Maximum))
		}
		out.Least, out.Most = &low, &high
	case "text":
		limit(&out.Least, s.MinLength)
		limit(&out.Most, s.MaxLength)
	case "list":
		limit(&out.Least, s.MinItems)
		limit(&out.Most, s.MaxItems)
	case "map":
		limit(&out.Least, s.MinProperties)
		limit(&out.Most, s.MaxProperties)
	}
	for _, word := range s.Enum {
		out.Words = append(out.Words, word.(string))
	}
	if s.XListType != nil {
		out.Distinct = *s.XListType == "set"
		out.Key = strings.Join(s.XListMapKeys, " ")
	}
	if s.Default != nil {
		if word, ok := (*s.Default).(string); ok {
			out.Fallback = word
		} else {
			value, _ := json.Marshal(*s.Default)
			out.Fallback = string(value)
		}
	}
	if s.Nullable || s.XEmbeddedResource || (s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields) || s.Not != nil ||
		len(s.AllOf)+len(s.OneOf) > 0 || s.ExclusiveMinimum || s.ExclusiveMaximum || s.MultipleOf != nil || s.UniqueItems {
		c.differ(at, "the CRD uses something that the tables cannot say")
	}
	return out
}

// compareMeta compares a table with the Go type whose JSON it describes.
func (c *comparison) compareMeta(at string, ours *shape, theirs reflect.Type) {
	c.fields++
	if theirs.Kind() == reflect.Pointer {
		theirs = theirs.Elem()
	}
	expected := map[reflect.Kind]string{reflect.String: "text", reflect.Bool: "boolean", reflect.Int64: "integer",
		reflect.Map: "map", reflect.Slice: "list", reflect.Struct: "object"}[theirs.Kind()]
	switch theirs {
	case reflect.TypeOf(metav1.Time{}):
		expected = "text"
	case reflect.TypeOf([]metav1.ManagedFieldsEntry{}):
		expected = "any"
	}
	if ours.Is != expected {
		c.differ(at, "the table says %s, the Go type is %s", ours.Is, theirs)
		return
	}
	switch expected {
	case "list", "map":
		c.compareMeta(at+"[]", ours.Item, theirs.Elem())
	case "object":
		seen := map[string]bool{}
		for i := range theirs.NumField() {
			name := strings.Split(theirs.Field(i).Tag.Get("json"), ",")[0]
			seen[name] = true
			if ours.Fields[name] == nil {
				c.differ(at, "the table has no field %s", name)
				continue
			}
			c.compareMeta(at+"."+name, ours.Fields[name], theirs.Field(i).Type)
		}
		for _, name := range sortedKeys(ours.Fields) {
			if !seen[name] {
				c.differ(at, "the Go type has no field %s", name)
			}
		}
	}
}
