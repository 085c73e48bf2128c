// The short part of a human report: what each serving queue has, and what the proof takes for granted. In: a run.
// Out: text with aligned columns, empty where there is nothing to say.
#pragma once

#include <string>

#include "cli/render/run_report.h"
#include "cli/render/text.h"

namespace gpol {

// One row per serving queue and pool, by its GPUs (else by the first resource it reserves); at most 40 rows.
std::string queue_table(const RunReport& run, const Style& style);

// Of `verify`: what each queue owns, one row per (flavor, resource).
std::string ownership_text(const RunReport& run, const Style& style);

// One line per premise, several policies' ones counted once.
std::string premise_table(const RunReport& run, const Style& style);

}  // namespace gpol
