// Package reading (`judge reading < CASES`) reads one case a line (../reading.cpp) and asks Kubernetes' own code: which JSON kubectl makes of a file, what a quantity
// is worth and what Kueue counts it as, what a pod takes of a node. Prints every difference, and how often gpol refuses on purpose what kubectl reads.
package reading

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	resourcehelper "k8s.io/component-helpers/resource"
	defaults "k8s.io/kubernetes/pkg/apis/core/v1"
	"sigs.k8s.io/kueue/pkg/resources"
	"sigs.k8s.io/yaml"
)

type document struct {
	JSON    string `json:"json"`
	Refused string `json:"refused"`
	ReadsOn bool   `json:"reads_on"` // of a refused one: gpol says that kubectl reads it
	Stopped bool   `json:"stopped"`  // gpol says that kubectl stops before it
}

type line struct {
	File      *string    `json:"file"`
	Documents []document `json:"documents"`

	Quantity *string `json:"quantity"`
	CPU      string  `json:"cpu"`     // an integer, "malformed" or "unlimited"
	Other    string  `json:"other"`   // the same for any other resource
	Decimal  string  `json:"decimal"` // what it stands for, to the nano; empty: malformed

	Pod      *corev1.PodSpec  `json:"pod"`
	Serving  map[string]int64 `json:"serving"`  // what it takes of a node, where it serves outside the queue
	Stranger map[string]int64 `json:"stranger"` // the same of a pod of others
}

// What gpol refuses on purpose although kubectl reads it: beginning of its sentence -> why.
var deliberate = map[string]string{
	"holds the key `":                               "a key twice: kubectl keeps the last one, strict field validation rejects it",
	"holds more than 64 nested levels":              "no object is so deep",
	"holds a tag with nothing behind it":            "between brackets, Kubernetes takes the comma for a part of it",
	"holds a text that ends with a colon":           "between brackets, readers disagree",
	"holds a `?` in a text without quotes":          "between brackets, readers disagree",
	"holds a key that is not text":                  "one that a later key of the same name drops, or that begins a second document",
	"is not YAML: did not find expected whitespace": "a bracket in a tag",
	"is not YAML: did not find expected tag URI":    "a bracket or a comma in a tag",
	"holds the escape \\' in a text":                "only Kubernetes' port knows it",
	"holds text on a line that starts with ---":     "a character behind --- that few programs show",
	"holds text behind its end":                     "kubectl passes over it",
	"holds a line break that few programs show":     "YAML 1.1's own line breaks hide what follows",
	"holds a control character":                     "invisible",
	"holds the tag !!timestamp":                     "nobody writes it, and it gives the text",
	"grows by more than 16 MiB":                     "an alias bomb",
	"holds more than 16 MiB in anchors":             "an alias bomb",
	"holds a number that no computer holds":         "beyond float64, which fails later",
	"holds a byte order mark":                       "invisible, and a part of the key behind it",
}

var counts = map[string]int{}
var bad int

func differ(what, text, ours, theirs string) {
	bad++
	if bad <= 40 {
		fmt.Printf("reading: DIFFERENT: %s: %q\n  ours   %s\n  theirs %s\n", what, text, ours, theirs)
	}
}

// JSON as a value whose numbers are as later readers have them: int64, else float64.
func value(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var out any
	err := decoder.Decode(&out)
	return numbers(out), err
}

func numbers(of any) any {
	switch of := of.(type) {
	case map[string]any:
		for key := range of {
			of[key] = numbers(of[key])
		}
	case []any:
		for i := range of {
			of[i] = numbers(of[i])
		}
	case json.Number:
		if whole, err := of.Int64(); err == nil {
			return whole
		}
		if whole, err := strconv.ParseUint(of.String(), 10, 64); err == nil {
			return whole
		}
		float, _ := of.Float64()
		text, _ := json.Marshal(float)
		if whole, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return whole
		}
		return string(text)
	}
	return of
}

// As kubectl's FileVisitor and StreamVisitor do: the documents up to the first that is none.
func documents(file string) ([]any, error) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(
		transform.NewReader(strings.NewReader(file), unicode.BOMOverride(unicode.UTF8.NewDecoder())), 4096)
	var list []any
	for {
		extension := runtime.RawExtension{}
		if err := decoder.Decode(&extension); err != nil {
			if errors.Is(err, io.EOF) {
				return list, nil
			}
			return list, err
		}
		raw := bytes.TrimSpace(extension.Raw)
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		one, err := value(raw)
		if err != nil {
			return list, err
		}
		list = append(list, one)
	}
}

func judgeFile(c line) {
	theirs, err := documents(*c.File)
	var ours []any
	refused, readsOn := "", false
	for _, one := range c.Documents {
		if one.Refused != "" {
			refused, readsOn = one.Refused, one.ReadsOn
			break
		}
		if one.Stopped {
			continue
		}
		of, err := value([]byte(one.JSON))
		if err != nil {
			panic(err)
		}
		if of != nil {
			ours = append(ours, of)
		}
	}
	show := func(list []any, why any) string {
		text, _ := json.Marshal(list)
		return fmt.Sprint(string(text), " ", why)
	}
	switch {
	case refused == "" && err == nil && (reflect.DeepEqual(ours, theirs) || len(ours)+len(theirs) == 0):
		counts["read alike"]++
	case refused != "" && err != nil && !readsOn && !reflect.DeepEqual(ours, theirs) && len(ours)+len(theirs) > 0:
		differ("what stands in front of a document that both refuse", *c.File, show(ours, refused), show(theirs, err))
	case refused != "" && err != nil:
		counts["refused by both"]++
	case refused != "" && !readsOn:
		differ("refused, and kubectl is said to stop", *c.File, refused, show(theirs, err))
	case refused != "":
		if goesOn(*c.File) {
			counts["on purpose: kubectl passes over what stands behind a document's first value"]++
			return
		}
		for prefix := range deliberate {
			if !strings.HasPrefix(refused, prefix) {
				continue
			}
			if strings.HasSuffix(refused, "twice in one mapping") && !isTwice(*c.File) {
				differ("a key that is there once", *c.File, refused, show(theirs, err))
			}
			counts["on purpose: "+deliberate[prefix]]++
			return
		}
		differ("refused", *c.File, refused, show(theirs, err))
	case err != nil && refused == "" && tabAlone.MatchString(*c.File):
		counts["taken although kubectl does not: a tab in a line of nothing else, or in front of a comment"]++
	case err != nil && refused == "" && len(ours) <= len(theirs):
		counts["taken although kubectl does not: says nothing"]++
	default:
		differ("file", *c.File, show(ours, refused), show(theirs, err))
	}
}

