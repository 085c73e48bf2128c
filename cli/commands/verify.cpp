// verify: the manifests that are there, with no policy. Read, who serves, prove; what is found is told with file, line,
// field and the smallest edit that mends it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "checker/families/asked.h"
#include "checker/families/codes.h"
#include "checker/families/strangers.h"
#include "checker/families/table.h"
#include "checker/observe/checks.h"
#include "checker/observe/fields.h"
#include "checker/repair/mend.h"
#include "cli/codes.h"
#include "cli/commands/commands.h"
#include "cli/commands/given_roles.h"
#include "cli/commands/verify.h"
#include "cli/commands/verify_notes.h"
#include "cli/commands/verify_trial.h"
#include "cli/commands/versions.h"
#include "cli/config/propose.h"
#include "cli/config/take_config.h"
#include "cli/render/progress.h"
#include "cli/render/render.h"
#include "cli/render/text.h"
#include "cli/tree/git.h"
#include "compiler/cluster/node_cuts.h"
#include "compiler/cluster/roles.h"
#include "compiler/policy/catalogue.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"
#include "emit/rewrite.h"

namespace gpol {

namespace {

const Unmodelled* unmodelled_quota(const Existing& existing) {
  return find_where(existing.unmodelled,
                    [](const Unmodelled& u) { return u.dropped || u.field.ends_with("nominalQuota"); });
}

// Of quotas that have no model no figure is known, and no verdict that rests on one.
void forget_figures(const Existing& existing, Report& report) {
  const Unmodelled* quota = unmodelled_quota(existing);
  if (quota == nullptr) return;
  // Whatever else there is takes nothing back of what others can hold already: a queue that was read is as it is.
  const auto stands = [&](const Obligation& o) {
    return quota->dropped && o.family == Family::Claim && o.verdict == Verdict::Refuted && o.required;
  };
  // Nor can it take part in what belongs to no cohort.
  const bool changes = std::ranges::any_of(existing.unmodelled, [](const Unmodelled& u) {
    return u.changes || (!u.dropped && u.field.ends_with("nominalQuota"));
  });
  const auto alone = [&](const Obligation& o) {
    if (changes || o.family != Family::Claim) return false;
    const auto& queues = existing.cluster.queues;
    const auto queue = std::ranges::find(queues, o.subject.name, &Queue::name);
    return queue != queues.end() && queue->cohort.empty();
  };
  for (Obligation& o : report.obligations) {
    if (o.code == code::NotModelled || alone(o)) continue;
    if (stands(o)) {
      if (o.figures.claimable != o.figures.reserve) o.figures.claimable = std::nullopt;  // it may be more
      continue;
    }
    o.verdict = Verdict::NotAnalysed;
    if (o.subject.name == quota->name) o.figures.reserve = std::nullopt;
    o.figures.claimable = o.figures.claimable_ending = o.figures.claimable_alone = o.figures.slack = std::nullopt;
    Detail detail;
    detail.reason = words_of(*quota);
    detail.message = fmt::format("no figure of `{}` is known: {}", o.subject.name, detail.reason);
    if (o.detail) detail.place = o.detail->place;
    o.say(std::move(detail));
  }
}

// Each obligation about a quota stands where the quota does.
void place_obligations(const Existing& existing, Report& report) {
  std::size_t queue = 0, pair = 0, counted = 0, pairs = 0;  // of ClusterQueues: they come first
  for (const auto& quotas : existing.places.quotas) pairs += quotas.size();
  for (Obligation& o : report.obligations) {
    if ((o.family != Family::Claim && o.family != Family::Reclaim) || o.subject.kind != "ClusterQueue") continue;
    while (queue < existing.places.quotas.size() && pair == existing.places.quotas[queue].size()) ++queue, pair = 0;
    if (queue == existing.places.quotas.size()) break;
    o.span = existing.places.quotas[queue][pair++];
    if (++counted == pairs) queue = pair = 0;  // reclaim follows claim, in the same order
  }
}

constexpr std::size_t kMostTold = 5;

std::string absent_text(const Existing& existing) {
  return listed_up_to(kMostTold, existing.absent, [](const Absent& absent) {
    return fmt::format("{} `{}`{}", absent.kind, absent.name,
                       absent.kind == "ResourceFlavor" ? " (with nodes of its own)" : "");
  });
}

// Kueue holds a queue with such a flavor inactive; it may be defined elsewhere, so nothing else follows.
void tell_absent_flavors(const Existing& existing, Report& report) {
  std::vector<std::string_view> defined;
  for (const Flavor& flavor : existing.cluster.flavors)
    if (std::ranges::none_of(existing.absent,
                             [&](const Absent& a) { return a.kind == "ResourceFlavor" && a.name == flavor.name; }))
      defined.push_back(flavor.name);
  for (const Absent& absent : existing.absent) {
    if (absent.kind != "ResourceFlavor") continue;
    const auto near = nearest(absent.name, defined);
    report.diagnostics.push_back(
        warning_at(code::NoFlavor, absent.span,
                   fmt::format("no ResourceFlavor `{}` is among the manifests: where none is in the cluster, the queue "
                               "that names it admits nothing",
                               absent.name),
                   near ? fmt::format("did you mean `{}`?", *near) : "give the file that defines it, too"));
  }
}

int write_config(const VerifyOptions& options, const Verified& verified, const World& world) {
  for (const auto& session : verified.sessions)
    for (const Diagnostic& d : session->report.diagnostics)
      if (d.code == code::BadRole && d.severity == Severity::Error) {
        render_diagnostics(&session->sources, {&d, 1}, world.colour, world.err);
        return 1;
      }
  const std::string path = (std::filesystem::path(config_directory(options.paths)) / kConfigName).string();
  if (std::error_code ignored; std::filesystem::exists(path, ignored))
    return usage_error({fmt::format("`{}` is there already", path), "edit it, or delete it and run this once more"},
                       world);
  if (auto problem = create(path, proposed_config(options, verified.likely))) {
    render_diagnostics(nullptr, {&*problem, 1}, world.colour, world.err);
    return 2;
  }
  const bool named = !options.serving.empty() || !verified.likely.empty();
  world.out << fmt::format("wrote {}\n{}, then: gpol verify {}\n", printable(path),
                           named ? "Look through it" : "Nobody is named in it yet: write in it who serves",
                           printable(fmt::format("{}", fmt::join(options.paths, " "))));
  return 0;
}

}  // namespace

std::unique_ptr<Session> verify_observed(Existing existing, Bundle bundle, const Said& said,
                                         const VerifyOptions& options, std::vector<std::string>& notes) {
  auto session = std::make_unique<Session>();
  tell_not_built(bundle, existing.rejections, existing.unmodelled);
  for (YamlFile& file : bundle.files) session->sources.add(std::move(file.path), std::move(file.bytes));
  auto fields = std::make_shared<manifest::Fields>(session->sources);
  for (const auto& [first, copy] : existing.copies) fields->note_copy(first, copy);
  session->sources.set_place_finder([fields](Span span) { return fields->at(span); });
  if (said.config != nullptr) take_config_nodes(*said.config, existing, session->sources);
  take_version(options.kueue, existing);
  Report& report = session->report;
  tell_rejections(existing.rejections, report);
  if (!options.nodes.empty() && existing.nodes.empty() && existing.rejections.empty())
    report.diagnostics.push_back(error_at(code::NoManifest, {},
                                          fmt::format("`--nodes {}` gives no Node", fmt::join(options.nodes, ",")),
                                          "give what `kubectl get nodes -o yaml` prints, or leave it out"));
  auto roles = given_roles(options, said.classes, existing, said.elsewhere, said.config);
  for (Diagnostic& d : roles.diagnostics) report.diagnostics.push_back(std::move(d));
  tell_absent_flavors(existing, report);
  tell_misspelt_devices(existing, report);
  session->planned = Planned{existing.cluster, intent_from_labels(existing.cluster, roles.value), {}};
  Planned& planned = *session->planned;
  planned.origins.queue = existing.places.queues;
  planned.origins.cohort = existing.places.cohorts;
  planned.origins.priority_class = existing.places.priority_classes;
  planned.origins.local_queue = existing.places.local_queues;
  for (std::size_t q = 0; q < planned.intent.roles.size(); ++q)
    planned.intent.roles[q].name_span = existing.places.queues[q];
  planned.intent.inactive_checks = existing.inactive_checks;
  planned.intent.inactive_queues = existing.inactive_queues;
  for (const auto& [check, controller] : existing.check_controllers)
    if (controller == manifest::kMultiKueue) planned.intent.remote_checks.insert(check);
  for (Flavor& flavor : planned.cluster.flavors) flavor.taints_tolerated = true;
  if (said.config != nullptr) take_config(*said.config, planned, report.diagnostics);
  take_outside(existing.outside, planned.cluster, planned.intent);
  take_others_as_batch(planned.intent);
  count_places(existing.nodes, planned.cluster, planned.intent);
  std::set<std::string> undescribed;
  for (const Absent& absent : existing.absent)
    if (absent.kind == "ResourceFlavor") undescribed.insert(absent.name);
  std::vector<PodLimits> limits = existing.pod_limits;
  Solver solver({.solve_all = options.solve_all}, options.dump == Dump::Smt ? formula_keeper(*session) : SolverEar{});
  const Proof proof{planned.cluster, planned.intent, planned.origins, solver};
  const LimitsFound found = look_at_limits(proof, existing.outside, existing.nodes, existing.pods, limits);
  note_overreach(proof, existing.pods, planned.intent);
  if (said.config != nullptr) contradict_config(*said.config, existing, proof, report.diagnostics);
  take_tolerations(proof, existing.rooms, existing.nodes, planned.cluster);
  shut_tainted(planned.cluster, existing.nodes);
  shut_half_cut(existing.nodes);
  notes = notes_of(existing, limits,
                   take_daemons(existing.rooms, planned.cluster, planned.intent, existing.configured, existing.nodes));
  if (std::ranges::all_of(planned.intent.roles, [](const QueueRole& r) { return r.kind == QueueRole::Kind::None; }))
    if (std::string likely = likely_serving(existing); !likely.empty()) notes.insert(notes.begin(), std::move(likely));
  if (std::string read_by = rules_of_reading(existing); !read_by.empty()) notes.push_back(std::move(read_by));
  if (std::string old = old_versions(existing); !old.empty()) notes.push_back(std::move(old));
  for (std::string& text : left_out_texts(existing, options.list_skipped)) notes.push_back(std::move(text));
  const bool places =
      !existing.nodes.empty() && take_nodes(existing.nodes, undescribed, planned.cluster, planned.intent);
  planned.cluster.mig_config_maps = existing.cuts.maps;
  planned.cluster.plugin_config_maps = existing.cuts.plugins;
  planned.cluster.operator_policies = existing.cuts.operators;
  planned.intent.layouts = existing.cuts.layouts;
  planned.intent.faults = existing.cuts.faults;
  take_cuts(existing.nodes, hardware_of_product, planned.cluster, planned.intent);
  session->reached = Phase::Planned;
  // What the cluster would refuse means nothing. A document that cannot be read refuses nothing of those before it.
  const bool built = bundle.errors.empty();
  bool unreadable = false;
  for (const Diagnostic& d : report.diagnostics) {
    if (d.severity != Severity::Error) continue;
    if (d.code != code::NoManifest || !d.span.known() || !built) return session;
    unreadable = true;
  }

  for (const HeldBeyond& one : held_beyond(planned.cluster, planned.intent, existing.held))
    existing.unmodelled.push_back({one.at, "", one.what, "ClusterQueue", one.queue});
  doubt_outside(existing.outside, {existing.rooms, existing.nodes, existing.configured}, planned.cluster,
                planned.intent);
  Evidence evidence;
  evidence.given = {options.strict,
                    absent_text(existing),
                    &found,
                    existing.nodes.empty() ? perhaps_shared(existing.places.node_labels, proof) : "",
                    existing.pods,
                    existing.rooms,
                    existing.nodes,
                    existing.places.role_bindings,
                    existing.places.pod_priority_classes,
                    existing.configured,
                    existing.quota_ways,
                    listed_up_to(kMostTold, existing.admission)};
  evidence.places = places;
  existing.edge.whole =
      existing.edge.whole && bundle.not_built.empty() && bundle.not_read.empty() && !unreadable &&
      std::ranges::none_of(existing.unmodelled, [](const Unmodelled& u) { return u.dropped || u.changes; });
  evidence.edge = &existing.edge;
  evidence.quotas_known = unmodelled_quota(existing) == nullptr;
  evidence.undescribed = std::move(undescribed);
  evidence.node_labels = existing.places.node_labels;
  const auto judge_round = [&](Round round) {
    judge_families(round, Door::Manifests, proof, evidence, report, family_timer(*session));
  };
  // What is tried to mend a finding is asked of other clusters than the one that is there.
  // Nor is any edit of a file tried that cannot be read as a whole.
  const bool mends = options.dump != Dump::Smt && !unreadable;
  Repairs repairs(proof);
  judge_round(Round::Quotas);
  place_obligations(existing, report);
  if (mends) timed(*session, "mend", [&] { mend(proof, session->sources, *fields, repairs, report); });
  tell_unmodelled(existing.unmodelled, report);
  forget_figures(existing, report);
  judge_round(Round::Workloads);
  if (mends) timed(*session, "mend waits", [&] { mend_waits(proof, session->sources, *fields, repairs, report); });
  mend_edge(session->sources, *fields, report);
  judge_round(Round::Admission);
  if (!unreadable)
    timed(*session, "mend rest", [&] { mend_premises(proof, session->sources, *fields, repairs, report); });
  for (const Obligation& o : report.obligations)
    if (o.verdict != Verdict::NotAnalysed && !contains(report.analysed, o.family)) report.analysed.push_back(o.family);
  auto demands = tell_demands(planned, existing, report);
  notes.insert(notes.begin(), demands.begin(), demands.end());
  report.stats["solver_questions"] = static_cast<std::int64_t>(solver.questions());
  tell_assumed(planned, existing, bundle, report);
  if (said.config != nullptr) tell_config(*said.config, planned, report);
  report.stats["objects"] = static_cast<std::int64_t>(existing.objects);
  session->reached = Phase::Proven;
  return session;
}

std::unique_ptr<Session> verify_manifests(std::vector<YamlFile> files, const std::string& classes,
                                          const VerifyOptions& options, std::vector<std::string>& notes) {
  Bundle bundle;
  bundle.files = std::move(files);
  Existing existing = observe_existing(bundle.files);
  VerifyOptions settled = options;
  if (settled.kueue.empty()) settled.kueue = KueueConfig().version;
  return verify_observed(std::move(existing), std::move(bundle), {classes}, settled, notes);
}

namespace {

// Of directories in a git repository the files that `gpol diff` compares, too: not those that git ignores.
class ListedByGit {
 public:
  explicit ListedByGit(VerifyOptions& options) {
    const auto is_directory = [](const std::string& path) { return path != "-" && disk().is_directory(path); };
    if (std::ranges::none_of(options.paths, is_directory)) return;
    auto opened = GitRepository::open();
    if (!std::holds_alternative<std::unique_ptr<GitRepository>>(opened)) return;
    repository_ = std::move(std::get<std::unique_ptr<GitRepository>>(opened));
    if (repository_->bare()) return;
    auto tree = repository_->work_tree(true);
    if (!std::holds_alternative<std::unique_ptr<FileTree>>(tree)) return;
    tree_ = std::move(std::get<std::unique_ptr<FileTree>>(tree));
    options.tree = tree_.get();
    options.tells_ignored = true;
  }

 private:
  std::unique_ptr<GitRepository> repository_;
  std::unique_ptr<FileTree> tree_;
};

}  // namespace

int verify(const VerifyOptions& given, const World& world) {
  VerifyOptions options = given;
  const ListedByGit listed(options);
  Verified verified = [&] {
    Progress progress(world.terminal ? &world.err : nullptr);
    return options.fix ? fix_manifests(options, world.in) : verify_paths(options, world.in, &progress);
  }();
  if (options.write_config) return write_config(options, verified, world);
  try_proposals(options, world.in, verified);
  const auto& sessions = verified.sessions;
  if (options.dump != Dump::None) {
    const bool failed = judged(verified.run) == Overall::Error;
    if (failed) render_human(verified.run, false, world.err);
    for (const auto& session : sessions)
      if (!failed) world.out << dump_text(*session, options.dump);
    return failed ? exit_code(verified.run) : 0;
  }
  return finish(verified.run, sessions, {options.format, options.timings, !options.full}, world);
}

}  // namespace gpol
