#include "checker/families/time.h"

#include <fmt/format.h>

#include "compiler/policy/units.h"

namespace gpol {
namespace {

void take(const std::optional<TimeConstant>& from, TimeConstant& to, const char* name, std::string& missing) {
  if (from)
    to = *from;
  else if (missing.empty())
    missing = name;
}

}  // namespace

bool meets(const Clock& clock, const QueueRole& role) {
  return !(role.deadline && clock.ready() > role.deadline->value) &&
         !(role.back_within && clock.back() > role.back_within->value);
}

ClockReading read_clock(const QueueRole& role, const BatchTimes& batch, const Turns& turns, bool needs_start) {
  ClockReading reading;
  Clock& c = reading.clock;
  std::string& missing = reading.missing;
  missing = turns.missing;
  c.in_turn = turns.all;
  c.fitting = turns.replicas - turns.own;
  if (!role.victims_in_turn && missing.empty()) missing = "the shape of a replica";
  take(batch.round, c.round, "the longest scheduling round", missing);
  c.beside_batch = turns.beside_batch;
  if (c.in_turn > 0) {
    c.released_when_gone = !batch.only_jobs;
    if (batch.only_jobs)
      take(batch.release_reaction, c.release, "the longest reaction before a quota's release", missing);
  }
  if (c.in_turn > 0 || c.beside_batch) {
    take(batch.grace, c.grace, "the longest grace of batch", missing);
    take(batch.kill_margin, c.kill_margin, "the kill margin of batch", missing);
  }
  if (needs_start) {
    take(role.start.schedule, c.schedule, "the start term `schedule`", missing);
    take(role.start.image, c.image, "the start term `image`", missing);
    take(role.start.weights, c.weights, "the start term `weights`", missing);
    take(role.start.load, c.load, "the start term `load`", missing);
    take(role.start.warm, c.warm, "the start term `warm`", missing);
  }
  return reading;
}

std::string back_in_words(const Clock& c) {
  std::string sum;
  if (c.fitting > 0) sum = fmt::format("{} x round {}", c.fitting, human_duration(c.round.value));
  const std::string end =
      fmt::format("grace {} + kill margin {}", human_duration(c.grace.value), human_duration(c.kill_margin.value));
  if (c.in_turn == 0 && c.beside_batch) sum += (sum.empty() ? "" : " + ") + end;
  if (c.in_turn > 0) {
    const std::string release = c.released_when_gone ? end : "release " + human_duration(c.release.value);
    sum += fmt::format("{}{} x (2 x round {} + {}) + {}", sum.empty() ? "" : " + ", c.in_turn,
                       human_duration(c.round.value), release, end);
  }
  return fmt::format("back in {}{}{}", human_duration(c.back()), sum.empty() ? "" : " = ", sum);
}

std::vector<TimeTerm> story_terms(const Clock& c, std::int64_t fitting, std::int64_t in_turn) {
  std::vector<TimeTerm> terms;
  const auto rounds = fitting + 2 * in_turn;
  if (rounds > 0)
    terms.push_back({fmt::format("{} x scheduling round", rounds), rounds * c.round.value, c.round.source, false});
  if (in_turn > 0) {
    if (c.released_when_gone)
      terms.push_back({fmt::format("{} x grace and kill margin until quota is released", in_turn),
                       in_turn * (c.grace.value + c.kill_margin.value), c.grace.source, false});
    else
      terms.push_back(
          {fmt::format("{} x release of quota", in_turn), in_turn * c.release.value, c.release.source, false});
    terms.push_back({"grace of the last victim", c.grace.value, c.grace.source, false});
    terms.push_back({"kill margin of the last victim", c.kill_margin.value, c.kill_margin.source, false});
  } else if (c.beside_batch) {
    terms.push_back({"grace of batch pods that still end on its nodes", c.grace.value, c.grace.source, false});
    terms.push_back({"their kill margin", c.kill_margin.value, c.kill_margin.source, false});
  }
  terms.push_back({"schedule", c.schedule.value, c.schedule.source, true});
  terms.push_back({"image", c.image.value, c.image.source, true});
  terms.push_back({"weights", c.weights.value, c.weights.source, true});
  terms.push_back({"load", c.load.value, c.load.source, true});
  terms.push_back({"warm-up", c.warm.value, c.warm.source, true});
  std::erase_if(terms, [](const TimeTerm& term) { return term.time == 0; });
  return terms;
}

Formula time_formula(const Clock& c, Millis limit, bool whole) {
  Formula formula;
  formula.name = whole ? "reclaim/ready-in-time" : "reclaim/back-in-time";
  formula.sentence = "durations within the declared constants never sum up to more than the limit";
  Term sum = integer(0);
  const auto add = [&](const char* name, Millis most, std::int64_t times) {
    const Term duration = int_symbol(name);
    formula.facts.push_back({name, duration >= integer(0) && duration <= integer(most)});
    sum = sum + times * duration;
  };
  add("round", c.round.value, c.fitting + 2 * c.in_turn);
  if (c.in_turn > 0 && !c.released_when_gone) add("release", c.release.value, c.in_turn);
  if (c.in_turn > 0 || c.beside_batch) {
    const std::int64_t ends = 1 + (c.released_when_gone ? c.in_turn : 0);
    add("grace", c.grace.value, ends);
    add("kill-margin", c.kill_margin.value, ends);
  }
  if (whole) {
    add("schedule", c.schedule.value, 1);
    add("image", c.image.value, 1);
    add("weights", c.weights.value, 1);
    add("load", c.load.value, 1);
    add("warm", c.warm.value, 1);
  }
  formula.negated_goal = sum > integer(limit);
  return formula;
}

}  // namespace gpol
