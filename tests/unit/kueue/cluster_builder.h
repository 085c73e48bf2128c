// Small clusters for tests of checker/kueue, a line per queue or cohort. Flavors and resources are made as they are
// first named; every queue and cohort has one resource group over the resources of its quotas.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol::testing {

// A quota with every field optional to write: {.nominal = 8, .lending = 0}.
struct Q {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing = std::nullopt;
  std::optional<std::int64_t> lending = std::nullopt;
  Quota quota() const { return {nominal, borrowing, lending}; }
};

struct Builder {
  Cluster cluster;
  Builder() {
    cluster.modes.push_back({"base", {}});
    cluster.flavors.push_back({"h100", {{"pool", "h100"}}, {}, {}, ""});
    cluster.resources.push_back("gpu");
  }

  // One flavor, one resource.
  Queue& queue(const std::string& name, const std::string& cohort, Q gpu = {}) {
    return queue(name, cohort, {"gpu"}, {{"h100", {gpu}}});
  }

  struct FlavorRow {
    std::string flavor;
    std::vector<Q> quotas;
  };
  Queue& queue(const std::string& name, const std::string& cohort, const std::vector<std::string>& covered,
               const std::vector<FlavorRow>& rows) {
    Queue q;
    q.name = name;
    q.cohort = cohort;
    q.groups = {group(covered, rows)};
    q.namespaces.present = true;
    cluster.queues.push_back(std::move(q));
    return cluster.queues.back();
  }

  CohortNode& cohort(const std::string& name, const std::string& parent) {
    cluster.cohorts.push_back({name, parent, {}, ""});
    return cluster.cohorts.back();
  }
  CohortNode& cohort(const std::string& name, const std::string& parent, Q gpu) {
    cohort(name, parent).groups = {group({"gpu"}, {{"h100", {gpu}}})};
    return cluster.cohorts.back();
  }

  std::uint32_t flavor(const std::string& name) {
    const auto found =
        std::find_if(cluster.flavors.begin(), cluster.flavors.end(), [&](const Flavor& f) { return f.name == name; });
    if (found != cluster.flavors.end()) return static_cast<std::uint32_t>(found - cluster.flavors.begin());
    cluster.flavors.push_back({name, {{"pool", name}}, {}, {}, ""});
    return static_cast<std::uint32_t>(cluster.flavors.size() - 1);
  }

  std::uint32_t resource(const std::string& name) {
    const auto found = std::find(cluster.resources.begin(), cluster.resources.end(), name);
    if (found != cluster.resources.end()) return static_cast<std::uint32_t>(found - cluster.resources.begin());
    cluster.resources.push_back(name);
    return static_cast<std::uint32_t>(cluster.resources.size() - 1);
  }

  ResourceGroup group(const std::vector<std::string>& covered, const std::vector<FlavorRow>& rows) {
    ResourceGroup g;
    for (const auto& name : covered) g.covered.push_back(resource(name));
    for (const auto& row : rows) {
      g.flavors.push_back({flavor(row.flavor), {}});
      for (const auto& q : row.quotas) g.flavors.back().quotas.push_back(q.quota());
    }
    return g;
  }
};

}  // namespace gpol::testing
