// One text per meaning. Two clusters mean the same if and only if their normal forms are equal byte for byte: objects
// sorted by name, sets sorted, defaults written out, orders that matter to Kueue kept (flavors of a group; resources
// are sorted, since a group's quotas are looked up by name). One fact per line, so that a difference can be shown as
// one. The version of Kueue is no part of it: manifests cannot say which controller will read them.
#pragma once

#include <string>

#include "compiler/cluster/cluster.h"

namespace gpol {

std::string normal_form(const Cluster& cluster);
std::string normal_form(const volcano::Setup& setup);  // of its scheduler's, where that is Volcano

// The first line in which two normal forms differ, as "expected ...; found ..."; empty when equal.
std::string first_difference(const std::string& expected, const std::string& found);

}  // namespace gpol
