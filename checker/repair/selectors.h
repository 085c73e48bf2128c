// Whom a serving queue is meant to let in, as far as the manifests say: the namespaces of its LocalQueues, but those
// that run batch, too.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "checker/families/families.h"

namespace gpol {

// Empty where that is not known: none leads to it, or what it says today lets in one of them by another label.
std::set<std::string> namespaces_meant(const Proof& proof, std::string_view queue);

// As a `namespaceSelector` in flow style.
std::string selector_of(const std::set<std::string>& names);

}  // namespace gpol
