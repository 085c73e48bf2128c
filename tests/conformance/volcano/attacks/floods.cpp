#include <algorithm>

#include "tests/conformance/volcano/attacks/judged.h"
#include "tests/support/random_tree.h"

namespace gpol::volcano::attacks {

namespace {

using histories::History;
using histories::Step;
using testing::Dice;

enum class Way : std::uint8_t {
  AtOnce,    // all queues, then one session
  InTurn,    // a session after each queue
  Gangs,     // in turn, in small jobs of which each wants all its pods or none
  Again,     // in turn; then pods end here and there, and all queues ask anew
  With,      // serving asks before the first session
  GivenBack  // serving had its reserve, and its pods end when all is full
};
constexpr Way kWays[] = {Way::AtOnce, Way::InTurn, Way::InTurn, Way::InTurn, Way::InTurn,
                         Way::InTurn, Way::Gangs,  Way::Again,  Way::With,   Way::GivenBack};

class Flood {
 public:
  Flood(const Cluster& cluster, Dice& dice) : cluster_(cluster), dice_(dice), order_(cluster.batch) {
    history_.scheduler = cluster.setup.scheduler;
    for (const Node& node : cluster.nodes) add(Step::Do::PutNode).node = node;
    for (const Queue& queue : cluster.setup.queues) add(Step::Do::PutQueue).queue = queue;
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(i) - 1))]);
  }

  History play(Way way) {
    const std::string& serving = cluster_.setup.queues[cluster_.serving].name;
    if (way == Way::GivenBack) {
      ask(serving, cluster_.reserve, 1, false);
      add(Step::Do::Session);
    }
    const std::size_t first = pods_.size();
    flood(way);
    if (way == Way::GivenBack) {
      for (std::size_t i = 0; i < first; ++i) add(Step::Do::Gone).name = pods_[i];
      add(Step::Do::Session);
    }
    if (way == Way::Again) {
      for (const std::string& pod : pods_)
        if (dice_.one_in(3)) add(Step::Do::Gone).name = pod;
      flood(Way::AtOnce);
    }
    // One job or many; and what is proven must do for a gang, too.
    const bool one = dice_.one_in(2);
    ask(serving, cluster_.reserve, one ? cluster_.reserve : 1, one && judged(cluster_).claimable == 0);
    for (int session = 0; session < 2; ++session) add(Step::Do::Session);
    return std::move(history_);
  }

 private:
  void flood(Way way) {
    for (const std::string& queue : order_) {
      const std::int64_t pods = cluster_.total + 1;
      ask(queue, pods, way == Way::Gangs ? 1 + dice_.upto(2) : dice_.one_in(3) ? 1 : pods, way == Way::Gangs);
      if (way != Way::AtOnce && way != Way::With) add(Step::Do::Session);
    }
    if (way == Way::AtOnce) add(Step::Do::Session);
  }

  Step& add(Step::Do action) {
    history_.steps.emplace_back();
    history_.steps.back().action = action;
    return history_.steps.back();
  }

  void ask(const std::string& queue, std::int64_t pods, std::int64_t each, bool gangs) {
    while (pods > 0) {
      Job job;
      job.name = "ns/j" + std::to_string(jobs_++);
      job.queue = queue;
      for (auto left = std::min(pods, each); left > 0; --left, --pods) {
        Pod pod;
        pod.name = "ns/p" + std::to_string(pods_.size());
        pod.requests = cluster_.requests;
        pods_.push_back(pod.name);
        job.pods.push_back(std::move(pod));
      }
      if (gangs) job.min_member = static_cast<std::int64_t>(job.pods.size());
      add(Step::Do::PutJob).job = std::move(job);
    }
  }

  const Cluster& cluster_;
  Dice& dice_;
  std::vector<std::string> order_;  // of the batch queues
  std::vector<std::string> pods_;
  int jobs_ = 0;
  History history_;
};

}  // namespace

std::vector<History> floods(const Cluster& cluster, std::uint64_t seed) {
  Dice dice(seed * 15'485'863 + 3);
  std::vector<History> result;
  for (const Way way : kWays) {
    result.push_back(Flood(cluster, dice).play(way));
    result.back().name = cluster.name + "-" + std::to_string(result.size());
  }
  return result;
}

}  // namespace gpol::volcano::attacks
