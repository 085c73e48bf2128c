// How the devices of a pool are shared: whole, cut (MIG), or by several pods at once; and amounts that count slices.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/codes.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

bool is_slices(const ast::Quantity& written) { return is_unit(written.unit, Dimension::Slices); }

std::string profile_in(const ast::Quantity& written) { return written.unit.substr(2); }  // after `x `

std::vector<std::string_view> names_of(const std::vector<MigProfile>& profiles) {
  std::vector<std::string_view> out;
  for (const auto& profile : profiles) out.push_back(profile.name);
  return out;
}

// `48 x 3g.40gb` of `16 gpus`: what so many devices are cut into. Nothing: it is not known, or too many.
std::string cut_of(const Pool& pool, const ast::Quantity& gpus) {
  constexpr std::size_t kDigits = 6;
  if (gpus.number.size() > kDigits || !only_digits(gpus.number)) return {};
  std::string out;
  for (const Slices& slices : pool.partition.layout)
    add_to_list(out, fmt::format("{} x {}", std::stoll(gpus.number) * slices.count, slices.profile));
  return out;
}

// Of a profile that is not there, those of the same size in one way or the other: as many compute slices, or as much
// memory. Letters alone would lead from `3g.20gb` to `1g.20gb`.
std::string profile_hint(std::string_view written, std::span<const std::string_view> known) {
  const auto compute = [](std::string_view profile) { return profile.substr(0, profile.find('.')); };
  const auto memory = [](std::string_view profile) {
    const auto point = profile.find('.');
    return point == std::string_view::npos ? profile : profile.substr(point, profile.find_first_of("+-") - point);
  };
  const bool plain = written.find_first_of("+-") == std::string_view::npos;
  std::vector<std::string_view> near;
  for (const std::string_view profile : known)
    if (compute(profile) == compute(written) || memory(profile) == memory(written))
      if (!plain || profile.find_first_of("+-") == std::string_view::npos) near.push_back(profile);
  if (near.empty()) return choice_hint(written, known);
  if (near.size() == 1) return fmt::format("did you mean `{}`?", near.front());
  return fmt::format("with as much compute or memory there are `{}`", fmt::join(near, "`, `"));
}

// The layout of one device, or nothing when something of it is wrong.
std::optional<std::vector<Slices>> layout_of(Resolver& r, const ast::Partition& written, const Hardware& hardware) {
  std::vector<Slices> layout;
  std::map<std::string, std::optional<Span>> first;
  const std::size_t before = r.diagnostics.size();
  for (const ast::Quantity& part : written.layout) {
    const auto number = measure(part, Dimension::Slices, "slices", "2 x 3g.40gb", r.diagnostics);
    if (!number) continue;
    const std::string profile = profile_in(part);
    if (!first_time(r, first[profile], part.span, profile)) continue;
    if (profile_of(hardware, profile) == nullptr) {
      const auto known = names_of(hardware.profiles);
      error(r, code::UnknownName, part.span, fmt::format("`{}` cannot be cut into `{}`", hardware.name, profile),
            known.empty() ? "take the pool whole: gpol knows no MIG profiles of it" : profile_hint(profile, known));
    } else if (*number == 0) {
      error(r, code::OutOfRange, part.span, fmt::format("0 slices of `{}`", profile), "leave it out, or state more");
    } else {
      layout.push_back({profile, *number});
    }
  }
  return r.diagnostics.size() == before ? std::optional(std::move(layout)) : std::nullopt;
}

void resolve_mig(Resolver& r, const ast::Partition& written, Pool& pool) {
  const NodeGroup& group = r.policy.groups[pool.group];
  if (group.gpu_model.empty()) {
    error(r, code::MissingClause, written.span,
          fmt::format("nodes `{}` do not say which GPU they have, so nobody can tell how it is cut", group.name),
          "add `gpu NAME` to them")
        .labels.push_back({group.span, "the nodes"});
    return;
  }
  const Hardware* hardware = hardware_of(r, pool.group);
  if (hardware == nullptr) return;  // said already
  auto layout = layout_of(r, written, *hardware);
  if (!layout) return;
  if (const auto why = why_no_placement(*hardware, *layout)) {
    std::string hint = "take fewer slices, or smaller ones";
    if (hardware->placements == "template" && why->starts_with("no place"))
      hint += "; these starts are those of the A100, so declare a `hardware` of your own if yours differ";
    error(r, code::NoPlacement, written.span, fmt::format("no `{}` can be cut so: {}", hardware->name, *why),
          std::move(hint));
    return;
  }
  pool.partition.layout = std::move(*layout);
}

// `2 x 3g.40gb, 1 x 1g.10gb`
std::string list_of(const ast::Amounts& amounts) {
  std::string out;
  for (const auto& part : amounts) add_to_list(out, text_of(part));
  return out;
}

