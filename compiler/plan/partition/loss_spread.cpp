#include "compiler/plan/partition/loss_spread.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace gpol {

namespace {

constexpr std::int64_t kMostSteps = 100'000'000;  // nodes looked at, of a profile: about a second
constexpr int kMostRounds = 300;

bool empty(const ProfileCounts& device) {
  return std::ranges::all_of(device, [](std::int64_t count) { return count == 0; });
}

// What is to become less: of each profile how many more may go than should; then how unevenly nodes hold it.
struct Distance {
  std::int64_t too_many = 0, uneven = 0;
  auto operator<=>(const Distance&) const = default;
};

class Spreading {
 public:
  Spreading(std::vector<ProfileCounts> devices, const LossQuestion& question)
      : question_(&question),
        devices_(std::move(devices)),
        nodes_(devices_.size() / question.per_node, ProfileCounts(question.may_go.size(), 0)),
        can_hold_(question.can_hold.begin(), question.can_hold.end()) {
    can_hold_.emplace(question.may_go.size(), 0);
    for (std::size_t place = 0; place < devices_.size(); ++place) add(node_of(place), devices_[place]);
  }

  const std::vector<ProfileCounts>& devices() const { return devices_; }
  // Steps and chance of a try that came to nothing.
  void goes_on_after(const Spreading& other) {
    steps_ = other.steps_;
    random_ = other.random_;
  }
  bool at_limit() const { return steps_ >= kMostSteps; }

  Distance distance() const {
    Distance out;
    for (std::size_t p = 0; p < question_->may_go.size(); ++p) {
      out.too_many += std::max<std::int64_t>(0, gone(p) - question_->may_go[p]);
      for (const ProfileCounts& node : nodes_) out.uneven += node[p] * node[p];
    }
    return out;
  }

  // The best exchange of a node of which too many go, then of the others, as long as one brings the pool nearer.
  void descend() {
    while (distance().too_many > 0) {
      const Distance now = distance();
      least_ = now;
      for (const std::size_t node : heaviest_first()) {
        for (std::size_t other = 0; other < nodes_.size() && !at_limit(); ++other)
          if (other != node) try_nodes(node, other);
        if (least_ < now) break;
      }
      if (least_ == now) return;
      apply(best_);
    }
  }

  // Any exchanges of the heaviest node, whatever comes of them.
  void shake() {
    constexpr std::int64_t kCopied = 20;  // steps: a try begins with a copy of every device
    steps_ += kCopied * std::ssize(devices_);
    const std::size_t node = heaviest_first().front();
    for (int i = 0; i < 2; ++i) {
      const std::size_t other = (node + 1 + below(nodes_.size() - 1)) % nodes_.size();
      const auto ways = exchanges(node * question_->per_node + below(question_->per_node),
                                  other * question_->per_node + below(question_->per_node));
      if (!ways.empty()) apply(ways[below(ways.size())]);
    }
  }

 private:
  static void add(ProfileCounts& to, const ProfileCounts& what, std::int64_t times = 1) {
    for (std::size_t p = 0; p < to.size(); ++p) to[p] += times * what[p];
  }
  ProfileCounts& node_of(std::size_t place) { return nodes_[place / question_->per_node]; }

  // Of a profile, with the nodes that have the most of it.
  std::int64_t gone(std::size_t profile) const {
    std::vector<std::int64_t> held;
    for (const ProfileCounts& node : nodes_) held.push_back(node[profile]);
    const auto lost = held.begin() + std::min<std::ptrdiff_t>(question_->lost, std::ssize(held));
    std::partial_sort(held.begin(), lost, held.end(), std::greater<>());
    return std::accumulate(held.begin(), lost, std::int64_t{0});
  }

