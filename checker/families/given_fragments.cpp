// Fragmentation, where nobody wrote a policy: the demand of a queue that serves is pods of one unit each, and whatever
// pods of it are among the manifests. Each shape is judged on the nodes that have room for one. Everything else is the
// family's (fragmentation.cpp), which is asked of an intent in which these are the queue's replicas.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/given.h"
#include "checker/families/pairs.h"
#include "checker/families/whose.h"
#include "checker/nodes/placement_model.h"
#include "checker/story/narrate.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

struct Shape {
  nodes::Amounts each;             // by index into Cluster::resources
  const PodFacts* pods = nullptr;  // that ask for it; null: the demand's
  bool larger = false;             // than a pod of the demand
};

class Fragments {
 public:
  Fragments(const Proof& proof, std::span<const NodeFacts> nodes, Report& report)
      : proof_(proof),
        cluster_(proof.cluster),
        whose_(proof),
        nodes_(nodes),
        report_(report),
        with_shapes_(proof.intent),
        shown_(cluster_.queues.size()) {
    for (std::uint32_t r = 0; r < cluster_.resources.size(); ++r)
      if (is_gpu_or_slice(cluster_.resources[r])) parts_.push_back(r);
    for (const std::string_view beside : {"cpu", "memory"})
      for (std::uint32_t r = 0; r < cluster_.resources.size(); ++r)
        if (cluster_.resources[r] == beside) parts_.push_back(r);
    // And whatever else of a node pods ask for, such as devices of a network.
    for (std::uint32_t r = 0; r < cluster_.resources.size(); ++r)
      if (cluster_.resources[r] != "pods" && !contains(parts_, r) &&
          std::ranges::any_of(nodes_,
                              [&](const NodeFacts& node) { return node.allocatable.contains(cluster_.resources[r]); }))
        parts_.push_back(r);
  }

  void judge(std::span<const PodFacts> pods) {
    for (const PodFacts& one : pods)
      if (const std::uint32_t q = whose_.queue(one); q != kNone && promised(proof_.intent.roles[q])) show(one, q);
    for (std::uint32_t q = 0; q < shown_.size(); ++q)
      for (const Shape& shape : shown_[q]) with_shapes_.roles[q].other_shapes.push_back(shape.each);
    std::map<nodes::Amounts, std::set<std::uint32_t>> alike;  // queues by their demand
    for (std::uint32_t q = 0; q < shown_.size(); ++q) {
      bool clean = true;
      const nodes::Amounts& declared = proof_.intent.roles[q].replica;  // in gpol.yaml
      const bool is_declared = std::ranges::any_of(declared, [](std::int64_t amount) { return amount > 0; });
      if (is_declared && promised(proof_.intent.roles[q])) clean = judge({declared}, {q});
      for (const Shape& shape : shown_[q])
        if (shape.larger) clean = judge(shape, {q}) && clean;
      if (clean && !is_declared && promised(proof_.intent.roles[q]))
        for (nodes::Amounts& unit : demands_of(q)) alike[std::move(unit)].insert(q);
    }
    for (const auto& [unit, queues] : alike) judge({unit}, queues);
    if (!analysed_) return;
    report_.analysed.push_back(Family::Fragmentation);
    if (!found_) report_.add(proven_of_cluster(Family::Fragmentation, code::Fragmentation));
  }

 private:
  void show(const PodFacts& pods, std::uint32_t q) {
    const nodes::Amounts unit = unit_of(q);
    Shape shape{nodes::Amounts(cluster_.resources.size(), 0), &pods};
    for (const std::uint32_t part : parts_) {
      const auto asked = pods.room.find(cluster_.resources[part]);
      if (unit[part] == 0 || asked == pods.room.end() || asked->second == INT64_MAX) continue;
      shape.each[part] = asked->second;
      shape.larger = shape.larger || asked->second > unit[part];
    }
    if (shape.each != nodes::Amounts(cluster_.resources.size(), 0) && !contains(shown_[q], shape.each, &Shape::each))
      shown_[q].push_back(shape);
  }

  // One unit of everything that it owns.
  nodes::Amounts unit_of(std::uint32_t q) const {
    nodes::Amounts unit(cluster_.resources.size(), 0);
    const auto pairs = pairs_of(cluster_.queues[q]);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (const std::uint32_t r = pairs[i].resource; contains(parts_, r) && reserve_at(proof_.intent.roles[q], i) > 0)
        unit[r] = one_unit(cluster_.resources[r]);
    return unit;
  }

  // The same as pods, which have one kind of device each.
  std::vector<nodes::Amounts> demands_of(std::uint32_t q) const {
    const nodes::Amounts unit = unit_of(q);
    std::vector<nodes::Amounts> all;
    for (std::uint32_t r = 0; r < unit.size(); ++r) {
      if (unit[r] == 0 || !is_gpu_or_slice(cluster_.resources[r])) continue;
      nodes::Amounts& one = all.emplace_back(unit);
      for (std::uint32_t other = 0; other < one.size(); ++other)
        if (other != r && is_gpu_or_slice(cluster_.resources[other])) one[other] = 0;
    }
    if (all.empty()) all.push_back(unit);
    return all;
  }

