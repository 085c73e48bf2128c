#include "cli/commands/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/commands/importers.h"
#include "cli/commands/session.h"
#include "cli/render/sentences.h"
#include "compiler/format/format.h"
#include "compiler/source/codes.h"
#include "emit/rewrite.h"

namespace gpol {

namespace {

constexpr int kMostRounds = 20;             // an edit may give rise to others: what only a definition used
constexpr std::size_t kMostOneByOne = 100;  // edits of one round that are tried each by itself

struct Proposal {
  std::string what;  // "policy.gpol:12:3: `x` is defined and never used"
  std::vector<Edit> edits;
};

// What a policy amounts to, as far as leaving something out must not change it.
struct Meaning {
  std::size_t errors = 0, syntax = 0;  // mistakes, and those that keep the rest from being looked at
  std::size_t size = 0, begins = 0;    // of the text, and the places of the latter, added up
  Phase reached = Phase::Parsed;
  Overall verdict = Overall::Error;
  std::multiset<std::string> required, planned, assumptions;
};

Meaning meaning_of(const Session& session) {
  Meaning out;
  out.size = session.sources.text(0).size();
  for (const Diagnostic& d : session.report.diagnostics) {
    if (d.severity != Severity::Error) continue;
    ++out.errors;
    if (d.code >= code::UnknownName) continue;
    ++out.syntax;
    out.begins += d.span.begin;
  }
  out.reached = session.reached;
  out.verdict = overall(session.report);
  const auto number = [](const std::optional<std::int64_t>& value) { return value ? fmt::format("{}", *value) : "-"; };
  for (const Obligation& o : session.report.obligations)
    if (o.required)
      (o.verdict == Verdict::NotAnalysed ? out.planned : out.required)
          .insert(fmt::format("{} {} {}/{}/{}/{}/{} {} {} {} {}", family_name(o.family), verdict_name(o.verdict),
                              o.subject.kind, o.subject.name, o.subject.tenant, o.subject.flavor, o.subject.resource,
                              number(o.figures.reserve), number(o.figures.claimable), number(o.figures.slack),
                              number(o.figures.back_within_ms)));
  for (const Assumption& a : session.report.assumptions)
    out.assumptions.insert(fmt::format("{} {} {}", a.text, static_cast<int>(a.status), a.by));
  return out;
}

// What mends a mistake may mean anything; what leaves something out of a sound policy may change nothing. What nothing
// is proven of yet may be gone: it was what is left out.
bool may_follow(const Meaning& before, const Meaning& after) {
  if (before.syntax > 0 && after.syntax < before.syntax) return true;
  // An item tells one mistake at a time: the next of `2x 3g.40gb, 1x 1g.10gb` stands further behind.
  const std::size_t grown = after.size > before.size ? after.size - before.size : 0;
  if (before.syntax > 0 && after.syntax == before.syntax && after.begins > before.begins + grown * before.syntax)
    return true;
  if (before.errors > 0)
    return after.syntax <= before.syntax && (after.errors < before.errors || after.reached > before.reached);
  return after.errors == 0 && after.verdict == before.verdict && after.required == before.required &&
         after.assumptions == before.assumptions && std::ranges::includes(before.planned, after.planned);
}

class Fixer {
 public:
  Fixer(const CheckOptions& options, const PolicyText& policy) : options_(options), text_(policy), shown_(policy.path) {
    const auto checked = check(policy.text);
    clean_ = is_clean(checked->sources);
    meaning_ = meaning_of(*checked);
    imports_ = imported_by(*checked);
  }
  const std::set<std::string>& imports() const { return imports_; }

