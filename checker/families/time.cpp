#include "checker/families/time.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/planted.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

struct Taker {
  ClockReading& reading;
  void operator()(const std::optional<TimeConstant>& from, TimeConstant& to, std::string name, std::string add,
                  Span at) const {
    if (from)
      to = *from;
    else
      reading.missing.push_back({std::move(name), std::move(add), at});
  }
};

constexpr const char* kWholeStart =
    "add `start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (measured 2026-10)` to the tenant, with times "
    "of "
    "its own";

// A term of the start that is written.
Span written_start(const StartTerms& start) {
  for (const auto* term : {&start.schedule, &start.image, &start.weights, &start.load, &start.warm})
    if (*term) return (*term)->span;
  return {};
}

}  // namespace

std::string missing_in_words(std::span<const MissingTerm> missing) {
  std::vector<std::string> parts;
  for (const MissingTerm& term : missing) parts.push_back(term.what);
  return fmt::format("{} {} not declared", listed(parts), parts.size() == 1 ? "is" : "are");
}

std::string add_in_words(std::span<const MissingTerm> missing) {
  std::vector<std::string> parts;
  for (const MissingTerm& term : missing)
    if (!contains(parts, term.add)) parts.push_back(term.add);
  return fmt::format("{}", fmt::join(parts, "; "));
}

Millis Clock::gone() const {
  if (in_turn == 0 && !beside_batch) return 0;
  return sum_of({pods_only || planted(Bug::WalkGraceForgotten) ? 0 : grace.value, kill_margin.value});
}

Millis Clock::back() const {
  const Millis frees = released_when_gone ? sum_of({grace.value, kill_margin.value}) : release.value;
  const Millis turn = sum_of({round.value, planted(Bug::WalkOneRoundEach) ? 0 : round.value, frees});
  return sum_of({times(fitting, round.value), times(in_turn, turn), gone(), beside_serving ? serving_ends.value : 0});
}

Millis Clock::ready() const {
  return sum_of({back(), schedule.value, image.value, weights.value, load.value, warm.value});
}

bool meets(const Clock& clock, const QueueRole& role) {
  return !(role.deadline && clock.ready() > role.deadline->value) &&
         !(role.back_within && clock.back() > role.back_within->value);
}

ClockReading read_clock(const QueueRole& role, const BatchTimes& batch, const Turns& turns, bool needs_start) {
  ClockReading reading;
  Clock& c = reading.clock;
  if (!turns.missing.empty())
    reading.missing.push_back({turns.missing, "add `replica N gpus` to it: the shape of one of its pods", {}});
  c.in_turn = turns.all;
  c.fitting = turns.fitting;
  if (!role.victims_in_turn && reading.missing.empty())
    reading.missing.push_back(
        {"the shape of a replica", fmt::format("add `replica N gpus` to tenant `{}`", role.tenant), role.name_span});
  const Taker take{reading};
  const char* const scheduler = "say `scheduler kueue { round within 5s; release within 5s }` in the cluster";
  take(batch.round, c.round, "the longest scheduling round", scheduler, {});
  c.beside_batch = turns.beside_batch;
  c.pods_only = batch.only_pods && !batch.only_jobs;
  if (c.in_turn > 0) {
    c.released_when_gone = c.pods_only;
    c.mixed = !batch.only_jobs && !c.pods_only;
    if (!c.pods_only)
      take(batch.release_reaction, c.release, "the longest reaction before a quota's release", scheduler, {});
  }
  // Where the turns are not known, somebody holds what they are to give back.
  if (c.in_turn > 0 || c.beside_batch || !turns.missing.empty()) {
    take(batch.grace, c.grace, "the longest grace of batch", "add `grace 60s (saved in 45s)` to every class C",
         batch.no_grace);
    take(batch.kill_margin, c.kill_margin, "the kill margin of batch", "add `kill margin 5s` to every class C",
         batch.no_kill_margin);
  }
  c.beside_serving = !turns.serving.beside.empty();
  if (c.beside_serving && turns.serving.last)
    c.serving_ends.value = *turns.serving.last;
  else if (c.beside_serving)
    reading.missing.push_back(
        {fmt::format("how long pods of `{}`, which serves on the same nodes, take to end", turns.serving.unknown),
         fmt::format("add `grace 30s; kill margin 5s` to the class of `{}`", turns.serving.unknown), turns.serving.at});
  if (c.mixed) c.release.value = std::max(c.release.value, sum_of({c.grace.value, c.kill_margin.value}));
  if (needs_start) {
    const StartTerms& start = role.start;
    const Span written = written_start(start);
    if (!written.known() && !start.schedule) {
      reading.missing.push_back({"the start-up of its pods", kWholeStart, role.name_span});
      return reading;
    }
    const auto term = [&](const std::optional<TimeConstant>& from, TimeConstant& to, const char* name, const char* as) {
      take(from, to, fmt::format("the start term `{}`", name),
           fmt::format("add `{} {}` to the tenant's `start`", name, as), written);
    };
    term(start.schedule, c.schedule, "schedule", "5s");
    term(start.image, c.image, "image", "20s");
    term(start.weights, c.weights, "weights", "40s");
    term(start.load, c.load, "load", "25s");
    term(start.warm, c.warm, "warm", "20s");
  }
  return reading;
}

