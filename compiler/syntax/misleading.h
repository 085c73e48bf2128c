// What no place of a text may hold.
#pragma once

#include <string_view>

namespace gpol::syntax {

// Characters that change how other text is shown without being seen: controls other than tab and line breaks, and
// the marks of bidirectional writing (a reviewer would read something else than gpol does).
bool misleads(char32_t c);

// Whether any of it is invalid UTF-8, or misleads.
bool refused(std::string_view text);

}  // namespace gpol::syntax
