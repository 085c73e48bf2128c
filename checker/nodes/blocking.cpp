#include "checker/nodes/blocking.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "checker/planted.h"

namespace gpol::nodes {

namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kMostContents = 50'000;  // of a node, looked at while listing the fillings
constexpr std::size_t kMostFillings = 400, kMostKinds = 24;
constexpr std::ptrdiff_t kMostOfBatch = 8;      // kinds
constexpr std::int64_t kMostWork = 40'000'000;  // terms of the limits that are added up in one search
constexpr int kMostAccepts = 12;

// The least use of a resource that closes a node to the replica; more than the node has where none does.
std::int64_t closing(const Question& q, std::uint32_t r) {
  const std::int64_t open = q.node[r] - q.replica[r] + (planted(Bug::WalkClosingOffByOne) ? 1 : 0);
  return q.replica[r] == 0 ? kNoLimit : open + 1;
}

// Whatever holds `b` holds `a`. What is asked beyond may come from any of its kinds: both must have the same.
bool dominates(const Filling& a, const Filling& b) {
  for (std::size_t k = 0; k < a.pods.size(); ++k)
    if (a.pods[k] > b.pods[k]) return false;
  return a.beyond == 0 || (b.beyond >= a.beyond && a.resource == b.resource && a.by == b.by);
}

// Lists every number of pods of every kind that one node can hold. Of the last kind, where it takes one unit of one
// resource and nothing else, a second pod is of use only to take all that is left of that resource: that number is
// worked out instead of tried (a node has room for a hundred pods that ask for nothing).
class Lister {
 public:
  explicit Lister(const Question& q) : q_(q), pods_(q.kinds.size(), 0), used_(q.node.size(), 0) {}

  bool list() {
    const auto batch = std::ranges::count_if(q_.kinds, [](const PodKind& k) { return !k.serving; });
    if (q_.kinds.size() > kMostKinds || batch > kMostOfBatch) return false;
    visit(0);
    return contents_ <= kMostContents && found_.size() <= kMostFillings;
  }
  std::vector<Filling>& found() { return found_; }

 private:
  // How many more pods of the kind fit; as many as are ever tried where it takes nothing.
  std::int64_t fit(const PodKind& kind) const {
    std::int64_t most = static_cast<std::int64_t>(kMostContents) + 1;
    for (std::size_t r = 0; r < used_.size(); ++r)
      if (kind.each[r] > 0) most = std::min(most, (q_.node[r] - used_[r]) / kind.each[r]);
    return most;
  }
  void add(std::size_t k, std::int64_t count) {
    pods_[k] += count;
    for (std::size_t r = 0; r < used_.size(); ++r) used_[r] += count * q_.kinds[k].each[r];
  }
  void visit_with(std::size_t k, std::int64_t count) {
    add(k, count);
    visit(k + 1);
    add(k, -count);
  }

  void visit(std::size_t k) {
    if (contents_ > kMostContents || found_.size() > kMostFillings) return;
    if (k == q_.kinds.size()) {
      ++contents_;
      judge();
      return;
    }
    const PodKind& kind = q_.kinds[k];
    const std::int64_t most = fit(kind);
    const auto units =
        std::accumulate(kind.each.begin(), kind.each.end(), std::int64_t{0},
                        [](std::int64_t sum, std::int64_t a) { return sum + std::min<std::int64_t>(a, 2); });
    if (k + 1 < q_.kinds.size() || units > 1) {
      for (std::int64_t n = 0; n <= most && contents_ <= kMostContents; ++n) visit_with(k, n);
      return;
    }
    for (std::int64_t n = 0; n <= std::min<std::int64_t>(1, most); ++n) visit_with(k, n);
    for (std::uint32_t r = 0; r < used_.size(); ++r) {
      const std::int64_t close = closing(q_, r);
      if (kind.each[r] > 0 && close <= q_.node[r] && close - used_[r] >= 2) visit_with(k, close - used_[r]);
    }
  }

