// What differs beside what is promised: quotas of batch, the nodes of each pool, how their GPUs are cut or shared, what
// the GPU Operator is told, and guards. In: two sides. Out: a row for each that differs, in words; what is the same has
// none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/diff/compare.h"

namespace gpol {

std::vector<ConfigurationRow> configuration_rows(const DiffSide& before, const DiffSide& after);

// The parts of it, each of two sides that have a plan.
// Of queues to which nothing is promised; of their cpu, memory and pods only where no device differs.
void compare_quotas(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out);
// Which kinds Kueue takes, and whether it holds back what names no queue; the shape of a replica.
void compare_kueue(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out);
void compare_replicas(const DiffSide& before, const DiffSide& after, std::vector<ConfigurationRow>& out);
void compare_nodes(const DiffSide& before, const DiffSide& after, std::vector<ConfigurationRow>& out);
void compare_layouts(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out);
void compare_sharing(const DiffSide& before, const DiffSide& after, std::vector<ConfigurationRow>& out);
void compare_gateways(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out);
void compare_guards(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out);

// Facts in words, by a key: those that differ, of each side; "-" where one has none of them.
using Facts = std::map<std::string, std::string>;
std::pair<std::string, std::string> differing(const Facts& before, const Facts& after);

// By index into Cluster::flavors; absent: it has no such flavor.
std::optional<std::uint32_t> flavor_of(const Cluster& cluster, std::string_view name);
// Whose pods with GPUs or slices may stand on nodes of the flavor (absent: on any), in a sentence.
std::string pods_that_stand(const Planned& side, std::optional<std::uint32_t> flavor);
inline constexpr const char* kDrain = "for one node after another: kubectl drain NODE --ignore-daemonsets";

}  // namespace gpol
