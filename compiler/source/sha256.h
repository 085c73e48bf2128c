// SHA-256 (through nettle) of some bytes, as 64 lower-case hex digits.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpol {

std::string sha256(std::span<const std::string_view> parts);  // of the parts put together
std::string sha256(std::string_view bytes);

}  // namespace gpol
