// What a serving tenant's queues and replicas come to: the shape of one replica, and the names its queues will bear.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

// Why no replica of this shape fits into what a reserve holds, and what to do; an empty message when it fits.
struct Misfit {
  std::string message, hint;
};
Misfit misfit(Resolver& r, const std::string& tenant, const Resources& replica, const PoolAmount& reserve) {
  const NodeGroup& group = r.policy.groups[r.policy.pools[reserve.pool].group];
  const Resources node = room_of_node(r, reserve.pool);
  for (const Resource resource : devices_first(r, reserve.pool, replica)) {
    const std::string asks = in_words(r, resource, replica[resource]);
    if (replica[resource] > node[resource])  // one pod stands on one node, however large the reserve is
      return {fmt::format("a replica of `{}` asks {}, a node of `{}` has {} for pods", tenant, asks, group.name,
                          in_words(r, resource, node[resource])),
              "make the replica smaller"};
    if (replica[resource] > reserve.amount[resource])
      return {fmt::format("a replica of `{}` asks {}, the reserve has {}", tenant, asks,
                          in_words(r, resource, reserve.amount[resource])),
              "make the replica smaller or the reserve larger"};
  }
  return {};
}

std::int64_t fit(const Resources& replica, const Resources& into) {
  std::int64_t most = INT64_MAX;
  for (const auto& [resource, amount] : replica)
    if (amount > 0) most = std::min(most, into[resource] / amount);
  return most;
}

// The pool whose devices a replica is counted in, that of the first reserve. kNone: what is reserved is not known; or
// the replica is counted in what is not reserved, which is said here.
std::uint32_t counted_in(Resolver& r, const ast::TenantReplica& written, Span span, std::uint32_t index) {
  const Tenant& tenant = r.policy.tenants[index];
  const auto& reserves = tenant.reserves;
  const auto cut = [&](const PoolAmount& reserve) { return is_cut(r, reserve.pool); };
  const auto slices = std::ranges::find_if(reserves, cut);
  const auto sliced = std::ranges::find_if(written.amounts, is_slices);
  if (slices != reserves.end() && !std::ranges::all_of(reserves, cut)) {
    error(r, code::BadValue, span,
          fmt::format("tenant `{}` reserves GPUs and slices, and a replica has one shape", tenant.name),
          "make them two tenants")
        .labels.push_back({slices->span, "slices"});
    return kNone;
  }
  if (reserves.empty() || !r.tenant_facts[index].owned_sound) return kNone;
  if (slices == reserves.end() && sliced != written.amounts.end()) {
    error(r, code::WrongUnit, sliced->span,
          fmt::format("tenant `{}` reserves GPUs: expected `8 gpus`, found `{}`", tenant.name, text_of(*sliced)),
          "state the GPUs of one replica, or cut the pool's devices (`as mig { ... }`) and reserve slices of it");
    return kNone;
  }
  return reserves.front().pool;
}

}  // namespace

// Pods that are lost with their nodes are created again while the lost ones still count: nobody tells the API server
// that they are gone, and Kueue frees the quota of a pod once it is. Outside the queue they hold nothing of the nodes
// that are left.
void resolve_replicas(Resolver& r, const ast::TenantReplicas& written, Span span, std::uint32_t index) {
  Tenant& tenant = r.policy.tenants[index];
  const auto count = gpol::count(written.count, "a number of replicas", r.diagnostics);
  const auto surge = gpol::count(written.surge, "a number of replicas", r.diagnostics);
  if (!count || !surge) return;
  if (*count == 0) {
    error(r, code::OutOfRange, span, "`replicas` of 0", "state how many replicas it runs");
    return;
  }
  tenant.runs = Runs{*count, *surge};
  std::int64_t room = 0, on_lost = 0;
  for (const PoolAmount& reserve : tenant.reserves) {
    if (!reserve.replica) return;  // said already
    const NodeGroup& group = r.policy.groups[r.policy.pools[reserve.pool].group];
    room = sum_of({room, fit(*reserve.replica, reserve.amount)});
    on_lost = sum_of({on_lost, times(group.tolerate_lost, fit(*reserve.replica, room_of_node(r, reserve.pool)))});
  }
  const std::int64_t most = sum_of({*count, *surge}), lost = tenant.outside ? 0 : std::min(most, on_lost);
  if (tenant.reserves.empty() || sum_of({most, lost}) <= room) return;
  const std::string again = lost > 0 ? fmt::format(", and {} again after nodes are lost,", lost) : "";
  error(r, code::TooManyReplicas, span,
        fmt::format("`replicas {}, surge {}` of `{}`{} are {} at once, and the reserve holds {}", *count, *surge,
                    tenant.name, again, sum_of({most, lost}), room),
        "reserve more, or run fewer")
      .labels.push_back({tenant.reserves.front().span, "the reserve"});
}

