#include "cli/commands/verify_contradicts.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/rbac.h"
#include "checker/nodes/standing.h"
#include "checker/volcano/claim/claim.h"
#include "checker/volcano/rules/amounts.h"
#include "checker/volcano/rules/mode.h"
#include "checker/volcano/rules/nodegroup.h"
#include "checker/volcano/rules/real_capability.h"
#include "cli/codes.h"
#include "compiler/cluster/quantity.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using Kind = volcano::QueueRole::Kind;

class Contradictions {
 public:
  Contradictions(const VolcanoFacts& facts, std::span<const NodeFacts> nodes, const Planned& planned, Report& report)
      : facts_(facts),
        nodes_(nodes),
        planned_(planned),
        report_(report),
        groups_(volcano::queues_with_groups(facts.setup)),
        hierarchical_(volcano::mode_of(facts.setup.scheduler, facts.setup.version).hierarchical),
        total_(total()),
        limits_(volcano::limits_of(facts.setup, total_, hierarchical_)) {}

  void judge(const Existing& existing) {
    for (const VolcanoFacts::Asks& one : facts_.asks) asks(one);
    for (const PodFacts& pods : existing.pods) strays(pods);
    for (std::size_t q = 0; q < facts_.at.size(); ++q) queue(q), rest(q);
    access(existing.places.role_bindings);
    if (found_)  // then it is not the one finding of its family that nothing was found
      std::erase_if(report_.obligations,
                    [](const Obligation& o) { return o.family == Family::Bypass && o.verdict == Verdict::Proven; });
  }

 private:
  const volcano::QueueRole* role_of(const std::string& queue) const {
    const auto& queues = facts_.setup.queues;
    const auto found = std::ranges::find(queues, queue, &volcano::Queue::name);
    return found == queues.end() ? nullptr
                                 : &planned_.intent.volcano_roles[static_cast<std::size_t>(found - queues.begin())];
  }

  // What nobody counted, as there are no Nodes, is without bound.
  volcano::Total total() const {
    volcano::Total total;
    for (const NodeFacts& node : nodes_)
      for (const auto& [resource, amount] : node.allocatable) {
        volcano::Limit& all = total.try_emplace(resource, 0).first->second;
        all = volcano::sum(*all, amount);
      }
    for (const volcano::QueueRole& role : planned_.intent.volcano_roles)
      for (const auto& [resource, amount] : role.asked)
        if (nodes_.empty()) total.emplace(resource, std::nullopt);
    return total;
  }

  // Queues stand below it: a PodGroup in one stops the whole scheduler (capacity.go checkHierarchicalQueue).
  bool is_inner(const std::string& queue) const {
    return hierarchical_ &&
           (queue == volcano::kRootQueue || contains(facts_.setup.queues, queue, &volcano::Queue::parent));
  }

  // It asks for a device that somebody reserves.
  bool for_a_device(const VolcanoFacts::Asks& one) const {
    return std::ranges::any_of(planned_.intent.volcano_roles, [&](const volcano::QueueRole& role) {
      return volcano::promised(role) && std::ranges::any_of(role.reserve, [&](const auto& reserved) {
               const auto asked = one.amounts.find(reserved.first);
               return reserved.second > 0 && is_device(reserved.first) && asked != one.amounts.end() &&
                      asked->second > 0;
             });
    });
  }

