#include "compiler/source/codes.h"

#include <fmt/format.h>

namespace gpol {

namespace {
constexpr CodeInfo kCodes[] = {
#define GPOL_CODE(name, number, title) {Code::name, title},
    GPOL_CODES(GPOL_CODE)
#undef GPOL_CODE
};
}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }

std::string to_string(Code code) { return fmt::format("GP{:04}", static_cast<int>(code)); }

}  // namespace gpol
