// Reclaim: from every state the scheduler's own rules give the whole reserve back, and every term of the time adds up
// to no more than the deadline. One obligation per (queue, flavor, resource); all of a queue share one verdict.
//
// Formula: reclaim_formula.h, asked once per combination of facts; time_lemma, once per combination of terms.
// Closed form beside them: gives_back and Clock. Where the two disagree the run stops.
// Nothing here assumes a usage that admission could reach: G holds from any usage, so also from what another window
// leaves behind and from debt (kueue.md 4.3, point 3). Limits are taken at their worst over all windows.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/asked.h"
#include "checker/families/batch_times.h"
#include "checker/families/codes.h"
#include "checker/families/lemma_book.h"
#include "checker/families/reclaim_demands.h"
#include "checker/families/reclaim_formula.h"
#include "checker/families/reclaim_late.h"
#include "checker/families/reclaim_repair.h"
#include "checker/families/time.h"
#include "checker/kueue/counted.h"
#include "checker/story/stories.h"
#include "compiler/cluster/kueue_version.h"
#include "compiler/cluster/listed.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

// What all obligations of one queue share.
struct QueueVerdict {
  Verdict verdict = Verdict::Proven;
  Code code = code::ReclaimNever;
  Span span;
  std::optional<Millis> back;
  std::shared_ptr<const std::vector<Span>> core;
  std::shared_ptr<const Detail> detail;

  void say(Detail what) { detail = std::make_shared<const Detail>(std::move(what)); }
};

class ReclaimFamily {
 public:
  ReclaimFamily(const Proof& proof, Report& report)
      : proof_(proof),
        report_(report),
        shape_(kueue::shape_of(proof.cluster)),
        switches_(kueue::unproven_switches(proof.cluster)),
        world_(proof, shape_),
        book_(proof),
        claimable_(claimable_of(proof, report, ending_)),
        turns_(proof, shape_, ending_),
        batch_times_(proof.cluster, proof.intent) {}

  void run() {
    for (std::uint32_t q = 0; q < proof_.cluster.queues.size(); ++q) {
      const QueueRole& role = proof_.intent.roles[q];
      const bool asks = role.unit_demand
                            ? *role.unit_demand > 0
                            : std::ranges::any_of(role.reserve, [](std::int64_t reserve) { return reserve > 0; });
      QueueVerdict shared;
      if (asks)
        shared = role.kind == QueueRole::Kind::Serving ? judge(q) : nothing_promised(q);  // else nothing to give
      else if (role.kind == QueueRole::Kind::Serving && role.unit_demand)
        shared = undecided(q, code::ReclaimNever, world_.why_no_pod(q));  // it says nothing
      // `back_within` is null where others can hold nothing.
      if (std::ranges::all_of(claimable_[q], [](auto amount) { return amount == 0; })) shared.back.reset();
      std::size_t at = 0;
      for (const Pair pair : pairs_of(proof_.cluster.queues[q])) {
        Obligation o = obligation_about(proof_, Family::Reclaim, shared.code, q, pair, reserve_at(role, at++));
        o.required = role.kind == QueueRole::Kind::Serving && role.isolation == Isolation::B;
        o.verdict = shared.verdict;
        o.figures.back_within_ms = shared.back;
        if (shared.span.known()) o.span = shared.span;
        o.core = shared.core;
        o.detail = shared.detail;
        report_.add(std::move(o));
      }
    }
    report_.analysed.push_back(Family::Reclaim);
  }

 private:
  QueueVerdict judge(std::uint32_t q) {
    const ReclaimFacts facts = world_.facts_of(q, claimable_[q]);
    const std::string counts = world_.counts_otherwise(q);
    QueueVerdict v = judge(q, facts, counts);
    if (!world_.alone(q) && v.verdict != Verdict::Undecided &&
        rules_known(proof_.cluster.config.version) != RulesKnown::All)
      return not_compared(q, v);
    if (v.verdict == Verdict::Proven || !v.detail) return v;
    Detail detail = *v.detail;
    detail.waits = !counts.empty() ? counts : keeps_waiting(facts);
    if (detail.waits.empty()) detail.waits = kueue::gates_left_out(proof_.cluster.config);
    v.say(std::move(detail));
    return v;
  }

