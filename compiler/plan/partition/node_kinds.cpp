#include "compiler/plan/partition/node_kinds.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/policy/mig_layout.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// FNV-1a, 32 bits.
std::string hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08x}", hash);
}

std::string why_none(const NoLayouts& none, const std::string& device, const std::vector<Slices>& counts) {
  using Why = NoLayouts::Why;
  if (none.why == Why::UnknownPlace)
    return fmt::format("nobody is known to have listed the places of `{}` on `{}`", none.profile, device);
  if (none.why == Why::NeverFits) return fmt::format("no `{}` holds a slice of `{}`", device, none.profile);
  if (none.why == Why::TooFewDevices) {
    std::string alone;
    for (const Slices& one : none.alone) add_to_list(alone, fmt::format("{} for `{}`", one.count, one.profile));
    return fmt::format("{} take {}{} GPUs, and the pool has {}{}", slices_in_words(counts),
                       none.exactly ? "" : "at least ", none.needed, none.devices,
                       none.each_fits_alone && counts.size() > 1
                           ? fmt::format("; alone each would fit ({}), and slices of one card are counted once", alone)
                           : "");
  }
  return "the search for a layout came to its limit";
}

std::vector<Slices> counts_of(const DeviceLayout& device) {
  std::vector<Slices> counts;
  for (const Instance& one : device) {
    auto found = std::ranges::find(counts, one.profile, &Slices::profile);
    if (found == counts.end()) found = counts.insert(found, {one.profile, 0});
    ++found->count;
  }
  return counts;
}

// By what is in it, so that a name never comes to mean another layout: nodes carry it as a label, and MIG Manager cuts
// them anew when it starts.
std::string name_of_kind(const std::string& pool, const std::vector<std::vector<Slices>>& devices) {
  std::string text;
  for (const std::vector<Slices>& device : devices) text += slices_in_words(device) + ";";
  return pool + "." + hash_of(text);
}

// Of each profile of the pool, what reserves and quotas promise together; where nobody serves from it, quotas are held
// against what is there before a node is lost (the capacity family).
std::vector<Slices> promised(const Policy& policy, std::size_t pool) {
  std::vector<Slices> out;
  const auto of_pool = [&](const PoolAmount& amount) { return amount.pool == pool; };
  if (std::ranges::none_of(policy.tenants,
                           [&](const Tenant& tenant) { return std::ranges::any_of(tenant.reserves, of_pool); }))
    return out;
  for (std::uint32_t r = kCommonResources; r < policy.resources.size(); ++r) {
    std::int64_t sum = 0;
    for (const Tenant& tenant : policy.tenants)
      for (const auto* amounts : {&tenant.reserves, &tenant.quotas})
        for (const PoolAmount& amount : *amounts)
          if (amount.pool == pool) sum = sum_of({sum, amount.amount[Resource{r}]});
    if (sum > 0 && !policy.resources[r].profile.empty()) out.push_back({policy.resources[r].profile, sum});
  }
  return out;
}

}  // namespace

// A name of a configuration is the value of a label: 63 bytes at most, with the hash of a kind of node behind it. No
// pool's own name has a dot in it here.
std::string config_name(const Policy& policy, std::size_t pool) {
  constexpr std::size_t kLongest = 63 - 5 - 9;
  const std::string& name = policy.pools[pool].name;
  return name.size() <= kLongest ? "gpol-" + name : "gpol." + hash_of(name);
}

bool names_a_kind(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return (name.starts_with("gpol-") || name.starts_with("gpol.")) && dot != std::string_view::npos &&
         name.size() - dot == 9 && name.find_first_not_of("0123456789abcdef", dot + 1) == std::string_view::npos;
}

std::int64_t slices_given(const NodeKind& kind, std::string_view resource) {
  std::int64_t sum = 0;
  for (const std::vector<Slices>& device : kind.devices)
    for (const Slices& slices : device)
      if (slices_row(slices.profile).name == resource) sum += slices.count;
  return sum;
}

