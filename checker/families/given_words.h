// What is said of premises and selectors of observed manifests, in words.
#pragma once

#include <string>

#include "checker/families/premises.h"

namespace gpol {

// What a premise takes for granted of what was read: the closed list speaks of what gpol emits.
std::string text_of(const Premise& premise, const KueueConfig& config);
// Who could enforce it, and where that is told.
std::string remedy_of(const Premise& premise);
// Which namespaces a selector lets in that does not list their names.
std::string selector_in_words(const Selector& selector);

}  // namespace gpol
