// What a run or a change finds, one entry each, for the programs that show findings beside the code: SARIF, JUnit,
// annotations of GitHub. In: a run, or a comparison. Out: place, level, words and what to do, mistakes first.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/render/diff_view.h"
#include "cli/render/run_report.h"

namespace gpol {

struct Annotation {
  enum class Level : std::uint8_t { Error, Warning } level = Level::Error;
  Code code{};          // none: of a change, without a code of its own
  std::string bundle;   // of several; may be empty
  std::string subject;  // "claim ClusterQueue chat h100 nvidia.com/gpu": the same whatever the lines are
  std::string message, help;
  std::string file;                                        // empty: of no file
  int line = 0, column = 0, end_line = 0, end_column = 0;  // 1-based, code points; the end is behind the last one
  struct Replacement {
    std::string file, insert;
    int line = 0, column = 0, end_line = 0, end_column = 0;
  };
  std::vector<Replacement> fix;  // edits that mend it together
  bool fresh = false;            // of a change: it was not so before
};

// What is required and not proven, mistakes and warnings. Waived findings are warnings that say so.
std::vector<Annotation> annotations_of(const RunReport& run);
// What is lost, exposed or removed, and whose approval is asked (warnings). `allow_exposure`: exposures are warnings.
std::vector<Annotation> annotations_of(const DiffReport& report, bool allow_exposure);

void write_sarif(const std::vector<Annotation>& found, const std::string& version, std::ostream& out);
// `proven`: statements that hold, each a test that passed: "claim of `chat`, h100, nvidia.com/gpu".
void write_junit(const std::vector<Annotation>& found, const std::vector<std::string>& proven, std::ostream& out);
// At most 10 errors and 10 warnings, as GitHub shows of one step; the last one counts the others.
void write_github(const std::vector<Annotation>& found, const std::string& headline, std::ostream& out);

std::vector<std::string> proven_statements(const RunReport& run);

}  // namespace gpol