  QueueVerdict judge(std::uint32_t q, const ReclaimFacts& facts, const std::string& counts) {
    if (!counts.empty()) return undecided(q, code::ReclaimNever, counts);
    if (const std::string why = trees_proven(); !why.empty()) return undecided(q, code::ReclaimNever, why);
    const Answer& answer = ask_facts(facts);
    if (answer.kind == Answer::Kind::Unknown) return undecided(q, code::ReclaimNever, answer.why);
    if ((answer.kind == Answer::Kind::Unsat) != gives_back(facts))
      throw InternalError(
          fmt::format("reclaim: the solver and the closed form disagree about `{}`", proof_.cluster.queues[q].name));
    if (!gives_back(facts)) return never(q, facts);
    if (const std::string how = kueue::undeclared_by_others(proof_.cluster, q); !how.empty())
      return undecided(q, code::ReclaimNever, how);
    if (!switches_.empty())
      return undecided(q, code::ReclaimNever, "no proof rests on " + switches_ + ", which changes what is decided");
    QueueVerdict proven;
    proven.span = proof_.intent.roles[q].reserve_span;
    std::vector<Span> lines = lines_of(proof_, shape_, q);
    for (const std::string& fact : answer.core)
      for (const Span span : lines_of_fact(proof_, world_, q, fact)) lines.push_back(span);
    return facts.timed ? in_time(q, std::move(proven), std::move(lines)) : with_core(std::move(proven), lines);
  }

  // What the rules of the newest version come to, where the version that runs may have others.
  QueueVerdict not_compared(std::uint32_t q, const QueueVerdict& by_newest) {
    const bool back = by_newest.verdict == Verdict::Proven;
    QueueVerdict v = undecided(
        q, by_newest.code,
        fmt::format("how Kueue v{} takes quota back has not been compared with its code; by the rules of v{} it {}",
                    proof_.cluster.config.version, KueueConfig().version, back ? "comes back" : "does not come back"));
    v.back = by_newest.back;
    return v;
  }

  QueueVerdict nothing_promised(std::uint32_t q) {
    QueueVerdict v = undecided(q, code::ReclaimNever, "it has no serving role");
    v.verdict = Verdict::NotAnalysed;
    return v;
  }

  static QueueVerdict with_core(QueueVerdict v, std::vector<Span> lines) {
    v.core = as_core(std::move(lines));
    return v;
  }

  const Answer& ask_facts(const ReclaimFacts& facts) {
    return book_.ask(key_of(facts), [&] { return reclaim_formula(facts); });
  }

  // The two lemmas about trees, and their side conditions on every node; worked out once. Empty when they hold.
  std::string trees_proven() {
    if (trees_) return *trees_;
    trees_ = "";
    for (std::size_t i = 0; i < kTreeLemmas && trees_->empty(); ++i) {
      const auto lemma = static_cast<TreeLemma>(i);
      if (!book_.holds(tree_lemma(lemma).name, [lemma] { return tree_lemma(lemma); })) trees_ = book_.why();
    }
    const Cluster& cluster = proof_.cluster;
    for (std::uint32_t f = 0; f < cluster.flavors.size() && trees_->empty(); ++f)
      for (std::uint32_t r = 0; r < cluster.resources.size() && trees_->empty(); ++r) {
        bool exact = false;
        const auto check = [&](const kueue::Limits& limits) {
          const std::string node = unmet_side_condition(shape_, limits);
          if (!node.empty()) trees_ = fmt::format("the quota of `{}` is unlimited or too large to reason about", node);
        };
        check(kueue::widest_limits(cluster, shape_, f, r, exact));
        if (!exact)
          for (const Mode& mode : cluster.modes) check(kueue::limits_of(cluster, shape_, f, r, &mode));
      }
    return *trees_;
  }

  const Stage& stage() {
    if (!stage_) stage_.emplace(proof_.cluster);
    return *stage_;
  }

  QueueVerdict undecided(std::uint32_t q, Code code, std::string reason) {
    const QueueRole& role = proof_.intent.roles[q];
    QueueVerdict v;
    v.verdict = Verdict::Undecided;
    v.code = code;
    v.span = role.reserve_span;
    v.say({.reason = reason,
           .message = fmt::format("whether the reserve of `{}` comes back is not known: {}",
                                  proof_.cluster.queues[q].name, reason)});
    v.core = as_core(lines_of(proof_, shape_, q));
    return v;
  }

  static QueueVerdict helped(QueueVerdict v, Fix fix, std::optional<Family> follows = {}) {
    Detail detail = *v.detail;
    detail.fix = std::move(fix);
    detail.follows = follows;
    v.say(std::move(detail));
    return v;
  }

