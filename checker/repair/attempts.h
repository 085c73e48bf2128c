// Changes, tried on the tree that a queue is in. In: an observed cluster, the queue, what of it is broken. Out: whether
// with some changes it is mended and nothing else broken: alone, and beside changes that others were given.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/repair/changes.h"
#include "checker/story/replay.h"

namespace gpol {

class Attempts {
 public:
  using Candidates = std::vector<std::vector<Change>>;  // each is made as a whole

  // `family`: of what is broken of the owner. `beside`: changes of the whole cluster, found before.
  Attempts(const Proof& proof, std::uint32_t owner, Family family, const std::vector<Change>& beside);

  const Cluster& tree() const { return before_.cluster; }
  std::uint32_t owner() const { return owner_; }
  bool small() const { return queues_.size() <= kSmall; }

  // It is so already: what was found is not of the tree.
  bool nothing_to_mend();
  // The owner's family is proven, and nothing that was proven before is broken.
  bool mends(const std::vector<Change>& changes);
  bool breaks_nothing(const std::vector<Change>& changes);
  // The first single one that mends; else all of them, less those that it can do without.
  std::vector<Change> fewest(const Candidates& candidates);
  // As indices of the whole cluster.
  std::vector<Change> outside(std::vector<Change> changes) const;

 private:
  static constexpr std::size_t kSmall = 100;  // queues of a tree; in a larger one only what is sure is looked at

  struct Seen {
    Cluster cluster;
    std::set<std::pair<Family, std::string>> broken;  // what is promised and not proven
    std::set<std::uint32_t> doubted;                  // class A that waits if a story of it can be told
    std::map<std::uint32_t, bool> waits;              // those of which one was looked for
    std::unique_ptr<Stage> stage;
  };

  Seen look(Cluster cluster) const;
  bool waits(Seen& seen, std::uint32_t queue) const;
  bool is_broken(Seen& seen) const;
  bool no_worse(Seen& before, Seen& after) const;
  bool mends_from(Seen& before, const std::vector<Change>& changes) const;
  std::vector<Change> fewest_of(const Candidates& candidates);
  std::optional<Change> inside(Change change) const;

  const Proof& proof_;
  Intent intent_;                      // of the tree
  std::vector<std::uint32_t> queues_;  // of the tree, in the whole cluster
  std::uint32_t owner_ = 0;            // in the tree
  Family family_;
  Seen before_;
  std::optional<Seen> beside_;  // with the changes that others were given
  bool alone_ = false;          // what others were given is not looked at
};

}  // namespace gpol
