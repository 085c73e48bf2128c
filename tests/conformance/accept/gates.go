package accept

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/kueue/pkg/controller/jobframework"
	_ "sigs.k8s.io/kueue/pkg/features"
)

// gateTable is what gpol knows of Kueue's feature gates (compiler/cluster/feature_gates.h).
type gateTable struct {
	Defaults map[string]bool
	Locked   []string
	// Of checker/observe/schema/configuration.h: by name, "Kind.version.group".
	Frameworks map[string]string
}

// Libraries that Kueue links register gates of their own: which are Kueue's says its source alone.
var constants = regexp.MustCompile(`featuregate\.Feature = "(\w+)"`)

// compareGates demands that gpol's table has Kueue's own gates, all of them, with their defaults, and says which cannot
// be changed. So a gate that a new Kueue adds fails here. `source`: its pkg/features/kube_features.go.
func compareGates(source string, in io.Reader) error {
	var table gateTable
	if err := json.NewDecoder(in).Decode(&table); err != nil {
		return err
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	bad, own := 0, 0
	differ := func(gate, format string, args ...any) {
		bad++
		fmt.Printf("objects: GATE: %s: %s\n", gate, fmt.Sprintf(format, args...))
	}
	specs := utilfeature.DefaultMutableFeatureGate.GetAll()
	for _, match := range constants.FindAllStringSubmatch(string(text), -1) {
		gate := match[1]
		spec, registered := specs[featuregate.Feature(gate)]
		known, listed := table.Defaults[gate]
		own++
		if !registered || !listed || known != spec.Default {
			differ(gate, "Kueue's default is %v; listed: %v, as %v", spec.Default, listed, known)
		}
		if locked := slices.Contains(table.Locked, gate); locked != spec.LockToDefault {
			differ(gate, "locked is %v, in the table %v", spec.LockToDefault, locked)
		}
	}
	if own != len(table.Defaults) {
		differ("all", "Kueue has %d, the table %d", own, len(table.Defaults))
	}
	scheme := managerScheme()
	kinds := 0
	if err := jobframework.ForEachIntegration(func(name string, cb jobframework.IntegrationCallbacks) error {
		gvk, err := apiutil.GVKForObject(cb.JobType, scheme)
		if err != nil {
			return err
		}
		kinds++
		kind := gvk.Kind + "." + gvk.Version + "." + gvk.Group
		if known, listed := table.Frameworks[name]; known != kind {
			differ(name, "Kueue manages %s; listed: %v, as %v", kind, listed, known)
		}
		return nil
	}); err != nil {
		return err
	}
	if kinds != len(table.Frameworks) {
		differ("all", "Kueue has %d frameworks, the table %d", kinds, len(table.Frameworks))
	}
	fmt.Printf("objects: %d feature gates, %d frameworks, %d differences\n", own, kinds, bad)
	if bad > 0 || own == 0 {
		return fmt.Errorf("%d differences between the table and Kueue's feature gates", bad)
	}
	return nil
}
