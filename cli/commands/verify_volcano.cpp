// verify, of what is there of Volcano: its Queues and its scheduler's configuration, judged as a bundle of its own by
// the one judge of checker/proof.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/codes.h"
#include "checker/observe/fields.h"
#include "checker/proof/prove.h"
#include "checker/repair/mend.h"
#include "checker/story/narrate.h"
#include "checker/volcano/claim/claim.h"
#include "checker/volcano/rules/amounts.h"
#include "checker/volcano/rules/mode.h"
#include "checker/volcano/rules/webhook.h"
#include "cli/codes.h"
#include "cli/commands/commands.h"
#include "cli/commands/given_roles.h"
#include "cli/commands/verify.h"
#include "cli/commands/verify_contradicts.h"
#include "cli/commands/verify_notes.h"
#include "cli/render/text.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using volcano::Amounts;
using Kind = volcano::QueueRole::Kind;

// In different files it depends on who applies them: most tools try once more.
bool in_a_later_file(const VolcanoFacts& facts, std::size_t queue) {
  const auto& queues = facts.setup.queues;
  const auto parent = std::ranges::find(queues, queues[queue].parent, &volcano::Queue::name);
  return parent != queues.end() &&
         facts.at[static_cast<std::size_t>(parent - queues.begin())].name.file != facts.at[queue].name.file;
}

void tell_refused(const Bundle& bundle, VolcanoFacts& facts) {
  const auto& queues = facts.setup.queues;
  for (volcano::Refused& one : volcano::refused_by_webhook(queues)) {
    const VolcanoFacts::At& at = facts.at[one.queue];
    const Span span = one.field == "spec.parent"       ? at.parent
                      : one.field == "spec.capability" ? at.capability
                      : one.field == "spec.guarantee"  ? at.guarantee
                                                       : at.deserved;
    if (one.rule == "webhook:volcano-order" && at.dumped) continue;  // it is there already
    if (at.dumped) {  // by another webhook than that of this version, or by none
      facts.unmodelled.push_back(
          {span, std::string(one.field),
           fmt::format("is there, though Volcano v{}'s webhook refuses it: {}", facts.setup.version, one.what), "Queue",
           queues[one.queue].name});
      continue;
    }
    if (one.rule == "webhook:volcano-order" && (bundle.built || in_a_later_file(facts, one.queue))) {
      facts.silent.push_back(
          {span,
           fmt::format("the parent of Queue `{0}` comes after it{1}: `kubectl apply` of both is refused for `{0}` at "
                       "first, and takes it the second time",
                       queues[one.queue].name, bundle.built ? " in what kustomize prints" : ", in a later file"),
           bundle.built ? "write `sortOptions: {order: fifo}` into the kustomization, and parents first"
                        : std::move(one.hint)});
      continue;
    }
    facts.rejections.push_back({span, std::string(one.field), std::string(one.rule),
                                fmt::format("Queue `{}`: {}", queues[one.queue].name, one.what), std::move(one.hint)});
  }
  if (std::string why = facts.configuration.known() ? volcano::refused(facts.setup.scheduler) : ""; !why.empty())
    facts.rejections.push_back({facts.configuration, fmt::format("data[{}]", volcano::kSchedulerKey),
                                "volcano:configuration", std::move(why),
                                "mend it: until then the old one is in force"});
}

void tell_silent(const VolcanoFacts& facts, Report& report) {
  for (const VolcanoFacts::Silent& one : facts.silent)
    report.diagnostics.push_back(warning_at(code::VolcanoPassesOver, one.at, one.what, one.hint));
}

// Nothing that rests on other queues is known beside what could not be read.
void forget_figures(const std::vector<Unmodelled>& unmodelled, Report& report) {
  if (unmodelled.empty()) return;
  for (Obligation& o : report.obligations) {
    if ((o.family != Family::Claim && o.family != Family::Reclaim) || o.figures.reserve == 0) continue;
    o.verdict = Verdict::NotAnalysed;
    o.figures.claimable.reset();
    const std::string reason = words_of(unmodelled.front());
    o.say({.reason = reason, .message = fmt::format("no figure of `{}` is known: {}", o.subject.name, reason)});
  }
}

