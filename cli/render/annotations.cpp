#include "cli/render/annotations.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/render/findings.h"
#include "cli/render/sentences.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

template <class Place>
void put_place(const SourceSet& sources, Span span, Place& place) {
  if (!span.known()) return;
  const Span at = sources.used_at(span).known() && sources.built_in(span.file) ? sources.used_at(span) : span;
  if (sources.built_in(at.file)) return;  // no file of the repository
  const LineColumn begin = sources.position(at.file, at.begin), end = sources.position(at.file, at.end);
  place.file = sources.path(at.file);
  place.line = begin.line;
  place.column = begin.column;
  place.end_line = end.line;
  place.end_column = end.column;
}

void put_fix(const SourceSet& sources, const std::vector<Edit>& edits, Annotation& found) {
  for (const Edit& written : edits) {
    const Edit edit = settled(sources, written);
    Annotation::Replacement made;
    put_place(sources, edit.replace, made);
    if (made.file.empty()) return found.fix.clear();  // all of them, or none
    made.insert = edit.with;
    found.fix.push_back(std::move(made));
  }
}

std::string subject_of(const Obligation& o) {
  std::string text(family_name(o.family));
  for (const std::string_view part : {o.subject.kind, o.subject.name, o.subject.flavor, o.subject.resource})
    if (!part.empty()) text += fmt::format(" {}", part);
  return text;
}

Annotation of_obligation(const SourceSet& sources, const Obligation& o) {
  Annotation found;
  found.code = o.code;
  found.subject = subject_of(o);
  found.message = sentence(o);
  put_place(sources, o.span, found);
  if (!o.detail) return found;
  if (found.file.empty()) found.file = o.detail->place.file;
  for (const StoryStep& step : o.detail->story) found.message += fmt::format("\n{} {}", step.actor, step.does);
  if (o.detail->fix) {
    found.help = o.detail->fix->text;
    put_fix(sources, o.detail->fix->edits, found);
  }
  return found;
}

Annotation of_diagnostic(const SourceSet* sources, const Diagnostic& d) {
  Annotation found;
  found.level = d.severity == Severity::Error ? Annotation::Level::Error : Annotation::Level::Warning;
  found.code = d.code;
  found.subject = d.message;
  found.message = d.message;
  found.help = d.hint;
  if (sources == nullptr) return found;
  put_place(*sources, d.span, found);
  put_fix(*sources, d.edits, found);
  return found;
}

Annotation of_line(const DiffView::Line& line, Annotation::Level level) {
  Annotation found;
  found.level = level;
  found.subject = line.word + " " + line.text;
  found.message = fmt::format("{}: {}", line.word, line.text);
  for (const std::string& step : line.story) found.message += "\n" + step;
  // "queues/chat.yaml:12:5"
  const std::size_t column = line.place.rfind(':'),
                    row = column == std::string::npos ? column : line.place.rfind(':', column - 1);
  if (row != std::string::npos) {
    found.file = line.place.substr(0, row);
    found.line = found.end_line = std::stoi(line.place.substr(row + 1));
    found.column = std::stoi(line.place.substr(column + 1));
    found.end_column = found.column + 1;
  }
  return found;
}

}  // namespace

std::vector<Annotation> annotations_of(const RunReport& run) {
  std::vector<Annotation> all;
  for (const Diagnostic& d : run.diagnostics) all.push_back(of_diagnostic(nullptr, d));
  const auto named = [&](const PolicyReport& policy, Annotation found) {
    if (run.policies.size() > 1) found.bundle = policy.bundle;
    all.push_back(std::move(found));
  };
  std::vector<Mistake> told;
  for (const PolicyReport& policy : run.policies)
    for (const Diagnostic& d : policy.report->diagnostics) {
      const Mistake mistake = mistake_of(policy, d);
      if (contains(told, mistake)) continue;
      told.push_back(mistake);
      named(policy, of_diagnostic(policy.sources, d));
    }
  for (const PolicyReport& policy : run.policies)
    for (const Finding& finding : findings(policy, run.allowed_gaps)) {
      Annotation found = of_obligation(*policy.sources, *finding.told);
      if (!finding.also.empty()) found.message += fmt::format("\nso for {}", fmt::join(finding.also, ", "));
      if (const Waiver* waiver = run.waivers.of(*finding.told)) {
        found.level = Annotation::Level::Warning;
        found.message += "\nwaived: " + waiver->text();
      }
      named(policy, std::move(found));
    }
  std::ranges::stable_sort(all, {}, &Annotation::level);
  return all;
}

std::vector<Annotation> annotations_of(const DiffReport& report, bool allow_exposure) {
  std::vector<Annotation> all;
  for (const DiffBundle& bundle : report.bundles)
    for (const Obligation* o : bundle.diff.lost) {
      Annotation found = of_obligation(*bundle.after->sources, *o);
      found.bundle = bundle.path;
      found.message = (contains(bundle.diff.fresh, o) ? "new, and does not hold: " : "lost: ") + found.message;
      all.push_back(std::move(found));
    }
  const DiffView view = view_of(report);
  const auto add = [&](const std::vector<DiffView::Line>& lines, const std::string& bundle) {
    for (const DiffView::Line& line : lines) {
      if (!contains({"exposed", "smaller", "removed", "not compared", "approval"}, std::string_view(line.word)))
        continue;
      const bool warns = allow_exposure || line.word == "approval" || line.word == "not compared";
      all.push_back(of_line(line, warns ? Annotation::Level::Warning : Annotation::Level::Error));
      all.back().bundle = bundle;
    }
  };
  for (const DiffView::Part& part : view.parts) add(part.lines, part.title);
  add(view.lines, "");
  for (Annotation& found : all) found.fresh = true;
  return all;
}

std::vector<std::string> proven_statements(const RunReport& run) {
  std::vector<std::string> all;
  for (const PolicyReport& policy : run.policies)
    for (const Obligation& o : policy.report->obligations)
      if (o.required && o.verdict == Verdict::Proven)
        all.push_back(run.policies.size() > 1 ? fmt::format("{}: {}", policy.bundle, subject_of(o)) : subject_of(o));
  return all;
}

}  // namespace gpol
