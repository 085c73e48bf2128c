// Edits that a report proposes, made in memory and judged again: what `verify --fix` would write, and what `[tried]`
// says.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/commands/verify.h"

namespace gpol {

struct Proposal {
  std::size_t bundle = 0, obligation = 0;  // in Verified::sessions, and in its report
};
// Findings that stand in the way, are not waived, and have an edit.
std::vector<Proposal> proposals(const Verified& verified);

// The fix of a proposal.
const Fix& fix_of(const Verified& verified, const Proposal& one);

// Why it is left to people; empty: `--fix` writes it.
std::string_view why_not_written(const Verified& verified, const Proposal& one);

struct Trial {
  struct Text {
    std::string path, before, after;
  };
  std::vector<Text> texts;
  Verified then;
  bool holds = false;  // the findings are gone, and no bundle has one that it had not
};
// `reuse`: of bundles without edits the reports stay `now`'s (see Known).
Trial try_edits(const VerifyOptions& options, std::istream& in, const Verified& now, const std::vector<Proposal>& of,
                bool reuse = false);
// Misspelt keys of Kueue's objects, by the right ones: holds where there are fewer mistakes then.
Trial try_keys(const VerifyOptions& options, std::istream& in, const Verified& now);

// What `--fix` would write is tried, all at once or else one by one, and its cost written down; what does not hold is
// no advice any more.
void try_proposals(const VerifyOptions& options, std::istream& in, Verified& verified);

}  // namespace gpol
