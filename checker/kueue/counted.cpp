#include "checker/kueue/counted.h"

#include <algorithm>

#include "checker/kueue/amount.h"
#include "checker/kueue/gates.h"
#include "checker/planted.h"
#include "compiler/source/lookup.h"

namespace gpol::kueue {

namespace {

// Quantities are exact decimals: 10^-15 is finer than what an amount (10^-3 for cpu), a factor (10^-9) and a multiplier
// can make together. Beyond 10^37 they stay there; upstream clamps to 64 bits in the end.
__extension__ using Wide = __int128;
constexpr int kPlaces = 15;

constexpr Wide power_of_ten(int n) { return n == 0 ? Wide{1} : 10 * power_of_ten(n - 1); }
constexpr Wide kMost = power_of_ten(37);

Wide within(Wide value) { return std::clamp(value, -kMost, kMost); }

Wide times(Wide a, Wide b) {
  if (a == 0 || b == 0) return 0;
  const bool negative = (a < 0) != (b < 0);
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  const Wide product = a > kMost / b ? kMost : a * b;
  return negative ? -product : product;
}

struct Decimal {
  Wide digits = 0;
  int places = 0;  // digits * 10^-places
};

Decimal product(const Decimal& a, const Decimal& b) { return {times(a.digits, b.digits), a.places + b.places}; }

// In units of 10^-15.
Wide scaled(const Decimal& value) { return times(value.digits, power_of_ten(kPlaces - value.places)); }

// A plain decimal such as "-0.25" (cluster.h).
Decimal decimal_of(std::string_view text) {
  Decimal value;
  const bool negative = text.starts_with('-');
  bool fraction = false;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    value.digits = std::min(times(value.digits, 10) + (c - '0'), kMost);
    if (fraction) ++value.places;
  }
  if (negative) value.digits = -value.digits;
  return value;
}

// Amounts are kept in thousandths of a cpu and in whole units of everything else.
int places_of(std::string_view resource) { return resource == "cpu" ? 3 : 0; }

// pkg/resources/requests.go ResourceValue: rounded up, and no less than 0 (FloorToZero).
std::int64_t base_units(Wide value, std::string_view resource) {
  if (value <= 0) return 0;
  const Wide unit = power_of_ten(kPlaces - places_of(resource));
  const Wide units = (value + unit - 1) / unit;
  return units > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(units);
}

bool excluded(const KueueConfig& config, std::string_view resource) {
  return std::ranges::any_of(config.excluded_prefixes,
                             [&](const std::string& prefix) { return resource.starts_with(prefix); });
}

const Transformation* transformation_of(const KueueConfig& config, std::string_view resource) {
  return find_by(config.transformations, resource, &Transformation::input);
}

// Of one pod, by resource. Transformations are of what was asked for: one never sees what another one makes.
using Pod = std::map<std::string, Decimal, std::less<>>;

std::map<std::string, Wide> transformed(const KueueConfig& config, const Pod& pod) {
  std::map<std::string, Wide> kept, generated;
  for (const auto& [resource, amount] : pod) {
    const Transformation* transformation = transformation_of(config, resource);
    if (transformation == nullptr || !transformation->replace) kept[resource] = scaled(amount);
    if (transformation == nullptr) continue;
    const auto by = pod.find(transformation->multiply_by);
    const Decimal input = by == pod.end() ? amount : product(amount, by->second);
    for (const auto& [output, factor] : transformation->outputs)
      generated[output] = within(generated[output] + scaled(product(input, decimal_of(factor))));
  }
  for (const auto& [resource, amount] : generated) kept[resource] += std::max<Wide>(0, amount);
  return kept;
}

// A resource that no queue or cohort names has no index, and nobody offers it: that of one beyond all.
std::uint32_t index_of(const Cluster& cluster, std::string_view resource) {
  return static_cast<std::uint32_t>(std::ranges::find(cluster.resources, resource) - cluster.resources.begin());
}

void transform(const Cluster& cluster, std::vector<Request>& requests, std::int64_t pods) {
  Pod pod;
  for (const Request& request : requests) {
    const std::string& name = cluster.resources[request.resource];
    if (name != "pods" && !excluded(cluster.config, name))
      pod[name] = {request.amount / std::max<std::int64_t>(1, pods), places_of(name)};
  }
  std::erase_if(requests, [&](const Request& request) { return cluster.resources[request.resource] != "pods"; });
  for (const auto& [resource, amount] : transformed(cluster.config, pod)) {
    std::int64_t all = 0;
    if (__builtin_mul_overflow(base_units(amount, resource), pods, &all)) all = INT64_MAX;
    requests.push_back({index_of(cluster, resource), all});
  }
  std::ranges::sort(requests);
}

// flavorassigner.go: where the queue covers pods, whatever was asked for of them.
void add_pods(std::uint32_t pods, std::vector<Request>& requests, std::int64_t& count) {
  auto request = std::ranges::find(requests, pods, &Request::resource);
  if (request == requests.end()) request = requests.insert(requests.end(), {pods, 0});
  count = request->amount = std::max(count, request->amount);
  std::ranges::sort(requests);
}

}  // namespace

