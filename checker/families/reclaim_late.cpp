#include "checker/families/reclaim_late.h"

#include <algorithm>

namespace gpol {

std::optional<Story> tell_too_late(const Stage& stage, const Intent& intent, std::uint32_t queue,
                                   const TurnTable& table, const Clock& clock, Millis limit, bool whole) {
  // First of this queue alone; the bound counts the victims that other serving queues may take away, too.
  std::optional<Story> story;
  const Turns bound = table.of(queue);
  const std::int64_t asking = std::min(bound.replicas, kToldReplicas);
  const std::vector<std::uint32_t> others = table.others(queue);
  const TooLate late{limit, whole ? clock.ready() : clock.back()};
  for (const bool alone : {true, false}) {
    if (story) break;
    const auto& with = alone ? std::vector<std::uint32_t>() : others;
    const std::int64_t played = turns_played(stage, intent, queue, with);
    for (std::int64_t turns = std::min(played, alone ? bound.own : bound.all); turns >= 0 && !story; --turns) {
      const auto terms_of = [&](std::int64_t asks) {
        auto terms = story_terms(clock, std::max<std::int64_t>(0, asks - std::min(turns, bound.own)), turns);
        if (!whole) std::erase_if(terms, [](const TimeTerm& term) { return term.after_places; });
        return terms;
      };
      const auto too_long = [&](std::int64_t asks) {
        Millis sum = 0;
        for (const TimeTerm& term : terms_of(asks)) sum += term.time;
        return sum > limit;
      };
      if (!too_long(asking) || (!alone && turns <= bound.own)) break;
      std::int64_t fewest = 1;  // asks that already take too long
      while (!too_long(fewest)) ++fewest;
      for (std::int64_t asks = fewest; asks <= asking && !story;
           asks = asks == fewest ? std::max(asking, asks + 1) : asks + 1)
        story = tell_late(stage, intent, queue, with, {asks, turns}, terms_of(asks), late);
    }
  }
  return story;
}

}  // namespace gpol
