// Serving outside the queue (plain Deployments): Kueue never sees its pods, so no quota is its own and no queue
// reclaims for it. Its reserve is taken off the devices (capacity), and it has its place because nobody else may stand
// on its nodes: no queue lists a flavor whose node labels those nodes carry (kueue.md 6), and the guards keep everybody
// who is not queued away (premises). Where a queue does list one, its pods may fill the nodes; that kube-scheduler
// would evict them for a higher PriorityClass is not modelled.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/outside.h"
#include "checker/families/pairs.h"
#include "checker/nodes/placement_model.h"
#include "compiler/policy/units.h"

namespace gpol {
namespace {

const PoolCapacity* capacity_of(const Intent& intent, std::uint32_t flavor) {
  for (const PoolCapacity& capacity : intent.capacities)
    if (capacity.flavor == flavor) return &capacity;
  return nullptr;
}

class Outside {
 public:
  Outside(const Proof& proof, Report& report) : proof_(proof), report_(report) {}

  void judge(const OutsideReserve& tenant) {
    const std::string others = beside(tenant);
    for (const Family family : {Family::Claim, Family::Reclaim})
      for (std::uint32_t r = 0; r < tenant.reserve.size(); ++r)
        report_.obligations.push_back(family == Family::Claim ? claim(tenant, r, others) : reclaim(tenant, r, others));
  }

 private:
  // Whoever else may stand on its nodes, in words: queues, and tenants outside them, whom nothing keeps within their
  // own reserves. Empty: nobody.
  std::string beside(const OutsideReserve& tenant) const {
    std::vector<std::string> out;
    for (const std::uint32_t q : queues_beside(proof_, tenant))
      out.push_back("`" + proof_.cluster.queues[q].name + "`");
    for (const OutsideReserve& other : proof_.intent.outside)
      if (other.flavor == tenant.flavor && other.tenant != tenant.tenant) out.push_back("`" + other.tenant + "`");
    if (out.size() > 4) out.resize(4), out.emplace_back("...");
    return fmt::format("{}", fmt::join(out, ", "));
  }

  Obligation about(const OutsideReserve& tenant, Family family, Code code, std::uint32_t r) const {
    Obligation o;
    o.family = family;
    o.code = code;
    o.required = family == Family::Claim || tenant.isolation == Isolation::B;
    o.subject = {"Tenant", tenant.tenant, tenant.tenant, proof_.cluster.flavors[tenant.flavor].name,
                 proof_.cluster.resources[r]};
    o.figures.reserve = tenant.reserve[r];
    o.figures.unit = unit_of(proof_.cluster.resources[r]);
    o.span = tenant.reserve_span;
    std::vector<Span> core{tenant.name_span, tenant.reserve_span, tenant.class_span, tenant.outside_span};
    if (family == Family::Reclaim && tenant.deadline) core.push_back(tenant.deadline->span);
    o.core = as_core(std::move(core));
    return o;
  }

  static void tell(Obligation& o, Verdict verdict, std::string message, std::string reason, std::string fix) {
    o.verdict = verdict;
    Detail detail;
    detail.message = std::move(message);
    detail.reason = std::move(reason);
    if (!fix.empty()) detail.fix = Fix{std::move(fix), {}};
    o.detail = std::make_shared<const Detail>(std::move(detail));
  }

  static std::string own_pool(const OutsideReserve& tenant) {
    return fmt::format("reserve for `{}` on a pool that nobody else uses, or let it queue", tenant.tenant);
  }

  Obligation claim(const OutsideReserve& tenant, std::uint32_t r, const std::string& others) const {
    Obligation o = about(tenant, Family::Claim, Code::Claim, r);
    if (others.empty() || tenant.reserve[r] == 0) {
      o.figures.claimable = 0;
      tell(o, Verdict::Proven,
           fmt::format("nobody else uses the nodes of `{}`: all that `{}` reserves there is free for it",
                       o.subject.flavor, tenant.tenant),
           "", "");
      return o;
    }
    const std::string reason = fmt::format(
        "{} may use the nodes of `{}`, too, and no queue gives them back to pods outside it", others, o.subject.flavor);
    tell(o, Verdict::Undecided, fmt::format("what others can hold of `{}` is not known: {}", tenant.tenant, reason),
         reason, own_pool(tenant));
    return o;
  }

  Obligation reclaim(const OutsideReserve& tenant, std::uint32_t r, const std::string& others) const {
    Obligation o = about(tenant, Family::Reclaim, Code::ReclaimLate, r);
    if (!others.empty() && tenant.reserve[r] > 0) {
      const std::string reason =
          fmt::format("{} may stand on its nodes, and no queue reclaims for pods outside it", others);
      tell(o, Verdict::Undecided, fmt::format("whether `{}` gets its place is not known: {}", tenant.tenant, reason),
           reason, own_pool(tenant));
      return o;
    }
    if (!tenant.deadline) {
      tell(o, Verdict::Proven, fmt::format("nobody ever holds what `{}` reserves", tenant.tenant), "", "");
      return o;
    }
    Millis sum = 0;
    const StartTerms& s = tenant.start;
    for (const auto* term : {&s.schedule, &s.image, &s.weights, &s.load, &s.warm}) {
      if (!*term) {
        const std::string reason = "not all times of its start are declared";
        o.code = Code::ReclaimTimeUnknown;
        tell(o, Verdict::Undecided,
             fmt::format("whether `{}` is ready in time is not known: {}", tenant.tenant, reason), reason,
             "declare `start schedule ..., image ..., weights ..., load ..., warm ...`");
        return o;
      }
      if (__builtin_add_overflow(sum, (*term)->value, &sum)) sum = INT64_MAX;
    }
    o.figures.back_within_ms = 0;
    if (sum <= tenant.deadline->value)
      tell(o, Verdict::Proven,
           fmt::format("`{}` waits for nobody and is ready after {}, within {}", tenant.tenant, human_duration(sum),
                       human_duration(tenant.deadline->value)),
           "", "");
    else
      tell(o, Verdict::Refuted,
           fmt::format("`{}` waits for nobody, but its start takes {} and its deadline is {}", tenant.tenant,
                       human_duration(sum), human_duration(tenant.deadline->value)),
           "", fmt::format("give it {}, or start faster", human_duration(sum)));
    return o;
  }

  const Proof& proof_;
  Report& report_;
};

}  // namespace

std::vector<std::uint32_t> queues_beside(const Proof& proof, const OutsideReserve& tenant) {
  const PoolCapacity* capacity = capacity_of(proof.intent, tenant.flavor);
  const auto lands = [&](std::uint32_t f) {
    return f == tenant.flavor || capacity == nullptr || capacity->nodes == kNone ||
           nodes::selects(proof.cluster.flavors[f].node_labels, proof.cluster.node_pools[capacity->nodes].labels);
  };
  std::vector<std::uint32_t> queues;
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q)
    for (const auto& group : proof.cluster.queues[q].groups)
      for (const auto& row : group.flavors)
        if (lands(row.flavor) && (queues.empty() || queues.back() != q)) queues.push_back(q);
  return queues;
}

void prove_outside(const Proof& proof, Report& report) {
  if (proof.intent.outside.empty()) return;
  Outside outside(proof, report);
  for (const OutsideReserve& tenant : proof.intent.outside) outside.judge(tenant);
}

}  // namespace gpol
