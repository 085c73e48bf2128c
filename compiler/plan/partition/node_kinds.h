// How the nodes of a cut pool are cut: one kind of node per configuration of mig-parted. In: a pool of a resolved
// policy. Out: its kinds, in the order in which they are named; nothing for a pool whose devices stay whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/plan/partition/layouts.h"
#include "compiler/policy/vocabulary.h"

namespace gpol {

struct Policy;

struct NodeKind {
  std::string config;                         // the name of its configuration: "gpol-live.3f2a9c41", by what is in it
  std::int64_t nodes_min = 0, nodes_max = 0;  // how many of the pool's are cut so
  std::vector<std::vector<Slices>> devices;   // of a node, by index; an empty layout: that device stays whole
  std::vector<std::int64_t> of_before = {};   // which of the earlier nodes these are, by index into them
};
// "gpol-live.3f2a9c41", of this build or of an earlier one.
bool names_a_kind(std::string_view name);
// How many slices one node of the kind has: of "nvidia.com/mig-1g.10gb".
std::int64_t slices_given(const NodeKind& kind, std::string_view resource);

struct CutNodesOfPool {
  std::vector<NodeKind> kinds;
  std::string none;      // why no layout gives the counts; empty: one does
  bool unknown = false;  // it is not known whether one does
  // GPUs that are cut otherwise than before, where something is known of before and the counts have a layout.
  std::optional<std::int64_t> changed;
};
// `previous`: how its nodes were cut before, one each; as few devices as can be are then cut otherwise.
CutNodesOfPool node_kinds(const Policy& policy, std::size_t pool, const std::vector<NodeLayout>& previous = {});

// Nodes of a pool whose devices are taken whole, and that were cut before: they must be told.
NodeKind whole_again(const Policy& policy, std::size_t pool, std::int64_t devices, std::size_t nodes);

// The name of a pool's configuration: the value of a label.
std::string config_name(const Policy& policy, std::size_t pool);

// The cards of these nodes, one text for those that are cut alike: "6 x  [3g.40gb][1g.10gb][1g.10gb]".
std::vector<std::string> cards_of(const std::vector<NodeKind>& kinds);

// Slices of a profile on a node of the kind.
std::int64_t slices_on(const NodeKind& kind, const std::string& profile);

}  // namespace gpol
