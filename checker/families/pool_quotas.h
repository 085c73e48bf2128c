// What a scheduler lets queues use of one pool, as the capacity family compares it with the devices. In: a cluster and
// its intent. Out: sums that hold in every reachable state, in base units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/families/families.h"
#include "checker/story/stories.h"

namespace gpol {

inline constexpr std::int64_t kUncountable = INT64_MAX;  // more than can be counted, or without a bound

struct PoolQuota {
  std::int64_t quotas = 0;      // the most that all queues use at once, over all windows
  bool lent = false;            // some queue can be given what another one owns
  bool serving_covers = false;  // a serving queue is bounded in it, in whatever pool
  std::vector<Span> lines;      // of what has quota there
  std::string uncharged;        // why no quota says who uses it; empty: quotas do
  std::string undeclared;       // who uses it without quota; empty: nobody
};

class PoolQuotas {
 public:
  virtual ~PoolQuotas() = default;
  virtual PoolQuota of(std::uint32_t flavor, std::uint32_t resource) const = 0;
  // Why the sums are not proven; empty: they are.
  virtual std::string unproven() = 0;
  // How queues come to use one more than the devices; nothing: no story of it is known.
  virtual std::optional<Story> tell(const PoolCapacity& capacity, std::uint32_t resource, std::int64_t devices) = 0;
};

std::unique_ptr<PoolQuotas> kueue_quotas(const Proof& proof);
std::unique_ptr<PoolQuotas> volcano_quotas(const Proof& proof);

}  // namespace gpol
