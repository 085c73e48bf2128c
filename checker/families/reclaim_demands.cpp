#include "checker/families/reclaim_demands.h"

#include <algorithm>
#include <map>
#include <set>

#include "checker/kueue/forest.h"

namespace gpol {
namespace {

constexpr std::size_t kMostWays = 8;  // of one cohort, and so as many times the whole cluster

bool may_ask_otherwise(const QueueRole& role) { return promised(role) && role.demands.size() > 1; }

struct Ways {
  std::size_t count = 1;
  std::map<kueue::Node, std::vector<std::uint32_t>> queues;  // that have several demands, by root
  std::set<kueue::Node> too_many;                            // roots
};

Ways ways_of(const Proof& proof, const kueue::Shape& shape) {
  Ways ways;
  for (std::uint32_t q = 0; q < proof.intent.roles.size(); ++q)
    if (may_ask_otherwise(proof.intent.roles[q])) ways.queues[kueue::root_of(shape, q)].push_back(q);
  for (const auto& [root, queues] : ways.queues) {
    std::size_t count = 1;
    for (const std::uint32_t q : queues) count = std::min(kMostWays + 1, count * proof.intent.roles[q].demands.size());
    if (count > kMostWays) ways.too_many.insert(root);
    ways.count = std::max(ways.count, std::min(count, kMostWays));
  }
  return ways;
}

// The `way`th: the demands of a cohort's queues are the digits of a number.
Intent asking(const Intent& intent, const Ways& ways, std::size_t way) {
  Intent out = intent;
  for (const auto& [root, queues] : ways.queues) {
    std::size_t rest = way;
    for (const std::uint32_t q : queues) {
      QueueRole& role = out.roles[q];
      const auto& [pods, left_out] = role.demands[rest % role.demands.size()];
      rest /= role.demands.size();
      role.unit_demand = pods;
      role.not_asked = left_out;
    }
  }
  return out;
}

int badness(Verdict verdict) { return verdict == Verdict::Refuted ? 2 : verdict == Verdict::Proven ? 0 : 1; }

void keep_worse(Obligation& one, Obligation& kept) {
  if (badness(one.verdict) > badness(kept.verdict)) kept = std::move(one);
}

}  // namespace

void judge_each_way(const Proof& proof, Report& report, const std::function<void(const Proof&, Report&)>& judge) {
  if (std::ranges::none_of(proof.intent.roles, may_ask_otherwise)) return judge(proof, report);
  const kueue::Shape shape = kueue::shape_of(proof.cluster);
  const Ways ways = ways_of(proof, shape);
  std::map<std::string_view, std::uint32_t> queues;  // by name
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q) queues.emplace(proof.cluster.queues[q].name, q);
  const std::size_t first = report.obligations.size();
  for (std::size_t way = 0; way < ways.count; ++way) {
    const Intent intent = asking(proof.intent, ways, way);
    const std::size_t begin = report.obligations.size();
    judge({proof.cluster, intent, proof.origins, proof.solver, proof.dump, proof.stories}, report);
    // Names are views, and this intent ends here.
    for (std::size_t i = begin; i < report.obligations.size(); ++i) {
      Subject& subject = report.obligations[i].subject;
      subject.tenant = proof.intent.roles[queues.at(subject.name)].tenant;
    }
    if (way == 0) continue;
    for (std::size_t i = begin; i < report.obligations.size(); ++i)
      keep_worse(report.obligations[i], report.obligations[first + i - begin]);
    report.obligations.resize(begin);
    report.analysed.pop_back();
  }
  for (std::size_t i = first; i < report.obligations.size(); ++i) {
    Obligation& o = report.obligations[i];
    if (o.verdict != Verdict::Proven || !ways.too_many.contains(kueue::root_of(shape, queues.at(o.subject.name))))
      continue;
    o.verdict = Verdict::Undecided;
    o.say(
        {.reason = "the serving queues of its cohort may ask for several devices each, in more ways than are looked at",
         .message = "it is not known whether the reserve comes back whichever devices are asked for"});
  }
}

}  // namespace gpol
