#include "checker/families/guard_book.h"

#include <map>
#include <set>

namespace gpol {

namespace {

bool namespaced(const Demand& demand) {
  return demand.group != "kueue.x-k8s.io" || demand.resource == "localqueues" || demand.resource == "workloads";
}

}  // namespace

GuardBook::GuardBook(const Cluster& cluster, const Intent& intent, Solver& solver)
    : cluster_(cluster),
      solver_(solver),
      demands_(demands(cluster, intent)),
      policies_(prepare_policies(cluster.admission_policies, cluster.admission_bindings)) {}

Reach GuardBook::ask(const AdmissionTarget& target, const std::string& bad) {
  return reach(cluster_, policies_, {{target}, bad}, solver_);
}

// Those about the same target in one question, since most often all are denied; one by one where they are not.
Kept GuardBook::look(std::string_view premise) {
  Kept out;
  std::map<AdmissionTarget, std::vector<const Demand*>> by_target;
  for (const Demand& demand : demands_)
    if (demand.premise == premise)
      by_target[{demand.operation, demand.group, demand.version, demand.resource, demand.subresource,
                 namespaced(demand)}]
          .push_back(&demand);
  std::set<std::string> policies;
  for (const auto& [target, those] : by_target) {
    std::string any;
    for (const Demand* demand : those) any += (any.empty() ? "(" : " || (") + demand->bad + ")";
    const Reach all = ask(target, any);
    policies.insert(all.policies.begin(), all.policies.end());
    for (const Demand* demand : those) {
      if (all.kind == Reach::Kind::Denied) break;
      Reach one = ask(target, demand->bad);
      policies.insert(one.policies.begin(), one.policies.end());
      if (one.kind == Reach::Kind::Denied) continue;
      out.broken = *demand;
      if (one.kind == Reach::Kind::Admitted) out.request = std::move(one.request);
      out.why = std::move(one.why);
      return out;
    }
  }
  out.kept = !by_target.empty();
  out.policies.assign(policies.begin(), policies.end());
  return out;
}

}  // namespace gpol
