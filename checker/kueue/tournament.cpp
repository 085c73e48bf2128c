#include "checker/kueue/tournament.h"

#include <map>
#include <optional>
#include <vector>

#include "checker/kueue/shares.h"

namespace gpol::kueue {

namespace {

class Tournament {
 public:
  Tournament(Ledger& snapshot, std::span<const Contender> contenders) : snapshot_(snapshot), contenders_(contenders) {}

  std::size_t run() {
    const auto& parent = snapshot_.shape().parent;
    Node root = contenders_.front().queue;
    if (parent[root] == kRoot) return 0;
    while (parent[root] != kRoot) root = parent[root];
    for (std::size_t i = 0; i < contenders_.size(); ++i) weigh(i, root);
    const std::size_t first = *winner(root);
    if (tie_) snapshot_.note_arbitrary();
    return first;
  }

 private:
  // computeDRS: by cohort, the share of its child on the contender's way up, with the contender admitted.
  void weigh(std::size_t i, Node root) {
    const auto& parent = snapshot_.shape().parent;
    const Contender& c = contenders_[i];
    std::vector<Node> path;
    for (Node v = c.queue; v != kRoot; v = parent[v]) path.push_back(v);
    if (path.back() != root) return;
    at_queue_[c.queue] = i;
    for (const auto& [fr, amount] : c.usage) snapshot_.add(c.queue, fr, amount);
    for (std::size_t level = 0; level + 1 < path.size(); ++level)
      shares_[{path[level + 1], i}] = dominant_share(snapshot_, path[level]);
    for (const auto& [fr, amount] : c.usage) snapshot_.remove(c.queue, fr, amount);
  }

  // runTournament
  std::optional<std::size_t> winner(Node cohort) {
    std::optional<std::size_t> best;
    for (const Node child : snapshot_.shape().children[cohort]) {
      std::optional<std::size_t> candidate;
      if (child >= snapshot_.shape().queues)
        candidate = winner(child);
      else if (const auto found = at_queue_.find(child); found != at_queue_.end())
        candidate = found->second;
      if (!candidate) continue;
      const bool wins = !best || less(*candidate, *best, cohort);
      tie_ = tie_ || (!wins && !less(*best, *candidate, cohort));
      if (wins) best = candidate;
    }
    return best;
  }

  // entryComparer.less
  bool less(std::size_t a, std::size_t b, Node cohort) const {
    const Share& of_a = shares_.at({cohort, a});
    const Share& of_b = shares_.at({cohort, b});
    const Contender &first = contenders_[a], &second = contenders_[b];
    if (snapshot_.on(Gate::PrioritizePreemptorWorkloads) && first.preemptor != second.preemptor) return first.preemptor;
    const bool a_borrows = borrows_on(of_a, first.usage), b_borrows = borrows_on(of_b, second.usage);
    if (snapshot_.holds(Rule::BorrowsNothingFirst) && a_borrows != b_borrows) return b_borrows;
    if (const int order = snapshot_.holds(Rule::ShareOrder) ? compare(of_a, of_b) : 0; order != 0) return order < 0;
    if (snapshot_.holds(Rule::OrderByPriority) && first.priority != second.priority)
      return first.priority > second.priority;
    return first.queued < second.queued;
  }

  Ledger& snapshot_;
  std::span<const Contender> contenders_;
  bool tie_ = false;  // between equals upstream takes either
  std::map<Node, std::size_t> at_queue_;
  std::map<std::pair<Node, std::size_t>, Share> shares_;  // by cohort and contender
};

}  // namespace

std::size_t win_tournament(Ledger& snapshot, std::span<const Contender> contenders) {
  return Tournament(snapshot, contenders).run();
}

}  // namespace gpol::kueue
