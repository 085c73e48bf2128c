// The actions of a session: pkg/scheduler/actions/{enqueue,allocate,backfill}.
#include "checker/volcano/rules/scheduler.h"

#include <algorithm>

#include "checker/volcano/rules/session.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

namespace {

// resource_info.go LessEqual: cpu and memory are compared also where nothing is asked.
bool fits(const Amounts& request, const Amounts& idle) {
  for (const char* native : {"cpu", "memory"})
    if (of(request, native) > of(idle, native)) return false;
  return std::ranges::all_of(request, [&](const auto& entry) { return entry.second <= of(idle, entry.first); });
}

Amounts future_idle(const NodeInSession& node) {
  Amounts idle = node.idle;
  add(idle, node.releasing);
  subtract(idle, node.pipelined);
  return idle;
}

// Queues with the jobs that an action looks at, as its two heaps.
using Waiting = std::map<std::size_t, std::vector<std::size_t>>;

std::vector<std::size_t> queues_of(const Waiting& waiting) {
  std::vector<std::size_t> queues;
  for (const auto& [queue, jobs] : waiting) queues.push_back(queue);
  return queues;
}

}  // namespace

std::vector<Bound> Session::run() {
  for (const auto& action : config_.actions) {
    if (action == "enqueue") enqueue();
    if (action == "allocate") allocate();
    if (action == "backfill") backfill();
  }
  return close();
}

void Session::enqueue() {
  Waiting waiting;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].queue == kNowhere) continue;
    auto& jobs = waiting[jobs_[i].queue];
    if (jobs_[i].job->phase == Phase::Pending) jobs.push_back(i);
  }
  while (!waiting.empty()) {
    const auto next = waiting.find(next_queue(queues_of(waiting)));
    if (next->second.empty()) {
      waiting.erase(next);
      continue;
    }
    const JobInSession& job = jobs_[take_next_job(next->second)];
    if (job.job->min_resources && !enqueueable(job)) continue;
    job.job->phase = Phase::Inqueue;
    for (const auto& [resource, amount] : counted(job.job->min_resources.value_or(Amounts{})))
      overcommit_[resource] += upstream(resource, amount);
  }
}

// session_plugins.go JobEnqueueable: who permits ends the walk with its tier.
bool Session::enqueueable(const JobInSession& job) {
  for (const auto& tier : config_.tiers) {
    bool permitted = false;
    for (const auto& plugin : tier) {
      if (plugin.name != "capacity" && plugin.name != "overcommit") continue;
      if (plugin.name == "capacity" ? !within_limits(job) : !within_overcommit(job)) return false;
      permitted = true;
    }
    if (permitted) return true;
  }
  return true;
}

// Once capacity permits, it counts the job, also where overcommit then refuses it.
bool Session::within_limits(const JobInSession& job) {
  if (!ready_ || !queues_[job.queue].open) return false;
  const Amounts least = counted(*job.job->min_resources);
  const auto& path = limits_.queues[job.queue].path;
  for (const std::size_t q : path)
    for (const auto& [resource, amount] : least) {
      const Limit limit = limits_.queues[q].limit(resource);
      const std::int64_t used =
          of(queues_[q].allocated, resource) + of(queues_[q].inqueue, resource) - of(queues_[q].elastic, resource);
      if (resource != "pods" && amount > 0 && limit && sum(used, amount) > *limit) return false;
    }
  for (const std::size_t q : path) add(queues_[q].inqueue, least);
  return true;
}

bool Session::within_overcommit(const JobInSession& job) const {
  return std::ranges::all_of(counted(*job.job->min_resources), [&](const auto& entry) {
    const auto& [resource, amount] = entry;
    return resource == "pods" || amount <= 0 ||
           value_or(overcommit_, resource, 0.0) + upstream(resource, amount) <= value_or(room_, resource, 0.0);
  });
}

