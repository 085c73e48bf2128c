// What serving queues are asked for and can never give, though what is proven of them holds: a Workload that is larger
// than its queue's quota and all that it may borrow, in each of its flavors (played in the model on the empty cluster),
// and replicas beyond that.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/families/asked.h"
#include "checker/families/codes.h"
#include "checker/families/given.h"
#include "checker/families/pairs.h"
#include "checker/kueue/counted.h"
#include "checker/story/narrate.h"
#include "checker/story/replay.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

// Its queue's groups without the flavors that none of its pods may take; one of which none is left stays as it is.
std::vector<ResourceGroup> groups_for(const Cluster& cluster, const AskedOf& asked) {
  std::vector<ResourceGroup> groups = cluster.queues[asked.queue].groups;
  for (ResourceGroup& group : groups) {
    if (group.flavors.size() < 2) continue;
    auto left = group.flavors;
    std::erase_if(left, [&](const FlavorQuotas& row) {
      return std::ranges::none_of(asked.templates,
                                  [&](const PodFacts* pods) { return may_take(*pods, cluster.flavors[row.flavor]); });
    });
    if (!left.empty()) group.flavors = std::move(left);
  }
  return groups;
}

std::size_t rows_of(const std::vector<ResourceGroup>& groups) {
  std::size_t rows = 0;
  for (const ResourceGroup& group : groups) rows += group.flavors.size();
  return rows;
}

class Oversize {
 public:
  Oversize(const Cluster& cluster, Report& report) : cluster_(cluster), report_(report), stage_(cluster) {}

  void judge(const AskedOf& asked) {
    const Queue& queue = cluster_.queues[asked.queue];
    if (queue.stop != StopPolicy::None || !queue.namespaces.present) return;  // told elsewhere
    if (!fits(asked)) return never(asked);
    beyond(asked);
  }

 private:
  std::optional<std::uint32_t> resource_of(const std::string& name) const {
    const auto found = std::ranges::find(cluster_.resources, name);
    if (found == cluster_.resources.end() || kueue::uncharged(cluster_.config, name) ||
        !kueue::counted_otherwise(cluster_.config, name).empty())
      return std::nullopt;
    return static_cast<std::uint32_t>(found - cluster_.resources.begin());
  }

  // By the nominal quotas and all that can be borrowed, over its flavors: the most of one, and of all together.
  struct Room {
    std::int64_t of_one = 0, of_all = 0;
    bool listed = false;
  };
  Room room(std::uint32_t q, std::uint32_t resource) const {
    Room found;
    for (const Pair pair : pairs_of(cluster_.queues[q])) {
      if (pair.resource != resource) continue;
      const std::int64_t potential = stage_.widest(pair.flavor, resource).potential[q];
      found.listed = true;
      found.of_one = std::max(found.of_one, potential);
      found.of_all = sum_of({found.of_all, potential});
    }
    return found;
  }

  // Closed form: each podset takes one flavor of a group, so that what one of them asks for fits one flavor, and all
  // together the sum.
  bool may_fit(const AskedOf& asked) const {
    for (const auto& [name, amount] : asked.least) {
      const auto resource = resource_of(name);
      const Room has = resource ? room(asked.queue, *resource) : Room{};
      if (!has.listed) continue;
      if (amount > has.of_all) return false;
      for (const PodFacts* pods : asked.templates)
        if (const auto each = pods->room.find(name); each != pods->room.end())
          if (times(pods->fewest, each->second) > has.of_one) return false;
    }
    return true;
  }

  kueue::PodSet podset_of(const PodFacts& pods, std::uint32_t q) const {
    std::map<std::uint32_t, std::int64_t> amounts;
    const auto add = [&](const std::string& name, std::int64_t amount) {
      const auto resource = resource_of(name);
      if (resource && room(q, *resource).listed) amounts[*resource] = times(pods.fewest, amount);
    };
    for (const auto& [name, amount] : pods.room) add(name, amount);
    add("pods", 1);
    kueue::PodSet out;
    out.count = pods.fewest;
    for (const auto& [resource, amount] : amounts) out.requests.push_back({resource, amount});
    return out;
  }

  bool fits(const AskedOf& asked) const {
    if (!stage_.uncovered().empty()) return may_fit(asked);
    kueue::WorkloadSpec workload;
    workload.queue = asked.queue;
    bool first = true;
    for (const PodFacts* pods : asked.templates) {
      if (pods->count == 0) continue;
      kueue::PodSet one = podset_of(*pods, asked.queue);
      if (!first) {
        workload.more.push_back(std::move(one));
        continue;
      }
      workload.requests = std::move(one.requests), workload.count = one.count;
      first = false;
    }
    if (first) return true;  // it has no pods
    const Script alone{{Submit{std::move(workload), "", true}}};
    return stage_.play(alone).events.front().settled == kueue::WorkloadState::Admitted;
  }

