#include "compiler/plan/partition/loss_spread.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

namespace gpol {

namespace {

constexpr std::int64_t kMostSteps = 200'000'000;  // nodes looked at, of a profile: about a second

bool empty(const ProfileCounts& device) {
  return std::all_of(device.begin(), device.end(), [](std::int64_t count) { return count == 0; });
}

// What is to become less: of each profile how many more may go than should; then how unevenly nodes hold it.
struct Distance {
  std::int64_t too_many = 0, uneven = 0;
  auto operator<=>(const Distance&) const = default;
};

class Spreading {
 public:
  Spreading(std::vector<ProfileCounts>& devices, const LossQuestion& question)
      : devices_(devices),
        question_(question),
        can_hold_(question.can_hold.begin(), question.can_hold.end()),
        nodes_(devices.size() / question.per_node, ProfileCounts(question.may_go.size(), 0)) {
    can_hold_.emplace(question.may_go.size(), 0);
    for (std::size_t place = 0; place < devices.size(); ++place) add(nodes_[place / question.per_node], devices[place]);
  }

  bool enough_left() const { return distance().too_many == 0; }

  // One exchange, the best of a node of which too many go with another node; false: none brings the pool nearer.
  bool exchange() {
    const Distance now = distance();
    for (const std::size_t node : heaviest_first()) {
      best_ = now;
      for (std::size_t other = 0; other < nodes_.size() && steps_ < kMostSteps; ++other)
        if (other != node) try_nodes(node, other);
      if (best_ < now) return apply();
    }
    return false;
  }

 private:
  static void add(ProfileCounts& to, const ProfileCounts& what, std::int64_t times = 1) {
    for (std::size_t p = 0; p < to.size(); ++p) to[p] += times * what[p];
  }

  // Of a profile, with the nodes that have the most of it.
  std::int64_t gone(std::size_t profile) const {
    std::vector<std::int64_t> held;
    for (const ProfileCounts& node : nodes_) held.push_back(node[profile]);
    const auto lost = held.begin() + std::min<std::ptrdiff_t>(question_.lost, std::ssize(held));
    std::partial_sort(held.begin(), lost, held.end(), std::greater<>());
    return std::accumulate(held.begin(), lost, std::int64_t{0});
  }

  Distance distance() const {
    Distance out;
    for (std::size_t p = 0; p < question_.may_go.size(); ++p) {
      out.too_many += std::max<std::int64_t>(0, gone(p) - question_.may_go[p]);
      for (const ProfileCounts& node : nodes_) out.uneven += node[p] * node[p];
    }
    return out;
  }

  // Nodes that hold the most of a profile of which too many may go; then the others, which may have to make room.
  std::vector<std::size_t> heaviest_first() const {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      std::int64_t over = 0;
      for (std::size_t p = 0; p < question_.may_go.size(); ++p)
        if (gone(p) > question_.may_go[p]) over = std::max(over, nodes_[n][p]);
      order.emplace_back(-over, n);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> out;
    for (const auto& [over, node] : order) out.push_back(node);
    return out;
  }

  void try_nodes(std::size_t node, std::size_t other) {
    std::set<ProfileCounts> seen;
    for (std::size_t i = 0; i < question_.per_node; ++i) {
      if (!seen.insert(devices_[node * question_.per_node + i]).second) continue;
      std::set<ProfileCounts> seen_there;
      for (std::size_t j = 0; j < question_.per_node; ++j)
        if (seen_there.insert(devices_[other * question_.per_node + j]).second)
          try_devices(node * question_.per_node + i, other * question_.per_node + j);
    }
  }

  void try_devices(std::size_t a, std::size_t b) {
    ProfileCounts all = devices_[a];
    add(all, devices_[b]);
    const int cut = (empty(devices_[a]) ? 0 : 1) + (empty(devices_[b]) ? 0 : 1);
    if (cut == 0) return;
    ProfileCounts& node = nodes_[a / question_.per_node];
    ProfileCounts& other = nodes_[b / question_.per_node];
    const auto node_was = node, other_was = other;
    for (const ProfileCounts& first : can_hold_) {
      if (!std::equal(first.begin(), first.end(), all.begin(), std::less_equal<>()) || first == devices_[a]) continue;
      ++steps_;
      ProfileCounts second = all;
      add(second, first, -1);
      if ((empty(first) ? 0 : 1) + (empty(second) ? 0 : 1) != cut || !can_hold_.contains(second)) continue;
      add(node, devices_[a], -1), add(node, first);
      add(other, devices_[b], -1), add(other, second);
      steps_ += std::ssize(nodes_) * std::ssize(all);
      if (const Distance found = distance(); found < best_) {
        best_ = found;
        place_ = a, place_there_ = b;
        here_ = first, there_ = std::move(second);
      }
      node = node_was, other = other_was;
    }
  }

  bool apply() {
    for (const auto& [place, becomes] : {std::pair{place_, here_}, std::pair{place_there_, there_}}) {
      ProfileCounts& node = nodes_[place / question_.per_node];
      add(node, devices_[place], -1);
      add(node, becomes);
      devices_[place] = becomes;
    }
    return true;
  }

  std::vector<ProfileCounts>& devices_;
  const LossQuestion& question_;
  std::set<ProfileCounts> can_hold_;
  std::vector<ProfileCounts> nodes_;  // what each holds
  std::int64_t steps_ = 0;
  Distance best_;  // of the best exchange so far: what which two devices become
  std::size_t place_ = 0, place_there_ = 0;
  ProfileCounts here_, there_;
};

}  // namespace

bool spread_for_loss(std::vector<ProfileCounts>& devices, const LossQuestion& question) {
  Spreading spreading(devices, question);
  while (!spreading.enough_left())
    if (!spreading.exchange()) return false;
  return true;
}

}  // namespace gpol
