// A report about manifests as rows that a reader of a diff can take in: what is concluded, then a row for each mistake,
// for each obligation that is required and not proven, and for what each queue owns and gets back:
//   VERDICT FAMILY [CODE] SUBJECT, its role, PLACE: FIGURES
// Below a finding its message, story, cause and help. Left out is what does not depend on the bundle: the table of
// premises, but for those that are open and those that speak of the bundle itself, and how many are trusted.
#pragma once

#include <string>

#include "cli/render/run_report.h"

namespace gpol::test {

// `folder`: left out in front of the paths of its files.
std::string rows_of(const RunReport& run, const std::string& folder);

// "proven under 5 trusted assumptions: ..." without the number.
std::string without_the_count(const std::string& text);

}  // namespace gpol::test
