// --dump: a stage as text, for people who look inside. Mistakes go to standard error; nothing is proven unless the
// stage lies behind the proof.
#include <fmt/format.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/render/render.h"
#include "cli/render/sentences.h"
#include "compiler/cluster/normal_form.h"

namespace gpol {

namespace {

Phase needed(Dump dump) {
  return dump == Dump::Ast || dump == Dump::Expanded ? Phase::Parsed
         : dump == Dump::Policy                      ? Phase::Resolved
         : dump == Dump::Cluster                     ? Phase::Planned
                                                     : Phase::Proven;
}

// "-" where nothing is known, so that every line has the same number of words before its sentence.
std::string_view word(std::string_view text) { return text.empty() ? "-" : text; }

std::string number(const std::optional<std::int64_t>& value) {
  return !value ? "-" : *value == INT64_MAX ? "unlimited" : std::to_string(*value);
}

}  // namespace

std::string dump_obligations(const Session& session) {
  std::string out;
  for (const Obligation& o : session.report.obligations)
    out += fmt::format("{} {} {} {} {}/{} {}/{} reserve={} claimable={} slack={} back_ms={}: {}\n",
                       family_name(o.family), to_string(o.code), o.required ? "required" : "optional",
                       verdict_name(o.verdict), word(o.subject.kind), word(o.subject.name), word(o.subject.flavor),
                       word(o.subject.resource), number(o.figures.reserve), number(o.figures.claimable),
                       number(o.figures.slack), number(o.figures.back_within_ms), sentence(o));
  return out;
}

std::string dump_smt(const std::vector<Formula>& formulas) {
  return "; every distinct formula of the proof; each must be unsat by itself, unless it looks for a story\n" +
         smtlib(formulas);
}

std::string dump_text(const Session& session, Dump dump) {
  switch (dump) {
    case Dump::Ast:
      return session.files.empty() ? std::string() : dump_ast(session.files.front());
    case Dump::Expanded:
      return session.expanded;
    case Dump::Policy:
      return session.policy ? dump_policy(*session.policy) : std::string();
    case Dump::Cluster:
      return session.planned ? normal_form(session.planned->cluster) : std::string();
    case Dump::Obligations:
      return dump_obligations(session);
    case Dump::Smt:
      return dump_smt(session.formulas);
    case Dump::None:
      break;
  }
  return {};
}

int dump(const CheckOptions& options, const World& world) {
  auto texts = read_policies(options.paths, world.in);
  RunReport run;
  run.version = GPOL_VERSION;
  run.diagnostics = std::move(texts.diagnostics);
  if (texts.value.size() > 1) return usage_error({"`--dump` takes one policy", "give a single .gpol file"}, world);
  std::vector<std::unique_ptr<Session>> sessions;
  for (PolicyText& text : texts.value) {
    sessions.push_back(check_policy(std::move(text), {.until = needed(options.dump),
                                                      .keep_formulas = options.dump == Dump::Smt,
                                                      .keep_expanded = options.dump == Dump::Expanded,
                                                      .as_of = options.as_of}));
    run.policies.push_back(report_of(*sessions.back()));
  }
  bool failed = sessions.empty();
  for (const auto& session : sessions) {
    for (const Diagnostic& d : session->report.diagnostics) failed |= d.severity == Severity::Error;
    // The tree is shown also of a file with mistakes: it is what could be read.
    if (!failed || options.dump == Dump::Ast) world.out << dump_text(*session, options.dump);
  }
  if (failed) {
    render_human(run, false, world.err);
    return exit_code(run);
  }
  return 0;
}

}  // namespace gpol
