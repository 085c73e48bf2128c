// Serving outside the queue (plain Deployments): Kueue never sees its pods, so no quota is its own and no queue
// reclaims for it. Its reserve is taken off the devices (capacity), and it has its place because nobody else may stand
// on its nodes: no queue lists a flavor whose node labels those nodes carry (kueue.md 6), and the guards keep everybody
// who is not queued away (premises). Where a queue does list one, its pods may fill the nodes: then it needs
// `preempts batch`, and a class B deadline that leaves time for it.
//
// Preempting: kube-scheduler evicts batch for its pods, whose priority is above that of every batch pod (a guard), and
// keeps the place for them until the victims are gone: no batch pod fits into what is kept. The formulas are about one
// node, its contents free; that there is a node where the replica fits but for batch is the fragmentation family's. It
// holds only while nobody else takes batch pods away there (premise batch-stays, with a story of why).
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/batch_times.h"
#include "checker/families/codes.h"
#include "checker/families/lemma_book.h"
#include "checker/families/outside.h"
#include "checker/families/outside_clock.h"
#include "checker/families/outside_story.h"
#include "checker/families/pairs.h"
#include "checker/families/pool_use.h"
#include "checker/families/replicas.h"
#include "checker/kueue/forest.h"
#include "checker/nodes/placement_model.h"
#include "checker/story/narrate.h"
#include "compiler/cluster/listed.h"
#include "compiler/policy/units.h"

namespace gpol {
namespace {

// What stands on a node of one resource: S other serving pods, bound or nominated; N the replica; B batch pods, of
// which E end. Kept for it: without those that end all of it fits together.
Formula kept_for_it() {
  const Term s = int_symbol("S"), n = int_symbol("N"), b = int_symbol("B"), e = int_symbol("E"),
             one = int_symbol("one"), node = int_symbol("node");
  return {"outside/kept",
          "a batch pod that fits beside what is nominated to a node leaves the place that is kept there",
          {{"ending", e >= integer(0) && e <= b},
           {"kept", s + n + (b - e) <= node},
           {"fits", one >= integer(0) && s + n + b + one <= node}},
          s + n + (b + one - e) > node};
}
Formula comes_free() {
  const Term s = int_symbol("S"), n = int_symbol("N"), b = int_symbol("B"), e = int_symbol("E"),
             node = int_symbol("node");
  return {"outside/comes-free",
          "once all that end are gone, the replica fits on the node that is kept for it",
          {{"kept", s + n + (b - e) <= node}, {"gone", equal(e, integer(0))}},
          n > node - s - b};
}
// Victims are what is left once those are spared beside which it still fits.
Formula enough_victims() {
  const Term s = int_symbol("S"), n = int_symbol("N"), b = int_symbol("B"), v = int_symbol("V"), e = int_symbol("E"),
             node = int_symbol("node");
  return {"outside/nominated",
          "with its victims ending, the place of a replica is kept on its node",
          {{"open", s + n <= node},
           {"victims", v >= integer(0) && v <= b},
           {"fits-beside-the-spared", s + n + (b - v) <= node},
           {"ending", e >= v && e <= b}},
          s + n + (b - e) > node};
}

// Whether who is given a flavor may stand on the nodes of a tenant: its own flavor, or one whose labels they carry.
bool lands_on(const Proof& proof, std::uint32_t flavor, const OutsideReserve& tenant) {
  const PoolCapacity* capacity = proof.intent.capacity_of(tenant.flavor);
  return flavor == tenant.flavor || capacity == nullptr || capacity->nodes == kNone ||
         nodes::selects(proof.cluster.flavors[flavor].node_labels, proof.cluster.node_pools[capacity->nodes].labels);
}

class Outside {
 public:
  Outside(const Proof& proof, Report& report)
      : proof_(proof),
        report_(report),
        shape_(kueue::shape_of(proof.cluster)),
        uses_(proof, shape_),
        batch_times_(proof.cluster, proof.intent),
        book_(proof) {}

