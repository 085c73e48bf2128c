#include "checker/families/outside_clock.h"

#include <fmt/format.h>

#include "compiler/policy/units.h"

namespace gpol {

Millis OutsideClock::back() const {
  return times(rounds, sum_of({times(replicas, schedule.value), grace.value, kill_margin.value}));
}

Millis OutsideClock::ready() const {
  return sum_of({back(), schedule.value, image.value, weights.value, load.value, warm.value});
}

std::string OutsideClock::back_in_words() const {
  return fmt::format("back in {} = {} x ({} x schedule {} + grace {} + kill margin {})", human_duration(back()), rounds,
                     replicas, human_duration(schedule.value), human_duration(grace.value),
                     human_duration(kill_margin.value));
}

Formula OutsideClock::formula(Millis limit) const {
  Formula formula;
  formula.name = "outside/ready-in-time";
  formula.sentence = "durations within the declared constants never sum up to more than the deadline";
  Term sum = integer(0);
  const auto spend = [&](const char* name, const TimeConstant& most, std::int64_t count) {
    const Term duration = int_symbol(name);
    formula.facts.push_back({name, duration >= integer(0) && duration <= integer(most.value)});
    sum = sum + count * duration;
  };
  spend("decision", schedule, times(rounds, replicas));
  spend("grace", grace, rounds);
  spend("kill-margin", kill_margin, rounds);
  spend("schedule", schedule, 1);
  spend("image", image, 1);
  spend("weights", weights, 1);
  spend("load", load, 1);
  spend("warm", warm, 1);
  formula.negated_goal = sum > integer(limit);
  return formula;
}

std::vector<TimeTerm> OutsideClock::told(std::int64_t attempts) const {
  std::vector<TimeTerm> terms{{fmt::format("{} x schedule, until it is decided whom to evict", attempts),
                               times(attempts, schedule.value), schedule.source, false},
                              {"grace of the victims", grace.value, grace.source, false},
                              {"kill margin of the victims", kill_margin.value, kill_margin.source, false}};
  std::erase_if(terms, [](const TimeTerm& term) { return term.time == 0; });
  const auto start = start_terms(schedule, image, weights, load, warm);
  terms.insert(terms.end(), start.begin(), start.end());
  return terms;
}

OutsideClock read_clock(const OutsideReserve& tenant, const BatchTimes& batch, std::int64_t replicas,
                        std::int64_t lost) {
  OutsideClock c;
  c.replicas = replicas;
  c.rounds = 2 + lost;
  const auto take = [&](const std::optional<TimeConstant>& from, TimeConstant& to, const char* name, const char* hint,
                        Span at) {
    if (from)
      to = *from;
    else
      c.missing.push_back({name, hint, at});
  };
  const char* const start =
      "declare `start schedule 10s, image 20s, weights 40s, load 25s, warm 20s (measured 2026-10)`, with times of its "
      "own";
  take(batch.grace, c.grace, "the longest grace of batch", "add `grace 60s (saved in 45s)` to every class C",
       batch.no_grace);
  take(batch.kill_margin, c.kill_margin, "the kill margin of batch", "add `kill margin 5s` to every class C",
       batch.no_kill_margin);
  take(tenant.start.schedule, c.schedule, "the start term `schedule`", start, tenant.name_span);
  take(tenant.start.image, c.image, "the start term `image`", start, tenant.name_span);
  take(tenant.start.weights, c.weights, "the start term `weights`", start, tenant.name_span);
  take(tenant.start.load, c.load, "the start term `load`", start, tenant.name_span);
  take(tenant.start.warm, c.warm, "the start term `warm`", start, tenant.name_span);
  return c;
}

}  // namespace gpol
