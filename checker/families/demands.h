// What each premise demands of admission: the requests that must never get in, as CEL over the request. In: the cluster
// as it is, and the intent. Out: one list; a premise that nothing here speaks of cannot be kept by a guard. Whether the
// cluster's guards deny all of them is decided by checker/guards/reach.h, by meaning.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/cluster/intent.h"

namespace gpol {

struct Demand {
  std::string_view premise;  // its key, premises.h
  std::string who, does;  // of the story: "a user of ml-train" "creates a pod that asks for GPUs without Kueue's gate"
  std::string breaks;     // and what follows
  std::string group, version, resource, subresource, operation;
  std::string bad;            // CEL: true of every request that must not get in
  bool in_listed = false;     // it is about listed namespaces alone, of which `left_out` are left out
  std::string_view way = {};  // round quota that all demands of its key deny, of Jobs and pods (quota_ways.h)
};

struct Demands {
  std::vector<Demand> list;
  // Namespaces in which requests fare as in others that are listed (checker/guards/namespaces.h).
  std::set<std::string> left_out;
};
Demands demands(const Cluster& cluster, const Intent& intent);
// Whether a quota counts the Jobs of a namespace as the policy says.
bool bounds(const ResourceQuota& quota, const JobLimit& limit);

}  // namespace gpol
