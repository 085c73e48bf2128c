// How the devices of a pool are shared: whole, cut (MIG), or by several pods at once.
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

std::vector<std::string_view> names_of(const std::vector<MigProfile>& profiles) {
  std::vector<std::string_view> out;
  for (const auto& profile : profiles) out.push_back(profile.name);
  return out;
}

constexpr std::int64_t kMostCounted = 1'000'000, kMostDevices = 64;

// `1 x 1g.10gb at 2`: every device of the pool holds that instance already.
std::optional<Instance> held_in(Resolver& r, const ast::Quantity& part, std::int64_t number, const ast::Quantity& at,
                                const MigProfile& profile) {
  const auto start = count(at, "where an instance begins", r.diagnostics);
  if (!start) return std::nullopt;
  if (number != 1) {
    error(r, code::BadValue, part.span, fmt::format("{} instances do not all begin at {}", number, *start),
          fmt::format("write each with its start: `1 x {0} at {1}, 1 x {0} at ...`", profile.name, *start));
    return std::nullopt;
  }
  if (profile.starts.empty() ? *start <= kMostMemorySlices - profile.memory.value_or(1)
                             : std::ranges::count(profile.starts, *start) > 0)
    return Instance{profile.name, *start};
  error(r, code::OutOfRange, at.span, fmt::format("no `{}` begins at memory slice {}", profile.name, *start),
        profile.starts.empty() ? fmt::format("no device has more than {} of them", kMostMemorySlices)
                               : fmt::format("it may begin at {}", fmt::join(profile.starts, ", ")));
  return std::nullopt;
}

void add_to(std::vector<Slices>& layout, const std::string& profile, std::int64_t count) {
  const auto known = std::ranges::find(layout, profile, &Slices::profile);
  if (known == layout.end())
    layout.push_back({profile, count});
  else
    known->count += count;
}

// The layout of one device, or of the pool, or nothing when something of it is wrong.
std::optional<std::vector<Slices>> layout_of(Resolver& r, const ast::Partition& written, const Hardware& hardware,
                                             std::vector<Instance>& held) {
  std::vector<Slices> layout;
  std::map<std::string, std::optional<Span>> first;
  const std::size_t before = r.diagnostics.size();
  for (std::size_t i = 0; i < written.layout.size(); ++i) {
    const ast::Quantity& part = written.layout[i];
    const auto at = i < written.starts.size() ? written.starts[i] : std::nullopt;
    const auto number = measure(part, Dimension::Slices, "slices", "2 x 3g.40gb", r.diagnostics);
    if (!number) continue;
    const std::string profile = profile_in(part);
    if (!at && !first_time(r, first[profile], part.span, profile)) continue;
    if (profile_of(hardware, profile) == nullptr) {
      const auto known = names_of(hardware.profiles);
      error(r, code::UnknownName, part.span, fmt::format("`{}` cannot be cut into `{}`", hardware.name, profile),
            known.empty() ? "take the pool whole: gpol knows no MIG profiles of it" : profile_hint(profile, known));
    } else if (*number == 0) {
      error(r, code::OutOfRange, part.span, fmt::format("0 slices of `{}`", profile), "leave it out, or state more");
    } else if (const std::int64_t most = written.counted ? kMostCounted : kMostMemorySlices; *number > most) {
      error(
          r, code::OutOfRange, part.span,
          written.counted ? fmt::format("a pool offers {} slices of `{}`, and gpol lays out no more than {}", *number,
                                        profile, most)
                          : fmt::format("no device has {} slices of `{}`", *number, profile),
          written.counted ? "make several pools" : "state how each GPU is cut, or write `as mig for ...` for the pool");
    } else if (!at) {
      add_to(layout, profile, *number);
    } else if (const auto one = held_in(r, part, *number, *at, *profile_of(hardware, profile))) {
      held.push_back(*one);
      add_to(layout, profile, 1);
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
  auto layout = layout_of(r, written, *hardware, pool.partition.held);
  if (!layout) return;
  if (const std::int64_t devices = group.each[Resource::Gpu]; devices > kMostDevices) {
    error(r, code::OutOfRange, written.span,
          fmt::format("a node of `{}` has {} GPUs, and gpol cuts no more than {}", group.name, devices, kMostDevices),
          "take the pool whole");
    return;
  }
  pool.partition.layout = std::move(*layout);
  pool.partition.counted = written.counted;
  pool.partition.device = *hardware;
  for (const Slices& slices : pool.partition.layout) slices_of(r, slices.profile);
}

}  // namespace

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

std::string list_of(const ast::Amounts& amounts) {
  std::string out;
  for (const auto& part : amounts) add_to_list(out, text_of(part));
  return out;
}

void resolve_partition(Resolver& r, const ast::Partition& written, std::uint32_t index) {
  using Mode = Partition::Mode;
  constexpr std::string_view kWords[] = {"whole", "mig", "time-slices", "mps", "fractions", "dra"};
  Pool& pool = r.policy.pools[index];
  const auto mode = static_cast<std::size_t>(written.mode);
  pool.partition.mode = static_cast<Mode>(mode);
  pool.partition.span = written.span;
  std::string text = fmt::format("as {}", kWords[mode]);
  if (written.share) {
    const auto share = count(*written.share, "how many share a device", r.diagnostics);
    // The device plugin takes no fewer than 2, and MPS serves no more than 48 clients.
    if (const std::int64_t most = pool.partition.mode == Mode::Mps ? 48 : 100; share && (*share < 2 || *share > most))
      error(r, code::OutOfRange, written.share->span, fmt::format("a device cannot be shared by {} so", *share),
            fmt::format("write 2 to {}, or `as whole`", most));
    pool.partition.share = share.value_or(0);
    if (pool.partition.mode != Mode::Fractions && pool.partition.share > 0) {
      pool.partition.layout = {{std::string(kShares), pool.partition.share}};
      slices_of(r, kShares);
    }
    text += " " + written.share->number;
  }
  if (pool.partition.mode == Mode::Mig) {
    if (pool.group != kNone) resolve_mig(r, written, pool);
    text += fmt::format(" {{ {} }}", list_of(written.layout));
  }
  const auto stands = [](const std::optional<ast::Quantity>& at) { return at.has_value(); };
  if (const auto at = std::ranges::find_if(written.starts, stands); at != written.starts.end() && !written.unmanaged)
    error(r, code::BadValue, (*at)->span,
          "`at` says what GPUs hold already, and MIG Manager clears a GPU before it cuts it",
          "leave out `at` and the start, or add `unmanaged` where others cut the GPUs");
  if (written.unmanaged) {
    pool.partition.unmanaged = true;
    if (pool.partition.mode == Mode::Whole)
      error(r, code::BadValue, *written.unmanaged, "GPUs that are taken whole need no cutting",
            "leave out `unmanaged`");
    if (written.counted)
      error(r, code::BadValue, *written.unmanaged,
            fmt::format("others cut pool `{}`, and how they do is not said", pool.name),
            "say how each GPU is cut: `as mig { 1 x 3g.40gb } unmanaged`");
  }
  if (pool.partition.mode == Mode::Fractions)
    note_planned(r, "partitionFractions", "pool", pool.name, text, written.span);
  if (pool.partition.mode == Mode::Dra) note_planned(r, "partitionDra", "pool", pool.name, text, written.span);
}

}  // namespace gpol
