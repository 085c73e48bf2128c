// The pages of `gpol explain`, compiled in. In: docs/explain/GP*.md and preamble.gpol at build time
// (cmake/Explain.cmake). Out: one entry per page, sorted by code, and `preamble`, the cluster that the pages' examples
// share: a line `{{cluster}}` in an example stands for it and is shown as a comment that says so.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compiler/source/code.h"
#include "compiler/source/number.h"

namespace gpol {

struct ExplainPage {
  std::string_view code;  // "GP1001", or "preamble"
  std::string_view text;
};

std::span<const ExplainPage> explain_pages();

struct CodeInfo {
  Code code;
  std::string_view title;  // lower case, as `gpol explain` lists it
};

// Each code has a page, which begins with "# GP1001: title". Their numbers rise.
inline std::vector<CodeInfo> all_codes() {
  std::vector<CodeInfo> codes;
  for (const auto& [code, text] : explain_pages()) {
    if (!code.starts_with("GP")) continue;
    const std::size_t title = text.find(": ") + 2;
    codes.push_back({Code{*whole_number<std::uint16_t>(code.substr(2))}, text.substr(title, text.find('\n') - title)});
  }
  return codes;
}

}  // namespace gpol
