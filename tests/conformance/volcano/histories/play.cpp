#include "tests/conformance/volcano/histories/play.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "checker/volcano/rules/mode.h"
#include "checker/volcano/rules/real_capability.h"

namespace gpol::volcano::histories {

namespace {

constexpr int kMostTries = 20'000;

struct World {
  Setup setup;
  State state;
};

template <class Items>
auto named(Items& items, const std::string& name) {
  return std::ranges::find_if(items, [&](const auto& item) { return item.name == name; });
}

template <class Item>
void put(std::vector<Item>& items, const Item& item) {
  if (const auto found = named(items, item.name); found != items.end())
    *found = item;
  else
    items.push_back(item);
}

template <class Item>
void remove(std::vector<Item>& items, const std::string& name) {
  std::erase_if(items, [&](const Item& item) { return item.name == name; });
}

void put_job(std::vector<Job>& jobs, const Job& job) {
  const auto found = named(jobs, job.name);
  if (found == jobs.end()) {
    jobs.push_back(job);
    return;
  }
  std::vector<Pod> pods = std::move(found->pods);
  pods.insert(pods.end(), job.pods.begin(), job.pods.end());
  const Phase phase = found->phase;
  *found = job;
  found->pods = std::move(pods);
  found->phase = phase;
}

void apply(const Step& step, World& world) {
  State& state = world.state;
  switch (step.action) {
    case Step::Do::PutNode:
      return put(state.nodes, step.node);
    case Step::Do::RemoveNode:
      return remove(state.nodes, step.name);
    case Step::Do::PutQueue:
      put(world.setup.queues, step.queue);
      if (step.open)
        state.not_open.erase(step.queue.name);
      else
        state.not_open.insert(step.queue.name);
      return;
    case Step::Do::RemoveQueue:
      return remove(world.setup.queues, step.name);
    case Step::Do::PutJob:
      return put_job(state.jobs, step.job);
    case Step::Do::RemoveJob:
      named(state.jobs, step.name)->queue.clear();
      return;
    case Step::Do::Delete:
    case Step::Do::Gone:
      for (auto& job : state.jobs)
        if (const auto pod = named(job.pods, step.name); pod == job.pods.end())
          continue;
        else if (step.action == Step::Do::Gone)
          job.pods.erase(pod);
        else
          pod->terminating = true;
      return;
    case Step::Do::Session:
      return;
  }
}

// Answers as told so far, and beyond that with the first: told again, all answers one after the other.
class Choices {
 public:
  explicit Choices(const Seen& seen) : seen_(seen) {}

  std::size_t choose(const Pod* pod, const std::vector<std::string>& names) {
    if (names.size() > 1) free_ = false;
    const std::size_t answer = answer_of(pod, names);
    if (pod != nullptr) placed_.emplace(pod->name, at_);
    return answer;
  }

  // Where a job was bound that the real scheduler did not bind so, no answer that came later can make that good.
  bool next(const State& state, const std::vector<Bound>& bound) {
    std::map<std::size_t, std::size_t> given;  // jobs, to the answers until the last of their pods was placed
    std::set<std::size_t> wrong;
    for (const auto& [job, index] : bound) {
      const Pod& pod = state.jobs[job].pods[index];
      given[job] = std::max(given[job], placed_.at(pod.name));
      const auto real = seen_.bound.find(pod.name);
      if (real == seen_.bound.end() || real->second != pod.node) wrong.insert(job);
    }
    for (const std::size_t job : wrong) told_.resize(std::min(told_.size(), given[job]));
    at_ = 0;
    placed_.clear();
    while (!told_.empty() && told_.back().first + 1 == told_.back().second) told_.pop_back();
    if (told_.empty()) return false;
    ++told_.back().first;
    return true;
  }

  bool free() const { return free_; }  // there was nothing to choose

