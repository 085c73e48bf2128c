// Refutations told as stories. In: a cluster, who is protected, and what a family found broken. Out: the steps, in the
// order in which they happen, every one of them played in the executable model first and irreducible (replay.h);
// nothing when no story could be played (also when the model does not cover the cluster). A family shows `refuted` only
// with what comes from here.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "checker/kueue/walk.h"
#include "checker/report/report.h"
#include "checker/story/replay.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct Story {
  Script script;
  std::vector<StoryStep> steps;
};

// Others hold `holdings` of one (flavor, resource), in whole pods of their declared shapes where that, too, is more
// than is permitted; the owner asks for one unit more than is then left.
std::optional<Story> tell_claim(const Stage& stage, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                                std::uint32_t resource, std::span<const kueue::Holding> holdings,
                                std::int64_t permitted = 0);

// Others hold what nobody can hold for good, until victims of a preemption have ended (kueue/ending.h): the owner,
// which asks for all of its reserve, waits for that.
std::optional<Story> tell_ending(const Stage& stage, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                                 std::uint32_t resource);

// The reserve does not come back at all: tries, in order, the recipes of kueue.md section 4.3 (a borrower nobody may
// evict; equal priority; another resource above nominal; a stopped borrower; a sibling's head that reserves for ever)
// and then a bounded search over small scripts.
std::optional<Story> tell_reclaim(const Stage& stage, const Intent& intent, std::uint32_t queue);

// The same where the demand is known exactly (QueueRole::unit_demand): single pods, of every serving queue at once.
std::optional<Story> tell_unit_reclaim(const Stage& stage, const Intent& intent, std::uint32_t queue);

// It comes back, but late: all replicas of the queue, and those of `others`, ask at the same time; played in the model,
// the last of the queue waits for `in_turn` evictions one after another. The times are those of `terms`, whose sum is
// over the limit.
struct TimeTerm {
  std::string what;  // "scheduling round", "grace and kill margin", "load"
  Millis time = 0;
  std::string source;         // "measured 2026-10"
  bool after_places = false;  // the tenant's own start-up: the places are free before it
};
// What a pod goes through once its place is free; terms of no time are left out.
std::vector<TimeTerm> start_terms(const TimeConstant& schedule, const TimeConstant& image, const TimeConstant& weights,
                                  const TimeConstant& load, const TimeConstant& warm);
struct TooLate {
  Millis limit = 0;  // a deadline, or the time of a loan
  Millis bound = 0;  // the longest that it can take, as far as is known; a story may be late with less
};
// The clock of a story: `terms` one after another from the moment the tenant asks, and that it is too late.
void tell_clock(std::vector<StoryStep>& steps, const std::string& tenant, std::optional<int> asks_at,
                std::span<const TimeTerm> terms, TooLate late);
// No more than so many replicas of the queue ask: shrinking a story of more takes long.
inline constexpr std::int64_t kToldReplicas = 48, kToldOfOthers = 16;
// `in_turn` is never more than turns_played says: how long the last of the queue waits in the model.
std::int64_t turns_played(const Stage& stage, const Intent& intent, std::uint32_t queue,
                          std::span<const std::uint32_t> others);
struct Waiting {
  std::int64_t asks = 0, in_turn = 0;  // replicas of the queue that ask; turns that the last of them waits for
};
std::optional<Story> tell_late(const Stage& stage, const Intent& intent, std::uint32_t queue,
                               std::span<const std::uint32_t> others, Waiting waiting, std::span<const TimeTerm> terms,
                               TooLate late);

// More quota than the `devices` that a flavor's nodes have for its queues: queues are admitted within their quotas to
// one unit more than that (of a declared shape: one pod). Lowering any of them leaves a device for each.
std::optional<Story> tell_capacity(const Stage& stage, const Intent& intent, const PoolCapacity& capacity,
                                   std::uint32_t resource, std::int64_t devices);

}  // namespace gpol
