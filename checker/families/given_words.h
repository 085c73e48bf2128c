// What is said of premises and selectors of observed manifests, in words.
#pragma once

#include <string>

#include "checker/families/families.h"
#include "checker/families/premises.h"

namespace gpol {

// What a premise takes for granted of what was read: the closed list speaks of what gpol emits.
std::string text_of(const Premise& premise, const KueueConfig& config);
// Who could enforce it, and where that is told.
std::string remedy_of(const Premise& premise);
// Which namespaces a selector lets in that does not list their names.
std::string selector_in_words(const Selector& selector);

// The queue of batch whose selector names the namespace; else it is batch's by a LocalQueue: `one of the two`.
std::string batch_by_selector(const Proof& proof, const std::string& ns);

}  // namespace gpol
