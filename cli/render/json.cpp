#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "cli/render/render.h"
#include "cli/render/sentences.h"

namespace gpol {

namespace {

using Json = nlohmann::ordered_json;

// Paths and texts come from outside: bytes that are not UTF-8 become U+FFFD.
std::string dumped(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

Json location(const SourceSet& sources, const Place& place) {
  if (place.span.known()) {
    const LineColumn at = sources.position(place.span.file, place.span.begin);
    return {{"file", sources.path(place.span.file)},
            {"document", nullptr},
            {"line", at.line},
            {"column", at.column},
            {"field", text_or_null(place.field)}};
  }
  if (place.file.empty()) return nullptr;
  return {{"file", place.file},
          {"document", place.document ? Json(*place.document) : Json(nullptr)},
          {"line", nullptr},
          {"column", nullptr},
          {"field", text_or_null(place.field)}};
}

Json location(const SourceSet& sources, Span span) { return location(sources, Place{span, {}, {}, {}}); }

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::None:
      return {};
    case Unit::Devices:
      return "devices";
    case Unit::Slices:
      return "slices";
    case Unit::Cores:
      return "cores";
    case Unit::Bytes:
      return "bytes";
    case Unit::Pods:
      return "pods";
    case Unit::Units:
      return "units";
  }
  return {};
}

// Thousandths as a number without a fraction where it has none: 24, 23.5.
Json thousandths(std::int64_t value) {
  return value % 1000 == 0 ? Json(value / 1000) : Json(static_cast<double>(value) / 1000.0);
}

Json figure(const std::optional<std::int64_t>& value, Unit unit) {
  if (!value || *value == INT64_MAX) return nullptr;  // INT64_MAX: there is no limit
  return unit == Unit::Cores ? thousandths(*value) : Json(*value);
}

Json figures(const Figures& f) {
  return {{"reserve", figure(f.reserve, f.unit)},
          {"claimable", figure(f.claimable, f.unit)},
          {"slack", figure(f.slack, f.unit)},
          {"back_within_s", f.back_within_ms ? thousandths(*f.back_within_ms) : Json(nullptr)},
          {"unit", text_or_null(unit_name(f.unit))}};
}

Json fix(const SourceSet& sources, const Detail* detail) {
  if (detail == nullptr || !detail->fix) return nullptr;
  Json edits = Json::array();
  for (const Fix::Edit& edit : detail->fix->edits)
    edits.push_back({{"location", location(sources, edit.replace)},
                     {"replaces", edit.replace.known() ? sources.slice(edit.replace) : std::string_view()},
                     {"insert", edit.with}});
  return {{"text", detail->fix->text}, {"edits", std::move(edits)}};
}

Json obligation(const SourceSet& sources, const Obligation& o) {
  const Detail* detail = o.detail.get();
  Json story = Json::array();
  Json core = Json::array();
  if (detail != nullptr)
    for (const StoryStep& step : detail->story)
      story.push_back({{"at", text_or_null(step.at)}, {"actor", step.actor}, {"does", step.does}});
  if (o.core)
    for (const Span& span : *o.core)
      if (span.known()) core.push_back(location(sources, span));
  return {
      {"family", family_name(o.family)},
      {"code", to_string(o.code)},
      {"subject",
       {{"kind", text_or_null(o.subject.kind)},
        {"name", text_or_null(o.subject.name)},
        {"tenant", text_or_null(o.subject.tenant)},
        {"flavor", text_or_null(o.subject.flavor)},
        {"resource", text_or_null(o.subject.resource)}}},
      {"required", o.required},
      {"verdict", verdict_name(o.verdict)},
      {"reason", text_or_null(detail == nullptr ? std::string_view() : std::string_view(detail->reason))},
      {"figures", figures(o.figures)},
      {"message", sentence(o)},
      {"location", o.span.known() || detail == nullptr ? location(sources, o.span) : location(sources, detail->place)},
      {"story", std::move(story)},
      {"core", std::move(core)},
      {"fix", fix(sources, detail)}};
}

Json diagnostic(const SourceSet* sources, const Diagnostic& d) {
  constexpr const char* kSeverities[] = {"error", "warning", "note"};
  return {{"code", to_string(d.code)},
          {"severity", kSeverities[static_cast<std::size_t>(d.severity)]},
          {"message", d.message},
          {"location", sources == nullptr ? Json(nullptr) : location(*sources, d.span)},
          {"hint", text_or_null(d.hint)}};
}

Json families(const RunReport& run) {
  std::set<Family> analysed;
  for (const PolicyReport& policy : run.policies)
    analysed.insert(policy.report->analysed.begin(), policy.report->analysed.end());
  Json yes = Json::array();
  Json no = Json::array();
  for (int i = 0; i < kFamilies; ++i) {
    const auto family = static_cast<Family>(i);
    (analysed.count(family) ? yes : no).push_back(family_name(family));
  }
  return {{"analysed", std::move(yes)}, {"not_analysed", std::move(no)}};
}

// Writes `"key": [`, the items one per line, `]`.
class List {
 public:
  List(std::ostream& out, std::string_view key) : out_(out) { out_ << ",\n\"" << key << "\": ["; }
  void add(const Json& item) {
    out_ << (first_ ? "\n" : ",\n") << dumped(item);
    first_ = false;
  }
  void close() { out_ << (first_ ? "]" : "\n]"); }

 private:
  std::ostream& out_;
  bool first_ = true;
};

void write_assumptions(const RunReport& run, std::ostream& out) {
  constexpr const char* kStatuses[] = {"enforced", "trusted", "open"};
  List list(out, "assumptions");
  std::set<std::string> said;  // several policies may make the same assumption
  for (const PolicyReport& policy : run.policies) {
    for (const Assumption& a : policy.report->assumptions) {
      const Json item = {
          {"text", a.text}, {"status", kStatuses[static_cast<std::size_t>(a.status)]}, {"by", text_or_null(a.by)}};
      if (said.insert(dumped(item)).second) list.add(item);
    }
  }
  list.close();
}

Json stats(const RunReport& run) {
  std::map<std::string, std::int64_t> sums{{"policies", static_cast<std::int64_t>(run.policies.size())}};
  for (const PolicyReport& policy : run.policies) {
    for (const auto& [name, value] : policy.report->stats) sums[name] += value;
    for (const Obligation& o : policy.report->obligations)
      ++sums[fmt::format("obligations_{}", verdict_name(o.verdict))];
  }
  return Json(sums);
}

}  // namespace

void render_json(const RunReport& run, std::ostream& out) {
  out << "{\"schema\": 1,\n\"tool\": " << dumped({{"name", "gpol"}, {"version", run.version}}) << ",\n\"verdict\": \""
      << overall_name(judged(run)) << "\",\n\"headline\": " << dumped(headline(run))
      << ",\n\"families\": " << dumped(families(run));
  List obligations(out, "obligations");
  for (const PolicyReport& policy : run.policies)
    for (const Obligation& o : policy.report->obligations) obligations.add(obligation(*policy.sources, o));
  obligations.close();
  write_assumptions(run, out);
  List diagnostics(out, "diagnostics");
  for (const Diagnostic& d : run.diagnostics) diagnostics.add(diagnostic(nullptr, d));
  for (const PolicyReport& policy : run.policies)
    for (const Diagnostic& d : policy.report->diagnostics) diagnostics.add(diagnostic(policy.sources, d));
  diagnostics.close();
  out << ",\n\"stats\": " << dumped(stats(run)) << "}\n";
}

}  // namespace gpol