  // The one thing that is missing is what the capacity family finds fault with; of spot nodes, none of which is surely
  // there, the placement family does.
  std::optional<Family> consequence_of(std::uint32_t q, ReclaimFacts facts) const {
    facts.physical = true;
    if (!gives_back(facts)) return std::nullopt;
    for (const Pair& pair : pairs_of(proof_.cluster.queues[q]))
      if (const PoolCapacity* capacity = proof_.intent.capacity_of(pair.flavor); capacity && capacity->spot)
        return Family::Placement;
    return Family::Capacity;
  }

  QueueVerdict never(std::uint32_t q, const ReclaimFacts& facts) {
    const auto missing = missing_of(facts);
    const Repair repair = repair_reclaim(proof_, world_, q, facts);
    // A story would need a priority that batch, by what the policy trusts, never has.
    if (facts.policy == Reclaim::LowerPriority && contains(proof_.intent.trusts, "priorities-pinned", &Trust::premise))
      return undecided(q, repair.code, missing.front() + "; the trusted `priorities-pinned` is not used for this yet");
    // The model knows no devices: were they there, the queue would never starve in it. That family has the story.
    const std::optional<Family> follows = consequence_of(q, facts);
    const bool look = !follows && proof_.stories && looks_for_more(stage(), vain_);
    const std::int64_t before = stage().worked();
    const auto story = look ? tell_reclaim(stage(), proof_.intent, q) : std::nullopt;
    if (!story) {
      vain_ += stage().worked() - before;
      std::string why = missing.front() + (follows ? "" : no_starving_story(stage(), look));
      return helped(undecided(q, repair.code, std::move(why)), repair.fix, follows);
    }
    QueueVerdict v;
    v.verdict = Verdict::Refuted;
    v.code = repair.code;
    v.span = repair.at;
    v.say({.message = fmt::format("the reserve of `{}` does not come back: {}", proof_.cluster.queues[q].name,
                                  fmt::join(missing, "; ")),
           .story = story->steps,
           .fix = repair.fix});
    std::vector<Span> lines = lines_of(proof_, shape_, q);
    lines.push_back(repair.at);
    return with_core(std::move(v), std::move(lines));
  }

  // What the lemma's own side condition says is what the closed form says: a sum that passes the limit is one of
  // durations that are their constants.
  std::string disagrees(const Clock& clock, Millis limit, bool whole) {
    const TimeLemma time = time_lemma(clock, limit, whole);
    std::string key = time.formula.name;
    for (const auto& fact : time.formula.facts) key += " " + fact.name;
    if (!book_.holds(key, [&] { return time.formula; })) return book_.why();
    if (time.met() != ((whole ? clock.ready() : clock.back()) <= limit))
      throw InternalError("reclaim: the lemma and the sum of the time's terms disagree");
    return {};
  }

  // Nobody ends a pod on a lost node: Kueue counts it until its deletion's time, which lies a grace ahead, and one
  // grace more, and does not ask to be woken then (pkg/controller/jobs/pod/pod_controller.go IsActive; a Job is asked
  // for its own count of pods).
  bool may_lose_nodes(std::uint32_t q) const {
    return std::ranges::any_of(listed_flavors(proof_.cluster.queues[q].groups), [&](const FlavorQuotas& row) {
      const auto* pool = proof_.intent.capacity_of(row.flavor);
      return pool != nullptr && pool->lost > 0;
    });
  }

  QueueVerdict held_on_lost_nodes(std::uint32_t q) {
    QueueVerdict v = undecided(q, code::ReclaimTimeUnknown,
                               "a batch pod on a node that is lost holds its quota for more than its grace");
    return helped(std::move(v),
                  {"let every class C run Jobs only, whose quota is free at once, or tolerate no lost node there", {}});
  }

