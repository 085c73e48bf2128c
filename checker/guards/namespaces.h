// Namespaces that no policy tells apart. In: policies and bindings, names of namespaces. A request in one namespace
// fares as the same request in another does if every selector lists both names or neither, no expression names either,
// and namespaces are looked at by their names alone: then one of them stands for all.
#pragma once

#include <map>
#include <set>
#include <string>

#include "checker/guards/cel.h"
#include "compiler/cluster/cluster.h"

namespace gpol {

// Of each name the one, the first in order, of the group that is treated alike; itself where the policies look at
// namespaces in any other way than by listing their names. `beside`: an expression that must not tell them apart
// either; may be null.
std::map<std::string, std::string> represented(const Cluster& cluster, const std::set<std::string>& names,
                                               const cel::Expr* beside = nullptr);
// Those that stand for a group.
std::set<std::string> representatives(const Cluster& cluster, const std::set<std::string>& names,
                                      const cel::Expr* beside = nullptr);

// The cluster's policies and bindings without these names in their selectors, and the other namespaces: for requests
// there they mean the same.
Cluster guards_without(const Cluster& cluster, const std::set<std::string>& names);

}  // namespace gpol
