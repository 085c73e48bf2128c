#include "cli/commands/verify_contradicts.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/pairs.h"
#include "checker/families/rbac.h"
#include "checker/volcano/rules/mode.h"
#include "cli/codes.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using Kind = volcano::QueueRole::Kind;

class Contradictions {
 public:
  Contradictions(const VolcanoFacts& facts, const Planned& planned, Report& report)
      : facts_(facts),
        planned_(planned),
        report_(report),
        hierarchical_(volcano::mode_of(facts.setup.scheduler, facts.setup.version).hierarchical) {}

  void judge(std::span<const Span> bindings) {
    for (const VolcanoFacts::Asks& one : facts_.asks) asks(one);
    for (std::size_t q = 0; q < facts_.at.size(); ++q) queue(q);
    access(bindings);
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
        say(one.kind, one.name, one.at,
            fmt::format("{} `{}` asks for devices, and Volcano does not place its pods: no queue is charged for them",
                        one.kind, one.name),
            "write `schedulerName: volcano`, and no `nodeName`, or take it off these nodes");
    } else if (is_inner(one.queue)) {
      say(one.kind, one.name, one.at,
          fmt::format(
              "{}{} `{}` stands in `{}`, which has queues below it: while it is there Volcano's scheduler lets no "
              "pod of any queue in",
              one.kind == "Namespace" ? "a PodGroup without a queue in " : "", one.kind, one.name, one.queue),
          "name a queue that has none below it");
    } else if (role != nullptr && volcano::promised(*role) && one.ends && device) {
      say(one.kind, one.name, one.at,
          fmt::format("{} `{}` ends, and asks for devices in `{}`, which serves: it is batch there", one.kind, one.name,
                      one.queue),
          "let it name a queue of batch");
    } else if (role == nullptr && one.queue != volcano::kDefaultQueue && one.queue != volcano::kRootQueue) {
      report_.diagnostics.push_back(
          {code::VolcanoPassesOver,
           Severity::Warning,
           one.at,
           fmt::format("{} `{}` names the Queue `{}`, and none is called so among the manifests", one.kind, one.name,
                       one.queue),
           {},
           "give the file that defines it, too"});
    }
  }

  void queue(std::size_t q) {
    const volcano::Queue& queue = facts_.setup.queues[q];
    const VolcanoFacts::At& at = facts_.at[q];
    if (volcano::promised(planned_.intent.volcano_roles[q]) && !at.closed.empty())
      say("Queue", queue.name, at.name,
          fmt::format("`{}` is not open, as {}: Volcano gives its pods nothing", queue.name, at.closed),
          "open it: `vcctl queue operate -a open`");
    if (hierarchical_ && queue.parent == volcano::kDefaultQueue)
      say("Queue", queue.name, at.parent,
          fmt::format("`{}` stands below `{}`, where each PodGroup stands that names no queue: the next of these stops "
                      "Volcano's scheduler",
                      queue.name, queue.parent),
          "put it below a queue of its own");
    if (hierarchical_ && queue.name == volcano::kRootQueue && !queue.capability.empty())
      for (const char* native : {"cpu", "memory"})
        if (!queue.capability.contains(native))
          say("Queue", queue.name, at.capability,
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
          say("ClusterRoleBinding", binding.name, b < bindings.size() ? bindings[b] : Span{},
              fmt::format("ClusterRoleBinding `{}` lets everybody write Queues: {} `{}` has the role `{}`",
                          binding.name, subject.kind, subject.name, binding.role),
              fmt::format("take {} `{}` out of its subjects", subject.kind, subject.name));
    }
  }

  void say(const std::string& kind, const std::string& name, Span at, std::string message, std::string fix) {
    found_ = true;
    report_.add(
        obligation(Family::Bypass, code::OpenPremise, Verdict::Refuted, {report_.keep(kind), report_.keep(name)}, at),
        {.message = std::move(message), .fix = Fix{std::move(fix), {}}});
  }

  const VolcanoFacts& facts_;
  const Planned& planned_;
  Report& report_;
  const bool hierarchical_;
  bool found_ = false;
};

}  // namespace

void contradict(const VolcanoFacts& facts, std::span<const Span> bindings, const Planned& planned, Report& report) {
  if (std::ranges::any_of(planned.intent.volcano_roles,
                          [](const volcano::QueueRole& role) { return volcano::promised(role); }))
    Contradictions(facts, planned, report).judge(bindings);
}

}  // namespace gpol
