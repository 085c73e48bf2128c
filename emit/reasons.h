// Why each line of Kueue's Configuration is there that a proof needs. In: the Configuration as it is planned. Out: text
// for comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol {

// Of a feature gate or a key at the top; empty: nothing is said of it.
std::string_view reason_of(std::string_view key);

// Above the lines that are to be merged by hand: each with its reason, and what may not be there beside them.
std::vector<std::string> merging_words(const KueueConfig& config);

}  // namespace gpol
