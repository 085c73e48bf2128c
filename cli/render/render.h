// The renderers. In: a run. Out: text on a stream, the same bytes for the same run. Human text follows
// docs/architecture.md (claim, story, cause, edit; one cause per message); JSON is tests/support/report.schema.json,
// written obligation by obligation.
#pragma once

#include <iosfwd>
#include <span>

#include "cli/render/run_report.h"

namespace gpol {

// Of manifests, in few lines; with mistakes, as render_human.
void render_summary(const RunReport& run, bool colour, std::ostream& out);
void render_human(const RunReport& run, bool colour, std::ostream& out);
// Of its policies or bundles, and nothing else.
void render_mistakes(const RunReport& run, bool colour, std::ostream& out);
// Mistakes alone, for commands without a report; the texts are needed where a span is known.
void render_diagnostics(const SourceSet* sources, std::span<const Diagnostic> diagnostics, bool colour,
                        std::ostream& out);
void render_markdown(const RunReport& run, std::ostream& out);
void render_json(const RunReport& run, std::ostream& out);

}  // namespace gpol
