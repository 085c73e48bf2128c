// Whether one device can be cut into a layout, beside instances that it may hold already: judged by positions, not by
// sums. The formula of the partition family; its closed form is why_no_placement (compiler/policy/mig_layout.h), an
// exhaustive search.
#pragma once

#include <vector>

#include "checker/solver/solver.h"
#include "checker/solver/terms.h"
#include "compiler/policy/mig_layout.h"

namespace gpol::partition {

// Unknown starts of the instances, each one of its profile's, no two overlapping, no profile more often than it may
// stand, compute slices and engines within the device's. Satisfiable: it can be cut so, and the model is a way.
Formula layout_formula(const Hardware& device, const std::vector<Slices>& layout,
                       const std::vector<Instance>& held = {});

// The starts that a model of that formula gives; empty where it has none for some instance.
std::vector<Instance> instances_of(const Answer& answer, const Hardware& device, const std::vector<Slices>& layout);

// Whether these stand side by side on the device: each at a start of its profile's, none over another.
bool stand(const Hardware& device, const std::vector<Instance>& instances);

}  // namespace gpol::partition