  // The text after all edits that could be made. `imported`: files that others of the run use.
  std::string fixed(const std::set<std::string>& imported) {
    for (int round = 0; round < kMostRounds; ++round) {
      const auto session = check(text_.text);
      spare_imported(*session, imported);
      std::vector<Proposal> proposals = proposed(*session);
      std::erase_if(proposals, [&](const Proposal& p) { return refused_.contains(p.what); });
      if (proposals.empty()) break;
      if (attempt(session->sources, proposals)) continue;
      // Together they change what is proven: some of them do. The first that does not is made.
      bool made = false;
      for (std::size_t i = 0; i < proposals.size() && i < kMostOneByOne && !made; ++i) {
        made = attempt(session->sources, {proposals[i]});
        if (!made) refused_.insert(proposals[i].what);
      }
      if (!made) break;
    }
    return text_.text;
  }
  const std::vector<std::string>& made() const { return made_; }
  const std::set<std::string>& refused() const { return refused_; }

 private:
  std::unique_ptr<Session> check(const std::string& text) const {
    return check_policy({text_.path, text}, {.lint = true, .as_of = options_.as_of});
  }

  static bool is_clean(const SourceSet& sources) {
    const auto out = formatted(sources, 0);
    return out.ok() && out.value == sources.text(0);
  }

  // Of the policy's own file alone: what it imports is checked, and fixed, where it is named itself.
  std::vector<Proposal> proposed(const Session& session) const {
    std::vector<Proposal> out;
    const auto propose = [&](Span span, const std::string& message, const std::vector<Edit>& edits, bool sure) {
      const bool own = std::ranges::all_of(edits, [](const Edit& e) { return e.replace.file == 0; });
      if (!sure || edits.empty() || !own || !span.known()) return;
      const LineColumn at = session.sources.position(span.file, span.begin);
      out.push_back({fmt::format("{}:{}:{}: {}", shown_, at.line, at.column, message), edits});
    };
    for (const Diagnostic& d : session.report.diagnostics) propose(d.span, d.message, d.edits, d.sure);
    for (const Obligation& o : session.report.obligations)
      if (o.detail && o.detail->fix && o.verdict == Verdict::Refuted)
        propose(o.span, sentence(o), o.detail->fix->edits, o.detail->fix->sure);
    return out;
  }

  bool attempt(const SourceSet& sources, const std::vector<Proposal>& proposals) {
    std::vector<Edit> edits;
    for (const Proposal& p : proposals) edits.insert(edits.end(), p.edits.begin(), p.edits.end());
    std::string text = edited(sources, 0, edits);
    if (text == text_.text) return false;
    auto after = check(text);
    Meaning meaning = meaning_of(*after);
    if (!may_follow(meaning_, meaning)) return false;
    if (clean_ && meaning.errors == 0) {
      const auto laid_out = formatted(after->sources, 0);
      if (!laid_out.ok()) return false;
      text = laid_out.value;
    }
    text_.text = std::move(text);
    meaning_ = std::move(meaning);
    for (const Proposal& p : proposals) made_.push_back(p.what);
    return true;
  }

  const CheckOptions& options_;
  PolicyText text_;
  std::string shown_;
  bool clean_ = false;
  Meaning meaning_;
  std::set<std::string> imports_;
  std::vector<std::string> made_;
  std::set<std::string> refused_;
};

}  // namespace

Fixed fix_policies(const CheckOptions& options, const std::vector<PolicyText>& policies) {
  Fixed out;
  std::vector<Fixer> fixers;
  std::set<std::string> imported;
  for (const PolicyText& policy : policies) {
    fixers.emplace_back(options, policy);
    imported.insert(fixers.back().imports().begin(), fixers.back().imports().end());
  }
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const PolicyText& policy = policies[i];
    Fixer& fixer = fixers[i];
    const std::string after = fixer.fixed(imported);
    for (const std::string& what : fixer.refused())
      out.notes.push_back(fmt::format("not fixed, since something else would change: {}", what));
    if (after == policy.text) continue;
    if (auto problem = rewrite(policy.path, policy.text, after)) {
      out.problems.push_back(std::move(*problem));
      continue;
    }
    for (const std::string& what : fixer.made()) out.notes.push_back(fmt::format("fixed {}", what));
    out.made += fixer.made().size();
  }
  out.notes.push_back(fmt::format("fixed {}", out.made));
  return out;
}

}  // namespace gpol