void resolve_replica(Resolver& r, const ast::TenantReplica& written, Span span, std::uint32_t index) {
  Tenant& tenant = r.policy.tenants[index];
  const std::size_t before = r.diagnostics.size();
  const std::uint32_t pool = counted_in(r, written, span, index);
  if (r.diagnostics.size() != before) return;
  const auto found = amounts_on(r, written.amounts, pool, span, "an amount");
  if (!found) return;
  const auto stated = [&](Resource resource) { return found->stated[static_cast<std::size_t>(resource)]; };
  const bool cut = pool != kNone && is_cut(r, pool);
  if (!cut && !stated(Resource::Gpu)) {
    error(r, code::MissingClause, span, "`replica` states no gpus",
          "write `replica N gpus` first: cpu and memory go with them");
    return;
  }
  for (const auto& [resource, amount] : found->amounts)
    if (amount == 0) {
      const std::string& words = row_of(r, resource).words;
      error(r, code::OutOfRange, span, fmt::format("`replica` of 0 {}", words),
            row_of(r, resource).profile.empty() ? fmt::format("state more than 0 {}", words) : "state more than 0");
      return;
    }
  if (!one_kind(r, found->amounts, span, "replica")) return;
  if (stated(Resource::Pods) && found->amounts[Resource::Pods] != 1) {
    error(r, code::OutOfRange, span, "a replica is one pod", "remove the pods");
    return;
  }
  if (tenant.reserves.empty() || !r.tenant_facts[index].owned_sound) return;  // said already
  for (PoolAmount& reserve : tenant.reserves) {
    const auto derived = share_of_nodes(r, reserve.pool, found->amounts);
    Resources replica = found->amounts;
    replica[Resource::Pods] = 1;
    for (const auto resource : {Resource::Cpu, Resource::Memory})
      if (!stated(resource) && derived) replica[resource] = (*derived)[resource];
    if (Misfit wrong = misfit(r, tenant.name, replica, reserve); !wrong.message.empty())
      error(r, code::OutOfRange, span, std::move(wrong.message), std::move(wrong.hint))
          .labels.push_back({reserve.span, "the reserve"});
    else
      reserve.replica = replica;
  }
}

void check_queue_names(Resolver& r) {
  // A tenant's queue bears its name; a serving tenant with several pools has one queue for each, `tenant-pool`.
  std::map<std::string, std::uint32_t> made;
  const auto& tenants = r.policy.tenants;
  for (std::uint32_t t = 0; t < tenants.size(); ++t) {
    const auto isolation = isolation_of_tenant(r, t);
    if (!isolation || *isolation == Isolation::C || tenants[t].reserves.size() < 2) continue;
    if (r.tenants.look_up(tenants[t].name) != t) continue;  // declared twice: said already
    for (const auto& reserve : tenants[t].reserves) {
      const std::string name = fmt::format("{}-{}", tenants[t].name, r.policy.pools[reserve.pool].name);
      if (name.size() > 63) require_kubernetes_name("queue", name, reserve.span, r.diagnostics);
      std::uint32_t other = r.tenants.look_up(name);
      // A tenant of that name with several pools has no queue of that name itself, but its parts would read like one.
      if (const auto [entry, fresh] = made.try_emplace(name, t); !fresh && other == kNone) other = entry->second;
      if (other == kNone || other == t) continue;
      error(r, code::DuplicateName, reserve.span,
            fmt::format("the queue `{}` that tenant `{}` needs for this pool has the name of another", name,
                        tenants[t].name),
            "rename one of the two tenants")
          .labels.push_back({tenants[other].span, "the other tenant"});
    }
  }
}

}  // namespace gpol
