// Allows, proofs and trusts: what tenants say about each other and authors about the proof.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "compiler/policy/resolver.h"

namespace gpol {

namespace {

using AllowKey =
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // borrower, lender, pool, window

// Only class C borrows and only class B lends: A is never held by anyone, and C owns nothing that is promised.
bool check_roles(Resolver& r, const ast::Allow& written, const Allow& allow) {
  bool sound = true;
  const auto wrong = [&](const ast::Name& name, std::uint32_t tenant, std::string_view verb, Isolation isolation,
                         std::string_view hint) {
    error(r, Code::BadAllow, name.span,
          fmt::format("tenant `{}` is of class {} and cannot {}", name.text, letter(isolation), verb),
          std::string(hint))
        .labels.push_back({r.policy.tenants[tenant].class_span, "its class"});
    sound = false;
  };
  const auto borrower = isolation_of_tenant(r, allow.borrower);
  const auto lender = isolation_of_tenant(r, allow.lender);
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
    error(r, Code::BadAllow, name.span,
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
  const PoolAmount* owned = nullptr;
  for (const auto& reserve : lender.reserves)
    if (reserve.pool == allow.pool) owned = &reserve;
  if (owned == nullptr) {
    error(r, Code::BadAllow, written.pool.span,
          fmt::format("tenant `{}` has no reserve of `{}` to lend", lender.name, written.pool.text),
          "name a pool that it reserves")
        .labels.push_back({lender.span, "the lender"});
    return;
  }
  clamp_unstated(share, owned->amount);
  for (const auto resource : {Resource::Gpu, Resource::Cpu, Resource::Memory, Resource::Pods}) {
    if (share.amount.amount[resource] <= owned->amount[resource]) continue;
    error(
        r, Code::BadAllow, share.amount.span,
        fmt::format("{} to borrow, and tenant `{}` reserves {}", human_amount(resource, share.amount.amount[resource]),
                    lender.name, human_amount(resource, owned->amount[resource])),
        "lend at most the reserve")
        .labels.push_back({owned->span, "the reserve"});
    return;
  }
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
  const bool roles = check_roles(r, written, allow);
  check_overrides(r, written, allow);
  if (allow.pool == kNone) return;
  if (roles && share) check_amount(r, written, *share, allow);
  if (!window_known) return;
  const auto [entry, fresh] = seen.try_emplace({allow.borrower, allow.lender, allow.pool, allow.window}, placed.span);
  if (!fresh)
    error(r, Code::DuplicateName, placed.span,
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
  error(r, Code::ClassMismatch, name.span, fmt::format("class `{}` is {}: {}", name.text, letter(*isolation), message),
        letters.size() == 1 ? fmt::format("name a class {}", letters) : "name a class A or B")
      .labels.push_back({r.policy.classes[found].span, "declared here"});
}

}  // namespace

void resolve_allows(Resolver& r) {
  std::map<AllowKey, Span> seen;
  for (const auto& placed : r.declared.allows) resolve_allow(r, placed, seen);
}

void resolve_proves(Resolver& r) {
  for (const auto& placed : r.declared.proves)
    std::visit(overloaded{
                   [&](const ast::ProveHolds& node) {
                     ProveHolds made{r.classes.find(node.holder), r.classes.find(node.held), placed.span};
                     require_class(r, node.holder, made.holder, "C", "only batch is kept from holding");
                     require_class(r, node.held, made.held, "AB", "only a reserve is kept from being held");
                     r.policy.prove_holds.push_back(made);
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
    const auto [entry, fresh] = seen.try_emplace(written.premise.text, written.premise.span);
    if (!fresh)
      error(r, Code::DuplicateName, written.premise.span,
            fmt::format("premise `{}` is trusted twice", written.premise.text), "keep one of them")
          .labels.push_back({entry->second, "first trusted here"});
    r.policy.trusts.push_back({written.premise.text, written.reason, written.by.text, placed.span});
  }
}

}  // namespace gpol
