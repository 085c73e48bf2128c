#include "compiler/source/code.h"

#include <fmt/format.h>

namespace gpol {

std::string to_string(Code code) { return fmt::format("GP{:04}", static_cast<int>(code)); }

}  // namespace gpol