  void judge() {
    for (std::uint32_t r = 0; r < used_.size(); ++r) {
      const std::int64_t close = closing(q_, r);
      if (close == kNoLimit) continue;
      if (used_[r] >= close) {
        keep({pods_, r, 0, {}});
        continue;
      }
      std::vector<std::uint32_t> by;
      for (std::uint32_t k = 0; k < q_.kinds.size(); ++k)
        if (pods_[k] > 0 && q_.kinds[k].beyond[r]) by.push_back(k);
      if (!by.empty()) keep({pods_, r, close - used_[r], std::move(by)});
    }
  }

  void keep(Filling filling) {
    for (const Filling& known : found_)
      if (dominates(known, filling)) return;
    std::erase_if(found_, [&](const Filling& known) { return dominates(filling, known); });
    found_.push_back(std::move(filling));
  }

  const Question& q_;
  std::vector<std::int64_t> pods_;
  Amounts used_;
  std::vector<Filling> found_;
  std::size_t contents_ = 0;
};

// Whether what the fillings ask beyond can be split among their kinds: by Hall's theorem, if for every set of kinds
// what only they can ask for is no more than they have left together. `left` by kind; `asked` by set of kinds (bits).
bool can_be_split(const std::vector<std::int64_t>& left, const std::map<std::uint32_t, Wide>& asked) {
  std::uint32_t all = 0;
  for (const auto& [kinds, amount] : asked) all |= kinds;
  for (std::uint32_t set = all; set != 0; set = (set - 1) & all) {
    Wide only = 0, together = 0;
    for (const auto& [kinds, amount] : asked)
      if ((kinds & ~set) == 0) only += amount;
    for (std::uint32_t k = 0; k < left.size(); ++k)
      if (((set >> k) & 1U) != 0) together += left[k];
    if (only > together) return false;
  }
  return true;
}

bool batch_within(const Question& q, const std::vector<Filling>& fillings, const std::vector<std::int64_t>& nodes,
                  std::uint32_t r, Wide& batch) {
  std::vector<std::int64_t> left(q.kinds.size(), 0);
  for (std::uint32_t k = 0; k < q.kinds.size(); ++k) {
    if (q.kinds[k].serving) continue;
    const std::int64_t use = taken(q, fillings, nodes, k, r);
    if (use > q.kinds[k].at_most[r]) return false;
    left[k] = q.kinds[k].at_most[r] - use;
    batch += use;
  }
  std::map<std::uint32_t, Wide> asked;
  for (std::size_t i = 0; i < fillings.size(); ++i) {
    if (fillings[i].beyond == 0 || fillings[i].resource != r || nodes[i] == 0) continue;
    std::uint32_t kinds = 0;
    for (const std::uint32_t k : fillings[i].by) kinds |= 1U << k;
    asked[kinds] += Wide{fillings[i].beyond} * nodes[i];
    batch += Wide{fillings[i].beyond} * nodes[i];
  }
  return asked.empty() || can_be_split(left, asked);
}

// A bound on how many nodes of these fillings (`live`) fit beside `nodes`, by one resource: of batch alone, or (`all`)
// of batch and serving with what the serving pods alone could take added to the limit.
std::int64_t shared(const Question& q, const std::vector<Filling>& fillings, const std::vector<std::int64_t>& nodes,
                    std::uint32_t r, bool all, const std::vector<bool>& live) {
  const std::int64_t limit = all ? q.together[r] : q.batch[r];
  if (limit == kNoLimit) return kNoLimit;
  Wide left = limit;
  std::int64_t cheapest = kNoLimit;
  for (std::uint32_t k = 0; all && k < q.kinds.size(); ++k)
    if (q.kinds[k].serving) left += Wide{q.kinds[k].alone} * q.kinds[k].counted[r];
  const auto cost = [&](std::size_t p) {
    std::int64_t sum = 0;
    for (std::uint32_t k = 0; k < q.kinds.size(); ++k) {
      const PodKind& kind = q.kinds[k];
      if (kind.serving) {
        if (all) sum += fillings[p].pods[k] * kind.counted[r];
        continue;
      }
      sum += fillings[p].pods[k] * kind.each[r];
    }
    return sum + (fillings[p].resource == r ? fillings[p].beyond : 0);
  };
  for (std::size_t p = 0; p < fillings.size(); ++p) {
    if (nodes[p] > 0) left -= Wide{nodes[p]} * cost(p);
    if (live[p]) cheapest = std::min(cheapest, cost(p));
  }
  if (cheapest == kNoLimit) return 0;
  if (cheapest == 0) return kNoLimit;
  return left < 0 ? 0 : static_cast<std::int64_t>(std::min<Wide>(left / cheapest, kNoLimit));
}

// The least of those of all resources; no more than `missing`.
std::int64_t shared(const Question& q, const std::vector<Filling>& fillings, const std::vector<std::int64_t>& nodes,
                    const std::vector<bool>& live, std::int64_t missing) {
  for (std::uint32_t r = 0; r < q.node.size(); ++r)
    for (const bool all : {false, true}) missing = std::min(missing, shared(q, fillings, nodes, r, all, live));
  return missing;
}

class Search {
 public:
  Search(const Question& q, const std::vector<Filling>& fillings, std::int64_t wanted,
         const std::function<bool(const std::vector<std::int64_t>&)>& accept)
      : q_(q), fillings_(fillings), wanted_(wanted), accept_(accept), nodes_(fillings.size(), 0) {}

