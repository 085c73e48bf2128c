#include "checker/families/asked.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "checker/families/pairs.h"
#include "checker/families/whose.h"
#include "checker/kueue/amount.h"
#include "checker/kueue/counted.h"
#include "checker/story/narrate.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

void add(std::int64_t pods, const PodFacts& facts, std::map<std::string, std::int64_t>& sum) {
  if (pods == 0) return;
  std::int64_t& count = sum["pods"];
  count = sum_of({count, pods});
  for (const auto& [resource, amount] : facts.room) {
    std::int64_t& of = sum[resource];
    of = sum_of({of, times(pods, amount)});
  }
}

// Of all flavors together, by resource.
std::map<std::uint32_t, std::int64_t> owned_by(const Cluster& cluster, const QueueRole& role, std::uint32_t q) {
  std::map<std::uint32_t, std::int64_t> owned;
  std::size_t at = 0;
  for (const Pair pair : pairs_of(cluster.queues[q])) {
    std::int64_t& of = owned[pair.resource];
    of = sum_of({of, reserve_at(role, at++)});
  }
  return owned;
}

// Of one queue: what they ask for of a resource, and who does, the most first.
struct Asked {
  std::int64_t amount = 0;
  std::vector<std::pair<std::int64_t, std::string>> by;
};

std::string in_words(const Cluster& cluster, std::uint32_t q, std::uint32_t resource, const Asked& asked,
                     std::int64_t owned) {
  auto by = asked.by;
  std::stable_sort(by.begin(), by.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t kMost = 3;
  return fmt::format("{} {} for {} at most, and `{}` owns {}",
                     listed_up_to(kMost, by, [](const auto& one) { return one.second; }),
                     by.size() == 1 ? "asks" : "ask", amount_in_words(cluster, resource, asked.amount),
                     cluster.queues[q].name, amount_in_words(cluster, resource, owned));
}

void note(const Cluster& cluster, std::uint32_t q, const std::map<std::uint32_t, Asked>& asked, QueueRole& role) {
  const Queue& queue = cluster.queues[q];
  const auto owned = owned_by(cluster, role, q);
  std::vector<std::int64_t> most = role.reserve;
  std::size_t at = 0;
  for (const ResourceGroup& group : queue.groups)
    for (const FlavorQuotas& row : group.flavors)
      for (std::size_t r = 0; r < group.covered.size(); ++r, ++at) {
        const auto found = asked.find(group.covered[r]);
        if (found == asked.end() || found->second.amount <= owned.at(group.covered[r]) ||
            row.quotas[r].borrowing == 0 || kueue::uncharged(cluster.config, cluster.resources[group.covered[r]]))
          continue;
        most[at] = std::max(most[at], found->second.amount);
        if (role.overreach.empty() || is_gpu_or_slice(cluster.resources[group.covered[r]]))
          role.overreaching = in_words(cluster, q, group.covered[r], found->second, owned.at(group.covered[r]));
        role.overreach = most;
      }
}

}  // namespace

std::vector<AskedOf> asked_of_queues(const Proof& proof, std::span<const PodFacts> pods) {
  const Whose whose(proof);
  std::vector<AskedOf> found;
  std::map<std::string, std::size_t> at;  // by object
  for (const PodFacts& one : pods) {
    const std::uint32_t q = one.unread || one.priority || one.class_c ? kNone : whose.queue(one);
    if (q == kNone) continue;
    const bool alone = one.generated && one.pod_group.empty();
    const std::string object = !one.pod_group.empty() ? "pods of " + one.ns + "/" + one.pod_group
                               : alone                ? ""
                                                      : one.group + "/" + one.kind + "/" + one.name;
    const auto [known, fresh] = at.try_emplace(object, found.size());
    if (fresh || alone) {
      known->second = found.size();
      found.push_back({q, {}, one.workloads, one.most_workloads, {}, {}});
    }
    AskedOf& of = found[known->second];
    of.templates.push_back(&one);
    add(one.count, one, of.each);
    add(one.fewest, one, of.least);
  }
  return found;
}

void note_overreach(const Proof& proof, std::span<const PodFacts> pods, Intent& intent) {
  const Cluster& cluster = proof.cluster;
  std::map<std::uint32_t, std::map<std::uint32_t, Asked>> asked;  // by queue and resource
  for (const AskedOf& one : asked_of_queues(proof, pods)) {
    if (!promised(intent.roles[one.queue]) || cluster.queues[one.queue].cohort.empty()) continue;
    for (const auto& [name, each] : one.each) {
      const auto resource = std::find(cluster.resources.begin(), cluster.resources.end(), name);
      if (resource == cluster.resources.end()) continue;
      Asked& of = asked[one.queue][static_cast<std::uint32_t>(resource - cluster.resources.begin())];
      const std::int64_t all = times(one.most_workloads, each);
      of.amount = sum_of({of.amount, all});
      if (all > 0) of.by.emplace_back(all, one.name());
    }
  }
  for (const auto& [q, resources] : asked) note(cluster, q, resources, intent.roles[q]);
}

Intent beside_overreach(const Intent& intent, std::uint32_t serves) {
  Intent out = intent;
  for (std::uint32_t q = 0; q < out.roles.size(); ++q) {
    QueueRole& role = out.roles[q];
    std::vector<std::int64_t> most = std::exchange(role.overreach, {});  // told: what judges may judge again
    if (most.empty() || q == serves) continue;
    role.kind = QueueRole::Kind::Batch;
    role.at_most = std::move(most);
    role.unit_demand.reset();
    role.demands.clear();
  }
  return out;
}

void judge_beside_overreach(const Proof& proof, Report& report,
                            const std::function<void(const Proof&, Report&)>& judge) {
  std::vector<std::uint32_t> over;
  for (std::uint32_t q = 0; q < proof.intent.roles.size(); ++q)
    if (!proof.intent.roles[q].overreach.empty()) over.push_back(q);
  if (over.empty()) return judge(proof, report);
  const auto run = [&](std::uint32_t serves, Report& into) {
    const Intent intent = beside_overreach(proof.intent, serves);
    judge({proof.cluster, intent, proof.origins, proof.solver, proof.dump, proof.stories}, into);
  };
  const std::size_t first = report.obligations.size();
  run(kNone, report);
  std::map<std::string_view, std::uint32_t> queues;  // by name
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q) queues.emplace(proof.cluster.queues[q].name, q);
  for (const std::uint32_t q : over) {
    Report own;
    run(q, own);
    for (std::size_t i = 0; i < own.obligations.size(); ++i)
      if (own.obligations[i].subject.name == proof.cluster.queues[q].name)
        report.obligations[first + i] = std::move(own.obligations[i]);
  }
  for (std::size_t i = first; i < report.obligations.size(); ++i) {  // names are views, and those intents end here
    Subject& subject = report.obligations[i].subject;
    subject.tenant = proof.intent.roles[queues.at(subject.name)].tenant;
  }
}

}  // namespace gpol