  // Nodes that hold the most of a profile of which too many may go; then the others, which may have to make room.
  std::vector<std::size_t> heaviest_first() const {
    std::vector<std::size_t> profiles, out(nodes_.size());
    for (std::size_t p = 0; p < question_->may_go.size(); ++p)
      if (gone(p) > question_->may_go[p]) profiles.push_back(p);
    const auto weight = [&](std::size_t node) {
      std::int64_t most = 0;
      for (const std::size_t p : profiles) most = std::max(most, nodes_[node][p]);
      return most;
    };
    std::iota(out.begin(), out.end(), std::size_t{0});
    std::ranges::stable_sort(out, [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    return out;
  }

  void try_nodes(std::size_t node, std::size_t other) {
    const auto different = [&](std::size_t of) {
      std::map<ProfileCounts, std::size_t> places;
      for (std::size_t i = 0; i < question_->per_node; ++i)
        places.emplace(devices_[of * question_->per_node + i], of * question_->per_node + i);
      return places;
    };
    const auto others = different(other);
    for (const auto& [holds, place] : different(node))
      for (const auto& [other_holds, other_place] : others) try_devices(place, other_place);
  }

  // What the two devices can hold instead, together the same and as many of them cut.
  struct Exchange {
    std::size_t place = 0, other_place = 0;
    ProfileCounts holds, other_holds;
  };
  std::vector<Exchange> exchanges(std::size_t place, std::size_t other_place) {
    std::vector<Exchange> out;
    ProfileCounts all = devices_[place];
    add(all, devices_[other_place]);
    const int cut = (empty(devices_[place]) ? 0 : 1) + (empty(devices_[other_place]) ? 0 : 1);
    if (cut == 0) return out;
    for (const ProfileCounts& first : can_hold_) {
      ++steps_;
      if (!std::equal(first.begin(), first.end(), all.begin(), std::less_equal<>()) || first == devices_[place])
        continue;
      ProfileCounts second = all;
      add(second, first, -1);
      if ((empty(first) ? 0 : 1) + (empty(second) ? 0 : 1) == cut && can_hold_.contains(second))
        out.push_back({place, other_place, first, std::move(second)});
    }
    return out;
  }

  void try_devices(std::size_t place, std::size_t other_place) {
    ProfileCounts &node = node_of(place), &other = node_of(other_place);
    const auto node_was = node, other_was = other;
    for (Exchange& exchange : exchanges(place, other_place)) {
      add(node, devices_[place], -1), add(node, exchange.holds);
      add(other, devices_[other_place], -1), add(other, exchange.other_holds);
      steps_ += std::ssize(nodes_) * std::ssize(node);
      if (const Distance found = distance(); found < least_) {
        least_ = found;
        best_ = std::move(exchange);
      }
      node = node_was, other = other_was;
    }
  }

  void apply(const Exchange& exchange) {
    for (const auto& [place, holds] :
         {std::pair{exchange.place, &exchange.holds}, std::pair{exchange.other_place, &exchange.other_holds}}) {
      add(node_of(place), devices_[place], -1);
      add(node_of(place), *holds);
      devices_[place] = *holds;
    }
  }

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

  const LossQuestion* question_;
  std::vector<ProfileCounts> devices_, nodes_;  // what each holds
  std::set<ProfileCounts> can_hold_;            // with nothing
  std::int64_t steps_ = 0;
  Distance least_;  // with the best exchange so far
  Exchange best_;
  std::minstd_rand random_;  // the same everywhere
};

// What goes of a profile at least, with nodes that hold it as evenly as can be.
std::int64_t goes_at_least(const std::vector<ProfileCounts>& devices, const LossQuestion& question,
                           std::size_t profile) {
  const auto nodes = static_cast<std::int64_t>(devices.size() / question.per_node);
  std::int64_t all = 0;
  for (const ProfileCounts& device : devices) all += device[profile];
  const std::int64_t lost = std::min(question.lost, nodes);
  return all / nodes * lost + std::min(all % nodes, lost);
}

}  // namespace

bool spread_for_loss(std::vector<ProfileCounts>& devices, const LossQuestion& question) {
  if (question.lost <= 0 || std::cmp_less_equal(devices.size(), question.per_node)) return true;
  LossQuestion nearest = question;  // where too many of one go in any case, the others still get their way
  for (std::size_t p = 0; p < question.may_go.size(); ++p)
    nearest.may_go[p] = std::max(question.may_go[p], goes_at_least(devices, question, p));
  Spreading best(devices, nearest);
  best.descend();
  for (int round = 0; round < kMostRounds && best.distance().too_many > 0 && !best.at_limit(); ++round) {
    Spreading shaken = best;
    shaken.shake();
    shaken.descend();
    if (shaken.distance() <= best.distance())
      best = std::move(shaken);
    else
      best.goes_on_after(shaken);
  }
  devices = best.devices();
  return best.distance().too_many == 0 && nearest.may_go == question.may_go;
}

}  // namespace gpol