std::string back_in_words(const Clock& c) {
  std::string sum;
  if (c.fitting > 0) sum = fmt::format("{} x round {}", c.fitting, human_duration(c.round.value));
  const std::string margin = "kill margin " + human_duration(c.kill_margin.value);
  const std::string whole_end = fmt::format("grace {} + {}", human_duration(c.grace.value), margin);
  const std::string& end = c.pods_only ? margin : whole_end;
  if (c.in_turn == 0 && c.beside_batch) add_to_list(sum, end, " + ");
  if (c.in_turn > 0) {
    const std::string release = c.mixed                ? "release or end " + human_duration(c.release.value)
                                : c.released_when_gone ? whole_end
                                                       : "release " + human_duration(c.release.value);
    add_to_list(sum,
                fmt::format("{} x (2 x round {} + {}) + {}", c.in_turn, human_duration(c.round.value), release, end),
                " + ");
  }
  if (c.beside_serving)
    add_to_list(sum, fmt::format("end of other tenants' pods {}", human_duration(c.serving_ends.value)), " + ");
  return fmt::format("back in {}{}{}", human_duration(c.back()), sum.empty() ? "" : " = ", sum);
}

std::vector<TimeTerm> story_terms(const Clock& c, std::int64_t fitting, std::int64_t in_turn) {
  std::vector<TimeTerm> terms;
  if (const auto rounds = fitting + 2 * in_turn; rounds > 0)
    terms.push_back({fmt::format("{} x scheduling round", rounds), rounds * c.round.value, c.round.source, false});
  if (in_turn > 0) {
    if (c.released_when_gone)
      terms.push_back({fmt::format("{} x grace and kill margin until quota is released", in_turn),
                       in_turn * (c.grace.value + c.kill_margin.value), c.grace.source, false});
    else
      terms.push_back(
          {fmt::format("{} x {}", in_turn, c.mixed ? "release of quota, or end of pods" : "release of quota"),
           in_turn * c.release.value, c.release.source, false});
    if (!c.pods_only) terms.push_back({"grace of the last victim", c.grace.value, c.grace.source, false});
    terms.push_back({"kill margin of the last victim", c.kill_margin.value, c.kill_margin.source, false});
  } else if (c.beside_batch) {
    if (!c.pods_only)
      terms.push_back({"grace of batch pods that still end on its nodes", c.grace.value, c.grace.source, false});
    terms.push_back(
        {"kill margin of batch pods that still end on its nodes", c.kill_margin.value, c.kill_margin.source, false});
  }
  if (c.beside_serving)
    terms.push_back(
        {"pods of other tenants that still end on its nodes", c.serving_ends.value, c.serving_ends.source, false});
  std::erase_if(terms, [](const TimeTerm& term) { return term.time == 0; });
  const auto start = start_terms(c.schedule, c.image, c.weights, c.load, c.warm);
  terms.insert(terms.end(), start.begin(), start.end());
  return terms;
}

std::string ready_in_words(const Clock& c) {
  const Millis start = c.ready() - c.back();
  return fmt::format(
      "ready in {}{}", human_duration(c.ready()),
      start == 0 ? "" : fmt::format(" = {} + start-up {}", human_duration(c.back()), human_duration(start)));
}

bool TimeLemma::met() const { return satisfies({"", "", {formula.facts.back()}, boolean(true)}, figures); }

TimeLemma time_lemma(const Clock& c, Millis limit, bool whole) {
  TimeLemma time;
  Formula& formula = time.formula;
  formula.name = whole ? "reclaim/ready-in-time" : "reclaim/back-in-time";
  formula.sentence = "durations within the declared constants never sum up to more than the limit";
  Term sum = integer(0), most = integer(0);
  const auto add = [&](const std::string& name, Millis each, std::int64_t count) {
    const Term spent = int_symbol(name), bound = int_symbol("most-" + name);
    formula.facts.push_back({name, spent >= integer(0) && spent <= bound});
    time.figures["most-" + name] = times(count, each);
    sum = sum + spent;
    most = most + bound;
  };
  add("round", c.round.value, c.fitting + (planted(Bug::EncodingOneRoundEach) ? 1 : 2) * c.in_turn);
  if (c.in_turn > 0 && !c.released_when_gone) add("release", c.release.value, c.in_turn);
  if (c.in_turn > 0 || c.beside_batch) {
    const std::int64_t ends = c.released_when_gone ? c.in_turn : 0;
    if (!planted(Bug::EncodingGraceForgotten)) add("grace", c.grace.value, ends + (c.pods_only ? 0 : 1));
    add("kill-margin", c.kill_margin.value, ends + 1);
  }
  if (c.beside_serving) add("others-end", c.serving_ends.value, 1);
  if (whole) {
    add("schedule", c.schedule.value, 1);
    add("image", c.image.value, 1);
    add("weights", c.weights.value, 1);
    add("load", c.load.value, 1);
    add("warm", c.warm.value, 1);
  }
  time.figures["limit"] = limit;
  formula.facts.push_back({"side-condition", most <= int_symbol("limit")});
  formula.negated_goal = sum > int_symbol("limit");
  return time;
}

}  // namespace gpol
