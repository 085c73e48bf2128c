// A version as people write it on the command line, and the one that a cluster is judged by.
#pragma once

#include <string>
#include <string_view>

#include "checker/observe/existing.h"

namespace gpol {

// "0.19.2" of "v0.19.2" or "0.19.2"; empty: it is no version.
std::string plain_version(std::string_view word);

// Sets the version of the cluster: `said`, else what Kueue's Deployment runs, else the newest that is known. What is
// not known of it is told among what is not modelled.
void take_version(const std::string& said, Existing& existing);

// Objects that are in v1beta1, which v0.20 refuses, in words; empty: there are none.
std::string old_versions(const Existing& existing);

// By which rules the objects were read, where they may be others than those of the version that runs; empty: they are
// those.
std::string rules_of_reading(const Existing& existing);

}  // namespace gpol
