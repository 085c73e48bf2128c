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

// Null: the side after has no such policy, and all clauses are dropped.
std::vector<DiffApproval> approvals_of(const Session& before, const Session* after, const Diff& diff,
                                       const SignOffs& signed_off);
// With --require-approvals: what is exposed, lost or removed, or not known where that counts (`undecided`), and nobody
// is asked for. It asks for the approval of those who are named for all changes (`whole`), or else of anybody at all:
// Kueue YAML and gpol.yaml have no owners.
std::vector<DiffApproval> approvals_of_the_rest(const DiffReport& report, const std::set<std::string>& whole,
                                                const SignOffs& signed_off, bool undecided);

}  // namespace gpol
