#include "checker/families/asked.h"

#include <utility>

#include "checker/families/whose.h"
#include "compiler/policy/units.h"

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
  bool any = false;
  for (std::uint32_t q = 0; q < proof.intent.roles.size(); ++q) {
    if (proof.intent.roles[q].overreach.empty()) continue;
    any = true;
    if (promised(proof.intent.roles[q])) over.push_back(q);
  }
  if (!any) return judge(proof, report);
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
