// Anchors, aliases and merge keys under Kubernetes' reading, as go.yaml.in/yaml/v2 expands them, within kAliasLimit.
// In: nodes with their anchors, in the order of the text. Out: copies of them, or why there is none.
#pragma once

#include <optional>
#include <unordered_map>

#include "checker/observe/tree.h"

namespace gpol::manifest {

class Anchors {
 public:
  // What stands behind an anchor from now on; an anchor that is open stands for nothing.
  void open(std::size_t anchor) { nodes_.erase(anchor); }
  // False: the document is refused, the anchors hold too much.
  bool close(std::size_t anchor, const Node& node);
  // Sets `refused`, and gives nothing, where the alias stands inside of its own anchor or the document grows too much.
  std::optional<Node> copy(std::size_t anchor, int depth, std::string& refused);

 private:
  bool spend(const Node& node);
  std::unordered_map<std::size_t, Node> nodes_;
  std::size_t left_ = kAliasLimit;
};

// A "<<" in a mapping: its value, and how many entries stood before it.
struct Merge {
  std::size_t at = 0;
  Node value;
};

// A mapping, or a list of mappings; the value of an alias only a mapping.
bool can_be_merged(const Node& value, bool alias);
// The later one of two equal keys wins, of a merged list the earlier one: an explicit key in front of the "<<" loses.
void apply_merges(Node& map, std::vector<Merge> merges);

}  // namespace gpol::manifest
