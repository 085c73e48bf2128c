// Whether guards among observed manifests keep strangers from giving a namespace the labels that a queue asks for. In:
// a selector that rests on such labels. Out: the policies that do, by meaning. Whom a guard names (a user or group in
// an expression that looks at request.userInfo) is meant to set them, but for everybody and who runs where batch does,
// and the namespaces in `meant` to have them.
#pragma once

#include <set>
#include <string>

#include "checker/solver/solver.h"
#include "compiler/cluster/cluster.h"

namespace gpol {

struct LabelGuards {
  std::set<std::string> policies;  // that keep strangers away; none where a stranger can, or where it is not known
  std::string let_through;         // by which doors the label gets past those that come near; empty where none does
};
LabelGuards guards_of_labels(const Cluster& cluster, const Selector& selector, const std::set<std::string>& meant,
                             const std::set<std::string>& batch, Solver& solver);

// The words in quotes of guards' expressions about who asks: users and groups. Not those that hold everybody
// (k8s.io/apiserver/pkg/authentication/user), nor the service accounts of the namespaces in `batch`: whoever runs
// there.
std::set<std::string> principals(const Cluster& cluster, const std::set<std::string>& batch);

}  // namespace gpol
