// The shipped hardware catalogue, policies/hardware.gpol, as text inside the program (cmake/Hardware.cmake): every
// policy knows its models without an import. Read a model at a time, since most policies name one and cut none.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace gpol {

std::string_view shipped_hardware();  // generated

// The names of its models, in the order of the text.
const std::vector<std::string_view>& catalogue_models();
// The declaration of one model; nothing when there is none of this name.
std::optional<std::string_view> catalogue_model(std::string_view name);

}  // namespace gpol
