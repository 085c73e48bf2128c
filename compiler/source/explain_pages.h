// The pages of `gpol explain`, compiled in. In: docs/explain/GP*.md and preamble.gpol at build time
// (cmake/Explain.cmake). Out: one entry per page, sorted by code, and `preamble`, the cluster that the pages' examples
// share: a line `{{cluster}}` in an example stands for it and is shown as a comment that says so.
#pragma once

#include <span>
#include <string_view>

namespace gpol {

struct ExplainPage {
  std::string_view code;  // "GP1001", or "preamble"
  std::string_view text;
};

std::span<const ExplainPage> explain_pages();

}  // namespace gpol
