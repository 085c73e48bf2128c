// How devices are cut and shared, where charts keep it: values of the GPU Operator (`devicePlugin.config`,
// `migManager.config`, `mig`; deployments/gpu-operator/values.yaml) and of NVIDIA's device plugin (`config.map`;
// deployments/helm/nvidia-device-plugin/values.yaml), in a file of values, a HelmRelease, a HelmChart of k3s or an
// Application. In: such a document. Out: what the ConfigMap and the ClusterPolicy that the chart makes of them say.
#pragma once

#include <string>

#include "checker/observe/partition_files.h"

namespace gpol::manifest {

void read_device_values(const Node& root, std::string_view bytes, const Place& place, GivenCuts& cuts);

// What a HelmRelease or an Application of Kueue, the GPU Operator or the device plugin takes from elsewhere, in words;
// empty: the object is none.
std::string values_elsewhere(const Node& object);

// Whether a document of this kind can hold such values; empty: it is no object.
bool may_hold_values(std::string_view kind);

// After all was read: a default that no key has, a ConfigMap that is not there.
void settle_defaults(GivenCuts& cuts, std::vector<std::string>& trusted);

}  // namespace gpol::manifest
