// Stories about a demand that is known exactly: single pods of one unit of every resource, asked by every serving queue
// at once. First the known ways (unit_ways.cpp), then a search whose dice are the same on every machine (deeds.h): it
// goes on from what made serving wait longest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/story/deeds.h"
#include "checker/story/replay.h"
#include "checker/story/stories.h"
#include "compiler/cluster/intent.h"

namespace gpol {

class UnitTeller {
 public:
  UnitTeller(const Stage& stage, const Intent& intent, std::uint32_t queue);
  std::optional<Story> tell();

 private:
  struct Pair {
    std::uint32_t flavor, resource;
  };
  using Told = std::optional<Story>;

  std::vector<std::int64_t> priorities() const;  // that matter: the default, its own, and above it; above everybody's
  bool spent() const;
  std::int64_t demand() const { return intent_.roles[queue_].unit_demand.value_or(0); }  // pods
  static std::int64_t owned(const Queue& queue, const Pair& pair);                       // its nominal quota
  static bool is_of(const Submit& submit, const Pair& pair);                             // its first resource
  kueue::Node root(kueue::Node v) const { return kueue::root_of(stage_.shape(), v); }

  // Never were all of its pods admitted at once.
  bool starved(const Script& script, const Played& played) const;
  // What another serving queue holds may be of any shape; what it waits for is of its demand. The first step that is
  // not so.
  std::optional<std::size_t> odd_head(const Script& script, const Played& played) const;

  Submit pod(std::uint32_t queue) const;
  // The demand of every serving queue, this one's last or first, in one go; `already`: pods of this one that run. What
  // others of them hold is of their demand.
  void ask(Script& script, bool last, std::int64_t already = 0) const;
  // As many pods of its demand as what it asked for in these steps would take.
  std::int64_t pods_held(std::span<const Step> steps, std::uint32_t queue) const;
  // What others can hold of each pair, of each resource in all flavors, and of everything.
  std::vector<std::vector<Step>> holds(std::int64_t priority, std::span<const std::uint32_t> idle) const;

  Told after(std::vector<Step> before);
  // The other serving queues of its tree asked before, and run: of several flavors one takes another one's first.
  Told beside_running_demands();
  // A script that does not starve it is remembered by its deeds.
  Told told(Script script, Deeds* deeds = nullptr);
  Told told(Deeds deeds);
  Script script_of(const Deeds& deeds) const;
  void remember(Deeds deeds, const Script& script, const Played& played);

  // Pods that serving puts on places it borrows, and pods of another queue that wants its own quota back, in turns:
  // some of them run before, the others come with the ask.
  Told taking_turns();
  // N15b: others leave some of what a sibling lends, and its head wants more than that; they hold the rest, too.
  Told keeping();
  // The same while all pods of the demand but the last one run, and the sibling holds what it owns of other resources.
  Told keeping_from_the_last();
  // N16: another queue is above its quota of one resource, and its newest work asks for another one that it owns.
  Told coming_back();
  Deeds beside_what_comes_back(const Submit& newest, const Pair& above, bool whole, std::int64_t already) const;
  Told search();

  const Stage& stage_;
  const Cluster& cluster_;
  const Intent& intent_;
  std::uint32_t queue_;
  std::int64_t own_, first_;  // its priority; what the stage had worked before
  Keeps keeps_;
  std::vector<Pair> pairs_;
  std::vector<Deeds> best_;
};

}  // namespace gpol
