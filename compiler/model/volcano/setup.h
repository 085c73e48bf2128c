// What Volcano alone has of a cluster: its Queues and its scheduler's configuration, whoever wrote them. Fields and
// defaults: volcano.sh/apis scheduling/v1beta1 Queue and pkg/scheduler/conf of Volcano v1.15.1. Quantities are in base
// units as in cluster.h: cpu in millicores, every other resource in whole units, rounded up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/source/special_members.h"

namespace gpol::volcano {

// By the resource's name. What is not named is unset, which is not the same as 0.
using Amounts = std::map<std::string, std::int64_t>;

// Of spec.affinity, by the names of node groups (label volcano.sh/nodegroup-name); read by the plugin nodegroup alone.
struct NodeGroups {
  std::vector<std::string> required, preferred;
  friend bool operator==(const NodeGroups&, const NodeGroups&) = default;
};

inline constexpr const char* kRootQueue = "root";        // the scheduler makes both where they are not there
inline constexpr const char* kDefaultQueue = "default";  // (pkg/scheduler/cache/cache.go newDefaultAndRootQueue)

// Where the scheduler's configuration is kept (installer/helm/chart/volcano/templates/scheduler.yaml).
inline constexpr const char* kSystemNamespace = "volcano-system";
inline constexpr const char* kSchedulerConfigMap = "volcano-scheduler-configmap";
inline constexpr const char* kSchedulerKey = "volcano-scheduler.conf";

struct Queue {
  std::string name;
  std::string parent = kRootQueue;  // the controller writes it where it is empty
  Amounts capability, deserved, guarantee;
  bool reclaimable = true;
  std::int64_t priority = 0;
  std::int64_t weight = 1;  // read by the plugin proportion alone
  NodeGroups affinity, anti_affinity;
  std::map<std::string, std::string> labels;  // gpol.dev/ only

  GPOL_SPECIAL_MEMBERS(Queue);
};

// One entry of a tier. Flags are those that are written (`enableHierarchy`, ...), arguments as text.
struct Plugin {
  std::string name;
  std::map<std::string, bool> flags;
  std::map<std::string, std::string> arguments;
  friend bool operator==(const Plugin&, const Plugin&) = default;
};

// volcano-scheduler.conf.
struct SchedulerConfig {
  std::vector<std::string> actions;
  std::vector<std::vector<Plugin>> tiers;
  std::map<std::string, std::map<std::string, std::string>> action_arguments;  // `configurations`, by action
  std::map<std::string, std::string> metrics;  // where the plugin usage finds what nodes use
  friend bool operator==(const SchedulerConfig&, const SchedulerConfig&) = default;
};

struct Setup {
  std::string version = "1.15.1";
  SchedulerConfig scheduler;
  std::vector<Queue> queues;

  GPOL_SPECIAL_MEMBERS(Setup);
};

}  // namespace gpol::volcano