  Closed run() {
    const std::int64_t bound = at_most(0);
    visit(0);
    Closed closed;
    closed.at_least = best_;
    closed.at_most = work_ <= kMostWork || best_ == wanted_ ? best_ : bound;
    if (best_ < wanted_ || taken_) closed.nodes = std::move(best_nodes_);
    return closed;
  }

 private:
  // How often filling i can be added to what there is; no more than `limit`.
  std::int64_t room(std::size_t i, std::int64_t limit) {
    const std::int64_t before = nodes_[i];
    std::int64_t fits = 0, fails = limit + 1;
    while (fails - fits > 1) {
      const std::int64_t middle = fits + (fails - fits) / 2;
      nodes_[i] = before + middle;
      (within_limits(q_, fillings_, nodes_) ? fits : fails) = middle;
      work_ += static_cast<std::int64_t>(fillings_.size() * q_.kinds.size() * q_.node.size());
    }
    nodes_[i] = before;
    return fits;
  }

  // A bound on what fillings from `i` on can add. Each alone, summed; and every resource that all of them use, shared.
  std::int64_t at_most(std::size_t i) {
    const std::int64_t missing = wanted_ - total_;
    Wide each = 0;
    std::vector<bool> live(fillings_.size(), false);
    for (std::size_t p = i; p < fillings_.size(); ++p) {
      const std::int64_t more = room(p, missing);
      live[p] = more > 0;
      each += more;
    }
    std::int64_t least = static_cast<std::int64_t>(std::min<Wide>(each, missing));
    return shared(q_, fillings_, nodes_, live, least);
  }

  // True: an accepted way was found, or there is no use in looking on.
  bool visit(std::size_t i) {
    if (work_ > kMostWork) return true;
    if (total_ > best_ || best_nodes_.empty()) {
      best_ = total_;
      best_nodes_ = nodes_;
    }
    if (total_ == wanted_) {
      taken_ = accept_(nodes_);
      if (taken_) best_nodes_ = nodes_;
      return taken_ || ++accepts_ >= kMostAccepts;
    }
    if (i == fillings_.size()) return false;
    // Once everything can be closed, only ways that close everything are of interest.
    const std::int64_t reach = total_ + at_most(i);
    if (best_ == wanted_ ? reach < wanted_ : reach <= best_) return false;
    for (std::int64_t more = room(i, wanted_ - total_); more >= 0; --more) {
      nodes_[i] += more;
      total_ += more;
      const bool done = visit(i + 1);
      nodes_[i] -= more;
      total_ -= more;
      if (done) return true;
    }
    return false;
  }

