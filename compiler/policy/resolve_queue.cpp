// `queue { ... }`: overrides of the safe pattern in Kueue's own words.
#include <fmt/format.h>

#include <map>
#include <span>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"

namespace gpol {

namespace {

constexpr std::string_view kStrategies[] = {"StrictFIFO", "BestEffortFIFO"};
constexpr std::string_view kReclaims[] = {"Never", "LowerPriority", "Any"};
constexpr std::string_view kWithins[] = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};
constexpr std::string_view kBorrowWithins[] = {"Never", "LowerPriority"};
constexpr std::string_view kSearches[] = {"MayStopSearch", "TryNextFlavor"};
constexpr std::string_view kNamespaces[] = {"own", "any"};
constexpr std::string_view kStops[] = {"None", "Hold", "HoldAndDrain"};

struct Field {
  std::string_view name;
  std::span<const std::string_view> values;
  std::optional<QueueSettings::Word> QueueSettings::* place;
};

// v1beta2 ClusterQueue: .spec, .spec.preemption and .spec.flavorFungibility.
constexpr Field kFields[] = {
    {"queueingStrategy", kStrategies, &QueueSettings::queueing_strategy},
    {"reclaimWithinCohort", kReclaims, &QueueSettings::reclaim_within_cohort},
    {"withinClusterQueue", kWithins, &QueueSettings::within_cluster_queue},
    {"borrowWithinCohort", kBorrowWithins, &QueueSettings::borrow_within_cohort},
    {"whenCanBorrow", kSearches, &QueueSettings::when_can_borrow},
    {"whenCanPreempt", kSearches, &QueueSettings::when_can_preempt},
    {"stopPolicy", kStops, &QueueSettings::stop_policy},
    {"namespaceSelector", kNamespaces, &QueueSettings::namespace_selector},
};

void resolve_setting(Resolver& r, const ast::QueueSetting& written,
                     std::map<std::string_view, std::optional<Span>>& first, QueueSettings& settings) {
  const Field* field = nullptr;
  for (const auto& known : kFields)
    if (known.name == written.field.text) field = &known;
  if (field == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& known : kFields) names.push_back(known.name);
    error(r, code::BadValue, written.field.span,
          fmt::format("`{}` is not a queue setting that gpol knows", written.field.text),
          choice_hint(written.field.text, names));
    return;
  }
  const Span span = join(written.field.span, written.value.span);
  const bool fresh = first_time(r, first[field->name], span, field->name);
  for (std::string_view value : field->values)
    if (value == written.value.text) {
      if (fresh) settings.*field->place = QueueSettings::Word{written.value.text, span};
      return;
    }
  error(r, code::BadValue, written.value.span,
        fmt::format("`{}` is not a value of `{}`", written.value.text, field->name),
        choice_hint(written.value.text, field->values));
}

std::string_view clause_of(const ast::Limit& limit) { return limit.kind == ast::Limit::Kind::Lend ? "lend" : "borrow"; }

}  // namespace

bool LimitsSaid::take(Resolver& r, const ast::Limit& written) {
  std::optional<Span>& other = written.at_most ? without : any;
  if (other && !first_time(r, other, written.span, clause_of(written))) return false;
  if (!any) any = written.span;
  if (!written.at_most) without = written.span;
  return true;
}

std::optional<Share> LimitsSaid::share(Resolver& r, const ast::Limit& written) {
  const auto& [amounts, name, span] = *written.at_most;
  const std::string clause = fmt::format("{} at most", clause_of(written));
  auto share = share_of_pool(r, amounts, name, written.span, clause, Zero::Allowed);
  const std::uint32_t pool = r.pools.look_up(name.text);
  if (pool == kNone || !first_time(r, at_most[pool], written.span, fmt::format("{} ... of {}", clause, name.text)))
    return std::nullopt;
  return share;
}

void resolve_queue(Resolver& r, const ast::TenantQueue& written, Span span, std::uint32_t tenant) {
  QueueSettings& settings = r.policy.tenants[tenant].queue;
  settings.span = span;
  std::optional<Span> first_cohort;
  for (const auto& cohort : written.cohorts) {
    const std::uint32_t found = r.cohorts.find(cohort);
    if (!first_time(r, first_cohort, cohort.span, "cohort")) continue;
    settings.cohort = found;
    settings.cohort_span = cohort.span;
  }
  LimitsSaid lend, borrow;
  for (const auto& limit : written.limits) {
    const bool lends = limit.kind == ast::Limit::Kind::Lend;
    LimitsSaid& said = lends ? lend : borrow;
    if (!said.take(r, limit)) continue;
    auto& word = lends ? settings.lend : settings.borrow;
    if (!word) word = QueueSettings::LimitWord{false, {}, limit.span};
    word->unlimited = word->unlimited || !limit.at_most;
    auto share = limit.at_most ? said.share(r, limit) : std::nullopt;
    if (!share) continue;
    if (lends)
      r.tenant_facts[tenant].lends.push_back(std::move(*share));
    else
      settings.borrow->at_most.push_back(std::move(share->amount));
  }
  std::map<std::string_view, std::optional<Span>> first;
  for (const auto& setting : written.settings) resolve_setting(r, setting, first, settings);
  const auto& reclaim = settings.reclaim_within_cohort;
  const auto& borrow_within = settings.borrow_within_cohort;
  if (reclaim && reclaim->value == "Never" && borrow_within && borrow_within->value != "Never")
    error(r, code::BadValue, borrow_within->span,
          "Kueue refuses `borrowWithinCohort` beside `reclaimWithinCohort Never`", "remove one of the two");
}

void resolve_queue_lends(Resolver& r, std::uint32_t index) {
  Tenant& tenant = r.policy.tenants[index];
  TenantFacts& facts = r.tenant_facts[index];
  if (!facts.owned_sound) return;
  for (Share& lend : facts.lends) {
    Resources owned;
    for (const auto* all : {&tenant.reserves, &tenant.quotas})
      for (const auto& own : *all)
        if (own.pool == lend.amount.pool) owned = own.amount;
    clamp_unstated(lend, owned);
    // Kueue's webhook refuses a lendingLimit above the nominal quota.
    if (const auto more = more_than(r, lend.amount, owned))
      error(r, code::OutOfRange, lend.amount.span,
            fmt::format("tenant `{}` lends {} of `{}` and owns {}", tenant.name,
                        in_words(r, *more, lend.amount.amount[*more]), r.policy.pools[lend.amount.pool].name,
                        in_words(r, *more, owned[*more])),
            "lend at most what it owns");
    tenant.queue.lend->at_most.push_back(std::move(lend.amount));
  }
}

}  // namespace gpol
