// Volcano's objects as the YAML trees of their manifests. Kinds and fields: scheduling.volcano.sh/v1beta1 Queue
// (volcano.sh/apis of Volcano v1.15.1), the scheduler's ConfigMap as Volcano's chart names it (installer/helm).
#pragma once

#include <string>
#include <vector>

#include "compiler/model/volcano/setup.h"
#include "emit/yaml.h"

namespace gpol::kinds {

yaml::Value volcano_queue(const volcano::Queue& queue);
yaml::Value volcano_scheduler(const volcano::SchedulerConfig& config);
// Above it: what it changes for everybody in the cluster.
std::vector<std::string> scheduler_words();

}  // namespace gpol::kinds
