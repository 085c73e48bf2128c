// A small cluster and what happens in it, written down in a few lines: the cases of cases.cpp.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/differential/history.h"

namespace gpol::differential {

using Limit = std::optional<std::int64_t>;
struct Q {
  std::int64_t nominal = 0;
  Limit borrowing = {}, lending = {};
};

class Scene {
 public:
  // One resource group of all resources; quotas are given flavor by flavor, in the order of the resources.
  explicit Scene(std::vector<std::string> flavors = {"f"}, std::vector<std::string> resources = {"gpu"});
  Scene& fair();
  Scene& cohort(const std::string& name, const std::string& parent = "", std::vector<Q> quotas = {});
  // BestEffortFIFO, reclaimWithinCohort Never, withinClusterQueue Never, until changed.
  Queue& queue(const std::string& name, const std::string& cohort, std::vector<Q> quotas);

  std::size_t submit(const std::string& queue, std::vector<std::int64_t> amounts, std::int64_t priority = 0,
                     bool again = false, Limit flavor = {});
  std::vector<std::size_t> units(const std::string& queue, int count, std::int64_t priority = 0, bool again = false);
  Scene& cycles(int count = 12);  // evictions end after each
  Scene& once();                  // one, and evictions go on
  Scene& finish(std::size_t workload);
  Scene& stop(const std::string& queue, StopPolicy policy);
  Scene& delist(const std::string& queue, std::uint32_t flavor);
  Scene& move(const std::string& queue, const std::string& cohort);
  Scene& edit_cohort(const std::string& name, const std::string& parent, std::vector<Q> quotas);
  Scene& delete_cohort(const std::string& name);
  Scene& set_quotas(const std::string& queue, std::vector<Q> quotas);  // once in a scene
  Scene& admitted(std::vector<std::size_t> workloads);
  Scene& not_all_admitted(std::vector<std::size_t> workloads);
  Scene& could_have(const std::string& queue, std::int64_t amount, std::uint32_t flavor = 0,
                    std::uint32_t resource = 0);

  // Plays it; throws std::runtime_error where the model does not do what the scene says.
  History play(const std::string& name);

 private:
  Op& put(Op::Kind kind);
  std::uint32_t index_of(const std::string& queue) const;
  ResourceGroup group(const std::vector<Q>& quotas) const;
  History history_;
  std::size_t submitted_ = 0;
};

}  // namespace gpol::differential
