// A version as people write it on the command line.
#pragma once

#include <string>
#include <string_view>

namespace gpol {

// "0.19.2" of "v0.19.2" or "0.19.2"; empty: it is no version.
std::string plain_version(std::string_view word);

}  // namespace gpol
