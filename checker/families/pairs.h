// What every obligation about a queue starts from: its (flavor, resource) pairs in the order of the contract, their
// units and words, and the policy lines that a proof about the queue rests on. In: cluster, intent, origins. Out:
// values with views into them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "checker/families/families.h"
#include "checker/kueue/forest.h"

namespace gpol {

struct Pair {
  std::uint32_t flavor = 0, resource = 0;  // into Cluster::flavors, Cluster::resources
};
// In order of groups, flavors, covered resources: QueueRole::reserve and permitted are parallel to it.
std::vector<Pair> pairs_of(const Queue& queue);
// Those that it lists, each once.
std::set<std::uint32_t> flavors_of(const Queue& queue);
bool one_flavor_each(const Queue& queue);  // in each resource group
bool covers(const Queue& queue, const std::string& resource, const Cluster& cluster);

Unit unit_of(std::string_view resource);

// Zero where the role says nothing of the pair (batch, or no role).
std::int64_t reserve_at(const QueueRole& role, std::size_t pair);
std::int64_t permitted_at(const QueueRole& role, std::size_t pair);

// All quota of one (flavor, resource), the quotas that lending limits keep local included: what all queues together can
// use at most. The sum of the roots' subtree quotas is not that: it leaves out every local quota.
std::int64_t all_quotas(const kueue::Limits& limits);

// Where the policy says what the queue owns; else where it says who it is.
inline Span reserved_at(const QueueRole& role) {
  return role.reserve_span.known() ? role.reserve_span : role.name_span;
}
// Subject, unit, reserve, span and code filled in; verdict undecided, nothing that counts.
Obligation obligation_about(const Proof& proof, Family family, Code code, std::uint32_t queue, Pair pair,
                            std::int64_t reserve);

// Where the policy wrote this field of a ClusterQueue, in Kueue's own word for it; nothing where the safe pattern did.
std::optional<Span> written(const Proof& proof, std::uint32_t queue, std::string_view field);

// The lines a proof about the queue rests on: its name, class, reserve, allows and the cohorts above it. Sorted, known.
std::vector<Span> lines_of(const Proof& proof, const kueue::Shape& shape, std::uint32_t queue);
std::shared_ptr<const std::vector<Span>> as_core(std::vector<Span> spans);

}  // namespace gpol
