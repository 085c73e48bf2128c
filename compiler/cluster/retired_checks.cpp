// What must be as the earlier build had it while somebody who left the policy may still run: work that was admitted
// then must be within what is proven now.
#include <limits>
#include <set>

#include <fmt/format.h>

#include "compiler/cluster/normal_form.h"
#include "compiler/cluster/retired_parts.h"

namespace gpol::retired {

namespace {

// What a guard demands and how, wherever it looks.
std::string guard_text(const Cluster& cluster, const AdmissionPolicy& guard) {
  Cluster alone;
  alone.admission_policies = {guard};
  alone.admission_policies.front().match.namespaces = {};
  for (const AdmissionBinding& binding : cluster.admission_bindings)
    if (binding.policy == guard.name) alone.admission_bindings.push_back(binding);
  return normal_form(alone);
}

// Pods that run were looked at when they were made.
void require_guards(const Leaver& leaver, const Cluster& old, const Cluster& now, std::vector<Diagnostic>& found) {
  const std::string of_class = batch_class(leaver, old);
  const std::string prefix = fmt::format("gpol-{}-", of_class);
  std::set<std::string> differ;
  for (const auto& [one, other] : {std::pair{&old, &now}, {&now, &old}})
    for (const AdmissionPolicy& guard : one->admission_policies) {
      if (!guard.name.starts_with(prefix) && !guard.name.starts_with("gpol-shape-")) continue;
      const auto same = find_named(other->admission_policies, guard.name);
      for (const std::string& ns : leaver.namespaces)
        if (is_about(guard, ns) && (same == other->admission_policies.end() || !is_about(*same, ns) ||
                                    guard_text(*one, guard) != guard_text(*other, *same)))
          differ.insert(guard.name);
    }
  for (const std::string& name : differ)
    found.push_back(
        cannot_keep(fmt::format("guard `{}` is not what it was when pods of `{}` were let in, which may still run",
                                name, leaver.name),
                    fmt::format("leave class `{}` and the roll-out of its guards as they were until `{}` is retired",
                                of_class, leaver.name)));
}

// Whoever lends to it, and the cohorts between: else what it holds is more than its cohort has, and comes out of what
// others own (kueue.md 2).
void require_loans(const Leavers& leavers, const Cluster& old, const Cluster& now, std::vector<Diagnostic>& found) {
  std::map<std::string, std::map<QuotaOf, std::int64_t>> held;  // by topmost cohort: the most that leavers borrow
  std::map<std::string, std::string> by;                        // one of them
  for (const auto& [name, leaver] : leavers)
    for (const Queue* queue : leaver.queues)
      for (const auto& [of, quota] : borrowable(old, *queue)) {
        const std::string root = root_of(old, queue->cohort);
        std::int64_t& sum = held[root][of];
        sum += std::min(*quota.borrowing, std::numeric_limits<std::int64_t>::max() - sum);
        by.emplace(root, name);
      }
  for (const Queue& before : old.queues) {
    const auto most = before.cohort.empty() ? held.end() : held.find(root_of(old, before.cohort));
    if (most == held.end()) continue;
    const auto same = find_named(now.queues, before.name);
    for (const auto& [of, amount] : most->second) {
      const bool there = same != now.queues.end() && same->cohort == before.cohort;
      if ((there ? lends(now, *same, of) : 0) >= std::min(lends(old, before, of), amount)) continue;
      const std::string& name = by.at(most->first);
      found.push_back(cannot_keep(
          fmt::format("`{}` lends less of `{}` than `{}`, which left the policy, may still hold", before.name, of.first,
                      name),
          fmt::format("leave what `{}` owns and lends as it was until `{}` is retired", before.name, name)));
      break;
    }
  }
  for (const CohortNode& before : old.cohorts) {
    const auto name = by.find(root_of(old, before.name));
    if (name == by.end()) continue;
    const auto same = find_named(now.cohorts, before.name);
    if (same != now.cohorts.end() && same->parent == before.parent &&
        quotas_of(now, same->groups) == quotas_of(old, before.groups))
      continue;
    found.push_back(
        cannot_keep(fmt::format("cohort `{}` changed, and `{}`, which left the policy, may still hold quota "
                                "of others in it",
                                before.name, name->second),
                    fmt::format("leave the cohort as it was until `{}` is retired", name->second)));
  }
}

// Of pods that served no guard says how they end, and nobody takes them out of the way of others.
void require_apart(const Leaver& leaver, const Cluster& old, const Planned& planned, std::vector<Diagnostic>& found) {
  const auto keep_apart = [&](const std::string& other, const std::string& pool) {
    found.push_back(cannot_keep(
        fmt::format("`{}` serves on `{}`, where `{}`, which left the policy, may still run", other, pool, leaver.name),
        fmt::format("let nobody else serve there until `{}` is retired", leaver.name)));
  };
  for (const Queue* queue : leaver.queues) {
    if (!borrowable(old, *queue).empty())
      found.push_back(cannot_keep(fmt::format("`{}` served, left the policy, and may borrow", queue->name),
                                  fmt::format("end what it runs, then build with `--retired {}`", leaver.name)));
    for (std::uint32_t f = 0; f < planned.cluster.flavors.size(); ++f) {
      const std::string& pool = planned.cluster.flavors[f].name;
      const auto own = find_named(planned.cluster.queues, queue->name);
      if (own == planned.cluster.queues.end() || !lists(*own, f)) continue;
      for (std::size_t q = 0; q < planned.cluster.queues.size(); ++q)
        if (promised(planned.intent.roles[q]) && lists(planned.cluster.queues[q], f))
          keep_apart(planned.cluster.queues[q].name, pool);
      for (const OutsideReserve& outside : planned.intent.outside)
        if (promised(outside) && outside.flavor == f) keep_apart(outside.tenant, pool);
    }
  }
}

}  // namespace

void require_same(const Leavers& leavers, const Cluster& old, const Planned& planned, std::vector<Diagnostic>& found) {
  for (const auto& [name, leaver] : leavers)
    if (leaver.serves)
      require_apart(leaver, old, planned, found);
    else
      require_guards(leaver, old, planned.cluster, found);
  require_loans(leavers, old, planned.cluster, found);
}

}  // namespace gpol::retired
