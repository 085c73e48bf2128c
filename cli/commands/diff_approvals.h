// Whose approval a change needs, and who gave it. In: both policies (the one before says who is asked: its `approve`
// clauses and its owners), what the change means, handles that approved (lines of --approvals) and messages of the
// commits. Out: one row for each clause or owner that is concerned.
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "checker/diff/compare.h"
#include "cli/commands/options.h"
#include "cli/commands/session.h"
#include "cli/render/diff_view.h"

namespace gpol {

struct SignOffs {
  std::set<std::string> given;    // "@governance"
  std::set<std::string> claimed;  // by trailers `Approved-by: @governance`: anybody can write one
};

// The file: a handle on each line, notes behind it, `#` begins a comment. Empty path: nobody.
std::variant<SignOffs, UsageError> read_sign_offs(const std::string& path, const std::vector<std::string>& messages);

// What is exposed, lost or removed and nobody is asked for: with --require-approvals it cannot pass. gpol.yaml has no
// owners: of what it changes nobody is asked.
std::vector<DiffApproval> nobody_asked(const DiffReport& report);
std::vector<DiffApproval> approvals_of(const Session& before, const Session& after, const Diff& diff,
                                       const SignOffs& signed_off);

}  // namespace gpol
