#include "checker/families/guard_book.h"

#include <set>

#include "checker/guards/namespaces.h"

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
      policies_(prepare_policies(cluster.admission_policies, cluster.admission_bindings)),
      fewer_(guards_without(cluster, demands_.left_out)),
      of_fewer_(prepare_policies(fewer_.admission_policies, fewer_.admission_bindings)) {}

// One by one: the small questions are answered sooner than their disjunction.
Kept GuardBook::look(std::string_view premise) {
  Kept out;
  std::set<std::string> policies;
  for (const Demand& demand : demands_.list) {
    if (demand.premise != premise) continue;
    const AdmissionTarget target{demand.operation, demand.group,       demand.version,
                                 demand.resource,  demand.subresource, namespaced(demand)};
    Reach reached = demand.in_listed ? reach(fewer_, of_fewer_, {{target}, demand.bad}, solver_)
                                     : reach(cluster_, policies_, {{target}, demand.bad}, solver_);
    policies.insert(reached.policies.begin(), reached.policies.end());
    out.kept = reached.kind == Reach::Kind::Denied;
    if (out.kept) continue;
    out.broken = demand;
    if (reached.kind == Reach::Kind::Admitted) out.request = std::move(reached.request);
    out.why = std::move(reached.why);
    return out;
  }
  out.policies.assign(policies.begin(), policies.end());
  return out;
}

}  // namespace gpol