WorkloadSpec counted(const Cluster& cluster, WorkloadSpec spec) {
  if (!cluster.config.transformations.empty() || !cluster.config.excluded_prefixes.empty()) {
    transform(cluster, spec.requests, spec.count);
    for (PodSet& podset : spec.more) transform(cluster, podset.requests, podset.count);
  }
  const std::uint32_t pods = index_of(cluster, "pods");
  const auto& groups = cluster.queues.at(spec.queue).groups;
  const bool covered =
      std::ranges::any_of(groups, [&](const ResourceGroup& group) { return contains(group.covered, pods); });
  if (!covered || planted(Bug::ModelPodsUncounted)) return spec;
  add_pods(pods, spec.requests, spec.count);
  for (PodSet& podset : spec.more) add_pods(pods, podset.requests, podset.count);
  return spec;
}

std::string counted_otherwise(const KueueConfig& config, std::string_view resource) {
  if (excluded(config, resource)) return "resources.excludeResourcePrefixes leaves out " + std::string(resource);
  if (transformation_of(config, resource) != nullptr)
    return "resources.transformations with the input " + std::string(resource);
  return {};
}

std::string made_of_others(const KueueConfig& config, std::string_view resource) {
  for (const Transformation& transformation : config.transformations)
    if (transformation.outputs.contains(std::string(resource)))
      return "resources.transformations make " + std::string(resource) + " of " + transformation.input;
  return {};
}

bool uncharged(const KueueConfig& config, std::string_view resource) {
  const Transformation* transformation = transformation_of(config, resource);
  return excluded(config, resource) || (transformation != nullptr && transformation->replace);
}

std::string undeclared_by_others(const Cluster& cluster, std::uint32_t queue, std::string_view resource) {
  // Pods are counted where they are covered, and never asked for (add_pods).
  if (cluster.config.quota_check_strategy != "IgnoreUndeclared" || resource == "pods") return {};
  if (!Gates(cluster.config).on(Gate::QuotaCheckStrategy)) return {};
  const std::uint32_t wanted = index_of(cluster, resource);
  for (std::uint32_t other = 0; other < cluster.queues.size(); ++other) {
    if (other == queue || cluster.queues[other].stop == StopPolicy::HoldAndDrain) continue;
    const auto& groups = cluster.queues[other].groups;
    if (std::ranges::none_of(groups, [&](const ResourceGroup& group) { return contains(group.covered, wanted); }))
      return "resources.quotaCheckStrategy IgnoreUndeclared does not count what `" + cluster.queues[other].name +
             "` takes of " + std::string(resource) + ", which it does not cover";
  }
  return {};
}

std::string undeclared_by_others(const Cluster& cluster, std::uint32_t queue) {
  for (const ResourceGroup& group : cluster.queues.at(queue).groups)
    for (const std::uint32_t resource : group.covered)
      if (std::string why = undeclared_by_others(cluster, queue, cluster.resources[resource]); !why.empty()) return why;
  return {};
}

PodRoom::PodRoom(const Cluster& cluster, const Shape& shape) : cluster_(cluster), shape_(shape) {
  if (uncharged(cluster.config, "pods") || !counted_otherwise(cluster.config, "pods").empty()) return;
  const auto at = std::ranges::find(cluster.resources, "pods");
  if (at != cluster.resources.end()) pods_ = static_cast<std::uint32_t>(at - cluster.resources.begin());
}

std::int64_t PodRoom::potential(std::uint32_t queue, std::uint32_t flavor) {
  const auto [known, fresh] = potential_.try_emplace(flavor);
  if (fresh) {
    bool exact = true;
    known->second = widest_limits(cluster_, shape_, flavor, *pods_, exact).potential;
    if (!exact) known->second.assign(known->second.size(), kUnlimited);
  }
  return known->second[queue];
}

bool PodRoom::has_room(std::uint32_t queue, std::uint32_t flavor) {
  if (!pods_) return true;
  for (const ResourceGroup& group : cluster_.queues[queue].groups) {
    if (!contains(group.covered, *pods_)) continue;
    const bool here = contains(group.flavors, flavor, &FlavorQuotas::flavor);
    return std::ranges::any_of(group.flavors, [&](const FlavorQuotas& row) {
      return (!here || row.flavor == flavor) && potential(queue, row.flavor) > 0;
    });
  }
  return true;
}

}  // namespace gpol::kueue