Amounts sum_of(const std::vector<NodeFacts>& nodes) {
  Amounts all;
  for (const NodeFacts& node : nodes) volcano::add(all, node.allocatable);
  return all;
}

// Under `capacity` the larger of guarantee and deserved; where `proportion` divides, the guarantee, else the queue's
// share of what the nodes have, by its weight.
Amounts reserve_of(const volcano::Queue& queue, bool divided, const Amounts& total, std::int64_t weights) {
  Amounts reserve = volcano::counted(queue.guarantee);
  if (!divided)
    volcano::raise(reserve, volcano::counted(queue.deserved));
  else if (reserve.empty() && weights > 0)
    for (const auto& [resource, amount] : volcano::counted(total))
      reserve[resource] = amount / weights * queue.weight + amount % weights * queue.weight / weights;
  reserve.erase("pods");  // no queue's limit of it is ever asked about
  return reserve;
}

std::vector<volcano::QueueRole> roles_of(const VolcanoFacts& facts, const NamedRoles& named, const Amounts& total,
                                         std::vector<Diagnostic>& out) {
  const auto& queues = facts.setup.queues;
  const volcano::Mode mode = volcano::mode_of(facts.setup.scheduler, facts.setup.version);
  const bool divided = mode.limiter == volcano::Limiter::Proportion || mode.limiter == volcano::Limiter::Both;
  std::vector<volcano::QueueRole> roles(queues.size());
  bool serves = false;
  std::int64_t weights = 0;
  for (std::size_t q = 0; q < queues.size(); ++q) {
    volcano::QueueRole& role = roles[q];
    role.name_span = role.class_span = role.reserve_span = facts.at[q].name;
    const auto label = [&](const char* key) { return value_or(queues[q].labels, key, ""); };
    const auto said = named.find(queues[q].name);
    const bool serving =
        said != named.end() ? said->second.kind == QueueRole::Kind::Serving : label("gpol.dev/role") == "serving";
    const bool batch = said != named.end() ? !serving : label("gpol.dev/role") == "batch";
    if (serving && (queues[q].name == volcano::kDefaultQueue || queues[q].name == volcano::kRootQueue))
      out.push_back(error_at(
          code::BadRole, facts.at[q].name,
          fmt::format("`{}` is said to serve, and {}", queues[q].name,
                      queues[q].name == volcano::kRootQueue ? "it is above all queues"
                                                            : "every PodGroup that names no queue stands there"),
          "let serving have a queue of its own"));
    if (serving) {
      const std::string letter = label("gpol.dev/class");
      role.kind = Kind::Serving;
      role.isolation = letter == "B" ? Isolation::B : letter == "C" ? Isolation::C : Isolation::A;
      if (said != named.end()) role.isolation = said->second.isolation.value_or(role.isolation);
    } else if (batch) {
      role.kind = Kind::Batch;
    }
    if (serving || batch) weights += queues[q].weight;
    serves = serves || serving;
    if (mode.hierarchical && contains(queues, queues[q].name, &volcano::Queue::parent)) {
      if (serving)
        out.push_back(
            error_at(code::BadRole, facts.at[q].name,
                     fmt::format("`{}` is said to serve, and queues stand below it: no PodGroup may", queues[q].name),
                     "name the queue below it whose PodGroups serve"));
      role.kind = Kind::Inner;
    }
  }
  for (std::size_t q = 0; q < queues.size(); ++q) {
    if (serves && roles[q].kind == Kind::None) roles[q].kind = Kind::Batch;
    if (roles[q].kind != Kind::Inner) roles[q].reserve = reserve_of(queues[q], divided, total, weights);
  }
  return roles;
}

