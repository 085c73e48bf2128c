//go:build !quotas

package differential

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
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

func fairSharingConfiguration(h *history) *config.FairSharing {
	if len(h.FairSharing) == 0 {
		return nil
	}
	fair := &config.FairSharing{}
	for _, strategy := range h.FairSharing {
		fair.PreemptionStrategies = append(fair.PreemptionStrategies, config.PreemptionStrategy(strategy))
	}
	return fair
}

func quotaCheck(h *history) config.QuotaCheckStrategy {
	if h.QuotaCheck == "" {
		return config.QuotaCheckBlockUndeclared
	}
	return config.QuotaCheckStrategy(h.QuotaCheck)
}

func requeuing(h *history) config.RequeuingTimestamp {
	if h.PodsReady.Creation {
		return config.CreationTimestamp
	}
	return config.EvictionTimestamp
}
