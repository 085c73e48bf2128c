// How many GPUs or slices of a pool bring how much cpu, memory and pods with them.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/policy/codes.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::int64_t kLargestProduct = std::int64_t{1} << 58;  // units.h
constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr Resource kBesideDevices[] = {Resource::Cpu, Resource::Memory, Resource::Pods};

// What devices are of a node: GPUs and shares count alike, slices by the compute slices that they take.
std::int64_t weight_of(Resolver& r, std::uint32_t pool, const Resources& amounts) {
  if (!is_cut(r, pool)) return amounts[Resource::Gpu];
  const auto& device = r.policy.pools[pool].partition.device;
  std::int64_t sum = 0;
  for (const auto& [resource, amount] : amounts)
    if (row_of(r, resource).profile == kShares)
      sum = sum_of({sum, amount});
    else if (const MigProfile* profile = device ? profile_of(*device, row_of(r, resource).profile) : nullptr)
      sum = sum_of({sum, times(amount, profile->compute)});
  return sum;
}

// A reserve with nothing of some resource is a reserve that no pod can use.
bool refuse_zeros(Resolver& r, const Share& share, std::string_view clause) {
  const std::uint32_t pool = share.amount.pool;
  for (const Resource resource : devices_first(r, pool, share.amount.amount)) {
    if (share.amount.amount[resource] > 0) continue;
    const ResourceRow& row = row_of(r, resource);
    if (row.device || share.stated[static_cast<std::size_t>(resource)])
      error(r, code::OutOfRange, share.amount.span, fmt::format("`{}` of 0 {}", clause, row.words),
            row.profile.empty() ? fmt::format("state more than 0 {}", row.words) : "state more than 0");
    else
      error(r, code::OutOfRange, share.amount.span,
            fmt::format("{} of `{}` would bring 0 {}", devices_in_words(r, pool, share.amount.amount),
                        r.policy.pools[pool].name, row.words),
            fmt::format("state the {} beside the {}", row.words, is_cut(r, pool) ? "slices" : "gpus"));
    return true;
  }
  return false;
}

}  // namespace

const ResourceRow& row_of(const Resolver& r, Resource resource) {
  return r.policy.resources[static_cast<std::size_t>(resource)];
}

std::string in_words(const Resolver& r, Resource resource, std::int64_t amount) {
  return human_amount(row_of(r, resource), amount);
}

std::string devices_in_words(const Resolver& r, std::uint32_t pool, const Resources& amounts) {
  std::string text;
  for (const Resource resource : devices_first(r, pool, amounts))
    if (row_of(r, resource).device) add_to_list(text, in_words(r, resource, amounts[resource]));
  return text;
}

bool is_cut(const Resolver& r, std::uint32_t pool) {
  using Mode = Partition::Mode;
  const Mode mode = r.policy.pools[pool].partition.mode;
  return mode == Mode::Mig || mode == Mode::TimeSlices || mode == Mode::Mps;
}

std::vector<Resource> devices_first(const Resolver& r, std::uint32_t pool, const Resources& amounts) {
  std::vector<Resource> order;
  if (!is_cut(r, pool)) order.push_back(Resource::Gpu);
  for (const auto& [resource, amount] : amounts)
    if (!row_of(r, resource).profile.empty()) order.push_back(resource);
  order.insert(order.end(), std::begin(kBesideDevices), std::end(kBesideDevices));
  return order;
}

Resources allocatable(const NodeGroup& group) {
  Resources left = group.each;
  left -= group.daemons;
  return left;
}

Resources room_of_node(Resolver& r, std::uint32_t pool) {
  Resources node = allocatable(r.policy.groups[r.policy.pools[pool].group]);
  if (!is_cut(r, pool)) return node;
  const std::int64_t devices = std::exchange(node[Resource::Gpu], 0);
  const Partition& partition = r.policy.pools[pool].partition;
  for (const Slices& slices : partition.layout) {
    std::int64_t& has = node[slices_of(r, slices.profile)];
    has = times(devices, slices.count);
    if (partition.counted) {  // how many of them are on one node is not known yet: at most
      const MigProfile* profile = partition.device ? profile_of(*partition.device, slices.profile) : nullptr;
      has = std::min(slices.count, times(devices, profile && profile->most ? *profile->most : kMostMemorySlices));
    }
  }
  return node;
}

