// A hint of the form "did you mean `x`?" as an edit, for all stages alike. In: diagnostics whose message names the
// wrong word in back-ticks and whose span ends with it. Out: the same with the edit that puts `x` in its place; it is
// sure where the words differ in case alone, or a unit is spelled out or cut short.
#pragma once

#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source_set.h"

namespace gpol {

void follow_hints(const SourceSet& sources, std::vector<Diagnostic>& diagnostics);

}  // namespace gpol