 private:
  std::size_t answer_of(const Pod* pod, const std::vector<std::string>& names) {
    if (pod != nullptr)
      if (const auto bound = seen_.bound.find(pod->name); bound != seen_.bound.end()) {
        const auto node = std::ranges::find(names, bound->second);
        return node == names.end() ? 0 : static_cast<std::size_t>(node - names.begin());
      }
    if (names.size() == 1) return 0;
    if (at_ == told_.size()) told_.push_back({0, names.size()});
    return told_[at_++].first;
  }

  const Seen& seen_;
  std::vector<std::pair<std::size_t, std::size_t>> told_;  // of how many
  std::map<std::string, std::size_t> placed_;              // pods, to how many answers were given by then
  std::size_t at_ = 0;
  bool free_ = true;
};

constexpr std::array<const char*, 5> kPhases{"Pending", "Inqueue", "Running", "Unknown", "Completed"};

std::string difference(const State& before, const State& after, const std::vector<Bound>& bound, const Seen& seen) {
  std::ostringstream text;
  std::set<std::string> by_model;
  for (const auto& [job, index] : bound) {
    const Pod& pod = after.jobs[job].pods[index];
    by_model.insert(pod.name);
    const auto found = seen.bound.find(pod.name);
    if (found == seen.bound.end())
      text << "the model binds " << pod.name << " to " << pod.node << "; ";
    else if (found->second != pod.node)
      text << pod.name << " goes to " << pod.node << " in the model, to " << found->second << "; ";
  }
  for (const auto& [pod, node] : seen.bound)
    if (!by_model.contains(pod)) text << "the model does not bind " << pod << " (" << node << "); ";
  for (std::size_t j = 0; j < after.jobs.size(); ++j) {
    const Job& job = after.jobs[j];
    const auto found = seen.podgroups.find(job.name);
    const std::string phase = kPhases[static_cast<std::size_t>(job.phase)];
    if (!job.queue.empty() && found != seen.podgroups.end() && found->second != phase)
      text << job.name << " is " << phase << " in the model (was "
           << kPhases[static_cast<std::size_t>(before.jobs[j].phase)] << "), is " << found->second << "; ";
  }
  return text.str();
}

std::string unequal_sums(const State& state, const Seen& seen) {
  std::map<std::string, Amounts> held;
  for (const auto& job : state.jobs)
    for (const auto& pod : job.pods)
      if (!pod.node.empty() && !pod.terminating && !job.queue.empty())
        for (const auto& [resource, amount] : pod.requests) held[job.queue][resource] += amount;
  for (const auto& [queue, amounts] : held)
    for (const auto& [resource, amount] : amounts) {
      const auto found = seen.held.find(queue);
      const auto real = found == seen.held.end() || !found->second.contains(resource) ? 0 : found->second.at(resource);
      if (real < amount) return queue + " holds " + std::to_string(amount) + " of " + resource + " in the model";
    }
  return {};
}

void count(const World& world, const std::vector<Bound>& bound, Counts& counts) {
  ++counts.sessions;
  counts.bound += static_cast<std::int64_t>(bound.size());
  for (const auto& job : world.state.jobs) {
    for (const auto& pod : job.pods) counts.left += pod.node.empty() && !pod.terminating ? 1 : 0;
    if (job.phase == Phase::Pending && !job.queue.empty()) ++counts.held_back;
  }
}

constexpr const char* kCut = "the search was cut";

// The session of the model that ends as the real one did, or why there is none, or kCut.
std::string find_session(World& world, const Seen& seen, Counts& counts) {
  const State before = world.state;
  Choices choices(seen);
  std::string first;
  for (int tries = 0; tries < kMostTries; ++tries) {
    world.state = before;
    const auto bound = session(world.setup, world.state, [&](const Pod* pod, const std::vector<std::string>& names) {
      return choices.choose(pod, names);
    });
    const std::string unequal = difference(before, world.state, bound, seen);
    if (unequal.empty()) {
      count(world, bound, counts);
      if (choices.free()) ++counts.foretold;
      return unequal_sums(world.state, seen);
    }
    if (first.empty()) first = unequal;
    if (!choices.next(world.state, bound)) return first;
  }
  return kCut;
}

Limits limits_now(const World& world) {
  Total total;
  for (const auto& node : world.state.nodes)
    for (const auto& [resource, amount] : node.allocatable) {
      Limit& limit = total.try_emplace(resource, 0).first->second;
      limit = *limit + amount;
    }
  return limits_of(world.setup, total, mode_of(world.setup.scheduler).hierarchical);
}

// A number of limits or of deserved, as upstream has it: no limit is a number that nothing reaches.
bool same_limit(const Limit& limit, const std::string& resource, double real) {
  const bool bytes = resource == "cpu" || resource == "memory" || resource == "pods";
  if (!limit) return real > 9e18;
  return std::abs(static_cast<double>(*limit) * (bytes ? 1 : 1000) - real) < 0.5;
}

std::string unequal_limits(const World& world, const Seen& seen, Counts& counts) {
  const Mode mode = mode_of(world.setup.scheduler);
  const Limits limits = limits_now(world);
  if (!limits.not_ready.empty() || plugin_of(world.setup.scheduler, "capacity") == nullptr) return {};
  for (const auto& queue : limits.queues) {
    const auto real = seen.limits.find(queue.name);
    if (real == seen.limits.end()) continue;
    // Flat, what is said of queues without jobs is worked out apart from the rules.
    const auto in_queue = [&](const Job& job) { return job.queue == queue.name; };
    if (!mode.hierarchical && std::ranges::none_of(world.state.jobs, in_queue)) continue;
    for (const auto& [what, number] : real->second) {
      const std::string resource = what.substr(what.find(' ') + 1);
      if (what == "share") continue;
      const auto deserved = queue.deserved.find(resource);
      const Limit limit =
          what[0] == 'r' ? queue.limit(resource) : Limit(deserved == queue.deserved.end() ? 0 : deserved->second);
      ++counts.limits;
      if (!same_limit(limit, resource, number))
        return queue.name + ": " + what + " is " + (limit ? std::to_string(*limit) : "without limit") +
               " in the model, really " + std::to_string(number);
    }
  }
  return {};
}

}  // namespace

std::string compare(const History& history, const Answer& answer, Counts& counts) {
  ++counts.histories;
  if (const Mode mode = mode_of(history.scheduler); !mode.not_played.empty() || !mode.evicts.empty())
    return "not played: " + (mode.not_played.empty() ? mode.evicts : mode.not_played)[0];
  bool broken = false;
  if (!answer.error.empty()) {
    World world;
    world.setup.scheduler = history.scheduler;
    for (const auto& step : history.steps) {
      apply(step, world);
      if (!limits_now(world).broken.empty()) broken = true;
    }
    if (broken) ++counts.broken;
    return broken ? std::string{} : "the judge: " + answer.error;
  }
  for (std::size_t r = 0; r < answer.runs.size(); ++r) {
    World world;
    world.setup.scheduler = history.scheduler;
    std::size_t sessions = 0;
    for (const auto& step : history.steps) {
      apply(step, world);
      if (step.action != Step::Do::Session) continue;
      if (sessions == answer.runs[r].size()) return "the judge played fewer sessions";
      const Seen& seen = answer.runs[r][sessions++];
      if (!limits_now(world).not_ready.empty()) ++counts.not_ready;
      if (const std::string unequal = unequal_limits(world, seen, counts); !unequal.empty()) return unequal;
      if (seen.evicted != 0) return "the real scheduler evicted";
      const std::string unequal = find_session(world, seen, counts);
      if (!unequal.empty() && !limits_now(world).broken.empty()) {
        ++counts.broken;
        return {};
      }
      if (unequal == kCut) {  // where the real one went from here is not known
        ++counts.searches_cut;
        break;
      }
      if (!unequal.empty())
        return "run " + std::to_string(r) + ", session " + std::to_string(sessions) + ": " + unequal;
    }
  }
  return {};
}

}  // namespace gpol::volcano::histories