std::optional<Resources> share_of_nodes(Resolver& r, std::uint32_t pool, const Resources& amounts) {
  const Resources node = room_of_node(r, pool);
  const std::int64_t some = weight_of(r, pool, amounts);
  const Pool& of = r.policy.pools[pool];
  const std::int64_t all = of.partition.mode == Partition::Mode::Mig
                               ? compute_of_node(of.partition, r.policy.groups[of.group].each[Resource::Gpu])
                               : weight_of(r, pool, node);
  if (all == 0) return std::nullopt;
  Resources share;
  for (const auto& [resource, amount] : amounts)
    if (row_of(r, resource).device) share[resource] = amount;
  for (const Resource resource : kBesideDevices) {
    const std::int64_t part = share_of_slices(node[resource], some, all);
    if (part > kLargestProduct) return std::nullopt;
    share[resource] = part;
  }
  share[Resource::Memory] -= share[Resource::Memory] % kMiB;
  return share;
}

bool pool_sound(const Resolver& r, std::uint32_t pool) {
  if (pool == kNone) return false;
  const std::uint32_t group = r.policy.pools[pool].group;
  return group != kNone && r.group_facts[group].each_sound;
}

std::optional<ResourceAmounts> amounts_on(Resolver& r, const ast::Amounts& written, std::uint32_t pool, Span span,
                                          std::string_view what) {
  const auto sliced = std::ranges::find_if(written, is_slices);
  if (pool != kNone && is_cut(r, pool)) return slices_on(r, written, r.policy.pools[pool], span);
  if (sliced == written.end()) return resources(written, what, r.diagnostics);
  if (pool != kNone)
    error(r, code::WrongUnit, sliced->span,
          fmt::format("the devices of pool `{}` are not cut: expected GPUs such as `8 gpus`, found `{}`",
                      r.policy.pools[pool].name, text_of(*sliced)),
          is_unit(sliced->unit, Dimension::Shares) ? "count GPUs, or share them: `pool ... as mps 4`"
                                                   : "count GPUs, or cut the pool: `pool ... as mig { 2 x 3g.40gb }`");
  return std::nullopt;
}

std::optional<Share> share_of_pool(Resolver& r, const ast::Amounts& amounts, const ast::Name& pool, Span span,
                                   std::string_view clause, Zero zero) {
  const std::uint32_t index = r.is_module() ? kNone : r.pools.find(pool);
  const auto found = amounts_on(r, amounts, index, span, "an amount");
  if (!found) return std::nullopt;
  Share share{{index, {}, span}, found->stated};
  const bool cut = index != kNone && is_cut(r, index);
  if (!cut && !found->stated[static_cast<std::size_t>(Resource::Gpu)]) {
    error(r, code::MissingClause, span, fmt::format("`{}` states no gpus", clause),
          fmt::format("write `{} N gpus` first: cpu, memory and pods go with them", clause));
    return std::nullopt;
  }
  if (!pool_sound(r, index)) return std::nullopt;
  const auto derived = share_of_nodes(r, index, found->amounts);
  if (!derived) {
    error(r, code::OutOfRange, span,
          fmt::format("what goes with {} of `{}` is too large", devices_in_words(r, index, found->amounts), pool.text),
          fmt::format("state fewer {}", cut ? "slices" : "gpus"));
    return std::nullopt;
  }
  share.amount.amount = *derived;
  for (std::size_t i = 0; i < kCommonResources; ++i)
    if (const auto resource = static_cast<Resource>(i); found->stated[i])
      share.amount.amount[resource] = found->amounts[resource];
  if (zero == Zero::Refused && refuse_zeros(r, share, clause)) return std::nullopt;
  return share;
}

void clamp_unstated(Share& share, const Resources& owned) {
  for (std::size_t i = 0; i < kCommonResources; ++i)
    if (const auto resource = static_cast<Resource>(i); !share.stated[i])
      share.amount.amount[resource] = std::min(share.amount.amount[resource], owned[resource]);
}

std::optional<Resource> more_than(const Resolver& r, const PoolAmount& asked, const Resources& owned) {
  for (const Resource resource : devices_first(r, asked.pool, asked.amount))
    if (asked.amount[resource] > owned[resource]) return resource;
  return std::nullopt;
}

}  // namespace gpol