  QueueVerdict in_time(std::uint32_t q, QueueVerdict v, std::vector<Span> lines) {
    const QueueRole& role = proof_.intent.roles[q];
    const BatchTimes& batch = batch_times_.of_queue(q);
    const ClockReading reading = read_clock(role, batch, turns_.of(q), role.deadline.has_value());
    if (!reading.missing.empty()) {
      QueueVerdict unknown = undecided(q, code::ReclaimTimeUnknown,
                                       fmt::format("{}, and the deadline needs {}", missing_in_words(reading.missing),
                                                   reading.missing.size() == 1 ? "it" : "them"));
      std::vector<Span> rests = *unknown.core;
      for (const MissingTerm& term : reading.missing) rests.push_back(term.at);
      if (reading.missing.front().at.known()) unknown.span = reading.missing.front().at;
      const std::string add = add_in_words(reading.missing) + trusts_to_come(proof_.intent, reading.clock);
      return with_core(helped(std::move(unknown), {add, {}}), std::move(rests));
    }
    const Clock& clock = reading.clock;
    for (const TimeConstant* t : {&clock.round, &clock.release, &clock.grace, &clock.kill_margin, &clock.schedule,
                                  &clock.image, &clock.weights, &clock.load, &clock.warm})
      lines.push_back(t->span);
    lines.push_back(role.deadline_span);
    lines.push_back(role.back_span);
    v.back = clock.back();
    std::string message = back_in_words(clock);
    struct Limit {
      Millis at_most;
      bool whole;
      Code code;
      Span span;
    };
    std::vector<Limit> limits;
    if (role.deadline) {
      limits.push_back({role.deadline->value, true, code::ReclaimLate, role.deadline_span});
      message += fmt::format("; {} {} {}", ready_in_words(clock), clock.ready() <= role.deadline->value ? "<=" : ">",
                             human_duration(role.deadline->value));
    }
    if (role.back_within) limits.push_back({role.back_within->value, false, code::BackLate, role.back_span});
    for (const Limit& limit : limits) {
      if (std::string why = disagrees(clock, limit.at_most, limit.whole); !why.empty())
        return undecided(q, limit.code, std::move(why));
      if (const Millis takes = limit.whole ? clock.ready() : clock.back(); takes <= limit.at_most) continue;
      if (!limit.whole) message += fmt::format("; the loan must be back within {}", human_duration(limit.at_most));
      return late(q, clock, limit.at_most, limit.whole, limit.code, limit.span, std::move(message), std::move(lines));
    }
    if (clock.in_turn > 0 && !batch.only_jobs && may_lose_nodes(q)) return held_on_lost_nodes(q);
    v.say({.message = std::move(message), .ready_in_ms = ready_in(q, clock)});
    return with_core(std::move(v), std::move(lines));
  }

  std::optional<Millis> ready_in(std::uint32_t q, const Clock& clock) const {
    return proof_.intent.roles[q].deadline ? std::optional(clock.ready()) : std::nullopt;
  }

  QueueVerdict late(std::uint32_t q, const Clock& clock, Millis limit, bool whole, Code code, Span span,
                    std::string message, std::vector<Span> lines) {
    const auto story =
        proof_.stories ? tell_too_late(stage(), proof_.intent, q, turns_, clock, limit, whole) : std::nullopt;
    Fix fix = repair_late(proof_.intent.roles[q], proof_.intent.batch, clock, limit, whole);
    if (clock.mixed || clock.released_when_gone) lines.push_back(proof_.intent.batch.other_than_jobs);
    if (!story) {
      QueueVerdict unknown = undecided(q, code, message + no_story(stage()));
      unknown.span = span;
      return with_core(helped(std::move(unknown), std::move(fix)), std::move(lines));
    }
    QueueVerdict v;
    v.verdict = Verdict::Refuted;
    v.code = code;
    v.back = clock.back();
    v.span = span;
    v.say({.message = std::move(message),
           .story = story->steps,
           .fix = std::move(fix),
           .ready_in_ms = ready_in(q, clock)});
    return with_core(std::move(v), std::move(lines));
  }

  const Proof& proof_;
  Report& report_;
  const kueue::Shape shape_;
  const std::string switches_;  // guarantee G is that of the scheduler as it is by default
  const ReclaimWorld world_;
  LemmaBook book_;
  Claimable ending_;
  const Claimable claimable_;
  const TurnTable turns_;
  const BatchCircles batch_times_;
  std::optional<std::string> trees_;
  std::int64_t vain_ = 0;       // work of searches for a story that found none
  std::optional<Stage> stage_;  // made when the first story must be told
};

}  // namespace

void prove_reclaim(const Proof& proof, Report& report) {
  judge_beside_overreach(proof, report, [](const Proof& beside, Report& all) {
    judge_each_way(beside, all, [](const Proof& asked, Report& found) { ReclaimFamily(asked, found).run(); });
  });
}

}  // namespace gpol
