#include "checker/families/pairs.h"

#include <algorithm>

#include "compiler/cluster/listed.h"

namespace gpol {

std::vector<Pair> pairs_of(const Queue& queue) {
  std::vector<Pair> pairs;
  for (const ListedQuota& one : listed_quotas(queue.groups)) pairs.push_back({one.flavor, one.resource});
  return pairs;
}

std::set<std::uint32_t> flavors_of(const Queue& queue) {
  std::set<std::uint32_t> flavors;
  for (const FlavorQuotas& row : listed_flavors(queue.groups)) flavors.insert(row.flavor);
  return flavors;
}

bool covers(const Queue& queue, const std::string& resource, const Cluster& cluster) {
  return std::ranges::any_of(queue.groups, [&](const ResourceGroup& group) {
    return std::ranges::any_of(group.covered, [&](std::uint32_t r) { return cluster.resources[r] == resource; });
  });
}

bool one_flavor_each(const Queue& queue) {
  return std::ranges::all_of(queue.groups, [](const ResourceGroup& group) { return group.flavors.size() == 1; });
}

Unit unit_of(std::string_view resource) {
  if (resource == "cpu") return Unit::Cores;
  if (resource == "memory" || resource == "ephemeral-storage") return Unit::Bytes;
  if (resource == "pods") return Unit::Pods;
  if (is_slice(resource)) return Unit::Slices;
  return resource.ends_with("/gpu") ? Unit::Devices : Unit::Units;
}

std::int64_t reserve_at(const QueueRole& role, std::size_t pair) {
  return pair < role.reserve.size() ? role.reserve[pair] : 0;
}

std::int64_t permitted_at(const QueueRole& role, std::size_t pair) {
  return role.isolation == Isolation::B && pair < role.permitted.size() ? role.permitted[pair] : 0;
}

std::int64_t all_quotas(const kueue::Limits& limits) {
  std::int64_t sum = 0;
  for (const std::int64_t nominal : limits.nominal) sum = kueue::saturating_add(sum, nominal);
  return sum;
}

Obligation obligation_about(const Proof& proof, Family family, Code code, std::uint32_t queue, Pair pair,
                            std::int64_t reserve) {
  const QueueRole& role = proof.intent.roles[queue];
  const std::string& resource = proof.cluster.resources[pair.resource];
  Obligation o = obligation(family, code, Verdict::Undecided,
                            {"ClusterQueue", proof.cluster.queues[queue].name, role.tenant,
                             proof.cluster.flavors[pair.flavor].name, resource},
                            reserved_at(role));
  o.required = false;
  o.figures.reserve = reserve;
  o.figures.unit = unit_of(resource);
  return o;
}

std::optional<Span> written(const Proof& proof, std::uint32_t queue, std::string_view field) {
  const auto found =
      proof.origins.field.find("ClusterQueue/" + proof.cluster.queues[queue].name + " " + std::string(field));
  if (found == proof.origins.field.end() || !found->second.known()) return std::nullopt;
  return found->second;
}

std::vector<Span> lines_of(const Proof& proof, const kueue::Shape& shape, std::uint32_t queue) {
  const QueueRole& role = proof.intent.roles[queue];
  std::vector<Span> spans{role.name_span, role.class_span, role.reserve_span};
  spans.insert(spans.end(), role.allow_spans.begin(), role.allow_spans.end());
  for (const auto* field : {"cohortName", "lendingLimit", "borrowingLimit"})
    if (const auto span = written(proof, queue, field)) spans.push_back(*span);
  if (!shape.in_cycle[queue])
    for (kueue::Node v = shape.parent[queue]; v != kueue::kRoot; v = shape.parent[v])
      if (v - shape.queues < proof.origins.cohort.size()) spans.push_back(proof.origins.cohort[v - shape.queues]);
  return spans;
}

std::shared_ptr<const std::vector<Span>> as_core(std::vector<Span> spans) {
  std::erase_if(spans, [](const Span& span) { return !span.known(); });
  std::ranges::sort(spans);
  spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
  return std::make_shared<const std::vector<Span>>(std::move(spans));
}

}  // namespace gpol
