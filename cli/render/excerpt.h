// Source lines with carets under what is meant, as in:
//     --> policy.gpol:31:5
//      |
//   31 |   reserve 8 gpus of shared
//      |   ^^^^^^^^^^^^^^^^^^^^^^^^ protected here
// In: spans with their texts, the first one primary (carets, the others dashes). A span over several lines is shown on
// its first one. A mark in a definition brings a mark "used here" with it. Long lines are cut around the span.
// Everything printed is safe for a terminal.
#pragma once

#include <span>
#include <string>

#include "cli/render/text.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source_set.h"

namespace gpol {

std::string excerpt(const SourceSet& sources, std::span<const Label> marks, const Style& style);

// "policy.gpol:31:5"
std::string place_text(const SourceSet& sources, Span span);

}  // namespace gpol