  void asks(const VolcanoFacts::Asks& one) {
    const volcano::QueueRole* role = role_of(one.queue);
    const bool device = for_a_device(one);
    if (!one.placed) {
      if (device)
        say(volcano::kPlacedInQueues, one.kind, one.name, one.at,
            fmt::format("{} `{}` asks for devices, and Volcano does not place its pods: no queue is charged for them",
                        one.kind, one.name),
            "write `schedulerName: volcano`, and no `nodeName`, or take it off these nodes");
    } else if (is_inner(one.queue)) {
      say(volcano::kPlacedInQueues, one.kind, one.name, one.at,
          fmt::format(
              "{}{} `{}` stands in `{}`, which has queues below it: while it is there Volcano's scheduler lets no "
              "pod of any queue in",
              one.kind == "Namespace" ? "a PodGroup without a queue in " : "", one.kind, one.name, one.queue),
          "name a queue that has none below it");
    } else if (role != nullptr && volcano::promised(*role) && one.ends && device) {
      say(volcano::kPlacedInQueues, one.kind, one.name, one.at,
          fmt::format("{} `{}` ends, and asks for devices in `{}`, which serves: it is batch there", one.kind, one.name,
                      one.queue),
          "let it name a queue of batch");
    } else if (role == nullptr && one.queue != volcano::kDefaultQueue && one.queue != volcano::kRootQueue) {
      report_.diagnostics.push_back(
          warning_at(code::VolcanoPassesOver, one.at,
                     fmt::format("{} `{}` names the Queue `{}`, and none is called so among the manifests", one.kind,
                                 one.name, one.queue),
                     "give the file that defines it, too"));
    }
  }

  void queue(std::size_t q) {
    const volcano::Queue& queue = facts_.setup.queues[q];
    const VolcanoFacts::At& at = facts_.at[q];
    if (volcano::promised(planned_.intent.volcano_roles[q]) && !at.closed.empty())
      say(volcano::kNoOtherQueues, "Queue", queue.name, at.name,
          fmt::format("`{}` is not open, as {}: Volcano gives its pods nothing", queue.name, at.closed),
          "open it: `vcctl queue operate -a open`");
    if (hierarchical_ && queue.parent == volcano::kDefaultQueue)
      say(volcano::kPlacedInQueues, "Queue", queue.name, at.parent,
          fmt::format("`{}` stands below `{}`, where each PodGroup stands that names no queue: the next of these stops "
                      "Volcano's scheduler",
                      queue.name, queue.parent),
          "put it below a queue of its own");
    if (hierarchical_ && queue.name == volcano::kRootQueue && !queue.capability.empty())
      for (const char* native : {"cpu", "memory"})
        if (!queue.capability.contains(native))
          say({}, "Queue", queue.name, at.capability,
              fmt::format("`{}` has a `capability` that does not name {}: what it does not name nobody may have",
                          queue.name, native),
              fmt::format("name {}, too", native));
  }

  // Whoever may write Queues may give himself what others have.
  void access(std::span<const Span> bindings) {
    const Roles roles(planned_.cluster);
    for (std::size_t b = 0; b < planned_.cluster.role_bindings.size(); ++b) {
      const ClusterRoleBinding& binding = planned_.cluster.role_bindings[b];
      const Grants grants = roles.granted_by(binding);
      if (!binding.ns.empty() ||
          roles.operations(grants, "scheduling.volcano.sh", {"queues", "", "Queues", false}).empty())
        continue;
      constexpr std::string_view kEverybody[] = {"system:authenticated", "system:unauthenticated",
                                                 "system:serviceaccounts", "system:anonymous"};
      for (const auto& subject : binding.subjects)
        if (contains(kEverybody, subject.name))
          say(volcano::kNoOtherQueues, "ClusterRoleBinding", binding.name, b < bindings.size() ? bindings[b] : Span{},
              fmt::format("ClusterRoleBinding `{}` lets everybody write Queues: {} `{}` has the role `{}`",
                          binding.name, subject.kind, subject.name, binding.role),
              fmt::format("take {} `{}` out of its subjects", subject.kind, subject.name));
    }
  }

