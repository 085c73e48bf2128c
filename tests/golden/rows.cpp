#include "tests/golden/rows.h"

#include <map>
#include <regex>
#include <set>

#include "cli/render/excerpt.h"
#include "cli/render/findings.h"
#include "cli/render/sentences.h"
#include "cli/render/text.h"
#include "compiler/policy/units.h"

namespace gpol::test {

namespace {

struct Writer {
  const RunReport& run;
  std::string folder;
  std::string out = {};

  void line(const std::string& text) { out += printable(text) + "\n"; }
  void below(const std::string& text) { line("  " + text); }

  std::string shortened(const std::string& path) const {
    return path.starts_with(folder + "/") ? path.substr(folder.size() + 1) : path;
  }
  std::string place(const SourceSet& sources, Span span) const { return shortened(place_text(sources, span)); }

  void diagnostic(const SourceSet* sources, const Diagnostic& d);
  void policy(const PolicyReport& policy);
  void obligation(const PolicyReport& policy, const Obligation& o);
  void finding(const PolicyReport& policy, const Finding& finding);
  std::string because(const SourceSet& sources, const Obligation& o) const;
};

void Writer::diagnostic(const SourceSet* sources, const Diagnostic& d) {
  constexpr const char* kSeverities[] = {"error", "warning", "note"};
  const bool placed = sources != nullptr && d.span.known();
  line(std::string(kSeverities[static_cast<std::size_t>(d.severity)]) + " [" + to_string(d.code) + "]" +
       (placed ? " " + place(*sources, d.span) : "") + ": " + d.message);
  for (const Label& label : d.labels)
    if (sources != nullptr && label.span.known()) below(place(*sources, label.span) + " " + label.text);
  if (!d.hint.empty()) below("help: " + d.hint);
}

std::string role_of(const PolicyReport& policy, const Subject& subject) {
  constexpr const char* kServing[] = {"serving A", "serving B", "serving C"};
  if (policy.planned == nullptr) return {};
  const Intent& intent = policy.planned->intent;
  if (subject.kind == "Tenant") {
    for (const OutsideReserve& tenant : intent.outside)
      if (tenant.tenant == subject.name)
        return std::string(kServing[static_cast<std::size_t>(tenant.isolation)]) + " outside";
  } else if (subject.kind == "ClusterQueue") {
    for (std::size_t q = 0; q < intent.roles.size(); ++q) {
      if (policy.planned->cluster.queues[q].name != subject.name) continue;
      const QueueRole& role = intent.roles[q];
      return role.kind == QueueRole::Kind::Batch     ? role.assumed ? "batch?" : "batch"
             : role.kind == QueueRole::Kind::Bounded ? "bounded"
             : role.kind == QueueRole::Kind::None    ? "no role"
                                                     : kServing[static_cast<std::size_t>(role.isolation)];
    }
  }
  return {};
}

// Nobody is promised that this comes back.
bool says_nothing(const PolicyReport& policy, const Obligation& o) {
  return o.family == Family::Reclaim && !o.required && !role_of(policy, o.subject).starts_with("serving");
}

std::string figures_of(const Obligation& o) {
  const Figures& figures = o.figures;
  std::string out;
  const auto add = [&](const char* what, const std::optional<std::int64_t>& value) {
    if (value) out += (out.empty() ? "" : ", ") + std::string(what) + " " + figure_text(*value, figures.unit);
  };
  if (o.family == Family::Claim) add("owns", figures.reserve);
  add("others can hold", figures.claimable);
  add("one other can hold", figures.claimable_alone);
  add("slack", figures.slack);
  if (figures.back_within_ms)
    out += (out.empty() ? "" : ", ") + std::string("back within ") + human_duration(*figures.back_within_ms);
  return out;
}

void Writer::obligation(const PolicyReport& policy, const Obligation& o) {
  std::string text = std::string(verdict_name(o.verdict)) + (o.required ? "" : " (not required)") + " " +
                     std::string(family_name(o.family)) + " [" + to_string(o.code) + "]";
  for (const std::string_view word : {o.subject.kind, o.subject.name, o.subject.flavor, o.subject.resource})
    if (!word.empty() && word != "ClusterQueue") text += " " + std::string(word);
  if (const std::string role = role_of(policy, o.subject); !role.empty()) text += ", " + role;
  if (o.span.known())
    text += ", " + place(*policy.sources, o.span);
  else if (o.detail && !o.detail->place.file.empty())
    text += ", " + shortened(o.detail->place.file);
  if (o.detail && !o.span.known() && !o.detail->place.field.empty()) text += " " + o.detail->place.field;
  if (const std::string figures = figures_of(o); !figures.empty()) text += ": " + figures;
  line(text);
}

std::string Writer::because(const SourceSet& sources, const Obligation& o) const {
  std::map<FileId, std::set<int>> lines;
  if (o.core)
    for (const Span& span : *o.core)
      if (span.known()) lines[span.file].insert(sources.position(span.file, span.begin).line);
  std::string all;
  for (const auto& [file, numbers] : lines)
    all += (all.empty() ? "" : ", ") + shortened(sources.path(file)) + ":" + line_ranges(numbers);
  return all;
}

void Writer::finding(const PolicyReport& policy, const Finding& finding) {
  const Obligation& o = *finding.told;
  const std::string said = sentence(o);
  below(said);
  if (o.detail) {
    if (o.verdict != Verdict::Refuted && said.find(o.detail->reason) == std::string::npos)
      below("cause: " + o.detail->reason);
    std::size_t number = 0;
    for (const StoryStep& step : told_once(o.detail->story)) {
      ++number;
      below("[" + (step.at.empty() ? std::to_string(number) : step.at) + "] " + step.actor + " " + step.does);
    }
  }
  if (const std::string places = because(*policy.sources, o); !places.empty()) below("because: " + places);
  for (const std::string_view fix : fixes_of(finding)) below("help: " + std::string(fix));
}

void Writer::policy(const PolicyReport& policy) {
  const Report& report = *policy.report;
  std::map<const Obligation*, Finding> told;
  std::set<const Obligation*> folded;  // of the same cause as one that is told
  for (const auto& list :
       {findings(policy, run.allowed_gaps), allowed_findings(policy, run.allowed_gaps), side_findings(policy)})
    for (const Finding& one : list) {
      folded.insert(one.folded.begin(), one.folded.end());
      told.emplace(one.told, one);
    }
  for (const Obligation& o : report.obligations) {
    const auto finding_of = told.find(&o);
    const bool of_a_queue = o.family == Family::Claim || o.family == Family::Reclaim;
    const bool open = o.required && o.verdict != Verdict::Proven;
    if ((!of_a_queue || says_nothing(policy, o)) && !open && finding_of == told.end()) continue;
    obligation(policy, o);
    if (finding_of != told.end())
      finding(policy, finding_of->second);
    else if (open && folded.count(&o) == 0)
      below(sentence(o));
  }
  for (const Assumption& a : report.assumptions) {
    constexpr const char* kStatuses[] = {"enforced", "trusted", "open"};
    if (!a.key.empty() && a.status != Assumption::Status::Open) continue;
    line(std::string(kStatuses[static_cast<std::size_t>(a.status)]) + ": " +
         (a.key.empty() ? a.text : std::string(a.key)));
  }
}

}  // namespace

std::string without_the_count(const std::string& text) {
  static const std::regex kCount("( under )[0-9]+ trusted assumptions?");
  return std::regex_replace(text, kCount, "$1trusted assumptions");
}

std::string rows_of(const RunReport& run, const std::string& folder) {
  Writer writer{run, folder};
  writer.line(without_the_count(headline(run)));
  writer.line("exit code " + std::to_string(exit_code(run)));
  for (const Diagnostic& d : run.diagnostics) writer.diagnostic(nullptr, d);
  for (const PolicyReport& policy : run.policies)
    for (const Diagnostic& d : policy.report->diagnostics) writer.diagnostic(policy.sources, d);
  for (const PolicyReport& policy : run.policies) writer.policy(policy);
  for (const PolicyReport& policy : run.policies)
    for (const std::string& note : policy.notes) writer.line("note: " + note);
  for (const std::string& note : run.notes) writer.line("note: " + note);
  return writer.out;
}

}  // namespace gpol::test
