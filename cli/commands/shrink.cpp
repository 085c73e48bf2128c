#include "cli/commands/shrink.h"

#include <map>

namespace gpol {

namespace {

class Shrinker {
 public:
  Shrinker(std::span<const Clause> clauses, const Holds& holds) : holds_(holds), out_(clauses.size()) {
    inside_.resize(clauses.size());
    // What uses a name mostly stands behind what declares it: from the end on, fewer attempts fail.
    for (std::size_t i = clauses.size(); i-- > 0;)
      (clauses[i].within ? inside_[*clauses[i].within] : top_).push_back(i);
  }

  // A clause that had to stay may be superfluous once others are out: until no attempt succeeds any more.
  std::vector<bool> shrunk() {
    while (shrink(top_)) continue;
    return out_;
  }

 private:
  void take_out(std::size_t clause, std::vector<bool>& out) const {
    out[clause] = true;
    for (const std::size_t part : inside_[clause]) take_out(part, out);
  }

  // Many at once first: most of a policy is about others.
  bool shrink(std::span<const std::size_t> some) {
    std::vector<std::size_t> left;
    for (const std::size_t clause : some)
      if (!out_[clause]) left.push_back(clause);
    if (left.empty()) return false;
    std::vector<bool> without = out_;
    for (const std::size_t clause : left) take_out(clause, without);
    if (hold(without)) {
      out_ = without;
      return true;
    }
    if (left.size() == 1) return shrink(inside_[left.front()]);
    const std::span all(left);
    const std::size_t half = left.size() / 2;
    const bool first = shrink(all.first(half));
    return shrink(all.subspan(half)) || first;
  }

  bool hold(const std::vector<bool>& out) {
    const auto [known, fresh] = known_.try_emplace(out, false);
    if (fresh) known->second = holds_(out);
    return known->second;
  }

  const Holds& holds_;
  std::vector<std::vector<std::size_t>> inside_;
  std::vector<std::size_t> top_;
  std::vector<bool> out_;
  std::map<std::vector<bool>, bool> known_;
};

}  // namespace

std::vector<bool> superfluous_clauses(std::span<const Clause> clauses, const Holds& holds) {
  return Shrinker(clauses, holds).shrunk();
}

}  // namespace gpol
