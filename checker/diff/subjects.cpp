#include "checker/diff/subjects.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compiler/cluster/listed.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

// All that a queue says except its name.
std::string fingerprint(const Planned& planned, std::size_t index) {
  const Cluster& cluster = planned.cluster;
  const QueueRole& role = planned.intent.roles[index];
  const Queue& queue = cluster.queues[index];
  const auto limit = [](const std::optional<std::int64_t>& value) { return value ? fmt::format("{}", *value) : "-"; };
  std::string text = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {}|", static_cast<int>(role.kind), static_cast<int>(role.isolation),
      queue.cohort, static_cast<int>(queue.strategy), static_cast<int>(queue.preemption.within_cluster_queue),
      static_cast<int>(queue.preemption.reclaim_within_cohort), static_cast<int>(queue.preemption.borrow_within_cohort),
      limit(queue.preemption.max_priority_threshold), static_cast<int>(queue.when_can_borrow),
      static_cast<int>(queue.when_can_preempt), queue.fungibility_preference, static_cast<int>(queue.stop),
      queue.fair_weight);
  for (const ListedQuota& one : listed_quotas(queue.groups))
    text += fmt::format("{}/{}={} {} {};", cluster.flavors[one.flavor].name, cluster.resources[one.resource],
                        one.quota.nominal, limit(one.quota.borrowing), limit(one.quota.lending));
  for (const std::string& check : queue.admission_checks) text += check + ",";
  return text;
}

template <class Visit>
void for_volcano(const Planned& planned, const Visit& visit) {
  for (std::size_t q = 0; q < planned.intent.volcano_roles.size(); ++q)
    visit(planned.cluster.volcano->queues[q].name, planned.intent.volcano_roles[q]);
}

std::set<std::string> names_of(const Planned& planned) {
  std::set<std::string> names;
  for (const Queue& queue : planned.cluster.queues) names.insert(queue.name);
  return names;
}

// Of the queues that only this side has, each with what it says; of two that say the same none: which one is which?
std::map<std::string, std::string> only_here(const Planned& here, const std::set<std::string>& elsewhere) {
  std::map<std::string, std::string> found;
  std::set<std::string> twice;
  for (std::size_t q = 0; q < here.cluster.queues.size(); ++q) {
    const std::string& name = here.cluster.queues[q].name;
    if (elsewhere.contains(name)) continue;
    if (const std::string says = fingerprint(here, q); !found.emplace(says, name).second) twice.insert(says);
  }
  for (const std::string& says : twice) found.erase(says);
  return found;
}

}  // namespace

Subjects::Subjects(const DiffSide& before, const DiffSide& after) : sides_{before, after} {
  if (before.planned == nullptr || after.planned == nullptr) return;
  by_tenant_ = before.planned->intent.of_policy && after.planned->intent.of_policy;
  const DiffSide* const sides[] = {&before, &after};
  for (int side = 0; side < 2; ++side)
    for_volcano(*sides[side]->planned, [&](const std::string& queue, const volcano::QueueRole& role) {
      if (by_tenant_ && !role.tenant.empty()) tenant_of_[side].emplace(queue, role.tenant);
    });
  for (int side = 0; side < 2; ++side)
    for (std::size_t q = 0; q < sides[side]->planned->intent.roles.size(); ++q)
      if (const std::string& tenant = sides[side]->planned->intent.roles[q].tenant; by_tenant_ && !tenant.empty())
        tenant_of_[side].emplace(sides[side]->planned->cluster.queues[q].name, tenant);
  const auto was = only_here(*before.planned, names_of(*after.planned));
  const auto is = only_here(*after.planned, names_of(*before.planned));
  for (const auto& [says, name] : was)
    if (const auto same = is.find(says); same != is.end())
      now_.emplace(by_tenant_ && tenant_of_[0].contains(name) ? tenant_of_[0].at(name) : name,
                   by_tenant_ && tenant_of_[1].contains(same->second) ? tenant_of_[1].at(same->second) : same->second);
  std::erase_if(now_, [](const auto& pair) { return pair.first == pair.second; });
}

std::string DiffSide::below(std::string_view name) const {
  if (!root.empty() && name.starts_with(root + "/")) name.remove_prefix(root.size() + 1);
  return std::string(name);
}

bool is_incomplete(const DiffSide& side) {
  constexpr std::string_view kWhole[] = {"kustomization", "file", "folder"};
  return side.report != nullptr && std::ranges::any_of(side.report->obligations, [&](const Obligation& o) {
           return o.verdict == Verdict::NotAnalysed && std::ranges::find(kWhole, o.subject.kind) != std::end(kWhole);
         });
}

std::string Subjects::name(const std::string& written, Of side) const {
  std::string found = written;
  const auto& tenants = tenant_of_[side == Of::After ? 1 : 0];
  if (const auto tenant = tenants.find(found); tenant != tenants.end()) found = tenant->second;
  return side == Of::After ? found : value_or(now_, found, found);
}

SubjectKey Subjects::key(const Obligation& o, Of side) const {
  const bool of_quota = o.family == Family::Claim || o.family == Family::Reclaim;
  // Under either scheduler it is what a tenant owns.
  return {of_quota && by_tenant_ && o.subject.kind == "Queue" ? "ClusterQueue" : std::string(o.subject.kind),
          of_quota ? name(std::string(o.subject.name), side) : sides_[side == Of::After ? 1 : 0].below(o.subject.name),
          std::string(o.subject.flavor), std::string(o.subject.resource)};
}

std::vector<std::string> Subjects::renamed() const {
  std::vector<std::string> texts;
  for (const auto& [was, is] : now_) texts.push_back(fmt::format("`{}` is called `{}` now", was, is));
  return texts;
}

bool different_doors(const DiffSide& before, const DiffSide& after) {
  return before.planned != nullptr && after.planned != nullptr &&
         before.planned->intent.of_policy != after.planned->intent.of_policy;
}

std::map<std::string, char> classes_of(const DiffSide& side, const Subjects& subjects, Subjects::Of which) {
  std::map<std::string, char> classes;
  if (side.planned == nullptr) return classes;
  constexpr char kLetters[] = {'A', 'B', 'C'};
  const Intent& intent = side.planned->intent;
  for_volcano(*side.planned, [&](const std::string& queue, const volcano::QueueRole& role) {
    if (promised(role))
      classes.emplace(subjects.name(queue, which), kLetters[static_cast<std::size_t>(role.isolation)]);
  });
  for (std::size_t q = 0; q < intent.roles.size(); ++q)
    if (promised(intent.roles[q]))
      classes.emplace(subjects.name(side.planned->cluster.queues[q].name, which),
                      kLetters[static_cast<std::size_t>(intent.roles[q].isolation)]);
  for (const OutsideReserve& tenant : intent.outside)
    if (promised(tenant)) classes.emplace(tenant.tenant, kLetters[static_cast<std::size_t>(tenant.isolation)]);
  return classes;
}

}  // namespace gpol
