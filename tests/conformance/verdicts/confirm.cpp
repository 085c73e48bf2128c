#include "tests/conformance/verdicts/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "checker/families/asked.h"
#include "checker/families/codes.h"
#include "checker/story/stories.h"
#include "compiler/cluster/kueue_version.h"
#include "compiler/cluster/roles.h"
#include "tests/conformance/differential/outcome.h"

namespace gpol::verdicts {

namespace {

template <class T>
std::uint32_t named(const std::vector<T>& objects, std::string_view name) {
  std::uint32_t at = 0;
  while (objects[at].name != name) ++at;
  return at;
}

// Serving outside the queue has obligations of claim and reclaim, too; nothing of it is Kueue's to play.
bool is_of_a_queue(const Obligation& o) { return o.subject.kind == "ClusterQueue"; }

bool is_open(const Obligation& o) { return o.verdict == Verdict::Undecided || o.verdict == Verdict::NotAnalysed; }

double percent(std::int64_t part, std::int64_t of) {
  return of == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(of);
}

bool serves(const Session& session, std::uint32_t queue) {
  return session.planned->intent.roles[queue].kind == QueueRole::Kind::Serving;
}

// The judge has the code of one version.
bool judged_whole(const Cluster& cluster) { return rules_known(cluster.config.version) == RulesKnown::All; }

// Of a demand of no pods nothing is proven, and nothing can be attacked.
bool asks_for_pods(const Session& session, std::uint32_t queue) {
  return session.planned->intent.roles[queue].unit_demand != 0;
}

// One verdict of reclaim per serving queue (all its pairs share it).
std::map<std::uint32_t, const Obligation*> reclaims(const Session& session) {
  std::map<std::uint32_t, const Obligation*> found;
  for (const Obligation& o : session.report.obligations) {
    if (o.family != Family::Reclaim || !is_of_a_queue(o)) continue;
    if (const auto queue = named(session.planned->cluster.queues, o.subject.name);
        serves(session, queue) && asks_for_pods(session, queue))
      found.emplace(queue, &o);
  }
  return found;
}

struct Pair {
  std::uint32_t queue, flavor, resource;
};

Pair pair_of(const Cluster& cluster, const Obligation& o) {
  return {named(cluster.queues, o.subject.name), named(cluster.flavors, o.subject.flavor),
          static_cast<std::uint32_t>(std::find(cluster.resources.begin(), cluster.resources.end(), o.subject.resource) -
                                     cluster.resources.begin())};
}

// Why the judge cannot play it; empty: it can.
std::string beyond_the_judge(const Session& session) {
  const Cluster& cluster = session.planned->cluster;
  for (const Obligation& o : session.report.obligations)
    if (o.code == code::NotModelled) return "a field that is not modelled";
  for (const Queue& queue : cluster.queues)
    if (!queue.admission_checks.empty()) return "admission checks";
  for (const Flavor& flavor : cluster.flavors)
    if (!flavor.topology.empty()) return "a topology";
  return "";
}

}  // namespace

void Confirm::take(const std::string& name, const Session& session, std::uint64_t seed, std::int64_t attacks,
                   std::int64_t judged_of) {
  name_ = name;
  ++clusters_;
  if (session.reached != Phase::Proven) {
    ++rejected_;
    return;
  }
  yaml_.clear();
  for (FileId file = 0; file < session.sources.size(); ++file)
    yaml_ += (file == 0 ? "" : "\n---\n") + session.sources.text(file);
  count(session);
  if (const auto why = beyond_the_judge(session); !why.empty()) {
    ++not_played_["a cluster with " + why];
    return;
  }
  judge_claims(session);
  judge_ending(session, seed, attacks / 4);
  judge_reclaims(session, seed, attacks, judged_of);
}

void Confirm::count(const Session& session) {
  for (const Obligation& o : session.report.obligations) {
    if ((o.family == Family::Claim || o.family == Family::Reclaim) && !is_of_a_queue(o)) {
      ++not_played_["serving outside the queue: " + std::string(family_name(o.family))];
      continue;
    }
    if (o.required && (o.family == Family::Claim || o.family == Family::Reclaim) &&
        asks_for_pods(session, named(session.planned->cluster.queues, o.subject.name))) {
      ++required_;
      if (is_open(o)) ++open_required_;
    }
    if (o.family != Family::Claim && o.family != Family::Reclaim) {
      if (o.verdict == Verdict::Refuted && o.family != Family::Vacuity)
        ++not_played_[fmt::format("{} refuted", family_name(o.family))];
      continue;
    }
    ++obligations_;
    if (is_open(o) && (o.required || serves(session, named(session.planned->cluster.queues, o.subject.name))))
      ++causes_[fmt::format("{}: {}", family_name(o.family), o.detail ? o.detail->reason : "")];
  }
}

// Others hold what the closed form says, and the owner could then have its reserve less the figure: no more, no less.
void Confirm::judge_claims(const Session& session) {
  const Cluster& cluster = session.planned->cluster;
  const Stage stage(cluster);
  for (const Obligation& o : session.report.obligations) {
    if (o.family == Family::Vacuity && o.verdict == Verdict::Refuted && !o.subject.flavor.empty()) {
      judge_vacuity(session, stage, o);
      continue;
    }
    if (o.family != Family::Claim || !is_of_a_queue(o)) continue;
    if (!o.figures.claimable || !o.figures.reserve) {
      ++not_played_["claim without a figure"];
      continue;
    }
    if (is_open(o)) {
      ++not_played_[fmt::format("claim {}: {}", verdict_name(o.verdict), o.detail ? o.detail->reason : "")];
      continue;
    }
    if (*o.figures.reserve == 0) continue;
    const Pair of = pair_of(cluster, o);
    auto history = holding_history(stage, beside_overreach(session.planned->intent, of.queue), of.queue, of.flavor,
                                   of.resource, *o.figures.reserve - *o.figures.claimable, *o.figures.claimable == 0);
    if (!history && std::find(cluster.resources.begin(), cluster.resources.end(), "pods") == cluster.resources.end()) {
      ++escapes_;
      std::cerr << fmt::format("verdicts: escape: {}: what others hold of {}'s {} of {} is not to be had\n", name_,
                               o.subject.name, o.subject.resource, o.subject.flavor);
      continue;
    }
    if (!history) {  // the figure speaks of one resource alone
      ++not_played_["claim: the pods for it are not to be had"];
      continue;
    }
    ++claims_;
    if (*o.figures.claimable > 0) ++claimable_;
    print(std::move(*history));
  }
}

void Confirm::judge_ending(const Session& session, std::uint64_t seed, std::int64_t attacks) {
  const Cluster& cluster = session.planned->cluster;
  if (cluster.queues.empty() || !judged_whole(cluster) || !Stage(cluster).uncovered().empty()) return;
  for (std::int64_t i = 0; i < attacks; ++i) {
    History history = late_history(cluster, session.planned->intent, seed * 1'000 + static_cast<std::uint64_t>(i));
    differential::Stage played(cluster);
    for (const differential::Op& op : history.ops)
      if (op.kind == differential::Op::Kind::Cycle)
        differential::cycle(played.model, cluster, played.ids.size());
      else
        played.apply(op);
    bool asked = false;
    for (const Obligation& o : session.report.obligations) {
      if (o.family != Family::Claim || !is_of_a_queue(o) || !o.figures.claimable || !o.figures.reserve) continue;
      const Pair of = pair_of(cluster, o);
      const std::int64_t most = o.figures.claimable_ending.value_or(*o.figures.claimable);
      const bool stopped = cluster.queues[of.queue].stop != StopPolicy::None ||
                           session.planned->intent.inactive_queues.contains(cluster.queues[of.queue].name);
      if (stopped || !serves(session, of.queue) || *o.figures.reserve == most) continue;
      differential::Op left;
      left.kind = differential::Op::Kind::Available;
      left.queue = of.queue, left.flavor = of.flavor, left.resource = of.resource;
      left.amount = *o.figures.reserve - most, left.or_more = true;
      const std::int64_t has = played.model.available(of.queue, of.flavor, of.resource);
      if (has < left.amount) {
        ++escapes_;
        std::cerr << fmt::format("verdicts: escape: {}, late victims {}: {} could have {} of {}, not {}\n", name_,
                                 history.seed, o.subject.name, has, o.subject.resource, left.amount);
      }
      if (has < *o.figures.reserve - *o.figures.claimable) ++debts_;
      history.ops.push_back(std::move(left));
      asked = true;
    }
    if (!asked) return;
    ++late_;
    print(std::move(history));
  }
}

// Others hold all; less than a unit is then left to who serves.
void Confirm::judge_vacuity(const Session& session, const Stage& stage, const Obligation& o) {
  const Cluster& cluster = session.planned->cluster;
  const Pair of = pair_of(cluster, o);
  auto history = holding_history(stage, session.planned->intent, of.queue, of.flavor, of.resource, 0, true);
  if (!history) {
    ++not_played_["vacuity: the pods for it are not to be had"];
    return;
  }
  differential::Stage played(cluster);
  for (const differential::Op& op : history->ops) {
    if (op.kind == differential::Op::Kind::Cycle)
      differential::cycle(played.model, cluster, played.ids.size());
    else if (op.kind != differential::Op::Kind::Available)
      played.apply(op);
  }
  const std::int64_t left = played.model.available(of.queue, of.flavor, of.resource);
  if (left >= one_unit(cluster.resources[of.resource])) {
    ++escapes_;
    std::cerr << fmt::format("verdicts: escape: {}: {} could have {} of {}\n", name_, o.subject.name, left,
                             o.subject.resource);
  }
  history->ops.back().amount = left;
  history->ops.back().or_more = false;
  ++vacuities_;
  print(std::move(*history));
}

void Confirm::judge_reclaims(const Session& session, std::uint64_t seed, std::int64_t attacks, std::int64_t judged_of) {
  const auto verdicts = reclaims(session);
  std::set<std::uint32_t> broken;
  for (std::int64_t i = 0; i < attacks && !verdicts.empty(); ++i) {
    Attack attack =
        random_attack(session.planned->cluster, session.planned->intent, seed * 1'000 + static_cast<std::uint64_t>(i));
    for (const auto& [queue, o] : verdicts)
      if (!attack.met.contains(queue)) broken.insert(queue);
    judge_attack(session, std::move(attack), i % judged_of == 0, verdicts);
  }
  for (const auto& [queue, o] : verdicts) {
    ++reclaims_[std::string(verdict_name(o->verdict))];
    ++serving_;
    if (is_open(*o)) {
      ++open_serving_;
      if (broken.contains(queue))
        std::cerr << fmt::format("verdicts: broken and not refuted: {}, {}\n", name_,
                                 session.planned->cluster.queues[queue].name);
    }
    if (!broken.contains(queue) && o->verdict != Verdict::Refuted) {
      ++spared_;
      if (o->verdict != Verdict::Proven) ++spared_unproven_;
    }
    if (o->verdict == Verdict::Refuted) replay(session, queue);
  }
}

void Confirm::judge_attack(const Session& session, Attack attack, bool judged,
                           const std::map<std::uint32_t, const Obligation*>& verdicts) {
  bool aimed = false, escaped = false;
  for (const auto& [queue, o] : verdicts) {
    if (o->verdict != Verdict::Proven) continue;
    aimed = true;
    if (!attack.met.contains(queue)) {
      escaped = true;
      ++escapes_;
      std::cerr << fmt::format("verdicts: escape: {}, attack {}: reclaim of {} is proven\n", name_, attack.history.seed,
                               session.planned->cluster.queues[queue].name);
    }
    differential::Op expect;
    expect.kind = differential::Op::Kind::Expect;
    expect.admitted = true;
    expect.workloads = attack.asks.at(queue);
    attack.history.ops.push_back(std::move(expect));
  }
  if (aimed) ++attacks_;
  if (aimed && (escaped || judged) && judged_whole(session.planned->cluster)) print(std::move(attack.history));
}

void Confirm::replay(const Session& session, std::uint32_t queue) {
  const Stage stage(session.planned->cluster);
  const auto story = tell_unit_reclaim(stage, session.planned->intent, queue);
  if (!story) {
    ++not_played_["reclaim refuted, and no story of the scheduler's: " + name_];
    return;
  }
  ++replays_;
  print(history_of(session.planned->cluster, story->script, queue));
}

void Confirm::print(History history) const {
  history.yaml = yaml_;
  std::cout << to_json(history).dump() << '\n';
}

void Confirm::counts() const {
  const auto say = [](const std::string& line) { std::cerr << "verdicts: " << line << '\n'; };
  say(fmt::format("{} clusters, {} of them would be rejected; {} obligations of claim and reclaim", clusters_,
                  rejected_, obligations_));
  say(fmt::format("claims: {} figures reached and not passed, {} of them above 0", claims_, claimable_));
  say(fmt::format("vacuity: {} refutations replayed", vacuities_));
  say(fmt::format("victims that end late: {} histories, {} figures that debt lowered", late_, debts_));
  for (const auto& [verdict, count] : reclaims_) say(fmt::format("reclaim of a serving queue {}: {}", verdict, count));
  say(fmt::format("attacks on proofs: {}; replayed refutations: {}", attacks_, replays_));
  say(fmt::format("of the {} serving queues that no attack broke {:.2f} % are proven", spared_,
                  100.0 - percent(spared_unproven_, spared_)));
  say(
      fmt::format("undecided or not analysed: {} of {} required obligations ({:.2f} %), {} of {} serving queues "
                  "({:.2f} %)",
                  open_required_, required_, percent(open_required_, required_), open_serving_, serving_,
                  percent(open_serving_, serving_)));
  for (const auto& [cause, count] : causes_) say(fmt::format("  {} {}", count, cause));
  for (const auto& [why, count] : not_played_) say(fmt::format("not played: {} {}", count, why));
  say(fmt::format("escapes: {}", escapes_));
}

bool Confirm::good() const { return escapes_ == 0; }

bool Confirm::good_of_many(std::uint64_t first) const {
  constexpr std::int64_t kMeasured = 1'000, kMany = 200;
  // Pods that others can borrow leave 57 of the queues of seeds 1 to 1,000 undecided (docs/kueue.md N17).
  if (first == 1 && clusters_ >= kMeasured)
    return good() && percent(open_required_, required_) <= 6 && percent(spared_unproven_, spared_) <= 10.5;
  // Queues whose demand is of no pods are not counted. Other seeds are harder, because all queues of one cluster are
  // open together: 300 clusters of one seed left 8.0 % open, and 16.7 % of the queues unproven.
  if (clusters_ >= kMany)
    return good() && percent(open_required_, required_) <= 15 && percent(spared_unproven_, spared_) <= 30;
  return good();
}

}  // namespace gpol::verdicts
