// How GPUs are cut, as it ships: configurations of NVIDIA's mig-parted (api/spec/v1/spec.go), kept in a ConfigMap of
// the GPU Operator; the nodes that take one of them by the label `nvidia.com/mig.config`, which MIG Manager reads; and
// what the operator's ClusterPolicy must say beside them (api/nvidia/v1/clusterpolicy_types.go of NVIDIA/gpu-operator).
// Empty where nothing is cut.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/policy/vocabulary.h"
#include "compiler/source/span.h"

namespace gpol {

class Block;  // fact_lines.h

inline constexpr const char* kMigConfigLabel = "nvidia.com/mig.config";
inline constexpr const char* kPluginConfigLabel = "nvidia.com/device-plugin.config";
inline constexpr const char* kPluginDefault = "gpol.default";  // of nodes without the label; no pool's name has a dot
inline constexpr const char* kMigConfigKey = "config.yaml";    // of the ConfigMap's data: MIG Manager reads no other

// "gpol-live.3f2a9c41=2 gpol-live.77ab1203=1", of the ConfigMap.
inline constexpr const char* kNodesOfConfigs = "gpol.dev/nodes";

// A named configuration: what it does to the devices of a node, in order.
struct MigConfig {
  struct Entry {
    std::vector<std::string> filters;            // device-filter; empty: devices of every model
    std::vector<std::int64_t> devices;           // by index; empty: all
    bool enabled = false;                        // mig-enabled
    std::map<std::string, std::int64_t> slices;  // mig-devices: how many of each profile on each device
    Span span = {};                              // where it was read
  };
  std::string name;
  std::vector<Entry> entries;
  std::int64_t nodes = 0;  // how many nodes are to take it; 0: not said (annotation kNodesOfConfigs)
};

struct MigConfigMap {
  std::string ns, name;
  std::vector<MigConfig> configs;
  bool merged = false;  // it holds what somebody else keeps there, too
};

// Nodes that take a configuration by a label: those that carry all of these labels.
struct CutNodes {
  std::string config;
  std::map<std::string, std::string> labels;
  std::string by = kMigConfigLabel;  // or kPluginConfigLabel
  // How many of them took which configuration by an earlier build: for people, in no script.
  std::map<std::string, std::int64_t> before = {};
};

// One configuration of the device plugin (api/config/v1 of NVIDIA/k8s-device-plugin), by its key in a ConfigMap: how
// the devices of the nodes that take it are shared.
struct PluginConfig {
  enum class Sharing : std::uint8_t { None, TimeSlicing, Mps, Both };  // Both: the plugin takes mps
  std::string name;
  std::string mig_strategy;  // flags.migStrategy; empty: not said
  Sharing sharing = Sharing::None;
  bool renames = false, refuses_several = false;      // renameByDefault, failRequestsGreaterThanOne
  std::map<std::string, std::int64_t> replicas = {};  // by resource
  Span span = {};                                     // where it was read
};

struct PluginConfigMap {
  std::string ns, name;
  std::vector<PluginConfig> configs;
  std::vector<std::string> others = {};  // of what somebody keeps: its keys that hold no such configuration
  bool of_chart = false;  // values of the device plugin's own chart: that release reads it, whatever others name
};

// The ClusterPolicy of the GPU Operator, as far as devices get other names by it. Empty: it does not say.
struct OperatorPolicy {
  std::string name;
  // mig.strategy: none, single, mixed; empty: taken out, so that each configuration of the device plugin says its own
  // (the operator hands it over as MIG_STRATEGY, which wins over a file); absent: not said.
  std::optional<std::string> mig_strategy;
  std::string mig_config = {}, mig_default = {};        // migManager.config.name and .default
  std::string plugin_config = {}, plugin_default = {};  // devicePlugin.config.name and .default
  Span span = {};                                       // where it was read
};

// What it cuts each device of a node into, by index: what the last entry about it says (mig-parted applies them in
// order: cmd/nvidia-mig-parted/apply); nothing: it stays whole.
std::vector<std::vector<Slices>> devices_of(const MigConfig& config, std::int64_t devices);

// Their lines in the normal form.
Block block_of(const MigConfigMap& map);
Block block_of(const OperatorPolicy& policy);
Block block_of(const PluginConfigMap& map);
inline std::string name_in_lines(const PluginConfigMap& map) { return map.ns + "/" + map.name; }
inline std::string name_in_lines(const MigConfigMap& map) { return map.ns + "/" + map.name; }

}  // namespace gpol
