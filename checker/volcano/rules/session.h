// What a session keeps while it runs: the amounts of queues and nodes, the status of each pod, and what a statement
// (pkg/scheduler/framework/statement.go) can take back. Only for the actions of scheduler.cpp.
#pragma once

#include <string_view>
#include <utility>

#include "checker/volcano/rules/amounts.h"
#include "checker/volcano/rules/mode.h"
#include "checker/volcano/rules/real_capability.h"
#include "checker/volcano/rules/scheduler.h"

namespace gpol::volcano {

// Allocated: has a node, and is bound once its job is ready. Pipelined: waits for a node's terminating pods.
enum class Status : std::uint8_t { Pending, Allocated, Pipelined, Binding, Running, Releasing };

inline constexpr std::size_t kNowhere = SIZE_MAX;

struct Task {
  const Pod* pod = nullptr;
  Amounts request;  // what counts of it, and one of `pods`
  bool best_effort = false;
  Status status = Status::Pending;
  std::size_t node = kNowhere;
};

struct JobInSession {
  Job* job = nullptr;
  std::size_t queue = kNowhere;  // kNowhere: not in the session
  std::vector<Task> tasks;
  Amounts drf_allocated;
  double drf_share = 0;
  std::int64_t count(Status status) const;
  std::int64_t ready() const;  // what counts for gang: also pods that ask for nothing
};

struct QueueInSession {
  Amounts allocated, inqueue, elastic;
  double share = 0;  // of what it deserves; of inner queues as when the session opened
  bool open = true;
  const Queue* groups = nullptr;  // whose affinity to node groups is its own; null: it has none
};

struct NodeInSession {
  const Node* node = nullptr;
  Amounts idle, releasing, pipelined;
  std::int64_t pods = 0;
};

// As upstream counts it: cpu and memory in base units, all else in thousandths.
double upstream(const std::string& resource, std::int64_t amount);

class Session {
 public:
  Session(const Setup& setup, State& state, const Choose& choose);
  std::vector<Bound> run();

 private:
  // session.cpp
  void read_nodes();
  void read_jobs();
  void read_queues();
  void count_job(JobInSession& in);
  void place(JobInSession& job, Task& task, std::size_t node, Status status);
  void take_back(JobInSession& job, Task& task);
  void charge(JobInSession& job, const Task& task, bool given);
  std::vector<Bound> close();
  bool has(std::string_view plugin) const { return plugin_of(config_, plugin) != nullptr; }
  bool valid(const JobInSession& job) const;
  bool ready(const JobInSession& job) const;
  bool pipelined(const JobInSession& job) const;

  // order.cpp
  double share_of(std::size_t queue) const;
  double drf_share_of(const JobInSession& job) const;
  bool queue_before(std::size_t a, std::size_t b) const;
  bool job_before(const JobInSession& a, const JobInSession& b) const;
  std::size_t next_queue(const std::vector<std::size_t>& queues) const;
  std::size_t take_next_job(std::vector<std::size_t>& jobs) const;

  // placement.cpp
  std::vector<std::size_t> passing_nodes(const JobInSession& job, const Task& task) const;
  std::size_t choose_node(const Task& task, const std::vector<std::size_t>& nodes) const;

  // scheduler.cpp
  void enqueue();
  bool enqueueable(const JobInSession& job);
  bool within_limits(const JobInSession& job);
  bool within_overcommit(const JobInSession& job) const;
  void allocate();
  bool allocatable(const JobInSession& job, const Task& task) const;
  bool allocate_tasks(JobInSession& job, std::vector<std::size_t>& tasks);
  void backfill();

  const Setup& setup_;
  const SchedulerConfig& config_;
  State& state_;
  const Choose& choose_;
  Mode mode_;
  Limits limits_;
  bool capacity_ = false;  // the plugin is there
  bool ready_ = true;      // and has understood the queues
  Total total_;
  std::vector<NodeInSession> nodes_;
  std::vector<JobInSession> jobs_;
  std::vector<QueueInSession> queues_;               // as in limits_
  std::map<std::string, double> room_, overcommit_;  // of overcommit: upstream()
};

}  // namespace gpol::volcano
