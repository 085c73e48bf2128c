#include "checker/volcano/claim/stories.h"

#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "checker/story/narrate.h"
#include "checker/volcano/rules/amounts.h"
#include "checker/volcano/rules/mode.h"
#include "checker/volcano/rules/scheduler.h"
#include "compiler/source/lookup.h"

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

// What one queue has allocated.
struct Share {
  std::size_t queue = 0;  // of the limits, which have more queues than the manifests
  std::string name;
  std::int64_t amount = 0;
};

class Play {
 public:
  Play(const Proof& proof, std::uint32_t resource)
      : proof_(proof), setup_(*proof.cluster.volcano), resource_(resource), name_(proof.cluster.resources[resource]) {}

  bool possible() const { return mode_of(setup_.scheduler, setup_.version).not_played.empty(); }

  void add_node(std::string name, std::int64_t amount, bool unschedulable = false) {
    Node node;
    node.unschedulable = unschedulable;
    node.name = std::move(name);
    node.allocatable = {{name_, amount}, {"pods", 1'000'000}};
    for (const Queue& queue : setup_.queues)  // scalars that no node has have the limit 0
      for (const auto& [other, unused] : queue.capability) node.allocatable.emplace(other, amount);
    state_.nodes.push_back(std::move(node));
  }

  // The pods are bound, or one waits. All ask before one cycle of the scheduler: a cycle reads every queue.
  bool ask(std::span<const Share> shares) {
    const std::size_t before = state_.jobs.size();
    for (const Share& one : shares)
      state_.jobs.push_back(job_of(fmt::format("pod-{}", state_.jobs.size()), one.name, name_, one.amount));
    session(setup_, state_, [](const Pod*, const std::vector<std::string>&) { return std::size_t{0}; });
    return std::none_of(state_.jobs.begin() + static_cast<std::ptrdiff_t>(before), state_.jobs.end(),
                        [](const Job& job) { return job.pods.front().node.empty(); });
  }
  bool ask(const std::string& queue, std::int64_t amount) {
    const Share one{0, queue, amount};
    return ask({&one, 1});
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

bool is_below(const ClaimTree& tree, std::size_t queue, std::size_t at) {
  return at == tree.nodes || contains(tree.limits.queues[queue].path, at);
}

// All that others can have at once, and first of all below `at`. `nodes`: what there is, or, where that is not known,
// as much as all that is bounded and the reserve need, of which queues without a bound then take the rest.
std::vector<Share> shares_of(const Proof& proof, const ClaimTree& tree, std::size_t owner, std::size_t at,
                             const std::string& resource, std::int64_t& nodes) {
  const bool of_policy = proof.intent.of_policy;
  const auto& queues = tree.limits.queues;
  const Limit known = tree.nodes == SIZE_MAX ? Limit() : queues[tree.nodes].limit(resource);
  std::vector<Share> shares;
  std::vector<std::int64_t> used(queues.size(), 0);
  std::vector<std::size_t> order(queues.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(order, [&](std::size_t q) { return is_below(tree, q, at); });
  std::int64_t all = 0;
  for (const bool bounded : {true, false}) {
    if (!bounded) nodes = known.value_or(sum(all, of(proof.intent.volcano_roles[owner].reserve, resource)));
    for (const std::size_t q : order) {
      if (q == owner || q == tree.nodes || !queues[q].leaf || elsewhere(tree, q)) continue;
      // Of a policy no pod stands in a queue above others, nor in one that only the scheduler has.
      if (of_policy && (tree.roles[q] == nullptr || tree.roles[q]->kind == Kind::Inner)) continue;
      std::int64_t room = kNoLimit;
      if (tree.roles[q] != nullptr && tree.roles[q]->kind == Kind::Serving)
        room = std::max(of(tree.roles[q]->reserve, resource), of(tree.roles[q]->asked, resource));
      for (const std::size_t above : queues[q].path)
        if (const Limit limit = queues[above].limit(resource)) room = std::min(room, *limit - used[above]);
      if ((room == kNoLimit) == bounded) continue;
      if (!bounded) room = tree.nodes == SIZE_MAX ? 0 : nodes - all;
      if (room <= 0) continue;
      for (const std::size_t above : queues[q].path) used[above] = sum(used[above], room);
      all = sum(all, room);
      shares.push_back({q, queues[q].name, room});
    }
  }
  return shares;
}

// As few of them as fill what binds the owner, to the last unit. `most`: of the nodes.
std::vector<Share> needed(const ClaimTree& tree, std::size_t at, std::int64_t most, std::vector<Share> all) {
  std::erase_if(all, [&](const Share& one) { return !is_below(tree, one.queue, at); });
  std::int64_t total = 0, before = 0;
  for (const Share& one : all) total += one.amount;
  if (at == tree.nodes) total = std::min(total, most);
  std::ranges::stable_sort(all, std::ranges::greater{}, &Share::amount);
  std::vector<Share> some;
  for (Share one : all) {
    if (before == total) break;
    one.amount = std::min(one.amount, total - before);
    before += one.amount;
    some.push_back(one);
  }
  std::ranges::sort(some, {}, &Share::queue);
  return some;
}

}  // namespace

std::optional<std::vector<StoryStep>> tell_claim(const Proof& proof, const ClaimTree& tree, std::size_t owner,
                                                 const std::string& resource, std::int64_t left, std::int64_t beyond) {
  const auto& resources = proof.cluster.resources;
  const auto at = std::ranges::find(resources, resource);
  if (at == resources.end()) return std::nullopt;
  const auto& queues = tree.limits.queues;
  const Play empty(proof, static_cast<std::uint32_t>(at - resources.begin()));
  if (!empty.possible()) return std::nullopt;
  std::int64_t nodes = 0;
  const std::size_t binds = binding(tree, owner, resource, others(tree, owner, resource));
  std::vector<Share> shares = shares_of(proof, tree, owner, binds, resource, nodes);
  const auto waits = [&](const std::vector<Share>& some) {
    Play play = empty;
    play.add_node("a-node", nodes);
    if (beyond > 0) play.add_node("a-node-that-takes-no-pod", beyond, true);
    return (some.empty() || play.ask(some)) && !play.ask(queues[owner].name, left + 1);
  };
  shares = needed(tree, binds, nodes - left, std::move(shares));
  if (!waits(shares)) return std::nullopt;
  std::vector<StoryStep> steps;
  std::int64_t all = 0;
  const auto who = [&](std::size_t q) {
    return tree.roles[q] == nullptr || tree.roles[q]->tenant.empty() ? queues[q].name : tree.roles[q]->tenant;
  };
  for (const Share& one : shares) {
    all += one.amount;
    steps.push_back({"", who(one.queue),
                     fmt::format("has {} allocated in queue `{}`", empty.words(one.amount), queues[one.queue].name)});
  }
  steps.push_back(
      {"", who(owner),
       fmt::format("asks for {} in queue `{}`: its pod waits, for {}", empty.words(left + 1), queues[owner].name,
                   all + left >= nodes ? "the nodes have no more" : "the limit of a queue on its path is reached")});
  return steps;
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
