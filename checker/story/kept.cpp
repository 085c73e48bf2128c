#include "checker/story/kept.h"

#include <algorithm>

#include "checker/story/hold.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/roles.h"

namespace gpol {

bool may_keep(const Queue& queue) {
  return queue.preemption.reclaim_within_cohort != Reclaim::Any && queue.stop == StopPolicy::None;
}

std::vector<Step> without(std::vector<Step> steps, std::uint32_t resource, std::int64_t amount) {
  for (auto step = steps.rbegin(); step != steps.rend() && amount > 0; ++step)
    if (auto* submit = std::get_if<Submit>(&*step))
      for (auto& request : submit->workload.requests)
        if (request.resource == resource) {
          const std::int64_t less = std::min(amount, request.amount);
          request.amount -= less;
          amount -= less;
        }
  std::erase_if(steps, [](const Step& step) {
    const auto* submit = std::get_if<Submit>(&step);
    return std::holds_alternative<PutOnHold>(step) ||
           (submit != nullptr && submit->workload.requests.front().amount == 0);
  });
  return steps;
}

std::vector<Submit> heads(const Cluster& cluster, const Intent& intent, std::uint32_t sibling, std::int64_t priority) {
  std::vector<Submit> found;
  const Queue& queue = cluster.queues[sibling];
  const QueueRole& role = intent.roles[sibling];
  if (role.kind == QueueRole::Kind::Serving) return found;  // that one asks anyway
  const auto add = [&](Submit head, std::vector<kueue::Request> requests) {
    head.workload.requests = std::move(requests);
    found.push_back(std::move(head));
  };
  for (const auto& group : queue.groups)
    for (const auto& row : group.flavors)
      for (const bool whole : {false, true}) {
        Submit head;
        head.workload.queue = sibling;
        head.workload.priority = role.priority.value_or(priority);
        head.workload.asks_again = true;
        head.workload.flavor = row.flavor;
        std::vector<kueue::Request> all;
        for (std::size_t r = 0; r < group.covered.size(); ++r) {
          const std::string& name = cluster.resources[group.covered[r]];
          const std::int64_t own = row.quotas[r].nominal, amount = whole ? own : std::min(own, one_unit(name));
          if (amount > 0 && name == "pods") add(head, {{group.covered[r], amount}});
          if (amount > 0 && name != "pods") all.push_back({group.covered[r], amount});
        }
        if (all.empty()) continue;
        add(head, all);
        for (const auto& request : all) add(head, {request});
      }
  return found;
}

std::vector<Step> in_units(const Cluster& cluster, const std::vector<Step>& steps) {
  constexpr std::int64_t kMost = 12;
  std::vector<Step> out;
  for (const Step& step : steps) {
    const auto* submit = std::get_if<Submit>(&step);
    const std::int64_t unit =
        submit == nullptr ? 1 : one_unit(cluster.resources[submit->workload.requests.front().resource]);
    const std::int64_t count = submit == nullptr ? 1 : submit->workload.requests.front().amount / unit;
    if (submit == nullptr || count < 2 || count > kMost) {
      out.push_back(step);
      continue;
    }
    Submit one = *submit;
    one.workload.requests.front().amount = unit;
    for (std::int64_t i = 0; i < count; ++i) out.emplace_back(one);
  }
  return out;
}

std::vector<std::vector<Step>> leaving_some(const Stage& stage, const Intent& intent, std::uint32_t queue,
                                            std::uint32_t sibling, std::int64_t priority) {
  const Cluster& cluster = stage.cluster();
  std::vector<std::vector<Step>> found;
  const std::uint32_t idle[] = {sibling, queue};
  for (const ListedQuota& one : listed_quotas(cluster.queues[sibling].groups)) {
    const std::int64_t own = one.quota.nominal, unit = one_unit(cluster.resources[one.resource]);
    if (own == 0) continue;
    const auto all = worst_hold(stage, intent, sibling, one.flavor, one.resource, priority, idle);
    if (all.empty()) continue;
    for (const std::int64_t amount : std::set{std::int64_t{0}, unit, own - 1})
      found.push_back(without(all, one.resource, amount));
  }
  return found;
}

}  // namespace gpol