// A limit evicts nobody: what is held above it stays.
void note_held(VolcanoFacts& facts) {
  const auto& queues = facts.setup.queues;
  for (std::size_t q = 0; q < queues.size(); ++q)
    for (const auto& [resource, amount] : facts.at[q].allocated) {
      std::string above = queues[q].name;
      for (std::size_t steps = 0; steps < queues.size() && resource != "pods"; ++steps) {
        const auto queue = std::ranges::find(queues, above, &volcano::Queue::name);
        if (queue == queues.end()) break;
        const auto limit = queue->capability.find(resource);
        const bool unlimited =
            limit == queue->capability.end() || (limit->second == 0 && (resource == "cpu" || resource == "memory"));
        if (!unlimited && amount > limit->second) {
          facts.unmodelled.push_back(
              {facts.at[q].name, "status.allocated",
               fmt::format("holds more of `{}` than the `capability` of `{}`, and keeps it", resource, above), "Queue",
               queues[q].name});
          break;
        }
        above = queue->parent;
      }
    }
}

// What the objects of each serving queue ask for together: workloads, or the PodGroups that are there.
void take_asked(const VolcanoFacts& facts, Intent& intent) {
  for (std::size_t q = 0; q < facts.setup.queues.size(); ++q) {
    Amounts groups, pods;
    for (const VolcanoFacts::Asks& one : facts.asks)
      if (one.queue == facts.setup.queues[q].name && one.placed && !one.owned)
        volcano::add(one.kind == "PodGroup" ? groups : pods, volcano::counted(one.amounts));
    volcano::raise(groups, pods);
    intent.volcano_roles[q].asked = std::move(groups);
  }
}

// Each pool that somebody names is a flavor of its own.
void take_pools(const VolcanoFacts& facts, const NamedRoles& named, Planned& planned) {
  for (std::size_t q = 0; q < facts.setup.queues.size(); ++q) {
    const auto said = named.find(facts.setup.queues[q].name);
    if (said == named.end() || said->second.pool.empty()) continue;
    auto& flavors = planned.cluster.flavors;
    auto pool = std::ranges::find(flavors, said->second.pool, &Flavor::name);
    if (pool == flavors.end()) {
      flavors.emplace_back().name = said->second.pool;
      pool = flavors.end() - 1;
    }
    planned.intent.volcano_roles[q].pool = static_cast<std::uint32_t>(pool - flavors.begin());
  }
}

// What is judged by nothing but a premise, or only by whether it contradicts one.
std::map<std::string, std::string> beside_queues(const VolcanoFacts& facts, const Existing& existing) {
  std::map<std::string, std::string> all;
  Cluster guards;
  guards.admission_policies = existing.cluster.admission_policies;
  guards.admission_bindings = existing.cluster.admission_bindings;
  all["admission policies"] = normal_form(guards);
  std::set<std::string> pods;
  for (const VolcanoFacts::Asks& one : facts.asks)
    pods.insert(fmt::format("{} {} in {}{}", one.kind, one.name, one.queue, one.placed ? "" : ", not placed"));
  all["pods and their Queues"] = fmt::format("{}", fmt::join(pods, "\n"));
  return all;
}

// By the labels that say which Nodes they are: all that they have.
std::map<std::string, std::string> sums_of(const std::vector<NodeFacts>& nodes, const Cluster& cluster) {
  std::map<std::string, std::pair<std::size_t, Amounts>> sums;
  for (const NodeFacts& node : nodes) {
    std::string name;
    for (const char* key : volcano::kPoolLabels)
      if (const std::string label = label_of(node, key); !label.empty()) add_to_list(name, label);
    auto& [count, all] = sums[name.empty() ? "of no group" : name];
    ++count, volcano::add(all, node.allocatable);
  }
  std::map<std::string, std::string> out;
  for (const auto& [name, sum] : sums) {
    std::string& words = out[name] = plural(sum.first, "node");
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r)
      words += ", " + amount_in_words(cluster, r, volcano::of(sum.second, cluster.resources[r]));
  }
  return out;
}

// Each figure stands where its amount does.
void place_figures(const VolcanoFacts& facts, Report& report) {
  for (Obligation& o : report.obligations)
    if (o.subject.kind == "Queue")
      for (std::size_t q = 0; q < facts.at.size(); ++q)
        if (facts.setup.queues[q].name == o.subject.name) {
          const std::string resource(o.subject.resource);
          o.span = facts.at[q].name;
          for (const auto* amounts : {&facts.at[q].limits, &facts.at[q].owned})
            if (const auto found = amounts->find(resource); found != amounts->end()) o.span = found->second;
        }
}

}  // namespace

