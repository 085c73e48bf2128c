#include "compiler/policy/resources.h"

#include <algorithm>
#include <stdexcept>

#include "compiler/source/lookup.h"

namespace gpol {

const ResourceTable& common_resources() {
  using Unit = ResourceRow::Unit;
  static const ResourceTable kTable = {{"cpu", Unit::Millicores, false, "cpu", ""},
                                       {"memory", Unit::Bytes, false, "memory", ""},
                                       {"nvidia.com/gpu", Unit::Devices, true, "gpus", ""},
                                       {"pods", Unit::Pods, false, "pods", ""}};
  return kTable;
}

// As NVIDIA's device plugin names them where every profile has a resource of its own (its strategy `mixed`): `+` is no
// letter of a resource's name.
ResourceRow slices_row(std::string_view profile) {
  if (profile == kShares)
    return {"nvidia.com/gpu.shared", ResourceRow::Unit::Shares, true, "shares", std::string(kShares)};
  ResourceRow row{std::string(kSlicePrefix) + std::string(profile), ResourceRow::Unit::Slices, true,
                  "slices of `" + std::string(profile) + "`", std::string(profile)};
  std::ranges::replace(row.name, '+', '.');
  return row;
}

std::string_view resource_name(Resource resource) {
  const auto row = static_cast<std::size_t>(resource);
  if (row >= kCommonResources) throw std::logic_error("internal error: a resource that is not in every policy");
  return common_resources()[row].name;
}

const ResourceRow* common_resource(std::string_view name) {
  return find_by(common_resources(), name, &ResourceRow::name);
}

namespace {

template <class Entries>
auto place_of(Entries& entries, Resource resource) {
  return std::ranges::lower_bound(entries, resource, {}, &Resources::Entry::first);
}

}  // namespace

std::int64_t Resources::operator[](Resource resource) const {
  const auto at = place_of(entries_, resource);
  return at != entries_.end() && at->first == resource ? at->second : 0;
}

std::int64_t& Resources::operator[](Resource resource) {
  if (entries_.empty()) entries_.reserve(kCommonResources);
  auto at = place_of(entries_, resource);
  if (at == entries_.end() || at->first != resource) at = entries_.insert(at, {resource, 0});
  return at->second;
}

Resources& Resources::operator+=(const Resources& other) {
  for (const auto& [resource, amount] : other) (*this)[resource] += amount;
  return *this;
}

Resources& Resources::operator-=(const Resources& other) {
  for (const auto& [resource, amount] : other) (*this)[resource] -= amount;
  return *this;
}

void Resources::raise_to(const Resources& other) {
  for (const auto& [resource, amount] : other) (*this)[resource] = std::max((*this)[resource], amount);
}

bool operator==(const Resources& a, const Resources& b) {
  const auto within = [](const Resources& some, const Resources& all) {
    return std::ranges::all_of(some, [&](const auto& entry) { return all[entry.first] == entry.second; });
  };
  return within(a, b) && within(b, a);
}

std::vector<Resource> devices_first(const Resources& amounts) {
  std::vector<Resource> order{Resource::Gpu};
  for (const auto& [resource, amount] : amounts)
    if (static_cast<std::size_t>(resource) >= kCommonResources) order.push_back(resource);
  order.insert(order.end(), {Resource::Cpu, Resource::Memory, Resource::Pods});
  return order;
}

}  // namespace gpol
