#include "compiler/syntax/same_tree.h"

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace gpol::syntax {
namespace {

using namespace ast;

template <class T, class... Of>
concept OneOf = (std::is_same_v<T, Of> || ...);

// The members of each struct, by how many there are.
template <OneOf<ClassPreemptible> T>
auto members(const T&) {
  return std::tuple<>();
}
template <
    OneOf<NodesEach, NodesGpu, NodesDaemons, NodesTolerate, NodesSpot, ClassReady, ClassKillMargin, ClassCheckpoint,
          ClassRuns, TenantNamespace, TenantOwner, TenantClass, TenantReserve, TenantQuota, TenantReplica, TenantShape,
          TenantAsks, TenantOutside, TenantJobs, Prove, Language, Unexpanded, NodesCeiling, NodesLead, ClassHeadroom,
          ClassFloor, HardwareMemory, HardwareEngines, HardwarePlacements, ServiceEach, ServiceThroughput,
          ServiceVariation, ServiceRequests, GatewayAtMost, Incident, LeverNoAllow, LeverHold, LeverBy>
        T>
auto members(const T& t) {
  const auto& [a] = t;
  return std::tie(a);
}
template <OneOf<Name, NodesCount, NodesItem, Writers, Guard, Exempt, ClassGrace, ClassItem, StartTerm, QueueSetting,
                TenantReplicas, TenantStart, TenantItem, Tenant, ProveHolds, ProveReady, Import, Words, Decl, Date,
                Rate, ClassBurst, TenantBudget, EngineCount, MigProfile, HardwareSlices, HardwareItem, Hardware,
                ServiceReplicas, RequestClass, ServiceEngine, ServiceItem, GatewayQueue, GatewayElse, GatewayItem,
                Calendar, LeverItem, Lever, Approve>
              T>
auto members(const T& t) {
  const auto& [a, b] = t;
  return std::tie(a, b);
}
template <OneOf<Quantity, TimeOfDay, Nodes, Writer, PoolAmounts, Limit, Class, TenantQueue, Define, EngineKnob, Service,
                GatewayLimit>
              T>
auto members(const T& t) {
  const auto& [a, b, c] = t;
  return std::tie(a, b, c);
}
template <OneOf<Cohort, Source, Reference, Trust, ClassSlo, MigItem, Price> T>
auto members(const T& t) {
  const auto& [a, b, c, d] = t;
  return std::tie(a, b, c, d);
}
template <OneOf<Scheduler> T>
auto members(const T& t) {
  const auto& [a, b, c, d, e] = t;
  return std::tie(a, b, c, d, e);
}
template <OneOf<Window, Allow> T>
auto members(const T& t) {
  const auto& [a, b, c, d, e, f] = t;
  return std::tie(a, b, c, d, e, f);
}
template <OneOf<Cluster, Partition> T>
auto members(const T& t) {
  const auto& [a, b, c, d, e, f, g] = t;
  return std::tie(a, b, c, d, e, f, g);
}
template <OneOf<Pool> T>
auto members(const T& t) {
  const auto& [a, b, c, d, e, f, g, h] = t;
  return std::tie(a, b, c, d, e, f, g, h);
}

struct Same {
  bool operator()(Span, Span) const { return true; }
  bool operator()(const std::string& a, const std::string& b) const { return a == b; }
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  bool operator()(T a, T b) const {
    return a == b;
  }
  template <class T>
  bool operator()(const std::optional<T>& a, const std::optional<T>& b) const {
    return a.has_value() == b.has_value() && (!a || (*this)(*a, *b));
  }
  template <class T>
  bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(*this)(a[i], b[i])) return false;
    return true;
  }
  template <class... Ts>
  bool operator()(const std::variant<Ts...>& a, const std::variant<Ts...>& b) const {
    return a.index() == b.index() &&
           std::visit([&](const auto& x) { return (*this)(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
  }
  template <class T>
    requires requires(const T& t) { members(t); }
  bool operator()(const T& a, const T& b) const {
    return all(members(a), members(b), std::make_index_sequence<std::tuple_size_v<decltype(members(a))>>());
  }

 private:
  template <class Members, std::size_t... I>
  bool all(const Members& a, const Members& b, std::index_sequence<I...>) const {
    return ((*this)(std::get<I>(a), std::get<I>(b)) && ...);
  }
};

}  // namespace

bool same(const Decl& a, const Decl& b) { return Same()(a, b); }

}  // namespace gpol::syntax