  void judge(const OutsideReserve& tenant) {
    if (!tenant.doubt.empty()) return doubt(tenant);
    if (tenant.preempts_at && !queues_beside(proof_, tenant).empty()) return judge_preempting(tenant);
    const std::string others = beside(tenant);
    for (const Family family : {Family::Claim, Family::Reclaim})
      for (std::uint32_t r = 0; r < tenant.reserve.size(); ++r)
        report_.add(family == Family::Claim ? claim(tenant, r, others) : reclaim(tenant, r, others));
  }

 private:
  // Whoever else may stand on its nodes, in words: queues, and tenants outside them, whom nothing keeps within their
  // own reserves. Empty: nobody.
  std::string beside(const OutsideReserve& tenant) const {
    std::vector<std::string> out;
    for (const std::uint32_t q : queues_beside(proof_, tenant))
      out.push_back("`" + proof_.cluster.queues[q].name + "`");
    for (const OutsideReserve& other : proof_.intent.outside)
      if (lands_on(proof_, other.flavor, tenant) && other.tenant != tenant.tenant)
        out.push_back("`" + other.tenant + "`");
    if (out.size() > 4) out.resize(4), out.emplace_back("...");
    return fmt::format("{}", fmt::join(out, ", "));
  }

  Obligation about(const OutsideReserve& tenant, Family family, Code code, std::uint32_t r) const {
    const std::string& resource = proof_.cluster.resources[r];
    Obligation o =
        obligation(family, code, Verdict::Undecided,
                   {"Tenant", tenant.tenant, tenant.tenant, proof_.cluster.flavors[tenant.flavor].name, resource},
                   tenant.reserve_span);
    o.required = promised(tenant) && (family == Family::Claim || tenant.isolation == Isolation::B);
    o.figures.reserve = tenant.reserve[r];
    o.figures.unit = unit_of(resource);
    std::vector<Span> core{tenant.name_span, tenant.reserve_span, tenant.class_span, tenant.outside_span};
    if (family == Family::Reclaim && tenant.deadline) core.push_back(tenant.deadline->span);
    o.core = as_core(std::move(core));
    return o;
  }

  static Obligation told(Obligation o, Verdict verdict, std::string message, std::string reason = {},
                         std::string fix = {}, std::vector<StoryStep> story = {}, std::optional<Family> follows = {}) {
    o.verdict = verdict;
    o.say({.reason = std::move(reason),
           .message = std::move(message),
           .story = std::move(story),
           .fix = fix.empty() ? std::nullopt : std::optional(Fix{std::move(fix)}),
           .ready_in_ms = o.detail ? o.detail->ready_in_ms : std::nullopt,
           .follows = follows});
    return o;
  }

  // Told further below: `told` keeps it.
  static std::shared_ptr<const Detail> ready_in(Millis time) {
    return std::make_shared<const Detail>(Detail{.ready_in_ms = time});
  }

  std::string own_pool(const OutsideReserve& tenant) const {
    if (!proof_.intent.of_policy) return "let it select nodes whose labels no ResourceFlavor has, or give it a queue";
    return fmt::format("reserve for `{}` on a pool that nobody else uses, {}", tenant.tenant,
                       tenant.isolation == Isolation::B && !tenant.preempts_at && !queues_beside(proof_, tenant).empty()
                           ? "let it queue, or say `outside the queue, preempts batch`"
                           : "or let it queue");
  }

  // Of everything that it asks for, its pods among it.
  void doubt(const OutsideReserve& tenant) {
    for (const Family family : {Family::Claim, Family::Reclaim})
      for (std::uint32_t r = 0; r < tenant.reserve.size(); ++r) {
        if (tenant.reserve[r] == 0 && proof_.cluster.resources[r] != "pods") continue;
        Obligation o = about(tenant, family, family == Family::Claim ? code::Claim : code::ReclaimNever, r);
        report_.add(told(std::move(o), tenant.not_analysed ? Verdict::NotAnalysed : Verdict::Undecided,
                         fmt::format("whether `{}`, which serves outside the queue, has its place is not known: {}",
                                     tenant.tenant, tenant.doubt),
                         tenant.doubt, tenant.doubt_fix, {},
                         family == Family::Reclaim ? std::optional(Family::Claim) : std::nullopt));
      }
  }

