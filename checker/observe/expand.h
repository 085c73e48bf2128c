// Anchors, aliases and merge keys under Kubernetes' reading, as go.yaml.in/yaml/v2 expands them, within kAliasLimit.
// In: nodes with their anchors, in the order of the text. Out: copies of them, or why there is none.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "checker/observe/tree.h"

namespace gpol::manifest {

class Anchors {
 public:
  // One place where an anchor stands; the same name may stand in several.
  struct Name {
    std::string name;
    std::size_t place = 0;
  };
  // From now on the name stands for what begins here, and for nothing until that is closed.
  Name open(std::string_view name);
  // False: the document is refused, the anchors hold too much. Without a name nothing happens.
  bool close(const Name& name, const Node& node);
  struct Refusal {
    std::string what;
    bool kubectl_reads_on = false;
  };
  // Gives nothing, and says why, where the name stands for nothing or the document grows too much.
  std::optional<Node> copy(std::string_view name, int depth, Refusal& refusal);

 private:
  struct Known {
    std::size_t place = 0;
    std::optional<Node> node;
  };
  bool spend(const Node& node);
  std::unordered_map<std::string, Known> known_;
  std::size_t left_ = kAliasLimit, places_ = 0;
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
