// What objects of other kinds, and files that are no objects, hold of Kueue: its objects inside (of an Ansible task, a
// ManifestWork, a ConfigMap), its Configuration (values of its chart, wherever they are kept), a job that changes
// ClusterQueues. In: a tree. Out: what of that is there.
#pragma once

#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest {

struct OfKueue {
  const Node* object = nullptr;             // the first of Kueue's objects inside, or a text that holds some
  std::vector<const Node*> configurations;  // texts that are a Configuration
  const Node* configuration = nullptr;      // the first Configuration that is a mapping, or lies in a text of a text
  const Node* gates = nullptr;              // the first of the feature gates that values of its chart set
  const Node* command = nullptr;            // of a Job or CronJob: the first text that changes ClusterQueues or Cohorts
  const Node* volcano = nullptr;            // the first Queue of Volcano inside, or a text that holds or changes some
};
// `kind` of the object that the tree is; empty: it is none.
OfKueue find_of_kueue(const Node& root, std::string_view kind);

}  // namespace gpol::manifest
