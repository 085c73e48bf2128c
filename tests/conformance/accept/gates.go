package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	_ "sigs.k8s.io/kueue/pkg/features"
)

// gateTable is what gpol knows of Kueue's feature gates (compiler/cluster/feature_gates.h).
type gateTable struct {
	Defaults map[string]bool
	Locked   []string
}

// compareGates demands that gpol's table has Kueue's own gates, all of them, with their defaults, and says which cannot
// be changed. So a gate that a new Kueue adds fails here.
func compareGates(in io.Reader) error {
	var table gateTable
	if err := json.NewDecoder(in).Decode(&table); err != nil {
		return err
	}
	bad, own := 0, 0
	differ := func(gate, format string, args ...any) {
		bad++
		fmt.Printf("objects: GATE: %s: %s\n", gate, fmt.Sprintf(format, args...))
	}
	versions := utilfeature.DefaultMutableFeatureGate.GetAllVersioned()
	for gate, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		known, listed := table.Defaults[string(gate)]
		// What k8s.io/apiserver registers beside them has versions of Kubernetes.
		if versions[gate][0].Version.Major() != 0 {
			if listed {
				differ(string(gate), "is in the table, and none of Kueue's")
			}
			continue
		}
		own++
		if !listed || known != spec.Default {
			differ(string(gate), "Kueue's default is %v; listed: %v, as %v", spec.Default, listed, known)
		}
		if locked := slices.Contains(table.Locked, string(gate)); locked != spec.LockToDefault {
			differ(string(gate), "locked is %v, in the table %v", spec.LockToDefault, locked)
		}
	}
	if own != len(table.Defaults) {
		differ("all", "Kueue has %d, the table %d", own, len(table.Defaults))
	}
	fmt.Printf("objects: %d feature gates, %d differences\n", own, bad)
	if bad > 0 || own == 0 {
		return fmt.Errorf("%d differences between the table and Kueue's feature gates", bad)
	}
	return nil
}
