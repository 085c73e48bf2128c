#include "cli/commands/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "checker/families/codes.h"
#include "checker/observe/given_mig_config.h"
#include "checker/observe/given_volcano_config.h"
#include "checker/proof/prove.h"
#include "cli/codes.h"
#include "cli/commands/modules.h"
#include "compiler/format/format.h"
#include "compiler/plan/volcano/plan.h"
#include "compiler/policy/resolve.h"
#include "compiler/source/follow.h"
#include "compiler/source/lookup.h"
#include "compiler/syntax/expand.h"

namespace gpol {

namespace {

// A mistake in a definition is met at each use of it, and is one mistake: the first use is told.
bool keep(Session& session, std::vector<Diagnostic>&& found) {
  follow_hints(session.sources, found);
  bool ok = true;
  using Mistake = std::tuple<Code, FileId, std::uint32_t, std::uint32_t, std::string>;
  std::set<Mistake> known;
  for (Diagnostic& diagnostic : found) {
    ok = ok && diagnostic.severity != Severity::Error;
    const Span at = diagnostic.span;
    if (!at.known() || known.emplace(diagnostic.code, at.file, at.begin, at.end, diagnostic.message).second)
      session.report.diagnostics.push_back(std::move(diagnostic));
  }
  return ok;
}

// Dates written year first sort as texts. Without a day none has ended: gpol never asks a clock.
void end_trusts(Intent& intent, const std::string& as_of) {
  if (as_of.empty()) return;
  const auto over = [&](const Trust& trust) { return !trust.until.empty() && trust.until < as_of; };
  std::ranges::copy_if(intent.trusts, std::back_inserter(intent.ended), over);
  std::erase_if(intent.trusts, over);
}

void prove(Session& session, const SessionOptions& options) {
  const SolverEar keep = options.keep_formulas ? formula_keeper(session) : SolverEar{};
  SolverEar ear;
  if (keep || options.ear)
    ear = [&](const Formula& formula, const Answer& answer) {
      if (keep) keep(formula, answer);
      if (options.ear) options.ear(formula, answer);
    };
  Report report =
      gpol::prove(*session.planned, {}, {}, {options.solver, ear, family_timer(session), options.quotas_alone});
  report.diagnostics.insert(report.diagnostics.begin(), session.report.diagnostics.begin(),
                            session.report.diagnostics.end());
  // A definition of the library serves many policies: what this one does not need of it is no mistake in it.
  std::erase_if(report.diagnostics, [&](const Diagnostic& d) {
    return d.code == code::UnusedTrust && d.span.known() && session.sources.built_in(d.span.file);
  });
  session.report = std::move(report);
  session.reached = Phase::Proven;
}

// What is to be taken out to take out a declaration.
Span whole(const Session& session, Span declaration) {
  return whole_declaration(session.sources, session.definitions, session.files.front().file, declaration);
}

void remove(const Session& session, Diagnostic& found) {
  const Span all = whole(session, found.span);
  if (all.known()) found.edits.push_back({all, ""});
  found.sure = all.known();
}

// --mig-config; nothing: what is in the way has been said.
std::optional<MigConfigMap> read_mig_configs(const YamlFile& file, Session& session) {
  const FileId id = session.sources.add(file.path, file.bytes);
  auto read = read_given_mig_config(file, id);
  if (auto* map = std::get_if<MigConfigMap>(&read)) return std::move(*map);
  UnreadFile& unread = std::get<UnreadFile>(read);
  keep(session, {error_at(code::MigConfigGiven, unread.span,
                          fmt::format("`{}` cannot be taken: {}", file.path, unread.what), std::move(unread.hint))});
  return std::nullopt;
}

// --volcano-config: what of it the proof needs is put into it, and it is what is proven. False: it is not read.
bool take_volcano_config(const YamlFile& file, Session& session) {
  const FileId id = session.sources.add(file.path, file.bytes);
  auto read = read_given_volcano_config(file, id);
  if (auto* unread = std::get_if<UnreadFile>(&read))
    return keep(session,
                {error_at(code::VolcanoConfigGiven, unread->span,
                          fmt::format("`{}` cannot be taken: {}", file.path, unread->what), std::move(unread->hint))});
  volcano::SchedulerConfig config = volcano::with_limits(std::get<volcano::SchedulerConfig>(std::move(read)));
  if (!contains(config.actions, "allocate"))
    return keep(session, {error_at(code::VolcanoConfigGiven, Span{id, 0, 0},
                                   fmt::format("`{}` cannot be taken: it has no action `allocate`, which gives pods "
                                               "their nodes",
                                               file.path),
                                   "write `actions: \"allocate, backfill\"`")});
  session.planned->cluster.volcano->scheduler = std::move(config);
  return true;
}

// Configurations that are there under a name of the policy's.
std::vector<Diagnostic> two_of_a_name(const MigConfigMap& given, const std::string& path) {
  std::vector<Diagnostic> found;
  for (const MigConfig& config : given.configs)
    if (names_a_kind(config.name))
      found.push_back(error_at(
          code::MigConfigGiven, config.entries.empty() ? Span{} : config.entries.front().span,
          fmt::format("`{}` has a configuration `{}`, and such names are those of policies", path, config.name),
          fmt::format("take `{}` out of it: `gpol build` writes it", config.name)));
  return found;
}

// Of each pool that is cut or shared, a line for each kind of card.
std::vector<std::string> cards_in_words(const Planned& planned) {
  std::vector<std::string> lines;
  for (const CutPool& pool : planned.intent.cut_pools) {
    const std::string& name = planned.cluster.flavors[pool.flavor].name;
    for (const std::string& card : cards_of(pool.kinds)) lines.push_back(fmt::format("{}: {}", name, card));
    if (pool.changed)
      lines.push_back(fmt::format("{}: GPUs that are cut otherwise than before: {}", name, *pool.changed));
  }
  for (const CutNodes& nodes : planned.cluster.cut_nodes)
    for (const auto& [config, count] : nodes.before)
      lines.push_back(config == nodes.config
                          ? fmt::format("{}: {} of the nodes that carry it, which stay as they are", config, count)
                          : fmt::format("{}: {} of the nodes that carry {}", nodes.config, count, config));
  for (const SharedPool& pool : planned.intent.shared_pools)
    if (const PoolCapacity* capacity = planned.intent.capacity_of(pool.flavor))
      lines.push_back(fmt::format("{}: {} x  {} shares ({})", planned.cluster.flavors[pool.flavor].name,
                                  capacity->nodes_max * pool.devices, pool.shares, pool.mps ? "MPS" : "time-slicing"));
  return lines;
}

}  // namespace

std::function<void(const char*, const std::function<void()>&)> family_timer(Session& session) {
  return [&session](const char* family, const std::function<void()>& body) { timed(session, family, body); };
}

SolverEar formula_keeper(Session& session) {
  return [&session, known = std::make_shared<std::set<std::string>>()](const Formula& formula, const Answer&) {
    if (known->insert(smtlib(formula)).second) session.formulas.push_back(formula);
  };
}

std::unique_ptr<Session> check_policy(PolicyText text, const SessionOptions& options) {
  auto session = std::make_unique<Session>();
  auto read = timed(*session, "parse", [&] { return read_modules(std::move(text), session->sources, *options.tree); });
  session->files = std::move(read.value);
  if (options.keep_expanded) session->expanded = in_one_style(expanded_text(session->sources, session->files));
  // A declaration that does not parse is left out of the tree: what resolve would say of the rest (`search` is not
  // declared) would be about the same mistake, so it is not asked.
  if (!keep(*session, std::move(read.diagnostics))) return session;
  session->definitions = definitions_of(session->files);
  auto found = timed(*session, "expand", [&] { return expand(session->sources, session->files); });
  if (!keep(*session, std::move(found)) || options.until == Phase::Parsed) return session;

  auto resolved = timed(*session, "resolve", [&] { return resolve(session->files); });
  if (!keep(*session, std::move(resolved.diagnostics)) || !resolved.value) return session;
  session->policy = std::move(resolved.value);
  session->reached = Phase::Resolved;
  if (options.lint)
    keep(*session, timed(*session, "lint", [&] {
      return lint(session->sources, session->definitions, session->files, *session->policy);
    }));
  if (options.until == Phase::Resolved || session->policy->cluster.empty()) return session;

  if (options.until == Phase::Proven)  // large, and needed no more
    for (ast::File& file : session->files) file.decls = {};
  std::optional<MigConfigMap> mig_configs;
  if (options.mig_config != nullptr && !(mig_configs = read_mig_configs(*options.mig_config, *session))) return session;
  const MigConfigMap* kept = mig_configs ? &*mig_configs : nullptr;
  auto planned = timed(*session, "plan", [&]() -> Outcome<std::optional<Planned>> {
    if (options.earlier != nullptr) return plan_beside(*session->policy, *options.earlier, kept);
    return {plan(*session->policy, {nullptr, kept}), {}};
  });
  if (!keep(*session, std::move(planned.diagnostics))) return session;
  if (kept != nullptr && !keep(*session, two_of_a_name(*kept, options.mig_config->path))) return session;
  session->planned = std::move(planned.value);
  if (options.volcano_config != nullptr && session->planned->cluster.volcano &&
      !take_volcano_config(*options.volcano_config, *session)) {
    session->planned.reset();
    return session;
  }
  end_trusts(session->planned->intent, options.as_of);
  for (PlannedAllow& allow : session->planned->intent.allows) allow.whole = whole(*session, allow.span);
  session->reached = Phase::Planned;
  if (options.until == Phase::Proven) prove(*session, options);
  for (Diagnostic& warning : session->report.diagnostics)
    if (warning.code == code::UnusedTrust) remove(*session, warning);
  return session;
}

PolicyReport report_of(const Session& session) {
  PolicyReport report{&session.sources, &session.report, session.planned ? &*session.planned : nullptr,
                      session.policy && session.policy->cluster.empty()};
  if (session.policy && session.planned) report.notes = cards_in_words(*session.planned);
  return report;
}

Session::Session() = default;
Session::~Session() = default;

}  // namespace gpol
