#include "checker/report/report.h"

#include <array>

#include "compiler/source/lookup.h"

namespace gpol {

std::string_view family_name(Family family) {
  static constexpr std::array<std::string_view, kFamilies> kNames = {
      "claim",   "reclaim",    "capacity",  "placement", "fragmentation", "bypass",  "priority",
      "vacuity", "transition", "partition", "gateway",   "slo",           "serving", "artefact"};
  return kNames.at(static_cast<std::size_t>(family));
}

std::string_view verdict_name(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> kNames = {"proven", "refuted", "undecided", "not_analysed"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

Obligation obligation(Family family, Code code, Verdict verdict, Subject subject, Span span) {
  Obligation o;
  o.family = family;
  o.code = code;
  o.verdict = verdict;
  o.required = true;
  o.subject = subject;
  o.span = span;
  return o;
}

Obligation proven_of_cluster(Family family, Code code, bool required) {
  Obligation o = obligation(family, code, Verdict::Proven, {"Cluster"});
  o.required = required;
  return o;
}

void Report::note_analysed(Family family) {
  if (!contains(analysed, family)) analysed.push_back(family);
}

Overall overall(const Report& report) {
  if (contains(report.diagnostics, Severity::Error, &Diagnostic::severity)) return Overall::Error;
  bool required = false, open = false;
  for (const Obligation& obligation : report.obligations) {
    if (!obligation.required) continue;
    if (obligation.verdict == Verdict::Refuted) return Overall::Refuted;
    required = true;
    open = open || obligation.verdict != Verdict::Proven;
  }
  // With nothing required there is nothing that was promised, so nothing that was proven.
  return required && !open ? Overall::Proven : Overall::Undecided;
}

GPOL_SPECIAL_MEMBERS_OF(Report);

}  // namespace gpol
