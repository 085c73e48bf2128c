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

#include "checker/kueue/forest.h"
#include "checker/repair/changes.h"
#include "checker/story/replay.h"

namespace gpol {

// A tree with some changes, and what is wrong with it.
struct Looked {
  Cluster cluster;
  std::string key;                                     // says which tree with which changes
  std::set<std::pair<Family, std::string>> broken;     // what is promised and not proven
  std::set<std::uint32_t> doubted;                     // class A that waits if a story of it can be told
  std::map<std::uint32_t, std::optional<bool>> waits;  // those of which one was looked for; absent: it cost too much
  std::unique_ptr<Stage> stage;
};

// What was looked at before of one cluster, by its key; and what all stories together may still cost, as Stage::worked:
// they take longer than all else that is tried. Once it is spent a change that only a story could clear is none.
struct Tried {
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kSmall = 100;  // queues of a tree; in a larger one only what is sure is looked at
  std::map<std::string, std::shared_ptr<Looked>> known;
  std::shared_ptr<std::int64_t> stories = std::make_shared<std::int64_t>(5'000'000);
  // What may be looked at of all trees that are not small, as squares of their queues: some seconds.
  std::shared_ptr<std::int64_t> large = std::make_shared<std::int64_t>(8'000'000);

  // What all attempts on one cluster begin with: all but the queues, and which of those are of one tree.
  struct Whole {
    Cluster bare;
    Intent intent;
    std::vector<kueue::Node> root;                            // per queue
    std::map<kueue::Node, std::vector<std::uint32_t>> trees;  // by root: queues
  };
  std::optional<Whole> whole;
  const Whole& whole_of(const Proof& proof);

  // Of so many findings no edit was tried.
  std::shared_ptr<std::int64_t> left_out = std::make_shared<std::int64_t>(0);

  // Nothing more is looked at of the tree that the queue is in: to copy it out of the cluster costs as much as a look.
  bool too_much(const Proof& proof, std::uint32_t queue);
};

class Attempts {
 public:
  using Candidates = std::vector<std::vector<Change>>;  // each is made as a whole

  // `family`: of what is broken of the owner. `beside`: changes of the whole cluster, found before.
  Attempts(const Proof& proof, std::uint32_t owner, Family family, const std::vector<Change>& beside, Tried& tried);

  const Cluster& tree() const { return before_->cluster; }
  std::uint32_t owner() const { return owner_; }
  // A queue of the tree that somebody counts on.
  bool serves(std::uint32_t queue) const { return intent_.roles[queue].kind == QueueRole::Kind::Serving; }
  // Pods that it asks for at most.
  std::int64_t demand_of(std::uint32_t queue) const { return intent_.roles[queue].unit_demand.value_or(INT64_MAX); }
  std::set<std::string> namespaces(std::uint32_t queue) const;  // whom it is meant to let in: selectors.h
  bool too_much() const { return !small() && *tried_.large <= 0; }
  bool small() const { return queues_.size() <= Tried::kSmall; }

  // It is so already: what was found is not of the tree.
  bool nothing_to_mend();
  // The owner's family is proven, and nothing that was proven before is broken.
  bool mends(const std::vector<Change>& changes);
  bool breaks_nothing(const std::vector<Change>& changes);
  // Made one by one, in any order as far as others were given some; `outside`: of the whole cluster.
  bool each_breaks_nothing(const std::vector<Change>& outside);
  // Of the first of `stages` that has it the first single candidate that mends; else all of them, less those that it
  // can do without: beside what others were given if that can be, else alone. As indices of the whole cluster.
  Remedy fewest(const std::vector<Candidates>& stages);

 private:
  static constexpr std::size_t kFew = 12;  // candidates that are tried one by one

  // Of the whole tree with these changes after those of `from`.
  std::shared_ptr<Looked> look(const Looked& from, const std::vector<Change>& changes) const;
  void judge(Looked& seen) const;
  std::optional<bool> waits(Looked& seen, std::uint32_t queue) const;
  bool is_broken(Looked& seen) const;
  bool no_worse(Looked& before, Looked& after) const;
  bool mends_from(Looked& before, const std::vector<Change>& changes) const;
  std::vector<Change> fewest_of(const Candidates& candidates);
  std::vector<Change> outside(std::vector<Change> changes) const;
  std::optional<Change> inside(Change change) const;

  const Proof& proof_;
  Tried& tried_;
  Intent intent_;                      // of the tree
  std::vector<std::uint32_t> queues_;  // of the tree, in the whole cluster
  std::uint32_t owner_ = 0;            // in the tree
  Family family_;
  std::shared_ptr<Looked> before_, beside_;  // as it is; with the changes that others were given, if any are of it
  bool alone_ = false;                       // what others were given is not looked at
};

}  // namespace gpol