  // Pods of another queue that may stand on the nodes of a pool.
  void strays(const PodFacts& pods) {
    const auto asks = std::ranges::find_if(facts_.asks, [&](const VolcanoFacts::Asks& one) {
      return one.kind == pods.kind && one.name == pods.name && one.placed && !one.owned;
    });
    if (asks == facts_.asks.end()) return;
    const volcano::QueueRole* own = role_of(asks->queue);
    const auto groups = groups_.find(asks->queue);
    for (std::size_t q = 0; q < facts_.setup.queues.size(); ++q) {
      const volcano::QueueRole& role = planned_.intent.volcano_roles[q];
      if (!volcano::promised(role) || role.pool == kNone || (own != nullptr && own->pool == role.pool)) continue;
      const std::string& pool = planned_.cluster.flavors[role.pool].name;
      bool there = false, stands = false;
      for (const NodeFacts& node : nodes_)
        if (volcano::is_of(node, pool)) {
          there = true;
          stands = stands || (nodes::may_stand_on(pods, node) &&
                              volcano::in_group(facts_.setup.scheduler,
                                                groups == groups_.end() ? nullptr : groups->second, node.labels));
        }
      for (const char* key : volcano::kPoolLabels)
        if (const auto selected = pods.node_selector.find(key); !there && selected != pods.node_selector.end())
          stands = stands || selected->second == pool;
      if (stands)
        say(volcano::kPoolsApart, pods.kind, pods.name, asks->at,
            fmt::format("pods of {} `{}`, of the Queue `{}`, may stand on the nodes of `{}`, where `{}` serves",
                        pods.kind, pods.name, asks->queue, pool, facts_.setup.queues[q].name),
            "select other nodes, or taint those of the pool");
      if (stands) return;
    }
  }

  // What the pods of a serving queue ask for and it does not reserve: all nodes have it, and each limit on the way up.
  void rest(std::size_t q) {
    const volcano::QueueRole& role = planned_.intent.volcano_roles[q];
    if (!volcano::promised(role)) return;
    const std::string& name = facts_.setup.queues[q].name;
    for (const auto& [resource, amount] : role.asked) {
      if (volcano::of(role.reserve, resource) > 0 || resource == "pods") continue;
      const auto short_of = [&](const std::string& who, const std::string& remedy, volcano::Limit has) {
        if (!has || *has >= amount) return false;
        say(volcano::kRestIsFree, "Queue", name, facts_.at[q].name,
            fmt::format("the pods of `{}` ask for {} of `{}` together, and {} have {}", name,
                        quantity(resource, amount), resource, who, quantity(resource, *has)),
            "ask for less, or " + remedy);
        return true;
      };
      if (!nodes_.empty() && short_of("all nodes", "take more nodes", value_or(total_, resource, 0))) continue;
      for (const std::size_t above : limits_.queues[q].path)
        if (short_of(fmt::format("pods of `{}` may", limits_.queues[above].name),
                     fmt::format("raise the `capability` of `{}`", limits_.queues[above].name),
                     limits_.queues[above].limit(resource)))
          break;
    }
  }

  // `premise`: what is contradicted (claim.h); empty: what is no premise of its own.
  void say(std::string_view premise, const std::string& kind, const std::string& name, Span at, std::string message,
           std::string fix) {
    found_ = true;
    for (Assumption& one : report_.assumptions)
      if (one.text == premise) one.status = Assumption::Status::Open;
    report_.add(
        obligation(Family::Bypass, code::OpenPremise, Verdict::Refuted, {report_.keep(kind), report_.keep(name)}, at),
        {.message = std::move(message), .fix = Fix{std::move(fix)}});
  }

  const VolcanoFacts& facts_;
  const std::span<const NodeFacts> nodes_;
  const Planned& planned_;
  Report& report_;
  const std::map<std::string, const volcano::Queue*> groups_;
  const bool hierarchical_;
  const volcano::Total total_;
  const volcano::Limits limits_;
  bool found_ = false;
};

}  // namespace

void contradict(const VolcanoFacts& facts, const Existing& existing, std::span<const NodeFacts> nodes,
                const Planned& planned, Report& report) {
  if (std::ranges::any_of(planned.intent.volcano_roles,
                          [](const volcano::QueueRole& role) { return volcano::promised(role); }))
    Contradictions(facts, nodes, planned, report).judge(existing);
}

}  // namespace gpol
