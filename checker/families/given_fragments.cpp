// Fragmentation, where nobody wrote a policy: a queue that serves is judged by the largest of its pods among the
// manifests, on the nodes that have room for one. Everything else is the family's (fragmentation.cpp), which is asked
// of an intent that knows these pods.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/given.h"
#include "checker/families/whose.h"
#include "checker/kueue/counted.h"
#include "checker/nodes/placement_model.h"

namespace gpol {
namespace {

constexpr std::string_view kGpu = "nvidia.com/gpu";

struct Shown {
  const PodFacts* pods = nullptr;
  std::int64_t gpus = 0;
};

// Per queue; of a demand in single devices nothing is to be shown.
std::vector<Shown> largest(const Proof& proof, std::span<const PodFacts> pods) {
  std::vector<Shown> found(proof.cluster.queues.size());
  const Whose whose(proof);
  for (const PodFacts& one : pods) {
    const auto gpus = one.room.find(std::string(kGpu));
    if (gpus == one.room.end() || gpus->second <= 1) continue;
    const std::uint32_t q = whose.queue(one);
    if (q == kNone || proof.intent.roles[q].kind != QueueRole::Kind::Serving ||
        proof.intent.roles[q].isolation == Isolation::C)
      continue;
    if (gpus->second > found[q].gpus) found[q] = {&one, gpus->second};
  }
  return found;
}

// Of the nodes of a pool those that have room for a pod of so many GPUs. Out: whether these differ.
bool keep_large(PoolCapacity& capacity, const Flavor& flavor, std::size_t gpu, std::int64_t gpus,
                std::span<const NodeFacts> nodes) {
  std::int64_t least = INT64_MAX, most = 0, count = 0;
  for (const NodeFacts& node : nodes) {
    const auto has = node.allocatable.find(std::string(kGpu));
    if (node.cordoned || !nodes::selects(flavor.node_labels, node.labels) || has == node.allocatable.end() ||
        has->second < gpus)
      continue;
    ++count;
    least = std::min(least, has->second), most = std::max(most, has->second);
  }
  if (count == 0) return false;  // none has: as they are
  capacity.nodes_min = capacity.nodes_max = count;
  capacity.of_one[gpu] = least;
  return least != most;
}

class Shapes {
 public:
  Shapes(const Proof& proof, std::span<const NodeFacts> nodes, Report& report)
      : proof_(proof), cluster_(proof.cluster), nodes_(nodes), report_(report) {
    const auto found = std::find(cluster_.resources.begin(), cluster_.resources.end(), kGpu);
    gpu_ = static_cast<std::size_t>(found - cluster_.resources.begin());
  }

  void judge(std::uint32_t q, const Shown& shown) {
    if (gpu_ == cluster_.resources.size()) return;
    Intent intent = proof_.intent;
    intent.roles[q].replica[Resource::Gpu] = shown.gpus;
    intent.roles[q].only_devices = true;
    bool differ = false;
    for (PoolCapacity& capacity : intent.capacities) {
      if (!lists(q, capacity.flavor))
        capacity.nodes = kNone;
      else if (capacity.nodes != kNone)
        differ = keep_large(capacity, cluster_.flavors[capacity.flavor], gpu_, shown.gpus, nodes_) || differ;
    }
    Report found;
    prove_fragmentation({cluster_, intent, proof_.origins, proof_.solver}, found);
    analysed_ = analysed_ || !found.analysed.empty();
    for (Obligation& o : found.obligations)
      if (o.verdict != Verdict::Proven) keep(std::move(o), q, shown, differ);
  }

  void end() {
    if (!analysed_) return;
    report_.analysed.push_back(Family::Fragmentation);
    if (!found_) report_.obligations.push_back(proven_of_cluster(Family::Fragmentation, Code::Fragmentation, true));
  }

 private:
  bool lists(std::uint32_t q, std::uint32_t flavor) const {
    const auto& groups = cluster_.queues[q].groups;
    return std::any_of(groups.begin(), groups.end(), [&](const ResourceGroup& group) {
      return std::any_of(group.flavors.begin(), group.flavors.end(),
                         [&](const FlavorQuotas& row) { return row.flavor == flavor; });
    });
  }

  // What speaks of the copied intent speaks of the pods instead.
  void keep(Obligation o, std::uint32_t q, const Shown& shown, bool differ) {
    found_ = true;
    o.subject.tenant = proof_.intent.roles[q].tenant;
    const PodFacts& pods = *shown.pods;
    o.span = pods.asks.at(std::string(kGpu)).span;
    Detail detail = *o.detail;
    const std::string asks = fmt::format("{} `{}` asks for pods of {} GPUs", pods.kind, pods.name, shown.gpus);
    if (o.verdict == Verdict::Refuted && differ) {
      o.verdict = Verdict::Undecided;
      detail.story.clear();
      detail.reason = "its nodes have different numbers of GPUs, and were taken for the smallest";
    }
    if (o.verdict == Verdict::Refuted) {
      detail.message = fmt::format("{}, and one can find no node of `{}` although the quota of `{}` is free", asks,
                                   o.subject.flavor, o.subject.name);
    } else {
      detail.message = fmt::format("{}, and whether one finds a node of `{}` is not known: {}", asks, o.subject.flavor,
                                   detail.reason);
      detail.reason = detail.message;
    }
    o.detail = std::make_shared<const Detail>(std::move(detail));
    report_.obligations.push_back(std::move(o));
  }

  const Proof& proof_;
  const Cluster& cluster_;
  const std::span<const NodeFacts> nodes_;
  Report& report_;
  std::size_t gpu_ = 0;
  bool found_ = false, analysed_ = false;
};

}  // namespace

void judge_shown_pods(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                      Report& report) {
  Shapes shapes(proof, nodes, report);
  const auto shown = largest(proof, pods);
  for (std::uint32_t q = 0; q < shown.size(); ++q)
    if (shown[q].pods != nullptr) shapes.judge(q, shown[q]);
  shapes.end();
}

}  // namespace gpol
