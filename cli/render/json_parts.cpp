#include "cli/render/json_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/render/sentences.h"

namespace gpol {

std::string location_json(const SourceSet& sources, const Place& place) {
  if (place.span.known()) {
    const LineColumn at = sources.position(place.span.file, place.span.begin);
    const Span used = sources.used_at(place.span);  // of a definition; absent elsewhere
    const auto found = sources.document_place(place.span);
    const std::string_view field = place.field.empty() && found ? std::string_view(found->field) : place.field;
    return fmt::format(R"({{"file":{},"document":{},"line":{},"column":{},"field":{}{}}})",
                       json_string(sources.path(place.span.file)), found ? fmt::format("{}", found->document) : "null",
                       at.line, at.column, json_string_or_null(field),
                       used.known() ? ",\"used_at\":" + location_json(sources, Place{used, {}, {}, {}}) : "");
  }
  if (place.file.empty()) return "null";
  return fmt::format(R"({{"file":{},"document":{},"line":null,"column":null,"field":{}}})", json_string(place.file),
                     place.document ? fmt::format("{}", *place.document) : "null", json_string_or_null(place.field));
}

namespace {

std::string_view unit_name(Unit unit) {
  constexpr std::string_view kNames[] = {"",     "devices", "slices",  "cores",   "bytes",
                                         "pods", "units",   "streams", "requests"};
  return kNames[static_cast<std::size_t>(unit)];
}

// Thousandths as a number without a fraction where it has none: 24, 23.5.
std::string thousandths(std::int64_t value) {
  return value % 1000 == 0 ? fmt::format("{}", value / 1000) : fmt::format("{}", static_cast<double>(value) / 1000.0);
}

std::string figure(const std::optional<std::int64_t>& value, Unit unit) {
  if (!value || *value == INT64_MAX) return "null";  // INT64_MAX: there is no limit
  return unit == Unit::Cores ? thousandths(*value) : fmt::format("{}", *value);
}

std::string subject(const Subject& s) {
  return fmt::format(R"({{"kind":{},"name":{},"tenant":{},"flavor":{},"resource":{}}})", json_string_or_null(s.kind),
                     json_string_or_null(s.name), json_string_or_null(s.tenant), json_string_or_null(s.flavor),
                     json_string_or_null(s.resource));
}

template <class Items, class Print>
std::string array(const Items& items, Print print) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += print(item);
  }
  return out + "]";
}

std::string story(const Detail* detail) {
  if (detail == nullptr) return "[]";
  return array(detail->story, [](const StoryStep& step) {
    return fmt::format(R"({{"at":{},"actor":{},"does":{}}})", json_string_or_null(step.at), json_string(step.actor),
                       json_string(step.does));
  });
}

std::string core(const SourceSet& sources, const Obligation& o) {
  if (!o.core) return "[]";
  std::vector<Span> known;
  std::ranges::copy_if(*o.core, std::back_inserter(known), [](const Span& span) { return span.known(); });
  return array(known, [&](const Span& span) { return gpol::location_json(sources, span); });
}

}  // namespace

std::string figures_json(const Figures& f) {
  const std::string alone =
      f.claimable_alone ? fmt::format(R"("claimable_alone":{},)", figure(f.claimable_alone, f.unit)) : "";
  const std::string ending =
      f.claimable_ending ? fmt::format(R"("claimable_ending":{},)", figure(f.claimable_ending, f.unit)) : "";
  const std::string demand = f.demand_pods ? fmt::format(R"("demand_pods":{},)", *f.demand_pods) : "";
  return fmt::format(R"({{"reserve":{},"claimable":{},{}"slack":{},"back_within_s":{},"unit":{}}})",
                     figure(f.reserve, f.unit), figure(f.claimable, f.unit), ending + alone + demand,
                     figure(f.slack, f.unit), f.back_within_ms ? thousandths(*f.back_within_ms) : "null",
                     json_string_or_null(unit_name(f.unit)));
}

std::string json_string(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (plain) return fmt::format("\"{}\"", text);
  using Json = nlohmann::json;
  // All that is not ASCII as \\u escapes: the same text to programs, and nothing unseen to people.
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string json_string_or_null(std::string_view text) { return text.empty() ? "null" : json_string(text); }

std::string location_json(const SourceSet& sources, Span span) {
  return location_json(sources, Place{span, {}, {}, {}});
}

std::string fix_json(const SourceSet& sources, std::string_view text, std::span<const Edit> edits, bool sure) {
  const std::string list = array(edits, [&](const Edit& written) {
    const Edit edit = settled(sources, written);
    return fmt::format(R"({{"location":{},"replaces":{},"insert":{}}})",
                       gpol::location_json(sources, Place{edit.replace, {}, written.field, {}}),
                       json_string(edit.replace.known() ? sources.slice(edit.replace) : std::string_view()),
                       json_string(edit.with));
  });
  return fmt::format(R"({{"text":{},"edits":{},"sure":{}}})", json_string(text), list, sure);
}

std::string obligation_json(const SourceSet& sources, const Obligation& o) {
  const Detail* detail = o.detail.get();
  const std::string reason = detail == nullptr ? "null" : json_string_or_null(detail->reason);
  Place place = detail == nullptr ? Place{} : detail->place;  // its field is known where it is absent from the text
  if (o.span.known()) place.span = o.span;
  const std::string where = location_json(sources, place);
  const std::string fix = detail == nullptr || !detail->fix
                              ? "null"
                              : fix_json(sources, detail->fix->text, detail->fix->edits, detail->fix->sure);
  return fmt::format(
      R"({{"family":"{}","code":"{}","subject":{},"required":{},"verdict":"{}","reason":{},"figures":{},)"
      R"("message":{},"location":{},"story":{},"core":{},"fix":{}}})",
      family_name(o.family), to_string(o.code), subject(o.subject), o.required, verdict_name(o.verdict), reason,
      figures_json(o.figures), json_string(sentence(o)), where, story(detail), core(sources, o), fix);
}

}  // namespace gpol