NodeKind whole_again(const Policy& policy, std::size_t pool, std::int64_t devices, std::size_t nodes) {
  NodeKind kind{{}, static_cast<std::int64_t>(nodes), static_cast<std::int64_t>(nodes), {}};
  kind.devices.resize(static_cast<std::size_t>(devices));
  kind.config = name_of_kind(config_name(policy, pool), kind.devices);
  for (std::size_t node = 0; node < nodes; ++node) kind.of_before.push_back(static_cast<std::int64_t>(node));
  return kind;
}

CutNodesOfPool node_kinds(const Policy& policy, std::size_t index, const std::vector<NodeLayout>& previous) {
  const Pool& pool = policy.pools[index];
  CutNodesOfPool out;
  if (pool.partition.mode != Partition::Mode::Mig || !pool.partition.device) return out;
  const std::int64_t devices = policy.groups[pool.group].each[Resource::Gpu];
  const std::string name = config_name(policy, index);
  if (!pool.partition.counted) {
    NodeKind kind{{}, pool.nodes_min, pool.nodes_max, {}};
    kind.devices.assign(static_cast<std::size_t>(devices), pool.partition.layout);
    kind.config = name_of_kind(name, kind.devices);
    for (std::size_t node = 0; node < previous.size(); ++node)
      kind.of_before.push_back(static_cast<std::int64_t>(node));
    out.kinds.push_back(std::move(kind));
    return out;
  }
  const LayoutAnswer answer =
      fewest_devices(*pool.partition.device, {pool.partition.layout, pool.nodes_max, devices, previous,
                                              policy.groups[pool.group].tolerate_lost, promised(policy, index)});
  if (const auto* none = std::get_if<NoLayouts>(&answer)) {
    out.none = why_none(*none, pool.partition.device->name, pool.partition.layout);
    out.unknown = none->why == NoLayouts::Why::Undecided || none->why == NoLayouts::Why::UnknownPlace;
    out.kinds.push_back({name, pool.nodes_min, pool.nodes_max, {}});
    out.kinds.back().devices.resize(static_cast<std::size_t>(devices));
    return out;
  }
  const auto& layouts = std::get<Layouts>(answer);
  if (!previous.empty()) out.changed = layouts.devices_changed;
  for (const LaidOutNodes& alike : layouts.kinds) {
    NodeKind kind;
    for (const DeviceLayout& device : alike.devices) kind.devices.push_back(counts_of(device));
    kind.config = name_of_kind(name, kind.devices);
    auto found = std::ranges::find(out.kinds, kind.config, &NodeKind::config);
    if (found == out.kinds.end()) found = out.kinds.insert(found, std::move(kind));
    found->nodes_min += static_cast<std::int64_t>(alike.nodes.size());
    found->nodes_max = found->nodes_min;
    for (const std::int64_t node : alike.nodes)
      if (node < static_cast<std::int64_t>(previous.size())) found->of_before.push_back(node);
  }
  return out;
}

std::vector<std::string> cards_of(const std::vector<NodeKind>& kinds) {
  std::vector<std::pair<std::string, std::int64_t>> cards;
  for (const NodeKind& kind : kinds)
    for (const std::vector<Slices>& device : kind.devices) {
      const std::string card = device.empty() ? "not cut" : drawn(device);
      auto found = std::ranges::find(cards, card, &std::pair<std::string, std::int64_t>::first);
      if (found == cards.end()) found = cards.insert(found, {card, 0});
      found->second += kind.nodes_max;
    }
  std::vector<std::string> lines;
  for (const auto& [card, devices] : cards) lines.push_back(fmt::format("{} x  {}", devices, card));
  return lines;
}

std::int64_t slices_on(const NodeKind& kind, const std::string& profile) {
  std::int64_t sum = 0;
  for (const std::vector<Slices>& device : kind.devices)
    for (const Slices& slices : device)
      if (slices.profile == profile) sum += slices.count;
  return sum;
}

}  // namespace gpol