  bool any_lists(const std::set<std::uint32_t>& queues, std::uint32_t flavor) const {
    return std::ranges::any_of(queues, [&](std::uint32_t q) { return lists(cluster_.queues[q], flavor); });
  }

  // Of the nodes of a pool those that have room for one. Out: whether these differ.
  bool keep_large(PoolCapacity& capacity, const nodes::Amounts& each) const {
    std::int64_t count = 0;
    std::vector<std::int64_t> least(cluster_.resources.size(), INT64_MAX), most(cluster_.resources.size(), 0);
    for (const NodeFacts& node : nodes_) {
      const auto has = [&](std::string_view resource) { return value_or(node.allocatable, std::string(resource), 0); };
      const auto lacks = [&](std::uint32_t part) { return has(cluster_.resources[part]) < each[part]; };
      if (node.elastic || node.cordoned || node.shut.contains(cluster_.flavors[capacity.flavor].name) ||
          !nodes::selects(cluster_.flavors[capacity.flavor].node_labels, node.labels) ||
          std::ranges::any_of(parts_, lacks))
        continue;
      ++count;
      for (std::size_t r = 0; r < least.size(); ++r) {
        least[r] = std::min(least[r], has(cluster_.resources[r]));
        most[r] = std::max(most[r], has(cluster_.resources[r]));
      }
    }
    if (count == 0) return false;  // none has: as they are
    capacity.nodes_min = capacity.nodes_max = count;
    capacity.of_one = least;
    return least != most;
  }

  // False: some pod may find no node.
  bool judge(const Shape& shape, const std::set<std::uint32_t>& queues) {
    Intent intent = with_shapes_;
    for (const std::uint32_t q : queues) intent.roles[q].replica = shape.each;
    std::set<std::string_view> differ;  // flavors
    for (PoolCapacity& capacity : intent.capacities) {
      if (!any_lists(queues, capacity.flavor))
        capacity.nodes = kNone;
      else if (capacity.nodes != kNone && keep_large(capacity, shape.each))
        differ.insert(cluster_.flavors[capacity.flavor].name);
    }
    Report found;
    prove_fragmentation_of(queues, {cluster_, intent, proof_.origins, proof_.solver}, found);
    analysed_ = analysed_ || !found.analysed.empty();
    bool clean = true;
    for (Obligation& o : found.obligations) {
      if (o.verdict == Verdict::Proven) continue;
      clean = false;
      keep(std::move(o), shape, differ);
    }
    return clean;
  }

  std::string words(const nodes::Amounts& each) const {
    std::string out;
    for (const std::uint32_t part : parts_)
      if (each[part] > 0) add_to_list(out, amount_in_words(cluster_, part, each[part]));
    return out;
  }

  // What speaks of the copied intent speaks of the pods instead.
  void keep(Obligation o, const Shape& shape, const std::set<std::string_view>& differ) {
    found_ = true;
    for (const QueueRole& role : proof_.intent.roles)
      if (role.tenant == o.subject.tenant) o.subject.tenant = role.tenant;
    Detail detail = *o.detail;
    const std::string asks = words(shape.each);
    std::string who = fmt::format("a pod of `{}`{}{}", o.subject.name, asks.empty() ? "" : " that asks for ", asks);
    if (shape.pods != nullptr) {
      who += fmt::format(" ({} `{}`)", shape.pods->kind, shape.pods->name);
      for (const std::uint32_t part : parts_)
        if (const auto at = shape.pods->needs.find(cluster_.resources[part]); at != shape.pods->needs.end()) {
          o.span = at->second.span;
          break;
        }
    }
    if (o.verdict == Verdict::Refuted && differ.contains(o.subject.flavor)) {
      o.verdict = Verdict::Undecided;
      detail.story.clear();
      detail.reason = "its nodes are not alike, and were taken for the smallest";
    }
    // What keeps one size from being judged keeps many: it is told once.
    if (o.verdict != Verdict::Refuted &&
        !undecided_.insert(fmt::format("{}/{}/{}", o.subject.name, o.subject.flavor, detail.reason)).second)
      return;
    if (o.verdict == Verdict::Refuted) {
      detail.message = fmt::format("{} can find no node of `{}` although its quota is free", who, o.subject.flavor);
    } else {
      detail.message =
          fmt::format("whether {} finds a node of `{}` is not known: {}", who, o.subject.flavor, detail.reason);
      detail.reason = detail.message;
    }
    report_.add(std::move(o), std::move(detail));
  }

  const Proof& proof_;
  const Cluster& cluster_;
  const Whose whose_;
  const std::span<const NodeFacts> nodes_;
  Report& report_;
  std::vector<std::uint32_t> parts_;       // what a replica is made of: devices, cpu, memory, ...; its pod apart
  Intent with_shapes_;                     // the sizes in which each queue's pods come
  std::vector<std::vector<Shape>> shown_;  // by queue: of pods among the manifests
  std::set<std::string> undecided_;        // "queue/flavor/reason"
  bool found_ = false, analysed_ = false;
};

}  // namespace

void judge_fragments(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                     Report& report) {
  Fragments(proof, nodes, report).judge(pods);
}

}  // namespace gpol
