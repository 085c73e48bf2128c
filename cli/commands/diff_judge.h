// The two sides of `gpol diff`, each checked and verified as it is. In: where they are read from. Out: what was found.
// A policy that is the same on both is judged once, for the side after; where only what differs is shown it is read for
// mistakes alone. The other side then has the same report of it (a PolicyReport without a session).
#pragma once

#include <iosfwd>
#include <map>
#include <set>
#include <string>

#include "cli/commands/diff_sides.h"
#include "cli/commands/verify.h"
#include "cli/render/progress.h"

namespace gpol {

bool has_queues(const RunReport& run);

class BothSides {
 public:
  // They must outlive it.
  BothSides(const DiffSources& sources, const DiffOptions& options, std::istream& in, Progress& progress);

  Verified before, after;
  void judge_before(const DiffOptions& options);
  void judge_after(const DiffOptions& options);

 private:
  Verified judge(const DiffSource& source, const DiffOptions& options);
  void share();

  const DiffSources& sources_;
  std::istream& in_;
  Progress& progress_;
  std::map<std::string, std::string> same_;
  std::set<std::string> left_out_, unproven_;
};

}  // namespace gpol
