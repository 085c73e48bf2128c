// A JSON object as a tree of Kubernetes' reading: kubectl reads as JSON what begins with "{" and is JSON, which libyaml
// is not made for (\ud83d\ude00, \/). In: text. Out: the tree, why it is refused (a key twice, nesting beyond 64), or
// nothing when it is not JSON; it may be YAML then.
#pragma once

#include <optional>
#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest {

std::optional<Tree> read_json(std::string_view text);

// Of the object that the text begins with: to the brace that closes it. 0: the text does not begin with one.
std::size_t json_object_length(std::string_view text);

}  // namespace gpol::manifest
