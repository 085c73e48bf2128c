// Resources by id, and amounts of them. A resource is a row of the table of a policy: cpu, memory, GPUs and pods are
// rows of every table, slices of GPUs further ones. Base units everywhere: cpu in millicores, memory in bytes, devices
// and slices in pieces, pods in pods.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpol {

// An index into Policy::resources. These are rows of every policy, in the order in which their quotas are emitted.
enum class Resource : std::uint32_t { Cpu, Memory, Gpu, Pods };
inline constexpr std::size_t kCommonResources = 4;

struct ResourceRow {
  enum class Unit : std::uint8_t { Millicores, Bytes, Devices, Slices, Shares, Pods };
  std::string name;  // of Kubernetes: "nvidia.com/gpu", "nvidia.com/mig-3g.40gb"
  Unit unit = Unit::Devices;
  bool device = false;  // pods hold it alone, and what asks for it must be let in
  std::string words;    // what there are so many of: "gpus", "slices of `3g.40gb`"
  std::string profile;  // of slices: "3g.40gb"; of shares: kShares
};
using ResourceTable = std::vector<ResourceRow>;

// The four rows of every policy.
const ResourceTable& common_resources();
// What a pool's devices are cut into where they are shared: each is so many of this, which is no profile of MIG.
inline constexpr std::string_view kShares = "shared";
// The row of slices of a profile, or of shares.
ResourceRow slices_row(std::string_view profile);
// Of one of the four: its Kubernetes name.
std::string_view resource_name(Resource resource);

// Of Kubernetes' names. A device: an extended resource, which pods hold alone.
inline bool is_device(std::string_view name) { return name.find('/') != std::string_view::npos; }
// What an amount of GPUs counts.
inline bool is_gpu(std::string_view name) { return name == "nvidia.com/gpu"; }
// A slice of one: how many there are is counted by profile.
inline constexpr std::string_view kSlicePrefix = "nvidia.com/mig-";
inline bool is_slice(std::string_view name) { return name.starts_with(kSlicePrefix); }
// A GPU, a slice of one or a share of one, as device plugins name them: a pod asks for one kind of them.
inline bool is_gpu_or_slice(std::string_view name) {
  return name.ends_with("/gpu") || is_slice(name) || name == "nvidia.com/gpu.shared";
}
// One of the four by its name; null: none of them.
const ResourceRow* common_resource(std::string_view name);

// An amount of each resource; of those that are not named 0.
class Resources {
 public:
  using Entry = std::pair<Resource, std::int64_t>;
  std::int64_t operator[](Resource resource) const;
  std::int64_t& operator[](Resource resource);
  // Those that were named, by id.
  std::vector<Entry>::const_iterator begin() const { return entries_.begin(); }
  std::vector<Entry>::const_iterator end() const { return entries_.end(); }
  Resources& operator+=(const Resources& other);
  Resources& operator-=(const Resources& other);
  void raise_to(const Resources& other);  // the larger of both, of each
  friend bool operator==(const Resources& a, const Resources& b);

 private:
  std::vector<Entry> entries_;  // sorted by id
};

// The ids of which something may have to be said, devices first: GPUs, the slices among the amounts, cpu, memory, pods.
std::vector<Resource> devices_first(const Resources& amounts);

}  // namespace gpol