// The slices among the amounts, with GP0203 for what does not fit the pool.
std::vector<Slices> slices_in(Resolver& r, const ast::Amounts& amounts, const Pool& pool, Span span) {
  std::vector<Slices> out;
  std::vector<ast::Quantity> others;
  std::vector<std::string_view> cut;
  for (const Slices& slices : pool.partition.layout) cut.push_back(slices.profile);
  for (const ast::Quantity& part : amounts) {
    if (!is_slices(part)) {
      if (!is_unit(part.unit, Dimension::Gpus)) {
        others.push_back(part);
        continue;
      }
      Diagnostic& found =
          error(r, code::WrongUnit, part.span,
                fmt::format("the devices of pool `{}` are cut: expected slices such as `2 x {}`, found `{}`", pool.name,
                            cut.empty() ? "1g.10gb" : cut.front(), text_of(part)));
      if (const std::string slices = cut_of(pool, part); !slices.empty()) {
        found.hint = fmt::format("so many devices are cut into `{}`", slices);
        found.edits.push_back({part.span, slices});
      }
      found.labels.push_back({pool.partition.span, "they are cut here"});
      continue;
    }
    const auto number = measure(part, Dimension::Slices, "slices", "2 x 3g.40gb", r.diagnostics);
    const std::string profile = profile_in(part);
    if (!cut.empty() && std::find(cut.begin(), cut.end(), profile) == cut.end())
      error(r, code::UnknownName, part.span, fmt::format("no device of pool `{}` is cut into `{}`", pool.name, profile),
            profile_hint(profile, cut))
          .labels.push_back({pool.partition.span, "they are cut so"});
    else if (number)
      out.push_back({profile, *number});
  }
  if (!resources(others, "an amount", r.diagnostics)) return out;
  if (out.empty() && others.size() == amounts.size())
    error(r, code::MissingClause, span, fmt::format("this states no slices, and pool `{}` has nothing else", pool.name),
          "write how many of which: `2 x 3g.40gb`");
  return out;
}

}  // namespace

void resolve_partition(Resolver& r, const ast::Partition& written, std::uint32_t index) {
  using Mode = Partition::Mode;
  constexpr std::string_view kWords[] = {"whole", "mig", "time-slices", "mps", "fractions", "dra"};
  constexpr std::string_view kRules[] = {"partitionWhole", "partitionMig",       "partitionTimeSlices",
                                         "partitionMps",   "partitionFractions", "partitionDra"};
  Pool& pool = r.policy.pools[index];
  const auto mode = static_cast<std::size_t>(written.mode);
  pool.partition.mode = static_cast<Mode>(mode);
  pool.partition.span = written.span;
  std::string text = fmt::format("as {}", kWords[mode]);
  if (written.share) {
    const auto share = count(*written.share, "how many share a device", r.diagnostics);
    // The device plugin takes no fewer than 2, and MPS serves no more than 48 clients.
    const std::int64_t most = pool.partition.mode == Mode::Mps ? 48 : 100;
    if (share && (*share < 2 || *share > most))
      error(r, code::OutOfRange, written.share->span, fmt::format("a device cannot be shared by {} so", *share),
            fmt::format("write 2 to {}, or `as whole`", most));
    pool.partition.share = share.value_or(0);
    text += " " + written.share->number;
  }
  if (pool.partition.mode == Mode::Mig) {
    if (pool.group != kNone) resolve_mig(r, written, pool);
    text += fmt::format(" {{ {} }}", list_of(written.layout));
  }
  if (pool.partition.mode != Mode::Whole) note_planned(r, kRules[mode], "pool", pool.name, text, written.span);
}

bool counts_slices(const Resolver& r, const ast::Amounts& amounts, const ast::Name& pool) {
  if (std::any_of(amounts.begin(), amounts.end(), is_slices)) return true;
  const std::uint32_t index = r.pools.look_up(pool.text);
  return index != kNone && r.policy.pools[index].partition.mode == Partition::Mode::Mig;
}

bool resolve_slices(Resolver& r, const ast::Amounts& amounts, const ast::Name& pool, Span span, SliceAmount::Kind kind,
                    std::uint32_t tenant) {
  const std::uint32_t index = r.is_module() ? kNone : r.pools.find(pool);
  if (index == kNone) return false;
  const std::size_t before = r.diagnostics.size();
  const Pool& of = r.policy.pools[index];
  if (of.partition.mode != Partition::Mode::Mig) {
    const auto sliced = std::find_if(amounts.begin(), amounts.end(), is_slices);
    error(r, code::WrongUnit, sliced->span,
          fmt::format("the devices of pool `{}` are not cut: expected GPUs such as `8 gpus`, found `{}`", of.name,
                      text_of(*sliced)),
          "count GPUs, or cut the pool: `pool ... as mig { 2 x 3g.40gb }`");
    return false;
  }
  for (Slices& slices : slices_in(r, amounts, of, span)) {
    if (slices.count == 0 && kind == SliceAmount::Kind::Reserve) {
      error(r, code::OutOfRange, span, fmt::format("`reserve` of 0 slices of `{}`", slices.profile),
            "state more than 0");
      continue;
    }
    r.policy.tenants[tenant].slices.push_back({kind, index, std::move(slices), span});
  }
  constexpr std::string_view kWords[] = {"reserve", "quota", "replica"};
  note_planned(r, "unitSlices", "tenant", r.policy.tenants[tenant].name,
               fmt::format("{} {} of {}", kWords[static_cast<std::size_t>(kind)], list_of(amounts), of.name), span);
  return r.diagnostics.size() == before;
}

