// What of a scheduler's configuration decides who can hold what (pkg/scheduler/util.go UnmarshalSchedulerConf,
// framework/session_plugins.go, Volcano v1.15.1). In: volcano-scheduler.conf. Out: which plugin limits queues, and in
// words what these rules have not; where such a reason stands, the caller says "undecided".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/volcano/setup.h"

namespace gpol::volcano {

// Both: capacity and proportion, where a pod must fit the limits of each.
enum class Limiter : std::uint8_t { None, CapacityFlat, CapacityHierarchical, Proportion, Both };

struct Mode {
  Limiter limiter = Limiter::None;
  bool hierarchical = false;  // of the plugin capacity, if it is there
  // capacity asks before each pod (enabledAllocatable). Without it nothing holds a queue to its limits.
  bool allocatable = false;
  std::vector<std::string> beyond_limits;  // why a queue may get more than limits_of says, though capacity limits
  std::vector<std::string> not_played;     // why the executable scheduler cannot play this configuration
  // Actions that evict for somebody who waits, and do nothing where nobody does: who holds what until then is played.
  std::vector<std::string> evicts;
};

Mode mode_of(const SchedulerConfig& config, std::string_view version = "1.15.1");

// Why the scheduler keeps the configuration that it had (pkg/scheduler/util.go); empty: it takes this one.
std::string refused(const SchedulerConfig& config);

// The entry of the plugin, or null.
const Plugin* plugin_of(const SchedulerConfig& config, std::string_view name);

}  // namespace gpol::volcano
