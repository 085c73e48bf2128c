// Amounts of a pool whose devices are cut: so many slices of which profile, with cpu, memory and pods beside them.
#include <fmt/format.h>

#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// `48 x 3g.40gb` of `16 gpus`: what so many devices are cut into. Nothing: it is not known, or too many. Counts of the
// whole pool say nothing of one device.
std::string cut_of(const Pool& pool, const ast::Quantity& gpus) {
  constexpr std::size_t kDigits = 6;
  if (pool.partition.counted || gpus.number.size() > kDigits || !only_digits(gpus.number)) return {};
  std::string out;
  for (const Slices& slices : pool.partition.layout)
    add_to_list(out, fmt::format("{} x {}", std::stoll(gpus.number) * slices.count, slices.profile));
  return out;
}

// GP0203: GPUs where there are none.
void refuse_gpus(Resolver& r, const Pool& pool, const ast::Quantity& part) {
  const auto& layout = pool.partition.layout;
  if (!layout.empty() && layout.front().profile == kShares) {
    error(r, code::WrongUnit, part.span,
          fmt::format("the devices of pool `{}` are shared: expected shares such as `{} shares`, found `{}`", pool.name,
                      layout.front().count, text_of(part)),
          fmt::format("a device is {} shares there, and a pod has one", layout.front().count))
        .labels.push_back({pool.partition.span, "they are shared here"});
    return;
  }
  Diagnostic& found =
      error(r, code::WrongUnit, part.span,
            fmt::format("the devices of pool `{}` are cut: expected slices such as `2 x {}`, found `{}`", pool.name,
                        layout.empty() ? "1g.10gb" : layout.front().profile, text_of(part)));
  if (const std::string slices = cut_of(pool, part); !slices.empty()) {
    found.hint = fmt::format("so many devices are cut into `{}`", slices);
    found.edits.push_back({part.span, slices});
  }
  found.labels.push_back({pool.partition.span, "they are cut here"});
}

}  // namespace

bool is_slices(const ast::Quantity& written) {
  return is_unit(written.unit, Dimension::Slices) || is_unit(written.unit, Dimension::Shares);
}

std::string profile_in(const ast::Quantity& written) {
  return is_unit(written.unit, Dimension::Shares) ? std::string(kShares) : written.unit.substr(2);  // after `x `
}

Resource slices_of(Resolver& r, std::string_view profile) {
  const auto [at, fresh] = r.slices.try_emplace(std::string(profile), static_cast<Resource>(r.policy.resources.size()));
  if (fresh) r.policy.resources.push_back(slices_row(profile));
  return at->second;
}

std::optional<ResourceAmounts> slices_on(Resolver& r, const ast::Amounts& written, const Pool& pool, Span span) {
  ResourceAmounts all;
  ast::Amounts others;
  std::vector<std::string_view> cut;
  std::map<std::string, std::optional<Span>> first;
  const std::size_t before = r.diagnostics.size();
  for (const Slices& slices : pool.partition.layout) cut.push_back(slices.profile);
  for (const ast::Quantity& part : written) {
    if (!is_slices(part)) {
      if (is_unit(part.unit, Dimension::Gpus))
        refuse_gpus(r, pool, part);
      else
        others.push_back(part);
      continue;
    }
    const bool shares = is_unit(part.unit, Dimension::Shares);
    const auto number = shares ? measure(part, Dimension::Shares, "shares", "4 shares", r.diagnostics)
                               : measure(part, Dimension::Slices, "slices", "2 x 3g.40gb", r.diagnostics);
    const std::string profile = profile_in(part);
    if (!cut.empty() && shares != (cut.front() == kShares))
      error(r, code::WrongUnit, part.span,
            fmt::format("expected {} of pool `{}`, found `{}`",
                        shares ? "slices such as `2 x " + std::string(cut.front()) + "`" : "shares such as `4 shares`",
                        pool.name, text_of(part)),
            shares ? "its devices are cut into slices, and nobody shares one"
                   : "its devices are shared, and each of them is one fault domain: count shares")
          .labels.push_back({pool.partition.span, "said here"});
    else if (!cut.empty() && !contains(cut, profile))
      error(r, code::UnknownName, part.span, fmt::format("no device of pool `{}` is cut into `{}`", pool.name, profile),
            profile_hint(profile, cut))
          .labels.push_back({pool.partition.span, "they are cut so"});
    else if (first_time(r, first[profile], part.span, profile) && number && !cut.empty())
      all.amounts[slices_of(r, profile)] = *number;
  }
  const auto beside = resources(others, "an amount", r.diagnostics);
  if (beside && others.size() == written.size())
    error(r, code::MissingClause, span,
          fmt::format("this states no {}, and pool `{}` has nothing else",
                      !cut.empty() && cut.front() == kShares ? "shares" : "slices", pool.name),
          !cut.empty() && cut.front() == kShares ? "write how many: `4 shares`"
                                                 : "write how many of which: `2 x 3g.40gb`");
  if (r.diagnostics.size() != before || cut.empty()) return std::nullopt;  // no cut: said already
  all.amounts += beside->amounts;
  all.stated = beside->stated;
  return all;
}

bool one_kind(Resolver& r, const Resources& amounts, Span span, std::string_view clause) {
  std::size_t kinds = 0;
  std::int64_t shares = 0;
  for (const auto& [resource, amount] : amounts) {
    const ResourceRow& row = row_of(r, resource);
    kinds += row.device ? 1 : 0;
    if (row.profile == kShares && clause != "reserve") shares = amount;
  }
  if (shares > 1) {
    error(r, code::OutOfRange, span,
          fmt::format("`{}` of {} shares: a pod has one, and no more with several", clause, shares),
          "write `1 share`; more of a GPU is a slice of it, or all of it");
    return false;
  }
  if (kinds < 2) return true;
  error(r, code::BadValue, span, fmt::format("`{}` states slices of several profiles, and a pod has one kind", clause),
        "state one profile; for another one, declare another tenant");
  return false;
}

void one_share_each(Resolver& r) {
  const auto shared = [&](std::uint32_t pool) {
    if (pool == kNone) return false;
    const auto& layout = r.policy.pools[pool].partition.layout;
    return !layout.empty() && layout.front().profile == kShares;
  };
  const auto give = [&](Tenant& tenant, std::uint32_t pool, Span span) {
    if (!shared(pool) || contains(tenant.shapes, pool, &PoolAmount::pool)) return;
    Resources one;
    one[slices_of(r, kShares)] = 1;
    tenant.shapes.push_back({pool, one, span});
  };
  for (Tenant& tenant : r.policy.tenants)
    for (const PoolAmount& quota : tenant.quotas) give(tenant, quota.pool, quota.span);
  for (const Allow& allow : r.policy.allows)
    if (allow.borrower != kNone) give(r.policy.tenants[allow.borrower], allow.pool, allow.span);
}

}  // namespace gpol