bool resolve_sliced_replica(Resolver& r, const ast::TenantReplica& written, Span span, std::uint32_t index) {
  const Tenant& tenant = r.policy.tenants[index];
  const auto reserve = std::find_if(tenant.slices.begin(), tenant.slices.end(), [](const SliceAmount& amount) {
    return amount.kind == SliceAmount::Kind::Reserve;
  });
  const auto sliced = std::find_if(written.amounts.begin(), written.amounts.end(), is_slices);
  if (reserve == tenant.slices.end()) {
    if (sliced == written.amounts.end()) return false;
    if (!r.is_module() && r.tenant_facts[index].owned_sound)
      error(r, code::WrongUnit, sliced->span,
            fmt::format("tenant `{}` reserves GPUs: expected `8 gpus`, found `{}`", tenant.name, text_of(*sliced)),
            "state the GPUs of one replica, or cut the pool's devices (`as mig { ... }`) and reserve slices of it");
    return true;
  }
  if (!tenant.reserves.empty()) {
    error(r, code::BadValue, span,
          fmt::format("tenant `{}` reserves GPUs and slices, and a replica has one shape", tenant.name),
          "make them two tenants")
        .labels.push_back({reserve->span, "slices"});
    return true;
  }
  ast::Name pool{r.policy.pools[reserve->pool].name, span};
  const std::size_t before = r.policy.tenants[index].slices.size();
  const SliceAmount reserved = *reserve;
  resolve_slices(r, written.amounts, pool, span, SliceAmount::Kind::Replica, index);
  const auto& all = r.policy.tenants[index].slices;
  for (std::size_t i = before; i < all.size(); ++i)
    if (all[i].slices.profile == reserved.slices.profile && all[i].slices.count > reserved.slices.count)
      error(r, code::OutOfRange, span,
            fmt::format("a replica of `{}` asks {} slices of `{}`, the reserve has {}", tenant.name,
                        all[i].slices.count, reserved.slices.profile, reserved.slices.count),
            "reserve more, or ask for fewer")
          .labels.push_back({reserved.span, "the reserve"});
  return true;
}

// Reserves against the slices that are surely there, and all that is given against the most that can be.
void check_slices(Resolver& r) {
  struct Given {
    std::int64_t reserved = 0, all = 0;
    Span last;
  };
  std::map<std::pair<std::uint32_t, std::string>, Given> given;
  for (const Tenant& tenant : r.policy.tenants)
    for (const SliceAmount& amount : tenant.slices) {
      if (amount.kind == SliceAmount::Kind::Replica) continue;
      Given& of = given[{amount.pool, amount.slices.profile}];
      if (amount.kind == SliceAmount::Kind::Reserve) of.reserved = sum_of({of.reserved, amount.slices.count});
      of.all = sum_of({of.all, amount.slices.count});
      of.last = amount.span;
    }
  for (const auto& [key, of] : given) {
    const Pool& pool = r.policy.pools[key.first];
    const auto& layout = pool.partition.layout;
    const auto cut =
        std::find_if(layout.begin(), layout.end(), [&](const Slices& slices) { return slices.profile == key.second; });
    if (pool.group == kNone || cut == layout.end()) continue;  // said already
    const NodeGroup& group = r.policy.groups[pool.group];
    const std::int64_t of_node = times(group.each[Resource::Gpu], cut->count);
    const std::int64_t surely = times(std::max<std::int64_t>(0, pool.nodes_min - group.tolerate_lost), of_node);
    const std::int64_t most = times(pool.nodes_max, of_node);
    const bool reserves = of.reserved > surely;
    if (!reserves && of.all <= most) continue;
    error(r, code::OutOfRange, of.last,
          reserves ? fmt::format("{} slices `{}` of `{}` are reserved, and {} are surely there", of.reserved,
                                 key.second, pool.name, surely)
                   : fmt::format("{} slices `{}` of `{}` are given away, and {} are there at most", of.all, key.second,
                                 pool.name, most),
          "give less, or take more nodes");
  }
}

}  // namespace gpol
