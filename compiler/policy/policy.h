// A policy: what a .gpol file means once every name, unit and default is settled. Immutable after resolve(); names are
// indices into the vectors, nothing is unresolved, every fact keeps the span it was written at. Base units everywhere:
// those of resources.h, times in milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/policy/terms.h"
#include "compiler/policy/vocabulary.h"
#include "compiler/source/span.h"
#include "compiler/source/special_members.h"

namespace gpol {

struct NodeGroup {
  std::string name;
  std::string gpu_model;  // may be empty; a name of the catalogue, or of Policy::hardware
  Resources each;         // capacity of one node
  Resources daemons;      // what daemons take of each node
  std::int64_t count_min = 0, count_max = 0;
  std::int64_t tolerate_lost = 0;
  std::optional<Millis> spot_notice;    // a value: spot
  std::optional<std::int64_t> ceiling;  // GPUs that the provider lets be had at most
  std::optional<Millis> lead_time;      // from asking for one more node to having it
  Span span;
};

struct Pool {
  std::string name;
  std::uint32_t group = 0;                    // into Policy::groups
  std::int64_t nodes_min = 0, nodes_max = 0;  // of the group's count
  Partition partition;
  std::optional<NodeMark> label, taint;  // which its nodes carry already; else gpol's own
  Span span;
};
NodeMark label_of(const Pool& pool);
NodeMark taint_of(const Pool& pool);

struct Cohort {
  std::string name;
  std::uint32_t parent = kNone;  // into Policy::cohorts
  struct Entry {
    std::uint32_t pool = 0;
    Resources quota;  // 0 where only a limit is stated
    std::optional<Resources> lend_at_most, borrow_at_most;
    Span span;
  };
  std::vector<Entry> entries;  // one per pool at most, sorted by pool
  Span span;
};

// How a batch workload runs. Release of quota differs: a Job's is released while its pods still terminate
// (the controller's reaction), a Pod's when it is gone (kueue.md N12).
enum class JobKind { Job, Pod };

struct LatencyClass {
  std::string name;
  Isolation isolation = Isolation::C;
  std::optional<TimeConstant> ready_within;  // B only
  // C only:
  std::optional<TimeConstant> grace;     // longest grace any of its pods may carry
  std::optional<TimeConstant> saved_in;  // time to save a checkpoint
  std::optional<TimeConstant> kill_margin;
  std::optional<TimeConstant> checkpoint_every;
  std::vector<JobKind> runs;             // empty: any kind
  std::vector<std::string> other_kinds;  // named beside or instead; then `runs` is empty
  std::vector<Slo> slos;
  std::optional<Burst> burst;
  std::optional<std::int64_t> headroom;  // in hundredths of a percent
  std::optional<Rate> floor;
  bool preemptible = false;  // said; class C always is
  Span span;
};

struct PoolAmount {
  std::uint32_t pool = 0;
  Resources amount;
  Span span;
  std::optional<Resources> replica = {};  // of a reserve: one pod of the service on its nodes; pods = 1
};

// Overrides of the safe pattern, in Kueue's own words; an empty optional leaves the pattern alone.
struct QueueSettings {
  struct Word {
    std::string value;
    Span span;
  };
  std::uint32_t cohort = kNone;  // into Policy::cohorts
  Span cohort_span;
  std::optional<Word> queueing_strategy;      // StrictFIFO | BestEffortFIFO
  std::optional<Word> reclaim_within_cohort;  // Never | LowerPriority | Any
  std::optional<Word> within_cluster_queue;   // Never | LowerPriority | LowerOrNewerEqualPriority
  std::optional<Word> borrow_within_cohort;   // Never | LowerPriority
  std::optional<Word> when_can_borrow;        // MayStopSearch | TryNextFlavor
  std::optional<Word> when_can_preempt;       // MayStopSearch | TryNextFlavor
  std::optional<Word> stop_policy;            // None | Hold | HoldAndDrain
  std::optional<Word> namespace_selector;     // own | any
  struct LimitWord {
    bool unlimited = false;
    std::vector<PoolAmount> at_most;  // by pool
    Span span;
  };
  std::optional<LimitWord> lend, borrow;
  Span span;
};

// How many replicas a service runs, and how many more there may be at once while it is updated, those included that
// still end.
struct Runs {
  std::int64_t count = 0, surge = 0;
};

struct Tenant {
  std::string name;
  std::vector<std::string> namespaces;
  std::string owner;  // "@chat", may be empty
  std::uint32_t latency_class = 0;
  std::vector<PoolAmount> reserves;          // A and B; one per pool at most, in order of declaration
  std::vector<PoolAmount> quotas;            // C; likewise
  std::vector<PoolAmount> shapes;            // C; what each of its pods asks for there, of devices alone
  std::optional<std::int64_t> jobs_at_most;  // C; in each of its namespaces
  std::optional<Runs> runs;                  // within the reserve: the demand is anything within it, whatever this says
  StartTerms start;
  std::optional<Money> budget;
  std::string budget_per;      // `day`, `week`, `month`, `quarter` or `year`
  std::optional<int> asks_at;  // minutes since midnight, for the clock times of stories only
  QueueSettings queue;
  std::optional<Span> outside;  // `outside the queue`: plain Deployments, which Kueue never sees
  bool preempts = false;        // `, preempts batch`: by a PriorityClass, on the nodes that it reserves
  Span span;                    // of the name
  Span class_span;              // of the class clause
  Span jobs_span;               // of `at most ... jobs`
};

struct Allow {
  std::uint32_t borrower = 0, lender = 0;  // into Policy::tenants
  std::uint32_t pool = 0;
  Resources amount;
  std::uint32_t window = kNone;  // kNone: always
  std::optional<TimeConstant> back_within;
  Span span;
};

struct ProveHolds {
  std::uint32_t holder = 0, held = 0;  // classes
  Span span;
};
struct ProveReady {
  std::uint32_t latency_class = 0;
  TimeConstant within;
};

struct Policy {
  ResourceTable resources = common_resources();
  std::string cluster;
  Span cluster_span;
  std::string kueue_version;            // "0.19.2" unless stated; empty: its scheduler is Volcano
  std::string volcano_version;          // "1.15.1" unless stated; empty: its scheduler is Kueue
  std::optional<TimeConstant> round;    // longest scheduling round
  std::optional<TimeConstant> release;  // longest reaction of a controller that releases quota
  std::vector<Writer> writers;          // who may write what is emitted
  std::vector<GuardMode> guards;
  std::set<std::string> exempt;  // namespaces that no guard looks at, beside kExemptNamespaces
  std::vector<NodeGroup> groups;
  std::vector<Pool> pools;
  std::vector<Cohort> cohorts;
  std::vector<Window> windows;
  std::vector<LatencyClass> classes;
  std::vector<Tenant> tenants;
  std::vector<Allow> allows;
  std::vector<ProveHolds> prove_holds;
  std::vector<ProveReady> prove_ready;
  std::vector<Trust> trusts;
  std::vector<Hardware> hardware;  // of the policy itself; the catalogue is known besides
  std::vector<Service> services;
  std::vector<GatewayLimit> limits;
  std::vector<Calendar> calendars;
  std::vector<Price> prices;
  std::string incident_payer;  // may be empty
  std::vector<Lever> levers;
  std::vector<Approval> approvals;
  std::vector<PlannedUse> planned;  // in the order of the text

  GPOL_SPECIAL_MEMBERS(Policy);
};

}  // namespace gpol
