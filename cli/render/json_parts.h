// The parts of a JSON report, as text. A large cluster has hundreds of thousands of obligations: each is written
// straight into its text (a tree of JSON values per obligation takes ten times as long). Bytes that are not UTF-8
// become U+FFFD.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "checker/report/report.h"
#include "compiler/source/source_set.h"

namespace gpol {

std::string json_string(std::string_view text);          // a JSON string
std::string json_string_or_null(std::string_view text);  // null where it is empty

// {"file", "document", "line", "column", "field"}, and in a definition "used_at", the place where its author used it;
// null for an unknown span.
std::string location_json(const SourceSet& sources, Span span);
std::string location_json(const SourceSet& sources, const Place& place);

// {"text", "edits": [{"location", "replaces", "insert"}], "sure"}; sure: `check --fix` makes the edits.
std::string fix_json(const SourceSet& sources, std::string_view text, std::span<const Edit> edits, bool sure);

// {"reserve", "claimable", "slack", "back_within_s", "unit"}
std::string figures_json(const Figures& figures);
std::string obligation_json(const SourceSet& sources, const Obligation& obligation);

}  // namespace gpol
