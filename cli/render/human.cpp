// One finding reads: claim, place, story, cause, edit.
//   error[GP1001]: others can hold 8 of the 16 GPUs ...
//     --> policy.gpol:54:3
//      |
//   54 |   reserve 16 gpus of shared
//      |   ^^^^^^^^^^^^^^^^^^^^^^^^^
//      = [02:00] finetune  is admitted with 8 GPUs of shared
//      = because: policy.gpol:54, policy.gpol:71
//      = help: ...
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "checker/families/codes.h"
#include "cli/render/excerpt.h"
#include "cli/render/findings.h"
#include "cli/render/render.h"
#include "cli/render/sentences.h"
#include "cli/render/tables.h"
#include "cli/render/text.h"
#include "compiler/source/codes.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostShown = 20;        // findings told in full
constexpr std::size_t kMostConsequences = 8;  // of one finding
constexpr std::size_t kMostMistakes = 100;    // of one run, warnings among them

std::string title(std::string_view kind, Code code, std::string_view message, const Style& style) {
  const std::string head = fmt::format("{}[{}]", kind, to_string(code));
  const std::string painted = kind == "error" ? style.error(head) : style.warning(head);
  return fmt::format("{}{}\n", painted, style.bold(": " + printable(message)));
}

std::string remark(std::string_view text, const Style& style) {
  return fmt::format("   {} {}\n", style.margin("="), text);
}

std::string explain_line(Code code, const Style& style) {
  return remark(fmt::format("run `gpol explain {}`", to_string(code)), style) + "\n";
}

std::string diagnostic_text(const SourceSet* sources, const Diagnostic& d, const Style& style) {
  constexpr std::string_view kKinds[] = {"error", "warning", "note"};
  std::string out = title(kKinds[static_cast<std::size_t>(d.severity)], d.code, d.message, style);
  if (sources != nullptr && d.span.known()) {
    std::vector<Label> marks{{d.span, ""}};
    marks.insert(marks.end(), d.labels.begin(), d.labels.end());
    out += excerpt(*sources, marks, style);
  }
  if (!d.hint.empty()) out += remark("help: " + printable(d.hint), style);
  return out;
}

void print_story(const std::vector<StoryStep>& story, const Style& style, std::ostream& out) {
  std::size_t actors = 0;
  std::size_t times = 0;
  for (const StoryStep& step : story) {
    actors = std::max(actors, columns(printable(step.actor)));
    times = std::max(times, columns(printable(step.at)));
  }
  for (std::size_t i = 0; i < story.size(); ++i) {
    const StoryStep& step = story[i];
    // Where no clock is known the steps are numbered.
    const std::string at = times == 0 ? std::to_string(i + 1) : printable(step.at);
    const std::string mark = at.empty() ? std::string(times + 2, ' ') : pad(fmt::format("[{}]", at), times + 2);
    out << remark(fmt::format("{} {}  {}", mark, pad(printable(step.actor), actors), printable(step.does)), style);
  }
}

