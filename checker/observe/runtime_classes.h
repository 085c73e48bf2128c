// RuntimeClasses among what was read: which add nothing to their pods, and what others add (plugin/pkg/admission/
// runtimeclass of the API server writes `overhead.podFixed` into each pod). In: objects' nodes, pods.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/observe/pod_room.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::manifest {

class RuntimeClasses {
 public:
  void read(const Node& object);  // of any kind
  // Those that add nothing to their pods and keep them off no nodes.
  const std::set<std::string>& plain() const { return plain_; }
  // Adds the overhead to pods that say none of their own.
  void settle(std::vector<PodFacts>& pods) const;

 private:
  std::set<std::string> plain_;
  std::map<std::string, PodRoom::Amounts> overheads_;
};

}  // namespace gpol::manifest