// Whether some document has a key twice: the same, or two that are one as JSON (1 and "1").
func isTwice(file string) bool {
	if strings.HasPrefix(strings.TrimSpace(file), "{") {
		return true
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(file)))
	for {
		text, err := reader.Read()
		if err != nil {
			return false
		}
		if _, err := yaml.YAMLToJSONStrict(text); err != nil || mixedKeys.Match(text) {
			return true
		}
	}
}

var tabAlone = regexp.MustCompile(`(?m)^ *\t[ \t]*(#|\r?$)`)
var mixedKeys = regexp.MustCompile(`(?m)(true|yes|on|y|[0-9])["']? *:`)

// Whether something stands behind the first value of a document: kubectl does not even look whether it is YAML.
func goesOn(file string) bool {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(file)))
	for {
		text, err := reader.Read()
		if err != nil {
			return false
		}
		decoder := goyaml.NewDecoder(bytes.NewReader(text))
		var first, second any
		if decoder.Decode(&first) == nil && !errors.Is(decoder.Decode(&second), io.EOF) {
			return true
		}
	}
}

// Of the CRDs' quantities.
var pattern = regexp.MustCompile(`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`)
var exponent = regexp.MustCompile(`[eE][-+]?0*[0-9]{3,}$`)

func judgeQuantity(c line) {
	text := *c.Quantity
	quantity, err := resource.ParseQuantity(text)
	if err != nil || !pattern.MatchString(text) {
		counts["malformed"]++
		if c.CPU != "malformed" || c.Other != "malformed" || c.Decimal != "" {
			differ("quantity", text, c.CPU+" "+c.Other+" "+c.Decimal, fmt.Sprint("malformed ", err))
		}
		return
	}
	if c.CPU == "malformed" && exponent.MatchString(text) {
		counts["on purpose: exponents beyond 99"]++
		return
	}
	counts["quantities"]++
	for _, one := range []struct{ resource, ours string }{{"cpu", c.CPU}, {"memory", c.Other}} {
		theirs := "unlimited"
		if amount := resources.AmountFromQuantity(corev1.ResourceName(one.resource), quantity); amount != resources.Unlimited {
			theirs = strconv.FormatInt(amount.Int64(), 10)
		}
		if quantity.Sign() < 0 {
			counts["on purpose: negative, which Kueue's webhooks reject; rounding below a nano differs"]++
			if one.ours == "unlimited" || one.ours[0] != '-' && one.ours != "malformed" {
				differ("amount that is negative", text, one.ours, theirs)
			}
			continue
		}
		if one.ours != theirs {
			differ("amount of "+one.resource, text, one.ours, theirs)
		}
	}
	if c.Decimal != "" {
		ours, err := resource.ParseQuantity(c.Decimal)
		if err != nil || ours.Cmp(quantity) != 0 {
			differ("decimal", text, c.Decimal, quantity.AsDec().String())
		}
	}
}

// What kube-scheduler counts a pod as, once the API server has set its defaults.
func judgePod(c line) {
	pod := corev1.Pod{Spec: *c.Pod.DeepCopy()}
	defaults.SetObjectDefaults_Pod(&pod)
	theirs := map[string]int64{}
	for name, quantity := range resourcehelper.PodRequests(&pod, resourcehelper.PodResourcesOptions{}) {
		value := quantity.Value()
		if name == corev1.ResourceCPU {
			value = quantity.MilliValue()
		}
		if value > 0 {
			theirs[string(name)] = value
		}
	}
	text, _ := json.Marshal(c.Pod)
	for who, amounts := range map[string]map[string]int64{"serving": c.Serving, "stranger": c.Stranger} {
		ours := map[string]int64{}
		for name, value := range amounts {
			if name != "pods" && value > 0 {
				ours[name] = value
			}
		}
		if !reflect.DeepEqual(ours, theirs) {
			differ("what a pod takes, "+who, string(text), fmt.Sprint(ours), fmt.Sprint(theirs))
			return
		}
	}
	counts["pods alike"]++
}

// Main judges standard input and returns the exit code.
func Main([]string) int {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	cases := 0
	for in.Scan() {
		var c line
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			fmt.Println("reading: a line that is no case:", err)
			return 1
		}
		cases++
		if c.File != nil {
			judgeFile(c)
		} else if c.Pod != nil {
			judgePod(c)
		} else {
			judgeQuantity(c)
		}
	}
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		fmt.Printf("reading: %6d %s\n", counts[key], key)
	}
	fmt.Printf("reading: %d cases, %d differences\n", cases, bad)
	if bad > 0 || cases == 0 {
		return 1
	}
	return 0
}
