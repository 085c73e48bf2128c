// Allows, proofs and trusts: what tenants say about each other and authors about the proof.
#include <algorithm>

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

using AllowKey =
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // borrower, lender, pool, window

// Only class C borrows and only class B lends: A is never held by anyone, and C owns nothing that is promised.
bool check_roles(Resolver& r, const ast::Allow& written, const Allow& allow) {
  bool sound = true;
  const auto wrong = [&](const ast::Name& name, std::uint32_t tenant, std::string_view verb, Isolation isolation,
                         std::string_view hint) {
    error(r, code::BadAllow, name.span,
          fmt::format("tenant `{}` is of class {} and cannot {}", name.text, letter(isolation), verb),
          std::string(hint))
        .labels.push_back({r.policy.tenants[tenant].class_span, "its class"});
    sound = false;
  };
  for (const std::uint32_t tenant : {allow.borrower, allow.lender})
    if (tenant != kNone && r.tenant_facts[tenant].class_in_doubt) return false;
  const auto borrower = isolation_of_tenant(r, allow.borrower);
  const auto lender = isolation_of_tenant(r, allow.lender);
  if (borrower == Isolation::B && lender == Isolation::C) {
    error(r, code::BadAllow, join(written.borrower.span, written.lender.span),
          fmt::format("tenant `{}` is of class C and cannot lend to tenant `{}` of class B", written.lender.text,
                      written.borrower.text),
          fmt::format("who borrows comes first: `allow {} to borrow ... from {}`", written.lender.text,
                      written.borrower.text))
        .edits = {{written.borrower.span, written.lender.text}, {written.lender.span, written.borrower.text}};
    return false;
  }
  if (borrower && *borrower != Isolation::C)
    wrong(written.borrower, allow.borrower, "borrow", *borrower, "only class C borrows");
  if (lender && *lender != Isolation::B) wrong(written.lender, allow.lender, "lend", *lender, "only class B lends");
  return sound && borrower && lender;
}

// An allow sets the lender's lending limit and the borrower's borrowing limit; `queue` must not set them again.
void check_overrides(Resolver& r, const ast::Allow& written, const Allow& allow) {
  const auto clash = [&](const ast::Name& name, const std::optional<QueueSettings::LimitWord>& word,
                         std::string_view verb) {
    if (!word) return;
    error(r, code::BadAllow, name.span,
          fmt::format("this allow and the queue of tenant `{}` both say how much it {}s", name.text, verb),
          fmt::format("remove `{}` from the tenant's queue, or the allow", verb))
        .labels.push_back({word->span, "the queue says it here"});
  };
  clash(written.lender, r.policy.tenants[allow.lender].queue.lend, "lend");
  clash(written.borrower, r.policy.tenants[allow.borrower].queue.borrow, "borrow");
}

// The lender must own what it lends.
void check_amount(Resolver& r, const ast::Allow& written, Share& share, Allow& allow) {
  if (!r.tenant_facts[allow.lender].owned_sound) return;
  const Tenant& lender = r.policy.tenants[allow.lender];
  if (lender.outside) {
    error(r, code::BadAllow, written.lender.span,
          fmt::format("tenant `{}` is outside the queue and has nothing to lend in it", lender.name),
          "let it queue, or remove the allow")
        .labels.push_back({*lender.outside, "it is outside"});
    return;
  }
  const PoolAmount* owned = nullptr;
  for (const auto& reserve : lender.reserves)
    if (reserve.pool == allow.pool) owned = &reserve;
  if (owned == nullptr) {
    error(r, code::BadAllow, written.pool.span,
          fmt::format("tenant `{}` has no reserve of `{}` to lend", lender.name, written.pool.text),
          "name a pool that it reserves")
        .labels.push_back({lender.span, "the lender"});
    return;
  }
  clamp_unstated(share, owned->amount);
  if (const auto more = more_than(r, share.amount, owned->amount))
    error(r, code::BadAllow, share.amount.span,
          fmt::format("{} to borrow, and tenant `{}` reserves {}", in_words(r, *more, share.amount.amount[*more]),
                      lender.name, in_words(r, *more, owned->amount[*more])),
          "lend at most the reserve")
        .labels.push_back({owned->span, "the reserve"});
  else
    allow.amount = share.amount.amount;
}

