// check --fix: the edits that are sure (compiler/source/diagnostic.h) made in the files themselves. In: the policies
// that were named. Out: what was done, a line each; why something was not. A policy that is proven, refuted or
// undecided stays so for the same reasons: an edit after which a required obligation, its figures, or what is taken for
// granted would be others is not made. A file that `gpol fmt` would leave alone stays one. Only files that were named
// and lie in the repository of their directory are written, each in one step (emit/rewrite.h).
#pragma once

#include <string>
#include <vector>

#include "cli/commands/inputs.h"
#include "cli/commands/options.h"

namespace gpol {

struct Fixed {
  std::vector<std::string> notes;
  std::vector<Diagnostic> problems;
  std::size_t made = 0;
};
Fixed fix_policies(const CheckOptions& options, const std::vector<PolicyText>& policies);

}  // namespace gpol
