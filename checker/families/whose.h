// Whose pods those among the manifests are: by the LocalQueue that they name, or, where it is not there, by their
// namespace. In: the queues' roles. Out: the queue's role, what the pods' labels say to Kueue.
#pragma once

#include <set>
#include <string>

#include "checker/families/families.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

// Those that Kueue goes by: of the object where it knows the kind and the object queues, else of its pods.
PodFacts::Labels labels_of(const PodFacts& pods);

class Whose {
 public:
  explicit Whose(const Proof& proof);
  // Of the queue that they ask; null: they ask none, or none with a role.
  const QueueRole* role(const PodFacts& pods) const;
  // The queue that their LocalQueue leads to and that lets their namespace in, or nobody in as yet, which is told of
  // elsewhere; kNone where it is not among them.
  std::uint32_t queue(const PodFacts& pods) const;

 private:
  const Cluster& cluster_;
  const Intent& intent_;
  const std::set<std::string> batch_;  // namespaces
};

}  // namespace gpol
