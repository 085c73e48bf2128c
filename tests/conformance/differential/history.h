// A history: a random cluster and what happens in it, one event after another. gpol's executable model plays it and
// writes down the outcome of every scheduling cycle; the Go program in judge/ plays the same history in the real
// Kueue code and compares. Exchanged as JSON, one history a line.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "checker/kueue/model.h"
#include "compiler/cluster/cluster.h"

namespace gpol::differential {

struct Op {
  enum class Kind : std::uint8_t {
    Submit,
    Finish,
    Release,
    Mode,
    Stop,
    StopLocal,
    Delist,
    Move,
    Cohort,
    Flavor,
    Cycle,
    Expect,
    Available,
    Ready,  // the pods of a workload that holds quota are ready from now on, or no longer
    Evict,  // a workload's pods were not ready in time
    Ended,  // all pods of one podset of a workload have ended
    Wait
  };
  Kind kind = Kind::Cycle;
  kueue::WorkloadSpec workload;  // Submit
  std::size_t id = 0;            // Submit, Finish, Ready, Evict, Ended: the number of the workload in the history
  std::uint32_t podset = 0;      // Ended
  std::uint32_t mode = 0;        // Mode: into Cluster::modes; the limits are those of it from now on
  std::uint32_t queue = 0;       // Stop, StopLocal, Delist, Available
  std::uint32_t local = 0;       // StopLocal: which LocalQueue of the queue
  std::uint32_t flavor = 0;      // Available, Flavor; Delist: the queue no longer lists it, though it may be in use
  StopPolicy policy = StopPolicy::None;
  CohortNode cohort;     // Cohort: the object as it is from now on; Move: the name of the queue's new one
  bool deleted = false;  // Cohort, Flavor: it is gone
  // Cycle: what the model says is the case after it; "arbitrary" once upstream has made a choice that it leaves to
  // chance (fair_preemption.cpp).
  std::string outcome;
  // Expect, of verdicts: whether all these workloads are admitted now. Available: how much of (flavor, resource) the
  // queue could be admitted to at once, or at least.
  std::vector<std::size_t> workloads;
  bool admitted = false;
  std::uint32_t resource = 0;
  std::int64_t amount = 0;
  bool or_more = false;
  bool ready = true;
  std::int64_t seconds = 0;  // Wait; every other event but Expect and Available takes one
};

struct History {
  std::uint64_t seed = 0;
  Cluster cluster;
  std::string yaml;  // the manifests that `cluster` was read from; empty: it was made up
  std::vector<Op> ops;
};

// What the generator leaves out, in words, with the field that would bring it in: the closed list. Everything else of
// what the model covers is drawn.
inline constexpr const char* kLeftOut[] = {
    "topology-aware scheduling (ResourceFlavor.spec.topologyName)",
    "partial admission (Workload.spec.podSets[].minCount)",
    "admission checks (ClusterQueue.spec.admissionChecksStrategy)",
    "admission fair sharing (ClusterQueue.spec.admissionScope)",
    "MultiKueue (an AdmissionCheck's controller)",
    "ConcurrentAdmission (ClusterQueue.spec.concurrentAdmissionPolicy)",
};

// The same history for a seed on every machine: at least 20 events over 3 to 6 queues, 2 flavors, 3 resources.
History random_history(std::uint64_t seed);

// Makes it one of another version of Kueue ("0.18.4"): its defaults, and only the gates that it has, each still
// flipped.
void as_of(History& history, const std::string& version);

// Fills in the outcome of every cycle.
void play(History& history);

// How often each rule of the model decided something in the history: in how many cycles the outcome would have been
// another one without it. Rules that fields state are switched off by other fields, those of the code by kueue::Rule.
// `enough`: rules that are not looked for.
std::map<std::string, std::int64_t> decided(const History& history, const std::set<std::string>& enough);

nlohmann::json to_json(const History& history);
History from_json(const nlohmann::json& json);  // throws nlohmann::json::exception

}  // namespace gpol::differential