  // "8 GPUs, and `chat` can have 4 at most": of what it lacks, devices before what goes with them.
  std::string lacks(const AskedOf& asked) const {
    std::string words;
    for (const auto& [name, amount] : asked.least) {
      const auto resource = resource_of(name);
      const Room has = resource ? room(asked.queue, *resource) : Room{};
      if (!has.listed || amount <= has.of_one || (!words.empty() && !is_gpu_or_slice(name))) continue;
      words = fmt::format("{}, and `{}` can have {} at most{}", amount_in_words(cluster_, *resource, amount),
                          cluster_.queues[asked.queue].name, amount_in_words(cluster_, *resource, has.of_one),
                          has.of_all > has.of_one ? " of one flavor" : "");
    }
    return words.empty() ? fmt::format("more than `{}` can have of its flavors", cluster_.queues[asked.queue].name)
                         : words;
  }

  void never(const AskedOf& asked) {
    const PodFacts& pods = asked.first();
    const bool played = stage_.uncovered().empty();
    std::int64_t count = 0;
    for (const PodFacts* one : asked.templates) count = sum_of({count, one->fewest});
    const std::string what =
        fmt::format("{} for {} at once", count == 1 ? "one pod asks" : fmt::format("{} pods ask", count), lacks(asked));
    Obligation o = obligation(Family::Vacuity, code::Vacuity, played ? Verdict::Refuted : Verdict::Undecided,
                              {report_.keep(pods.kind), report_.keep(pods.name)}, pods.span);
    std::erase_if(report_.obligations,
                  [](const Obligation& p) { return p.family == Family::Vacuity && p.verdict == Verdict::Proven; });
    Detail detail{.message = fmt::format("pods of {} are never admitted: {}", asked.name(), what),
                  .fix = Fix{fmt::format("raise the nominalQuota of `{}`, or ask for less at once",
                                         cluster_.queues[asked.queue].name)},
                  .place = {.field = "metadata.name"}};
    if (played)
      detail.story = {{"", pods.name, what}, {"", "kueue", "never admits it, though nobody else holds anything"}};
    else
      detail.reason = detail.message + "; that was not played: " + stage_.uncovered();
    report_.add(std::move(o), std::move(detail));
  }

  // Replicas that are Workloads of their own, as it is written: an autoscaler's maximum is no promise.
  void beyond(const AskedOf& asked) {
    if (asked.workloads < 2) return;
    std::int64_t most = asked.workloads;
    std::string why;
    for (const auto& [name, each] : asked.each) {
      const auto resource = resource_of(name);
      const Room has = resource ? room(asked.queue, *resource) : Room{};
      if (!has.listed || each == 0 || has.of_all / each >= most) continue;
      most = has.of_all / each;
      why = fmt::format("ask for {}, and `{}` can have {} at most",
                        amount_in_words(cluster_, *resource, times(asked.workloads, each)),
                        cluster_.queues[asked.queue].name, amount_in_words(cluster_, *resource, has.of_all));
    }
    if (most == asked.workloads) return;
    report_.diagnostics.push_back(
        warning_at(code::SurplusReplicas, asked.first().span,
                   fmt::format("{} replicas of {} {}: {} of them {} never admitted beside the others", asked.workloads,
                               asked.name(), why, asked.workloads - most, asked.workloads - most == 1 ? "is" : "are"),
                   fmt::format("raise the nominalQuota of `{}`, or ask for {} replicas",
                               cluster_.queues[asked.queue].name, most)));
  }

  const Cluster& cluster_;
  Report& report_;
  const Stage stage_;
};

}  // namespace

void judge_oversize(const Proof& proof, std::span<const PodFacts> pods, Report& report) {
  std::vector<AskedOf> all = asked_of_queues(proof, pods);
  std::erase_if(all, [&](const AskedOf& one) { return !promised(proof.intent.roles[one.queue]); });
  if (all.empty()) return;
  Oversize of_all(proof.cluster, report);
  for (const AskedOf& one : all) {
    std::vector<ResourceGroup> groups = groups_for(proof.cluster, one);
    if (rows_of(groups) == rows_of(proof.cluster.queues[one.queue].groups)) {
      of_all.judge(one);
      continue;
    }
    Cluster narrowed = proof.cluster;
    narrowed.queues[one.queue].groups = std::move(groups);
    Oversize(narrowed, report).judge(one);
  }
}

}  // namespace gpol
