// What `gpol diff` prints. In: the comparison, or its words (diff_view.h). Out: text for a terminal, a comment of a
// pull request (under 60,000 characters), a page that stands alone, and the JSON of the key `diff`.
#pragma once

#include <iosfwd>
#include <string>

#include "cli/render/diff_view.h"

namespace gpol {

void render_diff_human(const DiffReport& report, std::ostream& out);
void render_diff_markdown(const DiffReport& report, std::ostream& out);
void render_diff_html(const DiffReport& report, std::ostream& out);
std::string diff_json(const DiffReport& report);  // `"diff": {...}`

}  // namespace gpol
