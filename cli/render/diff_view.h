// What `gpol diff` says, before it is drawn: one set of words for a terminal, a pull request and a page. In: the
// comparison of each policy or bundle. Out: a headline, a table of the promises that changed, and what is lost,
// exposed, gained, removed and asked for.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "checker/diff/compare.h"
#include "cli/render/run_report.h"

namespace gpol {

// Lines that differ, of one place.
struct DiffChange {
  std::string place;  // "policy.gpol:54"
  std::vector<std::string> was, is;
};

struct DiffBundle {
  std::string path;                      // empty: there is but one
  const PolicyReport* before = nullptr;  // null: it is new
  const PolicyReport* after = nullptr;   // null: it is gone
  Diff diff;
  std::vector<DiffChange> changes = {};  // for the page alone
  std::size_t more_changes = 0;
};

// Whose word a change needs, by the side before.
struct DiffApproval {
  std::string by;   // "@governance"
  std::string why;  // "`approve changes to realtime`: 1 row of `chat`"
  enum class State : std::uint8_t { Missing, Claimed, Approved } state = State::Missing;  // Claimed: by a commit alone
  std::set<std::string> covers = {};  // the names that the approval is about
  bool whole = false;                 // it is about everything
};

struct DiffReport {
  std::string before_name, after_name;
  Overall before_verdict = Overall::Undecided, after_verdict = Overall::Undecided;
  bool counts = true;       // false: a side has mistakes
  bool adopted = false;     // nobody served before: both sides are judged by the gpol.yaml of the side after
  std::size_t outside = 0;  // changed files outside of the PATHs
  bool unstaged = false;    // there is a gpol.yaml that is not staged
  std::vector<DiffBundle> bundles;
  std::vector<Removed> not_compared;  // files that differ, could not be read, and name what a verdict rests on
  std::vector<Removed> removed;       // of the run: what gpol.yaml leaves out, waives or counts now
  std::vector<DiffApproval> approvals;

  bool loses() const;
  bool exposes() const;
  bool undecided() const;
  bool nobody_serves() const;  // there are queues, and on neither side is anybody promised anything
};

struct DiffView {
  std::string headline;  // "LOST  ..."
  struct Line {
    std::string word;  // "lost", "gained", "removed", ...
    std::string text;
    std::vector<std::string> story = {};
    std::string place = {};  // "queues/chat.yaml:12:5"
  };
  struct Part {
    std::string title;  // of a policy or bundle; empty: there is but one
    std::vector<std::vector<std::string>>
        table;  // the first row is the header; columns in which nothing stands are left out
    std::vector<std::vector<std::string>> configuration = {};  // likewise, of what is not quota
    std::vector<Line> lines = {};
  };
  std::vector<Part> parts;
  std::vector<Line> lines;  // of the run
};

// Whether anybody is promised anything in it.
bool serves(const PolicyReport& bundle);
DiffView view_of(const DiffReport& report);
std::string means_word(DiffRow::Means means);  // "safer", "riskier", "same", "mixed", "new", "gone"

}  // namespace gpol