  Obligation claim(const OutsideReserve& tenant, std::uint32_t r, const std::string& others) const {
    Obligation o = about(tenant, Family::Claim, code::Claim, r);
    if (others.empty() || tenant.reserve[r] == 0) {
      o.figures.claimable = 0;
      return told(std::move(o), Verdict::Proven,
                  fmt::format("nobody else uses the nodes of `{}`: all that `{}` reserves there is free for it",
                              o.subject.flavor, tenant.tenant));
    }
    const std::string reason = fmt::format(
        "{} may use the nodes of `{}`, too, and no queue gives them back to pods outside it", others, o.subject.flavor);
    return told(std::move(o), Verdict::Undecided,
                fmt::format("what others can hold of `{}` is not known: {}", tenant.tenant, reason), reason,
                own_pool(tenant));
  }

  Obligation reclaim(const OutsideReserve& tenant, std::uint32_t r, const std::string& others) const {
    Obligation o = about(tenant, Family::Reclaim, code::ReclaimLate, r);
    if (!others.empty() && tenant.reserve[r] > 0) {
      const std::string reason =
          fmt::format("{} may stand on its nodes, and no queue reclaims for pods outside it", others);
      return told(std::move(o), Verdict::Undecided,
                  fmt::format("whether `{}` gets its place is not known: {}", tenant.tenant, reason), reason,
                  own_pool(tenant), {}, Family::Claim);
    }
    if (!tenant.deadline)
      return told(std::move(o), Verdict::Proven, fmt::format("nobody ever holds what `{}` reserves", tenant.tenant));
    const StartTerms& s = tenant.start;
    for (const auto* term : {&s.schedule, &s.image, &s.weights, &s.load, &s.warm}) {
      if (!*term) {
        const std::string reason = "not all times of its start are declared";
        o.code = code::ReclaimTimeUnknown;
        return told(std::move(o), Verdict::Undecided,
                    fmt::format("whether `{}` is ready in time is not known: {}", tenant.tenant, reason), reason,
                    "declare `start schedule ..., image ..., weights ..., load ..., warm ...`");
      }
    }
    const auto terms = start_terms(*s.schedule, *s.image, *s.weights, *s.load, *s.warm);
    Millis sum = 0;
    for (const TimeTerm& term : terms) sum = sum_of({sum, term.time});
    o.figures.back_within_ms = 0;
    o.detail = ready_in(sum);
    if (sum <= tenant.deadline->value)
      return told(std::move(o), Verdict::Proven,
                  fmt::format("`{}` waits for nobody and is ready after {}, within {}", tenant.tenant,
                              human_duration(sum), human_duration(tenant.deadline->value)));
    return told(std::move(o), Verdict::Refuted,
                fmt::format("`{}` waits for nobody, but its start takes {} and its deadline is {}", tenant.tenant,
                            human_duration(sum), human_duration(tenant.deadline->value)),
                "", fmt::format("give it {}, or start faster", human_duration(sum)), starts_late(tenant, terms));
  }

  // The times that its author declared, added up: nothing that a model could play comes before them.
  static std::vector<StoryStep> starts_late(const OutsideReserve& tenant, const std::vector<TimeTerm>& terms) {
    std::vector<StoryStep> steps{{"+0s", tenant.tenant, "creates a pod, for which there is room on its nodes"}};
    tell_clock(steps, tenant.tenant, std::nullopt, terms, {tenant.deadline->value});
    return steps;
  }

