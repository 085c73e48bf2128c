package main

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// The gates that histories ever set, with their defaults: read once, before any is set.
var gateDefaults = map[string]bool{}

// setGates makes the gates those of the history. They are of the whole process.
func setGates(h *history) {
	gates := map[string]bool{}
	for name, value := range gateDefaults {
		gates[name] = value
	}
	for name, value := range h.Gates {
		if _, known := gateDefaults[name]; !known {
			for feature := range utilfeature.DefaultMutableFeatureGate.GetAll() {
				if string(feature) == name {
					gateDefaults[name] = utilfeature.DefaultFeatureGate.Enabled(feature)
				}
			}
		}
		gates[name] = value
	}
	if len(gates) > 0 {
		must(utilfeature.DefaultMutableFeatureGate.SetFromMap(gates))
	}
}
