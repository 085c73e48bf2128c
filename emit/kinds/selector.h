// A metav1.LabelSelector. Only for selectors that are present: an absent one is an absent field.
#pragma once

#include "compiler/cluster/cluster.h"
#include "emit/yaml.h"

namespace gpol::kinds {

yaml::Map label_selector(const Selector& selector);

}  // namespace gpol::kinds