// "policy.gpol:5, 24-26": the lines that the finding rests on, by file.
std::string lines_by_file(const SourceSet& sources, const std::vector<Span>& spans) {
  std::map<FileId, std::set<int>> lines;
  for (const Span& span : spans)
    if (span.known()) lines[span.file].insert(sources.position(span.file, span.begin).line);
  std::vector<std::string> parts;
  for (const auto& [file, numbers] : lines)
    parts.push_back(fmt::format("{}:{}", printable(sources.path(file)), line_ranges(numbers)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_core(const SourceSet& sources, const Obligation& o, const Style& style, std::ostream& out) {
  const std::string places = o.core ? lines_by_file(sources, *o.core) : std::string();
  if (!places.empty()) out << remark("because: " + places, style);
}

// Uses of constructs that wait for one family: one cause, and a line for each.
void print_planned(const SourceSet& sources, const Finding& finding, const Style& style, std::ostream& out) {
  constexpr std::string_view kBefore = "nothing is proven yet of ";
  const Obligation& o = *finding.told;
  std::vector<const Obligation*> all{&o};
  all.insert(all.end(), finding.same.begin(), finding.same.end());
  out << title("undecided", o.code,
               fmt::format("nothing is proven yet of {} uses: they wait for {}", all.size(), family_name(o.family)),
               style);
  for (const Obligation* use : all) {
    std::string what = sentence(*use);
    if (what.starts_with(kBefore)) what.erase(0, kBefore.size());
    if (use->span.known())
      out << remark(fmt::format("{}: {}", place_text(sources, use->span), printable(what)), style);
    else
      out << remark(printable(what), style);
  }
  if (o.detail && o.detail->fix) out << remark("help: " + printable(o.detail->fix->text), style);
  out << explain_line(o.code, style);
}

void print_place(const SourceSet& sources, const Obligation& o, const Style& style, std::ostream& out) {
  if (o.span.known()) {
    const Label mark{o.span, ""};
    out << excerpt(sources, {&mark, 1}, style);
  } else if (o.detail && !o.detail->place.file.empty()) {
    const Place& place = o.detail->place;
    out << fmt::format("  --> {}{}\n", printable(place.file), place.field.empty() ? "" : ": " + printable(place.field));
  }
}

enum class Gap { Open, Allowed };
void print_finding(const SourceSet& sources, const Finding& finding, Gap gap, const Style& style, std::ostream& out) {
  const Obligation& o = *finding.told;
  if (!finding.same.empty()) return print_planned(sources, finding, style, out);
  out << title(gap == Gap::Allowed             ? "allowed"
               : o.verdict != Verdict::Refuted ? "undecided"
               : o.required                    ? "error"
                                               : "warning",
               o.code, sentence(o), style);
  print_place(sources, o, style, out);
  if (o.detail) {
    // The message often says the cause already.
    const bool said = o.code == code::Planned || sentence(o).find(o.detail->reason) != std::string::npos;
    if (o.verdict != Verdict::Refuted && !o.detail->reason.empty() && !said)
      out << remark("cause: " + printable(o.detail->reason), style);
    print_story(told_once(o.detail->story), style, out);
  }
  if (!finding.also.empty())
    out << remark(fmt::format("the same holds of its {}", fmt::join(finding.also, ", ")), style);
  for (std::size_t i = 0; i < std::min(kMostConsequences, finding.consequences.size()); ++i) {
    const Obligation* other = finding.consequences[i];
    out << remark(fmt::format("while that is so [{}]: {}", to_string(other->code), printable(sentence(*other))), style);
  }
  if (finding.consequences.size() > kMostConsequences)
    out << remark(fmt::format("and {} more like these (`--format json` lists them all)",
                              finding.consequences.size() - kMostConsequences),
                  style);
  print_core(sources, o, style, out);
  for (const std::string_view fix : fixes_of(finding)) out << remark("help: " + printable(fix), style);
  out << explain_line(o.code, style);
}

void print_findings(const RunReport& run, const Style& style, std::ostream& out) {
  std::size_t shown = 0;
  std::size_t left_out = 0;
  const auto print = [&](const PolicyReport& policy, const std::vector<Finding>& list, Gap gap) {
    for (const Finding& finding : list) {
      if (shown == kMostShown) {
        ++left_out;
        continue;
      }
      print_finding(*policy.sources, finding, gap, style, out);
      ++shown;
    }
  };
  for (const PolicyReport& policy : run.policies) {
    auto open = findings(policy, run.allowed_gaps);
    // Where not all are told, what is wrong comes before what is only not known.
    if (open.size() > kMostShown)
      std::ranges::stable_partition(open,
                                    [](const Finding& finding) { return finding.told->verdict == Verdict::Refuted; });
    print(policy, open, Gap::Open);
    print(policy, allowed_findings(policy, run.allowed_gaps), Gap::Allowed);
    print(policy, side_findings(policy), Gap::Open);
  }
  if (left_out > 0) out << fmt::format("and {} more findings (`--format json` lists them all)\n\n", left_out);
}

// What is wrong comes before what may be wrong. What several policies import is told once, however many say it.
enum class Errors { Only, Never };
void print_diagnostics(const RunReport& run, Errors errors, const Style& style, std::size_t& shown, std::ostream& out) {
  struct Told {
    const PolicyReport* policy;
    const Diagnostic* diagnostic;
    std::size_t policies = 0;
  };
  std::vector<Told> all;
  std::map<Mistake, std::size_t> known;
  for (const PolicyReport& policy : run.policies)
    for (const Diagnostic& d : policy.report->diagnostics) {
      if ((d.severity == Severity::Error) != (errors == Errors::Only)) continue;
      const auto [at, fresh] = known.try_emplace(mistake_of(policy, d), all.size());
      if (fresh) all.push_back({&policy, &d});
      ++all[at->second].policies;
    }
  std::map<std::string, std::size_t> left_out;  // by code
  for (const Told& told : all) {
    // A limit says that more was not even read: it is not lost among what is only counted.
    if (shown >= (told.diagnostic->code == code::TooDeepOrLarge ? 2 * kMostMistakes : kMostMistakes)) {
      ++left_out[to_string(told.diagnostic->code)];
      continue;
    }
    ++shown;
    out << diagnostic_text(told.policy->sources, *told.diagnostic, style);
    if (told.policies > 1) out << remark(fmt::format("so in {} policies", told.policies), style);
    out << explain_line(told.diagnostic->code, style);
  }
  if (left_out.empty()) return;
  std::size_t count = 0;
  std::string codes;
  for (const auto& [code, of_it] : left_out) {
    count += of_it;
    add_to_list(codes, fmt::format("{} {}", code, of_it));
  }
  out << fmt::format("and {} more {}, by code: {}\n\n", count, errors == Errors::Only ? "mistakes" : "warnings", codes);
}

}  // namespace

void render_diagnostics(const SourceSet* sources, std::span<const Diagnostic> diagnostics, bool colour,
                        std::ostream& out) {
  const Style style{colour};
  for (const Diagnostic& d : diagnostics) out << diagnostic_text(sources, d, style) << explain_line(d.code, style);
}

void render_mistakes(const RunReport& run, bool colour, std::ostream& out) {
  std::size_t shown = 0;
  print_diagnostics(run, Errors::Only, Style{colour}, shown, out);
}

void render_human(const RunReport& run, bool colour, std::ostream& out) {
  const Style style{colour};
  std::size_t mistakes = std::min(kMostMistakes, run.diagnostics.size());
  render_diagnostics(nullptr, std::span(run.diagnostics).first(mistakes), colour, out);
  if (mistakes < run.diagnostics.size())
    out << fmt::format("and {} more files or folders with mistakes\n\n", run.diagnostics.size() - mistakes);
  print_diagnostics(run, Errors::Only, style, mistakes, out);
  print_findings(run, style, out);
  print_diagnostics(run, Errors::Never, style, mistakes, out);
  const bool verified = std::ranges::any_of(run.policies, [](const PolicyReport& p) { return p.verified; });
  for (const std::string& table :
       {verified ? ownership_text(run, style) : queue_table(run, style), premise_table(run, style)})
    if (!table.empty()) out << table << "\n";
  for (const PolicyReport& policy : run.policies)
    for (const std::string& note : policy.notes) out << printable(note) << "\n";
  for (const std::string& note : run.notes) out << printable(note) << "\n";
  const std::string last = headline(run);
  out << (judged(run) == Overall::Proven ? style.good(last) : style.error(last)) << "\n";
}

}  // namespace gpol
