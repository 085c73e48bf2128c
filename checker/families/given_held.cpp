// What is held now, by a dump, and could not be let in by the quotas beside it: they were lowered, or a flavor was
// taken out of a queue. The claim family speaks of what admission can reach; of what is left from before it knows
// nothing: a cohort in debt takes from what its members own (kueue.md section 2), and of a flavor that a queue no
// longer lists nobody is a victim (section 3.6). What reclaim proves holds from any usage of flavors that are listed.
// Another tree in debt takes the same devices, where Nodes say how many there are: nobody reclaims from another tree.
// A namespaceSelector is asked at the door only: who came in before it was tightened stays.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "checker/families/given.h"
#include "checker/kueue/forest.h"

namespace gpol {

namespace {

struct Amounts {
  std::int64_t status = 0, workloads = 0;
  Span at;
  std::int64_t held() const { return std::max(status, workloads); }
};

class Beyond {
 public:
  Beyond(const Cluster& cluster, const Intent& intent) : cluster_(cluster), intent_(intent) {}

  std::vector<HeldBeyond> find(const std::vector<HeldFacts>& held) {
    const auto batch = namespaces_of_batch(cluster_, intent_);
    for (const HeldFacts& one : held) add(one, batch);
    for (const auto& [pair, queues] : held_) judge(pair, queues);
    return std::move(found_);
  }

 private:
  using FlavorAndResource = std::pair<std::uint32_t, std::uint32_t>;
  using Queues = std::map<std::uint32_t, Amounts>;

  template <class List>
  static std::optional<std::uint32_t> index_of(const List& list, auto&& is) {
    const auto found = std::ranges::find_if(list, is);
    if (found == list.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - list.begin());
  }

  void add(const HeldFacts& one, const std::set<std::string>& batch) {
    const auto queue = index_of(cluster_.queues, [&](const Queue& q) { return q.name == one.queue; });
    const auto flavor = index_of(cluster_.flavors, [&](const Flavor& f) { return f.name == one.flavor; });
    const auto resource = index_of(cluster_.resources, [&](const std::string& r) { return r == one.resource; });
    if (!queue || !flavor || !resource) return;  // nobody's quota
    if (one.of_workload) by_stranger(one, *queue, batch);
    Amounts& amounts = held_[{*flavor, *resource}][*queue];
    if (!amounts.at.known()) amounts.at = one.at;
    if (one.of_workload)
      amounts.workloads = kueue::saturating_add(amounts.workloads, one.amount);
    else
      amounts.status = std::max(amounts.status, one.amount);
  }

  // In serving's own queue, from a namespace that is not let in today. One of batch that is let in is told by
  // judge_given.
  void by_stranger(const HeldFacts& one, std::uint32_t q, const std::set<std::string>& batch) {
    if (const QueueRole& role = intent_.roles[q]; !promised(role)) return;
    const auto in = lets_in(cluster_, cluster_.queues[q].namespaces, one.ns);
    if (in == true || (!in && !batch.contains(one.ns)) || !strangers_.insert({q, one.ns}).second) return;
    found_.push_back(
        {cluster_.queues[q].name, one.at,
         fmt::format("says that a Workload of namespace `{}` holds its quota, {}: nobody evicts it for that", one.ns,
                     in ? "which its namespaceSelector does not let in" : "which runs batch")});
  }

  // Somebody of another tree serves on it.
  std::optional<std::uint32_t> serves_beside(kueue::Node root, const kueue::Limits& limits) const {
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) {
      const QueueRole& role = intent_.roles[q];
      if (promised(role) && limits.listed[q] && !shape_.in_cycle[q] && root_of(shape_, q) != root) return q;
    }
    return std::nullopt;
  }

  // Somebody of the tree serves on it: of class A, or of any.
  bool serves(kueue::Node root, const kueue::Limits& limits, bool only_a) const {
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) {
      const QueueRole& role = intent_.roles[q];
      if (role.kind == QueueRole::Kind::Serving && limits.listed[q] && !shape_.in_cycle[q] &&
          root_of(shape_, q) == root && (role.isolation == Isolation::A || (!only_a && role.isolation == Isolation::B)))
        return true;
    }
    return false;
  }

  void judge(FlavorAndResource pair, const Queues& queues) {
    const kueue::Limits limits = kueue::limits_of(cluster_, shape_, pair.first, pair.second, nullptr);
    std::map<kueue::Node, kueue::Usage> usage;  // by root
    std::map<kueue::Node, std::uint32_t> most;  // who is furthest above its nominal quota
    for (const auto& [q, amounts] : queues) {
      if (shape_.in_cycle[q]) continue;
      const kueue::Node root = root_of(shape_, q);
      if (!limits.listed[q] && serves(root, limits, false)) tell(pair, q, amounts, "it does not list the flavor");
      usage[root].add(shape_, limits, q, amounts.held());
      const auto [at, fresh] = most.try_emplace(root, q);
      if (!fresh && amounts.held() - limits.nominal[q] > queues.at(at->second).held() - limits.nominal[at->second])
        at->second = q;
    }
    if (intent_.capacity_of(pair.first) != nullptr)
      for (const auto& [root, used] : usage) {
        const auto beside = serves_beside(root, limits);
        if (!beside || kueue::available(shape_, limits, used, root) >= 0) continue;
        const std::uint32_t q = most.at(root);
        tell(pair, q, queues.at(q),
             fmt::format("{}, and the devices that `{}` owns are among the same Nodes",
                         root == q
                             ? "it is more than its own quota"
                             : fmt::format("with what others hold it is more than cohort `{}` has", shape_.names[root]),
                         cluster_.queues[*beside].name));
      }
    for (kueue::Node v = shape_.queues; v < shape_.parent.size(); ++v) {
      if (shape_.in_cycle[v] || !usage.contains(root_of(shape_, v))) continue;
      const kueue::Node root = root_of(shape_, v);
      if (kueue::available(shape_, limits, usage[root], v) >= 0 || !serves(root, limits, true)) continue;
      if (const std::uint32_t q = most.at(root); limits.listed[q])
        tell(pair, q, queues.at(q),
             fmt::format("with what others hold it is more than cohort `{}` has", shape_.names[v]));
      return;
    }
  }

  void tell(FlavorAndResource pair, std::uint32_t q, const Amounts& amounts, const std::string& why) {
    found_.push_back({cluster_.queues[q].name, amounts.at,
                      fmt::format("says that it holds what no quota of today lets in, `{}` of `{}`: {}",
                                  cluster_.resources[pair.second], cluster_.flavors[pair.first].name, why)});
  }

  const Cluster& cluster_;
  const Intent& intent_;
  const kueue::Shape shape_ = kueue::shape_of(cluster_);
  std::map<FlavorAndResource, Queues> held_;
  std::set<std::pair<std::uint32_t, std::string>> strangers_;  // queue and namespace: told
  std::vector<HeldBeyond> found_;
};

}  // namespace

std::vector<HeldBeyond> held_beyond(const Cluster& cluster, const Intent& intent, const std::vector<HeldFacts>& held) {
  if (held.empty()) return {};
  return Beyond(cluster, intent).find(held);
}

}  // namespace gpol