bool no_volcano_queue_serves(const Session& session) {
  return session.report.diagnostics.empty() &&
         !contains(session.planned->intent.volcano_roles, Kind::Serving, &volcano::QueueRole::kind);
}

std::unique_ptr<Session> verify_volcano(VolcanoFacts facts, const Existing& existing, const Bundle& bundle,
                                        const Said& said, const VerifyOptions& options,
                                        std::vector<std::string>& notes) {
  auto session = std::make_unique<Session>();
  for (const YamlFile& file : bundle.files) session->sources.add(file.path, file.bytes);
  auto fields = std::make_shared<manifest::Fields>(session->sources);
  session->sources.set_place_finder([fields](Span span) { return fields->at(span); });
  Report& report = session->report;
  tell_not_built(bundle, facts.rejections, facts.unmodelled);
  facts.rejections.insert(facts.rejections.end(), existing.rejections.begin(), existing.rejections.end());
  facts.unmodelled.insert(facts.unmodelled.end(), existing.unmodelled.begin(), existing.unmodelled.end());
  note_held(facts);
  tell_refused(bundle, facts);
  tell_rejections(facts.rejections, report);
  tell_silent(facts, report);
  const auto roles = given_roles(options, said.classes, existing, said.elsewhere, said.config, &facts.setup);
  for (const Diagnostic& d : roles.diagnostics) report.diagnostics.push_back(d);
  std::vector<NodeFacts> nodes = existing.nodes;
  if (nodes.empty() && said.config != nullptr) nodes = said.config->said.nodes;
  session->beside = beside_queues(facts, existing);
  session->planned.emplace();
  Planned& planned = *session->planned;
  planned.cluster.volcano = facts.setup;
  planned.intent.of_policy = false;
  planned.intent.volcano_roles = roles_of(facts, roles.value, sum_of(nodes), report.diagnostics);
  take_pools(facts, roles.value, planned);
  planned.cluster.roles = existing.cluster.roles;
  planned.cluster.role_bindings = existing.cluster.role_bindings;
  for (const volcano::Queue& queue : facts.setup.queues)
    for (const Amounts* amounts : {&queue.capability, &queue.deserved, &queue.guarantee})
      for (const auto& [resource, unused] : *amounts)
        if (!contains(planned.cluster.resources, resource)) planned.cluster.resources.push_back(resource);
  for (const volcano::QueueRole& role : planned.intent.volcano_roles)
    for (const auto& [resource, unused] : role.reserve)
      if (!contains(planned.cluster.resources, resource)) planned.cluster.resources.push_back(resource);
  session->nodes = sums_of(nodes, planned.cluster);
  session->reached = Phase::Planned;
  if (contains(report.diagnostics, Severity::Error, &Diagnostic::severity)) return session;
  Evidence evidence;
  evidence.given.nodes = nodes;
  evidence.taken = facts.kueue;
  take_asked(facts, planned.intent);
  const SolverEar ear = options.dump == Dump::Smt ? formula_keeper(*session) : SolverEar{};
  Report proven = prove(planned, evidence, {.unenforced = !options.strict},
                        {.limits = {.solve_all = options.solve_all}, .ear = ear, .run = family_timer(*session)});
  proven.diagnostics = std::move(report.diagnostics);
  report = std::move(proven);
  std::vector<Span> places;
  for (const VolcanoFacts::At& at : facts.at) places.push_back(at.name);
  mend_volcano(planned, evidence, places, session->sources, *fields, report);
  place_figures(facts, report);
  tell_trusted(existing, report);
  contradict(facts, existing, nodes, planned, report);
  forget_figures(facts.unmodelled, report);
  tell_unmodelled(facts.unmodelled, report);
  report.stats["objects"] =
      static_cast<std::int64_t>(facts.setup.queues.size() + facts.asks.size() + (facts.configuration.known() ? 1 : 0));
  notes = left_out_texts(existing, options.list_skipped);
  if (no_volcano_queue_serves(*session))
    if (std::string likely = likely_serving(existing); !likely.empty()) notes.insert(notes.begin(), std::move(likely));
  session->reached = Phase::Proven;
  return session;
}

}  // namespace gpol
