// The suffix that kustomize gives to the name of a generated ConfigMap or Secret, so that a change of what is in it
// changes its name. In: the object. Out: ten letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest::kustomize {

std::string base64(std::string_view bytes);
// Nothing where its data are no texts.
std::optional<std::string> name_hash(const Node& object);

}  // namespace gpol::manifest::kustomize
