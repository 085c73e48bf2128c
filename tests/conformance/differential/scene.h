// A small cluster and what happens in it, written down in a few lines: the cases of cases.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/differential/history.h"

namespace gpol::differential {

using Limit = std::optional<std::int64_t>;
using Id = std::size_t;  // of a workload, in the order of submission
struct Q {
  std::int64_t nominal = 0;
  Limit borrowing = {}, lending = {};
};

class Scene {
 public:
  // One resource group of all resources; quotas are given flavor by flavor, in the order of the resources.
  explicit Scene(std::vector<std::string> flavors = {"f"}, std::vector<std::string> resources = {"gpu"});
  // The cluster as gpol reads it from YAML; the judge reads the same bytes. Throws where they are not understood.
  static Scene of_manifests(const std::string& yaml);
  Scene& fair();
  Scene& gate(const std::string& name, bool on);
  KueueConfig& config() { return history_.cluster.config; }
  KueueConfig::WaitForPodsReady& pods_ready();
  Scene& cohort(const std::string& name, const std::string& parent = "", std::vector<Q> quotas = {});
  // BestEffortFIFO, reclaimWithinCohort Never, withinClusterQueue Never, until changed.
  Queue& queue(const std::string& name, const std::string& cohort, std::vector<Q> quotas);
  Queue& queue_named(const std::string& name);

  Id submit(const std::string& queue, std::vector<std::int64_t> amounts, std::int64_t priority = 0, bool again = false,
            Limit flavor = {});
  std::vector<Id> units(const std::string& queue, int count, std::int64_t priority = 0, bool again = false);
  Id gang(const std::string& queue, int pods, std::vector<std::int64_t> amounts, std::int64_t priority = 0);
  Scene& boosted(std::int64_t boost);                                   // the last submission
  kueue::WorkloadSpec& last() { return history_.ops.back().workload; }  // just submitted: what few cases say of it
  Cluster& cluster() { return history_.cluster; }                       // before anything happens
  Scene& cycles(int count = 12);                                        // evictions end after each
  Scene& once();                                                        // one, and evictions go on
  Scene& release();                                                     // evictions end
  Scene& finish(Id workload);
  Scene& ready(Id workload, bool ready = true);
  Scene& ended(Id workload);  // the pods of its first podset
  Scene& time_out(Id workload);
  Scene& wait(std::int64_t seconds);
  Scene& stop(const std::string& queue, StopPolicy policy);
  Scene& stop_local(const std::string& queue, StopPolicy policy);  // the LocalQueue that all workloads come through
  Scene& flavor(std::uint32_t flavor, bool exists);
  Scene& delist(const std::string& queue, std::uint32_t flavor);
  Scene& move(const std::string& queue, const std::string& cohort);
  Scene& edit_cohort(const std::string& name, const std::string& parent, std::vector<Q> quotas);
  Scene& delete_cohort(const std::string& name);
  Scene& set_quotas(const std::string& queue, std::vector<Q> quotas);  // once in a scene
  Scene& admitted(std::vector<Id> workloads);
  Scene& not_all_admitted(std::vector<Id> workloads);
  // Whether `ask` was admitted, and by that it costs some of `held`: otherwise all of them are.
  Scene& reclaimed(bool yes, Id ask, const std::vector<Id>& held);
  Scene& could_have(const std::string& queue, std::int64_t amount, std::uint32_t flavor = 0,
                    std::uint32_t resource = 0);
  std::uint32_t resource(const std::string& name) const;  // its number
  // Requests by number of the resource.
  std::vector<std::int64_t> amounts(const std::map<std::uint32_t, std::int64_t>& of) const;

  // Plays it; throws std::runtime_error where the model does not do what the scene says.
  History play(const std::string& name);

 private:
  Op& put(Op::Kind kind);
  std::uint32_t index_of(const std::string& queue) const;
  ResourceGroup group(const std::vector<Q>& quotas) const;
  History history_;
  std::size_t submitted_ = 0;
};

Queue& reclaims(Queue& queue, Reclaim policy = Reclaim::Any);
Queue& borrows_by_evicting(Queue& queue, Limit threshold = {});  // borrowWithinCohort LowerPriority

// Serving owns four units, batch nothing, and batch holds them all in workloads of one unit.
struct Lent {
  Scene scene;
  std::vector<Id> batch;
  explicit Lent(Reclaim policy, std::int64_t priority = 0, bool fair = false);
};

}  // namespace gpol::differential
