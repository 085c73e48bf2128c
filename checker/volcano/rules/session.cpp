// A session's opening and close: pkg/scheduler/cache/cache.go Snapshot, framework/session.go, api/node_info.go and
// api/job_info.go, and what the plugins count when a session opens.
#include "checker/volcano/rules/session.h"

#include <algorithm>
#include <cstdlib>

#include "checker/volcano/rules/nodegroup.h"

namespace gpol::volcano {

namespace {

bool takes_from_queue(Status status) {
  return status == Status::Allocated || status == Status::Binding || status == Status::Running;
}

Status status_of(const Pod& pod) {
  if (pod.terminating) return Status::Releasing;
  return pod.node.empty() ? Status::Pending : Status::Running;
}

}  // namespace

double upstream(const std::string& resource, std::int64_t amount) {
  return static_cast<double>(amount) * (resource == "cpu" || resource == "memory" ? 1.0 : 1000.0);
}

std::int64_t JobInSession::count(Status status) const {
  return std::ranges::count_if(tasks, [&](const Task& task) { return task.status == status; });
}

std::int64_t JobInSession::ready() const {
  return count(Status::Allocated) + count(Status::Binding) + count(Status::Running) +
         std::ranges::count_if(tasks,
                               [](const Task& task) { return task.best_effort && task.status == Status::Pending; });
}

Session::Session(const Setup& setup, State& state, const Choose& choose)
    : setup_(setup),
      config_(setup.scheduler),
      state_(state),
      choose_(choose),
      mode_(mode_of(setup.scheduler, setup.version)),
      capacity_(has("capacity")) {
  read_nodes();
  limits_ = limits_of(setup, total_, mode_.hierarchical);
  ready_ = limits_.not_ready.empty();
  read_queues();
  read_jobs();
}

void Session::read_nodes() {
  double factor = 1.2;
  if (const Plugin* overcommit = plugin_of(config_, "overcommit"))
    if (const auto found = overcommit->arguments.find("overcommit-factor"); found != overcommit->arguments.end())
      if (const double given = std::strtod(found->second.c_str(), nullptr); given >= 1) factor = given;
  Amounts total;
  for (const auto& node : state_.nodes) {
    NodeInSession& in = nodes_.emplace_back();
    in.node = &node;
    in.idle = counted(node.allocatable);
    add(total, in.idle);
  }
  for (const auto& [resource, amount] : total) {
    room_[resource] = upstream(resource, amount) * factor;
    total_.emplace(resource, amount);
  }
}

void Session::read_queues() {
  const auto groups = queues_with_groups(setup_);
  for (const auto& limits : limits_.queues) {
    QueueInSession& in = queues_.emplace_back();
    in.open = !state_.not_open.contains(limits.name);
    if (const auto found = groups.find(limits.name); found != groups.end()) in.groups = found->second;
  }
}

void Session::read_jobs() {
  std::map<std::string, std::size_t> node_index, queue_index;
  for (std::size_t i = 0; i < nodes_.size(); ++i) node_index.emplace(nodes_[i].node->name, i);
  for (std::size_t i = 0; i < limits_.queues.size(); ++i) queue_index.emplace(limits_.queues[i].name, i);
  for (auto& job : state_.jobs) {
    JobInSession& in = jobs_.emplace_back();
    in.job = &job;
    if (const auto found = queue_index.find(job.queue); found != queue_index.end()) in.queue = found->second;
    for (const auto& pod : job.pods) {
      Task& task = in.tasks.emplace_back();
      task.pod = &pod;
      task.request = counted(pod.requests);
      task.best_effort = is_empty(task.request);
      task.request["pods"] = 1;
      task.status = status_of(pod);
      const auto found = node_index.find(pod.node);
      if (found == node_index.end()) continue;
      task.node = found->second;
      NodeInSession& node = nodes_[task.node];
      subtract(node.idle, task.request);
      ++node.pods;
      if (task.status == Status::Releasing) add(node.releasing, task.request);
      for (const auto& [resource, amount] : task.request) room_[resource] -= upstream(resource, amount);
    }
    if (in.queue == kNowhere) continue;
    if (mode_.hierarchical && !limits_.queues[in.queue].leaf) ready_ = false;
    count_job(in);
  }
  for (std::size_t i = 0; i < queues_.size(); ++i) queues_[i].share = share_of(i);
}

// capacity.go buildQueueAttrs, overcommit.go and drf.go OnSessionOpen.
void Session::count_job(JobInSession& in) {
  Amounts allocated;
  for (const auto& task : in.tasks)
    if (takes_from_queue(task.status)) add(allocated, task.request);
  in.drf_allocated = allocated;
  in.drf_share = drf_share_of(in);
  const Amounts least = counted(in.job->min_resources.value_or(Amounts{}));
  const bool runs = in.job->phase == Phase::Running && in.count(Status::Running) >= in.job->min_member;
  const bool waits = in.job->phase == Phase::Inqueue;
  const Amounts still = runs || waits ? beyond(least, allocated) : Amounts{};
  for (const std::size_t queue : limits_.queues[in.queue].path) {
    add(queues_[queue].allocated, allocated);
    add(queues_[queue].inqueue, still);
    add(queues_[queue].elastic, beyond(allocated, least));
  }
  for (const auto& [resource, amount] : waits ? least : still) overcommit_[resource] += upstream(resource, amount);
}

bool Session::valid(const JobInSession& job) const {
  if (!has("gang")) return true;
  return static_cast<std::int64_t>(job.tasks.size()) - job.count(Status::Releasing) >= job.job->min_member;
}

bool Session::ready(const JobInSession& job) const { return !has("gang") || job.ready() >= job.job->min_member; }

bool Session::pipelined(const JobInSession& job) const {
  return !has("gang") || job.ready() + job.count(Status::Pipelined) >= job.job->min_member;
}

void Session::place(JobInSession& job, Task& task, std::size_t node, Status status) {
  task.status = status;
  task.node = node;
  if (status == Status::Pipelined)
    add(nodes_[node].pipelined, task.request);
  else
    subtract(nodes_[node].idle, task.request);
  ++nodes_[node].pods;
  charge(job, task, true);
}

void Session::take_back(JobInSession& job, Task& task) {
  NodeInSession& node = nodes_[task.node];
  if (task.status == Status::Pipelined)
    subtract(node.pipelined, task.request);
  else
    add(node.idle, task.request);
  --node.pods;
  task.status = Status::Pending;
  task.node = kNowhere;
  charge(job, task, false);
}

// The plugins' event handlers. Of the shares in a tree only that of the queue itself is worked out again.
void Session::charge(JobInSession& job, const Task& task, bool given) {
  const auto change = given ? add : subtract;
  change(job.drf_allocated, task.request);
  job.drf_share = drf_share_of(job);
  for (const std::size_t queue : limits_.queues[job.queue].path) change(queues_[queue].allocated, task.request);
  queues_[job.queue].share = share_of(job.queue);
}

// framework/session.go getPodGroupPhase, and gang's condition Unschedulable when a session closes.
std::vector<Bound> Session::close() {
  std::vector<Bound> bound;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    JobInSession& in = jobs_[j];
    if (in.queue == kNowhere) continue;
    const std::int64_t running = in.count(Status::Running);
    Phase& phase = in.job->phase;
    if (running > 0 && !ready(in))
      phase = Phase::Unknown;
    else if (running >= in.job->min_member)
      phase = running == 0 ? Phase::Completed : Phase::Running;
    else if (phase != Phase::Inqueue)
      phase = Phase::Pending;
    for (std::size_t p = 0; p < in.tasks.size(); ++p)
      if (in.tasks[p].status == Status::Binding) {
        in.job->pods[p].node = nodes_[in.tasks[p].node].node->name;
        bound.push_back({j, p});
      }
  }
  return bound;
}

}  // namespace gpol::volcano
