#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <vector>

#include "cli/render/json_parts.h"
#include "cli/render/render.h"

namespace gpol {

namespace {

std::string diagnostic_json(const SourceSet* sources, const Diagnostic& d) {
  constexpr const char* kSeverities[] = {"error", "warning", "note"};
  return fmt::format(R"({{"code":"{}","severity":"{}","message":{},"location":{},"hint":{},"fix":{}}})",
                     to_string(d.code), kSeverities[static_cast<std::size_t>(d.severity)], json_string(d.message),
                     sources == nullptr ? "null" : location_json(*sources, Place{d.span, {}, d.field, {}}),
                     json_string_or_null(d.hint),
                     sources == nullptr || d.edits.empty() ? "null" : fix_json(*sources, d.hint, d.edits, d.sure));
}

std::string assumption_json(const Assumption& a) {
  constexpr const char* kStatuses[] = {"enforced", "trusted", "open"};
  return fmt::format(R"({{"text":{},"status":"{}","by":{}}})", json_string(a.text),
                     kStatuses[static_cast<std::size_t>(a.status)], json_string_or_null(a.by));
}

std::string families_json(const RunReport& run) {
  std::set<Family> analysed;
  for (const PolicyReport& policy : run.policies)
    analysed.insert(policy.report->analysed.begin(), policy.report->analysed.end());
  std::vector<std::string> yes;
  std::vector<std::string> no;
  for (int i = 0; i < kFamilies; ++i) {
    const auto family = static_cast<Family>(i);
    (analysed.count(family) ? yes : no).push_back(json_string(family_name(family)));
  }
  return fmt::format(R"({{"analysed":[{}],"not_analysed":[{}]}})", fmt::join(yes, ","), fmt::join(no, ","));
}

// Writes `"key": [`, the items one per line, `]`.
class List {
 public:
  List(std::ostream& out, std::string_view key) : out_(out) { out_ << ",\n\"" << key << "\": ["; }
  void add(const std::string& item) {
    out_ << (first_ ? "\n" : ",\n") << item;
    first_ = false;
  }
  void close() { out_ << (first_ ? "]" : "\n]"); }

 private:
  std::ostream& out_;
  bool first_ = true;
};

// Of several bundles or policies each item says of which it is.
std::string in_bundle(const RunReport& run, const PolicyReport& policy, std::string item) {
  if (run.policies.size() > 1) item.insert(1, fmt::format("\"bundle\":{},", json_string(policy.bundle)));
  return item;
}

void write_bundles(const RunReport& run, std::ostream& out) {
  if (run.policies.size() < 2) return;
  List list(out, "bundles");
  for (const PolicyReport& policy : run.policies) {
    const RunReport alone = of_bundle(run, policy);
    list.add(fmt::format(R"({{"path":{},"verdict":"{}","headline":{}}})", json_string(policy.bundle),
                         overall_name(judged(alone)), json_string(headline(alone))));
  }
  list.close();
}

void write_waivers(const RunReport& run, std::ostream& out) {
  if (run.waivers.list.empty()) return;
  List list(out, "waivers");
  for (const Waiver& waiver : run.waivers.list) {
    bool used = false;
    for (const PolicyReport& policy : run.policies)
      for (const Obligation& o : policy.report->obligations) used = used || waiver.covers(o);
    list.add(fmt::format(
        R"({{"finding":"{}","subject":{},"flavor":{},"resource":{},"until":{},"reason":{},"owner":{},"status":"{}"}})",
        to_string(waiver.finding), json_string(waiver.subject), json_string_or_null(waiver.flavor),
        json_string_or_null(waiver.resource), json_string(waiver.until), json_string(waiver.reason),
        json_string(waiver.owner),
        !used                             ? "unused"
        : waiver.ended(run.waivers.as_of) ? "ended"
                                          : "used"));
  }
  list.close();
}

void write_assumptions(const RunReport& run, std::ostream& out) {
  List list(out, "assumptions");
  std::set<std::string> said;  // several policies may make the same assumption
  for (const PolicyReport& policy : run.policies)
    for (const Assumption& a : policy.report->assumptions)
      if (const auto [item, fresh] = said.insert(in_bundle(run, policy, assumption_json(a))); fresh) list.add(*item);
  list.close();
}

// Where there are thousands the errors come first, and what is left out is counted among the figures of the run.
std::size_t write_diagnostics(const RunReport& run, std::ostream& out) {
  constexpr std::size_t kMost = 1000;
  std::vector<std::pair<const PolicyReport*, const Diagnostic*>> all;  // of the run itself: no policy
  for (const Diagnostic& d : run.diagnostics) all.emplace_back(nullptr, &d);
  for (const PolicyReport& policy : run.policies)
    for (const Diagnostic& d : policy.report->diagnostics) all.emplace_back(&policy, &d);
  if (all.size() > kMost)
    std::ranges::stable_partition(all, [](const auto& one) { return one.second->severity == Severity::Error; });
  const std::size_t shown = std::min(kMost, all.size());
  List list(out, "diagnostics");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [policy, diagnostic] = all[i];
    list.add(policy == nullptr ? diagnostic_json(nullptr, *diagnostic)
                               : in_bundle(run, *policy, diagnostic_json(policy->sources, *diagnostic)));
  }
  list.close();
  return all.size() - shown;
}

std::string stats_json(const RunReport& run, std::size_t diagnostics_left_out) {
  std::map<std::string, std::int64_t> sums{{"policies", static_cast<std::int64_t>(run.policies.size())}};
  if (diagnostics_left_out > 0) sums["diagnostics_left_out"] = static_cast<std::int64_t>(diagnostics_left_out);
  if (run.fixed) sums["fixed"] = static_cast<std::int64_t>(*run.fixed);
  for (const PolicyReport& policy : run.policies) {
    for (const auto& [name, value] : policy.report->stats) sums[name] += value;
    std::map<Verdict, std::int64_t> verdicts;
    for (const Obligation& o : policy.report->obligations) ++verdicts[o.verdict];
    for (const auto& [verdict, count] : verdicts) sums[fmt::format("obligations_{}", verdict_name(verdict))] += count;
  }
  std::vector<std::string> parts;
  for (const auto& [name, value] : sums) parts.push_back(fmt::format("{}:{}", json_string(name), value));
  return fmt::format("{{{}}}", fmt::join(parts, ","));
}

}  // namespace

void render_json(const RunReport& run, std::ostream& out) {
  out << "{\"schema\": 1,\n\"tool\": {\"name\":\"gpol\",\"version\":" << json_string(run.version)
      << "},\n\"verdict\": \"" << overall_name(judged(run)) << "\",\n\"headline\": " << json_string(headline(run))
      << ",\n\"families\": " << families_json(run);
  List obligations(out, "obligations");
  for (const PolicyReport& policy : run.policies)
    for (const Obligation& o : policy.report->obligations)
      obligations.add(in_bundle(run, policy, obligation_json(*policy.sources, o)));
  obligations.close();
  write_assumptions(run, out);
  const std::size_t diagnostics_left_out = write_diagnostics(run, out);
  write_waivers(run, out);
  if (!run.diff.empty()) out << ",\n" << run.diff;
  write_bundles(run, out);
  out << ",\n\"stats\": " << stats_json(run, diagnostics_left_out) << "}\n";
}

}  // namespace gpol
