#include "checker/families/reclaim_repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/pairs.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

struct Cause {
  bool broken;
  Code code;
  std::uint32_t queue;  // whose line it is
  const char* field;    // Kueue's word, as Origins knows it
  std::string otherwise;
};

// The policy's own word where it is not Kueue's.
std::string_view in_the_policy(std::string_view field) {
  return field == "borrowingLimit" ? "borrow" : field == "lendingLimit" ? "lend" : field;
}

}  // namespace

Repair repair_reclaim(const Proof& proof, const ReclaimWorld& world, std::uint32_t queue, const ReclaimFacts& f) {
  const QueueRole& role = proof.intent.roles[queue];
  const bool blocked = f.siblings.strict_fifo || (f.timed && f.siblings.best_effort);
  const std::uint32_t sibling = blocked ? world.blocking_sibling(queue, f.timed) : queue;
  const std::string other = proof.cluster.queues[sibling].name;
  const bool victims = !f.nothing_claimable;
  // In the order of missing_of: the first is what the message says first.
  const Cause causes[] = {
      {!f.active, code::ReclaimNever, queue, "stopPolicy", "take the queue off hold"},
      {victims && !f.nominal_covers, code::ReclaimShort, queue, "nominalQuota",
       "raise the nominal quota to the reserve"},
      {victims && f.policy != Reclaim::Any, code::ReclaimNever, queue, "reclaimWithinCohort",
       "say `reclaimWithinCohort Any`"},
      {blocked, code::ReclaimBlocked, sibling, "reclaimWithinCohort",
       fmt::format("say `reclaimWithinCohort Any` in the queue of `{}`", other)},
      {victims && !f.victims_active, code::ReclaimNever, f.victims_active ? queue : world.stopped_sibling(queue),
       "stopPolicy", "use `stopPolicy HoldAndDrain` on the queue that is held"},
      {victims && !f.pods_kept, code::ReclaimNever, queue, "lendingLimit",
       "let each node take more pods than its replicas are (`each ... pods`)"},
      {!f.one_flavor, code::ReclaimNever, queue, "whenCanPreempt", "give the queue one flavor"},
      {!f.best_effort_head, code::ReclaimNever, queue, "queueingStrategy", "say `queueingStrategy BestEffortFIFO`"},
      {!f.physical, code::ReclaimNever, queue, "nominalQuota", "lower the quotas to what the nodes surely have"},
      {!f.borrows_nothing, code::ReclaimNever, queue, "borrowingLimit", "let serving borrow nothing"},
  };
  Repair repair{code::ReclaimNever, {}, {}};
  std::vector<std::string> texts;
  for (const Cause& cause : causes) {
    if (!cause.broken) continue;
    const auto span = written(proof, cause.queue, cause.field);
    const Span elsewhere = cause.queue != queue && proof.origins.queue.size() > cause.queue
                               ? proof.origins.queue[cause.queue]
                               : reserved_at(role);
    if (texts.empty()) repair = {cause.code, span.value_or(elsewhere), {}};
    texts.push_back(span ? fmt::format("remove `{}` from the queue of `{}`", in_the_policy(cause.field),
                                       proof.cluster.queues[cause.queue].name)
                         : cause.otherwise);
    if (span) repair.fix.edits.push_back({*span, ""});
  }
  if (texts.empty()) return {code::ReclaimNever, role.name_span, {"remove the `queue` block of this tenant", {}}};
  repair.fix.text = fmt::format("{}", fmt::join(texts, "; "));
  return repair;
}

namespace {

// "grace 1min", the term of which most of the time is made.
std::string longest_term(const Clock& clock, bool whole) {
  const TimeTerm* longest = nullptr;
  const auto terms = story_terms(clock, clock.fitting, clock.in_turn);
  for (const TimeTerm& term : terms)
    if ((whole || !term.after_places) && (longest == nullptr || term.time > longest->time)) longest = &term;
  return longest == nullptr ? "" : fmt::format("{}, {}", longest->what, human_duration(longest->time));
}

}  // namespace

Fix repair_late(const QueueRole& role, const BatchTimes& batch, const Clock& clock, Millis limit, bool whole) {
  const Millis takes = whole ? clock.ready() : clock.back();
  Fix fix;
  fix.text = fmt::format("shorten the terms above by {} (the longest: {}), or write `{}` here",
                         human_duration(takes - limit), longest_term(clock, whole), written_duration(takes));
  // Other kinds hold their quota until their pods are gone, in every turn.
  const Millis frees =
      clock.released_when_gone ? sum_of({clock.grace.value, clock.kill_margin.value}) : clock.release.value;
  if (clock.in_turn > 0 && batch.other_than_jobs.known() && batch.release_reaction &&
      batch.release_reaction->value < frees)
    fix.text += fmt::format("; with `runs Job` alone every class C would release its quota within {}",
                            human_duration(batch.release_reaction->value));
  for (const TimeConstant& stated : whole ? role.deadlines : role.backs)
    if (stated.value < takes && stated.span.known()) fix.edits.push_back({stated.span, written_duration(takes)});
  return fix;
}

std::string trusts_to_come(const Intent& intent, const Clock& clock) {
  std::string keys;
  for (const std::string_view key : {"times-hold", "batch-runs-on"}) {
    const bool trusted = contains(intent.trusts, key, &Trust::premise);
    if (!trusted && (key == "times-hold" || clock.beside_batch || clock.beside_serving))
      add_to_list(keys, fmt::format("`trust {}`", key), " and ");
  }
  return keys.empty() ? "" : fmt::format("; a deadline also needs {}: `gpol explain premises`", keys);
}

std::vector<Span> lines_of_fact(const Proof& proof, const ReclaimWorld& world, std::uint32_t queue,
                                std::string_view fact) {
  const QueueRole& role = proof.intent.roles[queue];
  std::vector<Span> spans;
  const auto add = [&](std::uint32_t q, const char* field) {
    if (const auto span = written(proof, q, field)) spans.push_back(*span);
  };
  if (fact == "reclaim-policy") add(queue, "reclaimWithinCohort");
  if (fact == "borrows-nothing") add(queue, "borrowingLimit");
  if (fact == "best-effort-head") add(queue, "queueingStrategy");
  if (fact == "active") add(queue, "stopPolicy");
  if (fact == "when-can-preempt") add(queue, "whenCanPreempt");
  if (fact == "nothing-claimable") add(queue, "lendingLimit");
  if (fact == "nominal-covers-reserve" || fact == "demand") spans.push_back(role.reserve_span);
  if (fact == "timed") spans.push_back(role.deadline_span);
  if (fact == "physical")
    for (const Pair pair : pairs_of(proof.cluster.queues[queue]))
      for (const PoolCapacity& capacity : proof.intent.capacities)
        if (capacity.flavor == pair.flavor) spans.push_back(capacity.span);
  if (fact == "siblings")
    for (const std::uint32_t q : world.overriding_siblings(queue)) add(q, "reclaimWithinCohort");
  return spans;
}

}  // namespace gpol
