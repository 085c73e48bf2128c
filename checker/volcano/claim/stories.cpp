#include "checker/volcano/claim/stories.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/story/narrate.h"
#include "checker/volcano/claim/claim_tree.h"
#include "checker/volcano/rules/mode.h"
#include "checker/volcano/rules/scheduler.h"

namespace gpol::volcano {

namespace {

using Kind = QueueRole::Kind;

// What one queue holds of the resource after the play.
std::int64_t held(const State& state, const std::string& queue, const std::string& resource) {
  std::int64_t sum = 0;
  for (const Job& job : state.jobs)
    for (const Pod& pod : job.pods)
      if (job.queue == queue && !pod.node.empty()) sum += pod.requests.at(resource);
  return sum;
}

Job job_of(std::string name, const std::string& queue, const std::string& resource, std::int64_t amount) {
  Job job;
  job.name = name;
  job.queue = queue;
  Pod pod;
  pod.name = std::move(name);
  pod.requests = {{resource, amount}};
  job.pods.push_back(std::move(pod));
  return job;
}

class Play {
 public:
  Play(const Proof& proof, std::uint32_t resource)
      : proof_(proof), setup_(*proof.cluster.volcano), resource_(resource), name_(proof.cluster.resources[resource]) {}

  bool possible() const { return mode_of(setup_.scheduler, setup_.version).not_played.empty(); }

  void add_node(std::string name, std::int64_t amount) {
    Node node;
    node.name = std::move(name);
    node.allocatable = {{name_, amount}, {"pods", 1'000'000}};
    for (const Queue& queue : setup_.queues)  // scalars that no node has have the limit 0
      for (const auto& [other, unused] : queue.capability) node.allocatable.emplace(other, amount);
    state_.nodes.push_back(std::move(node));
  }

  // The pod is bound, or waits; the queue is told once for all that it got so far.
  bool ask(const std::string& queue, std::int64_t amount) {
    state_.jobs.push_back(job_of(fmt::format("pod-{}", state_.jobs.size()), queue, name_, amount));
    session(setup_, state_, [](const Pod*, const std::vector<std::string>&) { return std::size_t{0}; });
    return !state_.jobs.back().pods.front().node.empty();
  }

  void tell(const std::string& actor, std::string does) { steps_.push_back({"", actor, std::move(does)}); }
  std::string words(std::int64_t amount) const { return amount_in_words(proof_.cluster, resource_, amount); }
  std::string tenant(std::size_t queue) const {
    const QueueRole& role = proof_.intent.volcano_roles[queue];
    return role.tenant.empty() ? setup_.queues[queue].name : role.tenant;
  }
  const State& state() const { return state_; }
  const std::string& resource() const { return name_; }
  std::vector<StoryStep> take() { return std::move(steps_); }

 private:
  const Proof& proof_;
  const Setup& setup_;
  std::uint32_t resource_;
  const std::string& name_;
  State state_;
  std::vector<StoryStep> steps_;
};

}  // namespace

std::optional<std::vector<StoryStep>> tell_claim(const Proof& proof, std::size_t owner, const std::string& resource,
                                                 std::int64_t left) {
  const Setup& setup = *proof.cluster.volcano;
  const auto& resources = proof.cluster.resources;
  const auto at = std::ranges::find(resources, resource);
  if (at == resources.end()) return std::nullopt;
  Play play(proof, static_cast<std::uint32_t>(at - resources.begin()));
  if (!play.possible()) return std::nullopt;
  std::int64_t most = 1;
  for (const Queue& queue : setup.queues)
    if (const auto own = queue.capability.find(resource); own != queue.capability.end())
      most = std::max(most, own->second);
  play.add_node("a-node-with-room-for-all", 2 * most * (static_cast<std::int64_t>(setup.queues.size()) + 2));
  const auto& roles = proof.intent.volcano_roles;
  for (std::size_t q = 0; q < setup.queues.size(); ++q) {
    if (q == owner || roles[q].kind == Kind::Inner) continue;
    std::int64_t want = 2 * most;
    if (roles[q].kind == Kind::Serving) {
      const auto reserve = roles[q].reserve.find(resource);
      want = reserve == roles[q].reserve.end() ? 0 : reserve->second;
    }
    // The largest pod first, then halves: what a queue is let have is exact in the end.
    for (std::int64_t each = want; each >= 1 && want > 0;) {
      if (each <= want && play.ask(setup.queues[q].name, each))
        want -= each;
      else
        each /= 2;
    }
    if (const std::int64_t got = held(play.state(), setup.queues[q].name, resource); got > 0)
      play.tell(play.tenant(q), fmt::format("has {} allocated in queue `{}`", play.words(got), setup.queues[q].name));
  }
  if (play.ask(setup.queues[owner].name, left + 1)) return std::nullopt;
  play.tell(play.tenant(owner),
            fmt::format("asks for {} in queue `{}`: its pod waits, for the limit of a queue on its path "
                        "is reached",
                        play.words(left + 1), setup.queues[owner].name));
  return play.take();
}

std::optional<std::vector<StoryStep>> tell_capacity(const Proof& proof, const PoolCapacity& capacity,
                                                    std::uint32_t resource, std::int64_t nodes) {
  constexpr std::int64_t kMostNodes = 256;
  const Setup& setup = *proof.cluster.volcano;
  Play play(proof, resource);
  const std::int64_t of_one = capacity.of_one[resource];
  if (!play.possible() || of_one <= 0 || nodes > kMostNodes) return std::nullopt;
  const std::string& pool = proof.cluster.flavors[capacity.flavor].name;
  for (std::int64_t n = 0; n < nodes; ++n) play.add_node(fmt::format("{}-{}", pool, n + 1), of_one);
  play.tell("nodes", fmt::format("{} of `{}` are there, each with {}", nodes, pool, play.words(of_one)));
  const auto& roles = proof.intent.volcano_roles;
  for (std::size_t q = 0; q < setup.queues.size(); ++q) {
    if (roles[q].kind == Kind::Inner || roles[q].pool != capacity.flavor) continue;
    const auto limit = setup.queues[q].capability.find(play.resource());
    if (limit == setup.queues[q].capability.end()) return std::nullopt;
    for (std::int64_t want = limit->second; want > 0;) {
      const std::int64_t each = std::min(want, of_one);
      if (!play.ask(setup.queues[q].name, each)) {
        if (const std::int64_t got = held(play.state(), setup.queues[q].name, play.resource()); got > 0)
          play.tell(play.tenant(q),
                    fmt::format("has {} allocated in queue `{}`", play.words(got), setup.queues[q].name));
        play.tell(play.tenant(q),
                  fmt::format("asks for {} more, within the limit of queue `{}`: no node has room for it",
                              play.words(each), setup.queues[q].name));
        return play.take();
      }
      want -= each;
    }
    play.tell(play.tenant(q), fmt::format("has {} allocated in queue `{}`, all that its limit allows",
                                          play.words(limit->second), setup.queues[q].name));
  }
  return std::nullopt;
}

}  // namespace gpol::volcano
