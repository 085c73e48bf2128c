// Whose turn it is: pkg/scheduler/framework/session_plugins.go QueueOrderFn and JobOrderFn with the plugins capacity,
// priority, gang and drf.
#include <algorithm>

#include "checker/volcano/rules/session.h"

namespace gpol::volcano {

namespace {

double share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return part == 0 ? 0 : 1;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The two queues whose shares decide: themselves, or their ancestors below the nearest one that both have.
std::pair<std::size_t, std::size_t> compared(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  auto left = a.rbegin(), right = b.rbegin();  // paths end with root
  while (left != a.rend() - 1 && right != b.rend() - 1 && *left == *right) ++left, ++right;
  return {*left, *right};
}

}  // namespace

double Session::share_of(std::size_t queue) const {
  const Amounts& deserved = limits_.queues[queue].deserved;
  if (is_empty(deserved)) return 1;
  double most = 0;
  for (const auto& [resource, amount] : deserved)
    if (amount > 0) most = std::max(most, share(of(queues_[queue].allocated, resource), amount));
  return most;
}

double Session::drf_share_of(const JobInSession& job) const {
  double most = 0;
  for (const auto& [resource, amount] : total_)
    if (amount.value_or(0) > 0) most = std::max(most, share(of(job.drf_allocated, resource), *amount));
  return most;
}

bool Session::queue_before(std::size_t a, std::size_t b) const {
  const QueueLimits &left = limits_.queues[a], &right = limits_.queues[b];
  if (capacity_ && ready_) {
    if (left.priority != right.priority) return left.priority > right.priority;
    const auto [l, r] = compared(left.path, right.path);
    if (queues_[l].share != queues_[r].share) return queues_[l].share < queues_[r].share;
    const bool l_empty = is_empty(limits_.queues[l].deserved), r_empty = is_empty(limits_.queues[r].deserved);
    if (l_empty != r_empty) return r_empty;
  }
  return left.name < right.name;
}

// In a tree the order may go round: a before b by their own shares, b before c and c before a by name, as shares of
// their ancestors are equal. Then the heap's root depends on the order of insertion, which is random: it is one of
// those that come before all others directly or through others.
std::size_t Session::next_queue(const std::vector<std::size_t>& queues) const {
  std::size_t first = queues.front();
  for (const std::size_t queue : queues)
    if (queue_before(queue, first)) first = queue;
  std::vector<std::size_t> next{first};
  for (std::size_t i = 0; i < next.size(); ++i)
    for (const std::size_t queue : queues)
      if (std::ranges::find(next, queue) == next.end() && queue_before(queue, next[i])) next.push_back(queue);
  if (next.size() == 1) return first;
  std::vector<std::string> names;
  for (const std::size_t queue : next) names.push_back(limits_.queues[queue].name);
  return next[choose_(nullptr, names)];
}

bool Session::job_before(const JobInSession& a, const JobInSession& b) const {
  for (const auto& tier : config_.tiers)
    for (const auto& plugin : tier) {
      if (plugin.name == "priority" && a.job->priority != b.job->priority) return a.job->priority > b.job->priority;
      if (plugin.name == "gang" && ready(a) != ready(b)) return ready(b);
      if (plugin.name == "drf" && a.drf_share != b.drf_share) return a.drf_share < b.drf_share;
    }
  return false;
}

// Of equals the first in the state.
std::size_t Session::take_next_job(std::vector<std::size_t>& jobs) const {
  std::size_t first = 0;
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    const JobInSession &job = jobs_[jobs[i]], &best = jobs_[jobs[first]];
    if (job_before(job, best) || (!job_before(best, job) && jobs[i] < jobs[first])) first = i;
  }
  const std::size_t job = jobs[first];
  jobs.erase(jobs.begin() + static_cast<std::ptrdiff_t>(first));
  return job;
}

}  // namespace gpol::volcano
