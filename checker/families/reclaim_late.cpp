#include "checker/families/reclaim_late.h"

#include <algorithm>
#include <span>
#include <vector>

namespace gpol {

namespace {

// Of hundreds of queues that are late a story is told of the first ones: that much is played in a few seconds.
constexpr std::int64_t kMostWork = 30'000'000;

// Of how many other tenants to tell: of none, of a few, and of twice as many while that is not late. All of hundreds
// would take minutes to make irreducible, and nobody would read it.
std::vector<std::size_t> told_beside(std::size_t others) {
  std::vector<std::size_t> counts{0};
  for (std::size_t few = 8; few < others; few *= 2) counts.push_back(few);
  if (others > 0) counts.push_back(others);
  return counts;
}

}  // namespace

std::optional<Story> tell_too_late(const Stage& stage, const Intent& intent, std::uint32_t queue,
                                   const TurnTable& table, const Clock& clock, Millis limit, bool whole) {
  // First of this queue alone; the bound counts the victims that other serving queues may take away, too.
  std::optional<Story> story;
  if (stage.worked() >= kMostWork) return story;
  const Turns bound = table.of(queue);
  const std::int64_t asking = std::min(bound.replicas, kToldReplicas);
  const std::vector<std::uint32_t> others = table.others(queue);
  const TooLate late{limit, whole ? clock.ready() : clock.back()};
  for (const std::size_t beside : told_beside(others.size())) {
    if (story) break;
    const bool alone = beside == 0;
    const std::span<const std::uint32_t> with(others.data(), beside);
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

bool looks_for_more(const Stage& stage, std::int64_t vain) {
  constexpr std::int64_t kMostVain = 4'000'000, kMostPlayed = 100'000'000;
  return stage.uncovered().empty() && stage.worked() < kMostPlayed && vain < kMostVain;
}

const char* no_starving_story(const Stage& stage, bool looked) {
  return looked || !stage.uncovered().empty() ? "; no story in which that starves it was found"
                                              : "; of so many queues a story is looked for of the first ones only";
}

const char* no_story(const Stage& stage) {
  return stage.worked() < kMostWork ? "; no story that takes so long was found"
                                    : "; too many queues are late to tell a story of each";
}

}  // namespace gpol