  // Why its preemption is not covered; empty: it is.
  std::string uncovered(const OutsideReserve& tenant) const {
    for (const std::uint32_t q : queues_beside(proof_, tenant))
      if (proof_.intent.roles[q].kind != QueueRole::Kind::Batch)
        return fmt::format("pods of `{}` stand on its nodes, too, and kube-scheduler might evict them for it",
                           proof_.cluster.queues[q].name);
    for (const OutsideReserve& other : proof_.intent.outside)
      if (other.flavor == tenant.flavor && other.tenant != tenant.tenant)
        return fmt::format("nothing keeps `{}` within its reserve on the same nodes", other.tenant);
    const PoolCapacity* capacity = proof_.intent.capacity_of(tenant.flavor);
    if (capacity == nullptr || capacity->nodes == kNone) return "nothing is known of its nodes";
    if (capacity->spot) return "its nodes can be taken away";
    if (*tenant.preempts_at <= 0) return "its priority is not above that of batch";
    return {};
  }

  // Of the nodes that are surely there, so much is batch admitted to beyond what is left beside the reserve.
  std::optional<std::int64_t> held(const OutsideReserve& tenant, std::uint32_t r, std::string& why) {
    const PoolCapacity& capacity = *proof_.intent.capacity_of(tenant.flavor);
    std::int64_t batch = 0;
    for (std::uint32_t f = 0; f < proof_.cluster.flavors.size(); ++f) {
      if (!nodes::selects(proof_.cluster.flavors[f].node_labels, proof_.cluster.node_pools[capacity.nodes].labels))
        continue;
      const PoolUse& use = uses_.of(f);
      if (!use.undecided.empty()) {
        why = use.undecided;
        return std::nullopt;
      }
      batch = kueue::saturating_add(batch, use.batch[r]);
    }
    const std::int64_t left = capacity.surely[r];
    return std::clamp<std::int64_t>(left >= 0 ? batch - left : kueue::saturating_add(batch, -left), 0,
                                    tenant.reserve[r]);
  }

  void judge_preempting(const OutsideReserve& tenant) {
    const std::string why = uncovered(tenant);
    for (std::uint32_t r = 0; r < tenant.reserve.size(); ++r) report_.add(claim_preempting(tenant, r, why));
    Obligation first = reclaim_preempting(tenant, why);
    for (std::uint32_t r = 0; r < tenant.reserve.size(); ++r) {
      Obligation o = about(tenant, Family::Reclaim, first.code, r);
      o.verdict = first.verdict;
      o.figures.back_within_ms = first.figures.back_within_ms;
      o.span = first.span;
      o.detail = first.detail;
      report_.add(std::move(o));
    }
  }

  Obligation claim_preempting(const OutsideReserve& tenant, std::uint32_t r, std::string why) {
    Obligation o = about(tenant, Family::Claim, code::Claim, r);
    const auto exposed = why.empty() ? held(tenant, r, why) : std::nullopt;
    if (exposed) o.figures.claimable = *exposed;
    std::string found = why;
    if (exposed && *exposed > 0) {
      // The same cause for each resource, however much of it.
      why = fmt::format("quotas let batch have more of `{}` than is left beside the reserve", o.subject.flavor);
      found = fmt::format("quotas let batch have {} more of `{}` than is left beside the reserve",
                          amount_in_words(proof_.cluster, r, *exposed), o.subject.flavor);
    }
    if (why.empty())
      return told(std::move(o), Verdict::Proven,
                  fmt::format("batch is admitted to no more of `{}` than what is left beside the reserve of `{}`",
                              o.subject.flavor, tenant.tenant));
    return told(
        std::move(o), Verdict::Undecided,
        fmt::format("what others can hold of `{}` is not known: {}", tenant.tenant, found), why,
        exposed ? fmt::format("lower the quotas of `{}`, or take more nodes", o.subject.flavor) : own_pool(tenant), {},
        exposed ? std::optional(Family::Capacity) : std::nullopt);
  }