void Session::allocate() {
  const bool enqueues = std::ranges::find(config_.actions, "enqueue") != config_.actions.end();
  Waiting waiting;
  std::vector<std::vector<std::size_t>> tasks(jobs_.size());  // those not tried yet, in their order
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobInSession& job = jobs_[i];
    if (job.queue == kNowhere) continue;
    if (job.job->phase == Phase::Pending) {
      if (enqueues) continue;
      job.job->phase = Phase::Inqueue;
    }
    if (!valid(job)) continue;
    for (std::size_t t = 0; t < job.tasks.size(); ++t)
      if (job.tasks[t].status == Status::Pending && !job.tasks[t].best_effort) tasks[i].push_back(t);
    if (!tasks[i].empty()) waiting[job.queue].push_back(i);
  }
  while (!waiting.empty()) {
    const auto next = waiting.find(next_queue(queues_of(waiting)));
    if (next->second.empty()) {
      waiting.erase(next);
      continue;
    }
    const std::size_t i = take_next_job(next->second);
    if (allocate_tasks(jobs_[i], tasks[i]) && !tasks[i].empty()) next->second.push_back(i);
  }
}

// The one gate that holds a queue to its limits.
bool Session::allocatable(const JobInSession& job, const Task& task) const {
  if (!capacity_ || !mode_.allocatable) return true;
  if (!ready_ || !queues_[job.queue].open) return false;
  return std::ranges::all_of(limits_.queues[job.queue].path, [&](std::size_t q) {
    return std::ranges::all_of(task.request, [&](const auto& entry) {
      const auto& [resource, amount] = entry;
      if (resource == "pods" || amount <= 0) return true;
      const Limit limit = limits_.queues[q].limit(resource);
      return !limit || sum(of(queues_[q].allocated, resource), amount) <= *limit;
    });
  });
}

// allocateResourcesForTasks: until the job is ready, or its tasks are used up. True: it is ready, and what was placed
// is bound. Where it only waits for terminating pods, what was placed stays until the session closes, and is not bound.
bool Session::allocate_tasks(JobInSession& job, std::vector<std::size_t>& tasks) {
  if (nodes_.empty()) return false;
  std::vector<std::size_t> placed;
  while (!tasks.empty()) {
    Task& task = job.tasks[tasks.front()];
    const std::size_t index = tasks.front();
    tasks.erase(tasks.begin());
    if (!allocatable(job, task)) continue;
    std::vector<std::size_t> now, later;
    // What pipelined pods wait for is not given to others, also where it is idle.
    for (const std::size_t n : passing_nodes(job, task))
      if (fits(task.request, future_idle(nodes_[n]))) (fits(task.request, nodes_[n].idle) ? now : later).push_back(n);
    if (now.empty() && later.empty()) continue;
    place(job, task, choose_node(task, now.empty() ? later : now), now.empty() ? Status::Pipelined : Status::Allocated);
    placed.push_back(index);
    if (ready(job)) break;
  }
  if (ready(job)) {
    for (const std::size_t index : placed)
      if (job.tasks[index].status == Status::Allocated) job.tasks[index].status = Status::Binding;
    return true;
  }
  if (!pipelined(job))
    for (const std::size_t index : placed) take_back(job, job.tasks[index]);
  return false;
}

// Pods that ask for nothing are bound without a look at their queue.
void Session::backfill() {
  Waiting waiting;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const JobInSession& job = jobs_[i];
    if (job.queue == kNowhere || job.job->phase == Phase::Pending || !valid(job)) continue;
    if (std::ranges::any_of(job.tasks, [](const Task& t) { return t.best_effort && t.status == Status::Pending; }))
      waiting[job.queue].push_back(i);
  }
  while (!waiting.empty()) {
    const auto next = waiting.find(next_queue(queues_of(waiting)));
    while (!next->second.empty()) {
      JobInSession& job = jobs_[take_next_job(next->second)];
      for (Task& task : job.tasks) {
        if (!task.best_effort || task.status != Status::Pending) continue;
        const auto nodes = passing_nodes(job, task);
        if (nodes.empty()) continue;
        place(job, task, choose_node(task, nodes), Status::Allocated);
        if (!ready(job)) continue;
        for (Task& other : job.tasks)  // also what allocate has left
          if (other.status == Status::Allocated) other.status = Status::Binding;
      }
    }
    waiting.erase(next);
  }
}

std::vector<Bound> session(const Setup& setup, State& state, const Choose& choose) {
  return Session(setup, state, choose).run();
}

}  // namespace gpol::volcano