void resolve_allow(Resolver& r, const Placed<ast::Allow>& placed, std::map<AllowKey, Span>& seen) {
  const ast::Allow& written = *placed.node;
  Allow allow;
  allow.span = placed.span;
  allow.borrower = r.tenants.find(written.borrower);
  allow.lender = r.tenants.find(written.lender);
  if (written.window) allow.window = r.windows.find(*written.window);
  const bool window_known = !written.window || allow.window != kNone;
  if (written.back_within) allow.back_within = time_constant(r, *written.back_within, "back within", Zero::Refused);
  Span amounts = written.amounts.empty() ? placed.span : written.amounts.front().span;
  if (!written.amounts.empty()) amounts = join(amounts, written.amounts.back().span);
  auto share = share_of_pool(r, written.amounts, written.pool, amounts, "borrow up to", Zero::Refused);
  allow.pool = r.pools.look_up(written.pool.text);
  if (allow.borrower == kNone || allow.lender == kNone) return;
  // Which of two tenants of one name is meant nobody knows.
  if (r.tenants.doubled(written.borrower.text) || r.tenants.doubled(written.lender.text)) return;
  const bool roles = check_roles(r, written, allow);
  check_overrides(r, written, allow);
  if (allow.pool == kNone) return;
  if (roles && share) check_amount(r, written, *share, allow);
  if (!window_known) return;
  const auto [entry, fresh] = seen.try_emplace({allow.borrower, allow.lender, allow.pool, allow.window}, placed.span);
  if (!fresh)
    error(r, code::DuplicateName, placed.span,
          fmt::format("tenant `{}` is allowed twice to borrow `{}` from `{}` in the same window", written.borrower.text,
                      written.pool.text, written.lender.text),
          "make them one")
        .labels.push_back({entry->second, "first allowed here"});
  r.policy.allows.push_back(std::move(allow));
}

// GP0302 unless the class is one of those that a proof can be about.
void require_class(Resolver& r, const ast::Name& name, std::uint32_t found, std::string_view letters,
                   std::string_view message) {
  const auto isolation = isolation_of_class(r, found);
  if (!isolation || letters.find(letter(*isolation)) != std::string_view::npos) return;
  error(r, code::ClassMismatch, name.span, fmt::format("class `{}` is {}: {}", name.text, letter(*isolation), message),
        letters.size() == 1 ? fmt::format("name a class {}", letters) : "name a class A or B")
      .labels.push_back({r.policy.classes[found].span, "declared here"});
}

// A class A tenant that names no cohort stands alone: limits of what flows in a cohort say nothing of its queue.
// True: it is one.
bool stands_alone(Resolver& r, const Tenant& tenant) {
  if (tenant.queue.cohort != kNone || isolation_of_class(r, tenant.latency_class) != Isolation::A) return false;
  for (const bool lends : {true, false}) {
    const auto& word = lends ? tenant.queue.lend : tenant.queue.borrow;
    if (!word) continue;
    const auto more = std::ranges::find_if(word->at_most, [](const PoolAmount& limit) {
      return std::ranges::any_of(limit.amount, [](const auto& one) { return one.second > 0; });
    });
    if (!word->unlimited && more == word->at_most.end()) continue;
    error(r, code::BadAllow, word->unlimited ? word->span : more->span,
          fmt::format("`{}` would have no effect: the queue of `{}`, which is of class A, is in no cohort",
                      lends ? "lend" : "borrow", tenant.name),
          "leave it out");
  }
  return true;
}

// A queue has quota of the pools that its tenant owns something of, and of those that an `allow` lets it borrow from.
// What `borrow at most` says of another pool would be dropped without a word.
void check_borrow_limits(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.tenants.size(); ++i) {
    const Tenant& tenant = r.policy.tenants[i];
    if (stands_alone(r, tenant) || !tenant.queue.borrow || !r.tenant_facts[i].owned_sound) continue;
    for (const PoolAmount& limit : tenant.queue.borrow->at_most) {
      const std::string& pool = r.policy.pools[limit.pool].name;
      const auto there = [&](const PoolAmount& owned) { return owned.pool == limit.pool; };
      const bool owns = std::ranges::any_of(tenant.reserves, there) || std::ranges::any_of(tenant.quotas, there);
      // As they are written: what is wrong with one is said there.
      const bool allowed = std::ranges::any_of(r.declared.allows, [&](const auto& placed) {
        return placed.node->borrower.text == tenant.name && placed.node->pool.text == pool;
      });
      if (owns || allowed) continue;
      const auto isolation = isolation_of_class(r, tenant.latency_class);
      error(r, code::BadAllow, limit.span,
            fmt::format("`borrow at most` of `{}` would have no effect: the queue of `{}` has no quota there", pool,
                        tenant.name),
            isolation == Isolation::C ? fmt::format("say `quota 0 gpus of {}` of the tenant, or leave this out", pool)
                                      : "leave it out");
    }
  }
}

// The cohort at the top of a tenant's tree; kNone: that of the safe pattern.
std::uint32_t root_cohort(const Policy& policy, const Tenant& tenant) {
  std::uint32_t cohort = tenant.queue.cohort;
  for (std::size_t i = 0; cohort != kNone && policy.cohorts[cohort].parent != kNone && i < policy.cohorts.size(); ++i)
    cohort = policy.cohorts[cohort].parent;
  return cohort;
}