  Obligation reclaim_preempting(const OutsideReserve& tenant, std::string why) {
    Obligation o = about(tenant, Family::Reclaim, code::ReclaimLate, 0);
    const auto undecided = [&](const std::string& because, std::string fix, std::optional<Family> follows = {}) {
      return told(std::move(o), Verdict::Undecided,
                  fmt::format("whether `{}` gets its place in time is not known: {}", tenant.tenant, because), because,
                  std::move(fix), {}, follows);
    };
    if (!why.empty()) return undecided(why, own_pool(tenant), Family::Claim);  // the claim says the same
    if (!(book_.holds("outside/nominated", enough_victims) && book_.holds("outside/kept", kept_for_it) &&
          book_.holds("outside/comes-free", comes_free)))
      why = book_.why();
    if (!why.empty()) return undecided(why, own_pool(tenant));
    const PoolCapacity& capacity = *proof_.intent.capacity_of(tenant.flavor);
    std::int64_t replicas = 0;  // of every tenant that preempts, wherever: kube-scheduler has one queue
    for (const PoolCapacity& pool : proof_.intent.capacities)
      for (const Replicas& of : replicas_of(proof_.cluster, proof_.intent, pool.flavor))
        if (of.queue == kNone && proof_.intent.outside[of.outside].preempts_at)
          replicas = kueue::saturating_add(replicas, of.count);
    const OutsideClock clock = read_clock(tenant, batch_times_.of_flavor(tenant.flavor), replicas, capacity.lost);
    if (!tenant.deadline)
      return told(std::move(o), Verdict::Proven, fmt::format("kube-scheduler evicts batch for `{}`", tenant.tenant));
    if (!clock.missing.empty()) {
      o.code = code::ReclaimTimeUnknown;
      if (clock.missing.front().at.known()) o.span = clock.missing.front().at;
      return undecided(missing_in_words(clock.missing), add_in_words(clock.missing));
    }
    o.figures.back_within_ms = clock.back();
    o.detail = ready_in(clock.ready());
    const Millis limit = tenant.deadline->value;
    const Answer& answer = book_.ask(fmt::format("outside/time {} {}", tenant.tenant, tenant.flavor),
                                     [&] { return clock.formula(limit); });
    if (answer.kind == Answer::Kind::Unknown) return undecided("the solver gave up: " + answer.why, "");
    const bool in_time = clock.ready() <= limit;
    if (in_time != (answer.kind == Answer::Kind::Unsat))
      throw InternalError(fmt::format("outside: `{}` is ready after {} ms of {}, but the solver says otherwise",
                                      tenant.tenant, clock.ready(), limit));
    const std::string ready = fmt::format("{}, ready after {}", clock.back_in_words(), human_duration(clock.ready()));
    if (in_time)
      return told(std::move(o), Verdict::Proven,
                  fmt::format("kube-scheduler evicts batch for `{}`: {}, within {}", tenant.tenant, ready,
                              human_duration(limit)));
    const std::string fix = fmt::format("give it {}, a shorter grace to batch, or a pool that nobody else uses",
                                        human_duration(clock.ready()));
    if (const auto story = tell_evicted_late(proof_, uses_, tenant, clock))
      return told(std::move(o), Verdict::Refuted,
                  fmt::format("`{}` may be ready too late: {}, and its deadline is {}", tenant.tenant, ready,
                              human_duration(limit)),
                  "", fix, story->steps);
    return undecided(fmt::format("by the bound it is {}, after its deadline of {}, and no story of it was found", ready,
                                 human_duration(limit)),
                     fix);
  }

  const Proof& proof_;
  Report& report_;
  const kueue::Shape shape_;
  PoolUses uses_;
  const BatchCircles batch_times_;
  LemmaBook book_;
};

}  // namespace

std::vector<std::uint32_t> queues_beside(const Proof& proof, const OutsideReserve& tenant) {
  std::vector<std::uint32_t> queues;
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q)
    if (std::ranges::any_of(listed_flavors(proof.cluster.queues[q].groups),
                            [&](const FlavorQuotas& row) { return lands_on(proof, row.flavor, tenant); }))
      queues.push_back(q);
  return queues;
}

void prove_outside(const Proof& proof, Report& report) {
  if (proof.intent.outside.empty()) return;
  Outside outside(proof, report);
  for (const OutsideReserve& tenant : proof.intent.outside) outside.judge(tenant);
}

}  // namespace gpol
