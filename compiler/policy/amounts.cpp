// How many GPUs of a pool bring how much cpu, memory and pods with them.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"

namespace gpol {

namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t kLargestProduct = std::int64_t{1} << 58;  // units.h
constexpr std::int64_t kMiB = std::int64_t{1} << 20;

// A reserve with nothing of some resource is a reserve that no pod can use.
bool refuse_zeros(Resolver& r, const Share& share, std::string_view clause, std::string_view pool) {
  for (const auto resource : {Resource::Gpu, Resource::Cpu, Resource::Memory, Resource::Pods}) {
    if (share.amount.amount[resource] > 0) continue;
    const std::string_view word = resource == Resource::Gpu ? "gpus" : resource_name(resource);
    if (share.stated[static_cast<std::size_t>(resource)])
      error(r, code::OutOfRange, share.amount.span, fmt::format("`{}` of 0 {}", clause, word),
            fmt::format("state more than 0 {}", word));
    else
      error(r, code::OutOfRange, share.amount.span,
            fmt::format("{} of `{}` would bring 0 {}", human_amount(Resource::Gpu, share.amount.amount[Resource::Gpu]),
                        pool, word),
            fmt::format("state the {} beside the gpus", word));
    return true;
  }
  return false;
}

}  // namespace

Resources allocatable(const NodeGroup& group) {
  Resources left;
  for (std::size_t i = 0; i < kResources; ++i) left.of[i] = group.each.of[i] - group.daemons.of[i];
  return left;
}

std::optional<Resources> share_of_group(const NodeGroup& group, std::int64_t gpus) {
  const Resources node = allocatable(group);
  const std::int64_t per_node = node[Resource::Gpu];
  Resources share;
  for (std::size_t i = 0; i < kResources; ++i) {
    const Wide exact = static_cast<Wide>(gpus) * node.of[i] / per_node;
    if (exact > kLargestProduct) return std::nullopt;
    share.of[i] = static_cast<std::int64_t>(exact);
  }
  share[Resource::Memory] -= share[Resource::Memory] % kMiB;
  return share;
}

bool pool_sound(const Resolver& r, std::uint32_t pool) {
  if (pool == kNone) return false;
  const std::uint32_t group = r.policy.pools[pool].group;
  return group != kNone && r.group_facts[group].each_sound;
}

std::optional<Share> share_of_pool(Resolver& r, const ast::Amounts& amounts, const ast::Name& pool, Span span,
                                   std::string_view clause, Zero zero) {
  const auto found = resources(amounts, "an amount", r.diagnostics);
  const std::uint32_t index = r.is_module() ? kNone : r.pools.find(pool);
  if (!found) return std::nullopt;
  Share share{{index, {}, span}, found->stated};
  if (!found->stated[static_cast<std::size_t>(Resource::Gpu)]) {
    error(r, code::MissingClause, span, fmt::format("`{}` states no gpus", clause),
          fmt::format("write `{} N gpus` first: cpu, memory and pods go with them", clause));
    return std::nullopt;
  }
  if (!pool_sound(r, index)) return std::nullopt;
  if (r.policy.pools[index].partition.mode == Partition::Mode::Mig) {
    error(r, code::WrongUnit, span,
          fmt::format("the devices of pool `{}` are cut, and `{}` counts GPUs", pool.text, clause),
          "name a pool whose devices are whole: slices are reserved and given as quota, and not lent yet")
        .labels.push_back({r.policy.pools[index].partition.span, "they are cut here"});
    return std::nullopt;
  }
  const auto derived = share_of_group(r.policy.groups[r.policy.pools[index].group], found->amounts[Resource::Gpu]);
  if (!derived) {
    error(r, code::OutOfRange, span,
          fmt::format("what goes with {} of `{}` is too large",
                      human_amount(Resource::Gpu, found->amounts[Resource::Gpu]), pool.text),
          "state fewer gpus");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < kResources; ++i)
    share.amount.amount.of[i] = found->stated[i] ? found->amounts.of[i] : derived->of[i];
  if (zero == Zero::Refused && refuse_zeros(r, share, clause, pool.text)) return std::nullopt;
  return share;
}

void clamp_unstated(Share& share, const Resources& owned) {
  for (std::size_t i = 0; i < kResources; ++i)
    if (!share.stated[i]) share.amount.amount.of[i] = std::min(share.amount.amount.of[i], owned.of[i]);
}

}  // namespace gpol