bool says(const std::optional<QueueSettings::LimitWord>& limit, std::uint32_t pool) {
  return limit && (limit->unlimited ||
                   std::ranges::any_of(limit->at_most, [&](const PoolAmount& amount) { return amount.pool == pool; }));
}

// What is lent goes to the whole cohort: whoever may borrow of the pool there can hold it, whoever the `allow` was
// meant for. A direct `allow` between the two classes is no mistake here, unless others may hold some of it, too: what
// it permits is then nothing, and the claim says so; likewise what is lent without any `allow`.
void check_never_holds(Resolver& r, const ProveHolds& prove) {
  const Policy& policy = r.policy;
  const auto lends = [&](std::uint32_t t, std::uint32_t pool) {
    return std::ranges::any_of(policy.allows, [&](const Allow& a) { return a.lender == t && a.pool == pool; });
  };
  // Somebody of another class may hold some of it: how much is held in all then does not tell who holds it.
  const auto others_may = [&](std::uint32_t lender, std::uint32_t pool) {
    return std::ranges::any_of(policy.allows, [&](const Allow& a) {
      return a.lender == lender && a.pool == pool && policy.tenants[a.borrower].latency_class != prove.holder;
    });
  };
  const auto borrows = [&](std::uint32_t t, std::uint32_t pool, std::uint32_t lender) {
    bool direct = false, other = says(policy.tenants[t].queue.borrow, pool);
    for (const Allow& a : policy.allows)
      if (a.borrower == t && a.pool == pool) (a.lender == lender ? direct : other) = true;
    return other || (direct && others_may(lender, pool));
  };
  for (std::uint32_t lender = 0; lender < policy.tenants.size(); ++lender) {
    if (policy.tenants[lender].latency_class != prove.held) continue;
    for (const PoolAmount& reserve : policy.tenants[lender].reserves)
      for (std::uint32_t t = 0; t < policy.tenants.size(); ++t) {
        if (policy.tenants[t].latency_class != prove.holder || !lends(lender, reserve.pool) ||
            !borrows(t, reserve.pool, lender) ||
            root_cohort(policy, policy.tenants[t]) != root_cohort(policy, policy.tenants[lender]))
          continue;
        error(
            r, code::BadAllow, prove.span,
            fmt::format("tenant `{}` can hold what tenant `{}` lends of `{}`: whoever may borrow in a cohort can hold "
                        "what anybody lends there",
                        policy.tenants[t].name, policy.tenants[lender].name, policy.pools[reserve.pool].name),
            "put one of them into a cohort of its own, or remove this line");
        return;
      }
  }
}

}  // namespace

void resolve_allows(Resolver& r) {
  std::map<AllowKey, Span> seen;
  for (const auto& placed : r.declared.allows) resolve_allow(r, placed, seen);
  check_borrow_limits(r);
}

void resolve_proves(Resolver& r) {
  for (const auto& placed : r.declared.proves)
    std::visit(overloaded{
                   [&](const ast::ProveHolds& node) {
                     ProveHolds made{r.classes.find(node.holder), r.classes.find(node.held), placed.span};
                     require_class(r, node.holder, made.holder, "C", "only batch is kept from holding");
                     require_class(r, node.held, made.held, "AB", "only a reserve is kept from being held");
                     r.policy.prove_holds.push_back(made);
                     if (made.holder != kNone && made.held != kNone) check_never_holds(r, made);
                   },
                   [&](const ast::ProveReady& node) {
                     ProveReady made{r.classes.find(node.name), {}};
                     require_class(r, node.name, made.latency_class, "B",
                                   "only class B has a deadline to be ready within");
                     const auto within = time_constant(r, node.within, "ready within", Zero::Refused);
                     if (within) made.within = *within;
                     r.policy.prove_ready.push_back(std::move(made));
                   },
               },
               placed.node->node);
}

void resolve_trusts(Resolver& r) {
  std::map<std::string_view, Span> seen;
  for (const auto& placed : r.declared.trusts) {
    const ast::Trust& written = *placed.node;
    if (const auto [entry, fresh] = seen.try_emplace(written.premise.text, written.premise.span); !fresh)
      error(r, code::DuplicateName, written.premise.span,
            fmt::format("premise `{}` is trusted twice", written.premise.text), "keep one of them")
          .labels.push_back({entry->second, "first trusted here"});
    if (written.reason.find_first_not_of(' ') == std::string::npos)
      error(r, code::MissingClause, placed.span,
            fmt::format("premise `{}` is trusted for no reason", written.premise.text),
            "say why, for whoever reviews this: `because \"...\"`");
    Trust trust{written.premise.text, written.reason, written.by.text, placed.span};
    if (written.until) trust.until = whole_date(r, *written.until).value_or("");
    r.policy.trusts.push_back(std::move(trust));
  }
}

}  // namespace gpol