  const Question& q_;
  const std::vector<Filling>& fillings_;
  const std::int64_t wanted_;
  const std::function<bool(const std::vector<std::int64_t>&)>& accept_;
  std::vector<std::int64_t> nodes_, best_nodes_;
  std::int64_t total_ = 0, best_ = 0;
  std::int64_t work_ = 0;
  int accepts_ = 0;
  bool taken_ = false;
};

}  // namespace

std::optional<std::vector<Filling>> fillings(const Question& question) {
  Lister lister(question);
  if (!lister.list()) return std::nullopt;
  return std::move(lister.found());
}

std::int64_t size_of(const Filling& filling) {
  return std::accumulate(filling.pods.begin(), filling.pods.end(), std::int64_t{0});
}

std::int64_t taken(const Question& question, const std::vector<Filling>& fillings,
                   const std::vector<std::int64_t>& nodes, std::uint32_t kind, std::uint32_t resource) {
  Wide pods = 0;
  for (std::size_t i = 0; i < fillings.size(); ++i) pods += Wide{fillings[i].pods[kind]} * nodes[i];
  return static_cast<std::int64_t>(std::min<Wide>(pods * question.kinds[kind].each[resource], kNoLimit - 1));
}

bool within_limits(const Question& question, const std::vector<Filling>& fillings,
                   const std::vector<std::int64_t>& nodes) {
  const std::size_t resources = question.node.size();
  std::vector<Wide> together(resources, 0);
  std::vector<std::vector<Wide>> owned(question.owned.size(), together);
  for (std::uint32_t k = 0; k < question.kinds.size(); ++k) {
    const PodKind& kind = question.kinds[k];
    if (!kind.serving) continue;
    Wide pods = 0;
    for (std::size_t i = 0; i < fillings.size(); ++i) pods += Wide{fillings[i].pods[k]} * nodes[i];
    if (pods > Wide{kind.alone} + kind.beside) return false;
    const Wide beside = std::max<Wide>(0, pods - kind.alone);  // those alone first: they take nobody's quota
    for (std::size_t r = 0; r < resources; ++r) together[r] += beside * kind.counted[r];
    for (std::size_t r = 0; kind.owner && r < resources; ++r) {
      Wide& sum = owned[*kind.owner][r];
      if ((sum += pods * kind.counted[r]) > question.owned[*kind.owner][r]) return false;
    }
  }
  for (std::uint32_t r = 0; r < resources; ++r) {
    Wide batch = 0;
    if (!batch_within(question, fillings, nodes, r, batch)) return false;
    if (question.batch[r] != kNoLimit && batch > question.batch[r]) return false;
    if (planted(Bug::WalkQuotaTogetherForgotten)) continue;
    if (question.together[r] != kNoLimit && batch + together[r] > question.together[r]) return false;
  }
  return true;
}

std::vector<std::int64_t> most_closed_by(const Question& question, const std::vector<Filling>& fillings,
                                         std::int64_t wanted) {
  const std::vector<std::int64_t> none(fillings.size(), 0);
  std::vector<std::int64_t> most;
  for (std::uint32_t r = 0; r < question.node.size(); ++r) {
    std::vector<bool> of_it;
    for (const Filling& filling : fillings) of_it.push_back(filling.resource == r);
    most.push_back(shared(question, fillings, none, of_it, wanted));
  }
  return most;
}

Closed most_closed(const Question& question, const std::vector<Filling>& fillings, std::int64_t wanted,
                   const std::function<bool(const std::vector<std::int64_t>&)>& accept) {
  return Search(question, fillings, wanted, accept).run();
}

}  // namespace gpol::nodes
