// What could not be read of Nodes: many are made alike, and each mistake is told once. In: the problems of each Node.
// Out: of its labels and of its spec (taints, cordoned), by which pods land on it or not, what leaves the verdict
// undecided; of the rest a word that names the Nodes.
#pragma once

#include <string>
#include <vector>

#include "checker/observe/existing.h"
#include "checker/observe/observe.h"

namespace gpol::manifest {

class NodeDoubts {
 public:
  void add(const std::string& node, const std::vector<NotUnderstood>& problems);
  void settle(Existing& out) const;

 private:
  struct Doubt {
    NotUnderstood first;
    std::vector<std::string> nodes;
  };
  std::vector<Doubt> doubts_;
};

}  // namespace gpol::manifest
