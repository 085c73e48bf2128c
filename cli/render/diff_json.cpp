#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/render/diff_render.h"
#include "cli/render/json_parts.h"

namespace gpol {

namespace {

std::string obligations_json(const DiffReport& report, std::vector<const Obligation*> Diff::* list) {
  std::vector<std::string> items;
  for (const DiffBundle& bundle : report.bundles)
    for (const Obligation* o : bundle.diff.*list) items.push_back(obligation_json(*bundle.after->sources, *o));
  return fmt::format("[{}]", fmt::join(items, ","));
}

std::string seconds(const std::optional<std::int64_t>& ms) {
  return ms ? fmt::format("{}", static_cast<double>(*ms) / 1000) : "null";
}

std::string promise_json(const std::optional<Promise>& promise) {
  if (!promise) return "null";
  return fmt::format(R"({{"class":"{}","verdict":"{}","ready_within_s":{},"figures":{}}})", promise->isolation,
                     verdict_name(promise->verdict), seconds(promise->ready_in_ms), figures_json(promise->figures));
}

std::string removed_json(const Removed& one) {
  return fmt::format(R"({{"text":{},"holds":{},"exposes":{}}})", json_string(one.text),
                     !one.holds   ? "null"
                     : *one.holds ? "true"
                                  : "false",
                     one.exposes);
}

}  // namespace

std::string diff_json(const DiffReport& report) {
  std::vector<std::string> rows, configuration, exposed, removed, approvals, renamed, windows;
  for (const DiffBundle& bundle : report.bundles) {
    for (const DiffRow& row : bundle.diff.rows) {
      const std::string subject =
          fmt::format(R"("bundle":{},"kind":{},"name":{},"flavor":{},"resource":{})",
                      json_string(bundle.path.empty() ? "." : bundle.path), json_string(row.kind),
                      json_string(row.name), json_string_or_null(row.flavor), json_string_or_null(row.resource));
      rows.push_back(fmt::format(R"({{{},"means":"{}","before":{},"after":{}}})", subject, means_word(row.means),
                                 promise_json(row.before), promise_json(row.after)));
      if (row.exposed == 0) continue;
      Figures units;
      units.reserve = row.exposed;
      units.unit = row.after ? row.after->figures.unit : row.before->figures.unit;
      exposed.push_back(fmt::format(R"({{{},"figures":{}}})", subject, figures_json(units)));
    }
    for (const ConfigurationRow& row : bundle.diff.configuration) {
      std::vector<std::string> steps;
      for (const std::string& step : row.steps) steps.push_back(json_string(step));
      configuration.push_back(fmt::format(
          R"({{"bundle":{},"kind":"{}","name":{},"means":"{}","before":{},"after":{},"what":{},"steps":[{}]}})",
          json_string(bundle.path.empty() ? "." : bundle.path), row.kind, json_string(row.name), row.means,
          json_string(row.before), json_string(row.after), json_string_or_null(row.what), fmt::join(steps, ",")));
    }
    for (const Removed& one : bundle.diff.removed) removed.push_back(removed_json(one));
    for (const std::string& text : bundle.diff.renamed) renamed.push_back(json_string(text));
    for (const std::string& text : bundle.diff.windows) windows.push_back(json_string(text));
  }
  for (const Removed& one : report.removed) removed.push_back(removed_json(one));
  constexpr const char* kStates[] = {"missing", "claimed", "approved"};
  for (const DiffApproval& one : report.approvals)
    approvals.push_back(fmt::format(R"({{"by":{},"why":{},"state":"{}"}})", json_string(one.by), json_string(one.why),
                                    kStates[static_cast<std::size_t>(one.state)]));
  return fmt::format(
      R"("diff": {{"before_verdict":"{}","headline":{},"changed_outside":{},"rows":[{}],"lost":{},"exposed":[{}],"gained":{},"removed":[{}],"configuration":[{}],"renamed":[{}],"windows":[{}],"approvals":[{}]}})",
      overall_name(report.before_verdict), json_string(view_of(report).headline), report.outside, fmt::join(rows, ","),
      obligations_json(report, &Diff::lost), fmt::join(exposed, ","), obligations_json(report, &Diff::gained),
      fmt::join(removed, ","), fmt::join(configuration, ","), fmt::join(renamed, ","), fmt::join(windows, ","),
      fmt::join(approvals, ","));
}

}  // namespace gpol
