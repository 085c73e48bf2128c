// Money: what a GPU costs, who pays for it, and who pays for an incident. It is told and proves nothing.
#include <fmt/format.h>

#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"

namespace gpol {

std::optional<Money> money_of(Resolver& r, const ast::Quantity& written, std::string_view what) {
  const auto value = measure(written, Dimension::Money, what, "2.50 EUR", r.diagnostics);
  if (!value) return std::nullopt;
  // Sums of two currencies say nothing.
  if (!r.currency) {
    r.currency = {written.unit, written.span};
  } else if (r.currency->first != written.unit) {
    error(r, code::WrongUnit, written.span,
          fmt::format("a policy counts in one currency: expected `{}`, found `{}`", r.currency->first, written.unit),
          {})
        .labels.push_back({r.currency->second, "the currency was chosen here"});
    return std::nullopt;
  }
  return Money{*value, written.unit};
}

void resolve_money(Resolver& r) {
  std::map<std::uint32_t, std::optional<Span>> priced;
  for (const auto& placed : r.declared.prices) {
    const ast::Price& written = *placed.node;
    const auto money = money_of(r, written.money, "a price");
    constexpr std::string_view kPer[] = {"h", "min", "s", "d"};
    const bool per = contains(kPer, written.per.text);
    if (!per)
      error(r, code::BadValue, written.per.span, fmt::format("no price is per gpu and `{}`", written.per.text),
            choice_hint(written.per.text, kPer));
    const std::uint32_t pool = r.is_module() ? kNone : r.pools.find(written.pool);
    if (pool == kNone || !first_time(r, priced[pool], placed.span, "price ... of " + written.pool.text)) continue;
    if (money && per) r.policy.prices.push_back({*money, written.per.text, pool, written.payer.text});
  }
  std::optional<Span> first;
  for (const auto& placed : r.declared.incidents)
    if (first_time(r, first, placed.span, "incident paid by")) r.policy.incident_payer = placed.node->payer.text;
}

}  // namespace gpol
