#include "checker/families/fragmentation_question.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

namespace gpol {

using nodes::Amounts;
using nodes::kNoLimit;
using nodes::PodKind;

namespace {

using BatchSlices = std::map<PodShape, std::pair<PodKind, Standing>>;

// Where slices bring all that their pods ask for (premise requests-within-share), only they and places for pods are
// ever short: a pod of batch has slices of its shape, else one of a profile that it has quota of (one with several
// takes no more than several with one each), and of cpu and memory as little as it likes.
void slices_of_batch(const Proof& proof, const CutPool& cut, const PoolUse& use, BatchSlices& batch) {
  const auto& names = proof.cluster.resources;
  for (const auto& [q, most] : use.holders) {
    const auto& shapes = proof.intent.roles[q].pod_shapes;
    const auto shape = shapes.find(cut.flavor);
    for (const auto& [resource, share] : cut.shares) {
      if (most[resource] == 0 || (shape != shapes.end() && shape->second.resource != resource)) continue;
      auto& [kind, standing] = batch[{resource, shape == shapes.end() ? 1 : shape->second.amount}];
      if (kind.at_most.empty()) {
        kind.each.assign(names.size(), 0);
        kind.each[resource] = shape == shapes.end() ? 1 : shape->second.amount;
        for (std::size_t r = 0; r < names.size(); ++r)
          if (names[r] == "pods") kind.each[r] = 1;
        kind.beyond.assign(names.size(), false);
        kind.at_most.assign(names.size(), 0);
      }
      for (std::size_t r = 0; r < most.size(); ++r) kind.at_most[r] = kueue::saturating_add(kind.at_most[r], most[r]);
      standing.from.push_back({q, cut.flavor, kNoLimit, kNone});
    }
  }
}

}  // namespace

Kinds Asker::kinds_on(const std::vector<std::uint32_t>& landing) {
  // Those of a queue whose pods come in several sizes are told apart from others': they share what it owns.
  std::map<std::tuple<Amounts, Amounts, std::optional<std::uint32_t>>, std::pair<PodKind, Standing>> serving;
  Kinds all;
  std::map<std::optional<PodShape>, std::pair<PodKind, Standing>> batch;
  BatchSlices batch_slices;
  for (const std::uint32_t f : landing) {
    const PoolUse& use = uses_.of(f);
    if (!use.undecided.empty()) continue;  // said of each replica there
    for (const Replicas& of : replicas_of(proof_.cluster, proof_.intent, f)) {
      std::vector<Replicas> sizes = other_replicas(proof_.cluster, proof_.intent, of, f);
      std::optional<std::uint32_t> owner;
      if (!sizes.empty()) {
        owner = static_cast<std::uint32_t>(all.owners.size());
        all.owners.push_back(
            {of.queue, f, reserve_of_flavor(proof_.cluster, proof_.intent.roles[of.queue], of.queue, f)});
      }
      sizes.push_back(of);
      for (const Replicas& one : sizes) {
        auto& [kind, standing] = serving[{one.each, one.counted, owner}];
        kind = {true, one.each, std::vector<bool>(one.each.size(), false), one.counted, kind.alone, kind.beside,
                {},   owner};
        (beside(one, use) ? kind.beside : kind.alone) += one.count;
        standing.serving = true;
        standing.from.push_back({one.queue, f, one.count, one.outside});
      }
    }
    if (slices_bring_all(proof_.cluster, proof_.intent, f)) {
      slices_of_batch(proof_, *proof_.intent.cut_of(f), use, batch_slices);
      continue;
    }
    for (const auto& [q, most] : use.holders) {
      const auto& shapes = proof_.intent.roles[q].pod_shapes;
      const auto shape = shapes.find(f);
      auto& [kind, standing] = batch[shape == shapes.end() ? std::nullopt : std::optional<PodShape>(shape->second)];
      if (kind.at_most.empty()) kind.at_most.assign(proof_.cluster.resources.size(), 0);
      for (std::size_t r = 0; r < most.size(); ++r) kind.at_most[r] = kueue::saturating_add(kind.at_most[r], most[r]);
      standing.from.push_back({q, f, kNoLimit, kNone});
    }
  }
  for (auto& [key, entry] : serving) {
    all.kinds.push_back(std::move(entry.first));
    all.standing.push_back(std::move(entry.second));
  }
  for (auto& [resource, entry] : batch_slices) {
    all.kinds.push_back(std::move(entry.first));
    all.standing.push_back(std::move(entry.second));
  }
  // Those of any shape last: a pod of theirs may take nothing but its place among the pods.
  for (auto it = batch.rbegin(); it != batch.rend(); ++it) {
    auto& [kind, standing] = it->second;
    const std::optional<PodShape>& shape = it->first;
    for (std::uint32_t r = 0; r < proof_.cluster.resources.size(); ++r) {
      const std::string& resource = proof_.cluster.resources[r];
      const bool pods = resource == "pods", shaped = shape && shape->resource == r;
      kind.each.push_back(pods ? 1 : shaped ? shape->amount : 0);
      kind.beyond.push_back(!pods && !(shape && is_gpu_or_slice(resource)));
    }
    all.kinds.push_back(std::move(kind));
    all.standing.push_back(std::move(standing));
  }
  return all;
}

nodes::Question Asker::question_about(const PoolCapacity& capacity, const std::vector<std::uint32_t>& landing,
                                      const Kinds& kinds, const Replicas& of) {
  nodes::Question q;
  q.node = capacity.of_one;
  q.replica = of.each;
  q.kinds = kinds.kinds;
  q.batch.assign(proof_.cluster.resources.size(), 0);
  q.together = q.batch;
  for (const std::uint32_t f : landing) {
    const PoolUse& use = uses_.of(f);
    for (std::size_t r = 0; r < q.batch.size(); ++r) {
      q.batch[r] = kueue::saturating_add(q.batch[r], use.batch[r]);
      q.together[r] = kueue::saturating_add(q.together[r], use.quotas[r]);
    }
  }
  const bool shared = beside(of, uses_.of(capacity.flavor));
  for (std::size_t r = 0; shared && r < q.together.size(); ++r)
    if (q.together[r] != kNoLimit) q.together[r] -= of.counted[r];
  std::optional<std::uint32_t> owner;
  for (std::uint32_t o = 0; o < kinds.owners.size(); ++o) {
    const Kinds::Owner& one = kinds.owners[o];
    q.owned.push_back(one.reserve);
    if (one.queue != of.queue || one.flavor != capacity.flavor) continue;
    owner = o;
    for (std::size_t r = 0; r < one.reserve.size(); ++r) q.owned[o][r] -= of.counted[r];
  }
  for (PodKind& kind : q.kinds) {
    if (kind.serving && kind.owner == owner && kind.each == of.each && kind.counted == of.counted)
      --(shared ? kind.beside : kind.alone);
    for (std::size_t r = 0; !kind.serving && r < q.batch.size(); ++r)
      kind.at_most[r] = std::min(kind.at_most[r], q.batch[r]);
  }
  return q;
}

void gpus_first(const Cluster& cluster, std::vector<nodes::Filling>& fillings) {
  const auto key = [&](const nodes::Filling& f) {
    return std::tuple(!is_gpu(cluster.resources[f.resource]), nodes::size_of(f), f.pods, f.resource);
  };
  std::ranges::sort(fillings, [&](const nodes::Filling& a, const nodes::Filling& b) { return key(a) < key(b); });
}

// Everything that the two formulas are made of.
std::string Asker::key_of(const nodes::Question& q) {
  std::string key = fmt::format("{} {} {} {} {}", q.node, q.replica, q.batch, q.together, q.owned);
  for (const PodKind& kind : q.kinds)
    key += fmt::format(" {} {} {} {} {} {} {} {}", kind.serving, kind.each, kind.beyond, kind.counted,
                       kind.owner ? static_cast<std::int64_t>(*kind.owner) : -1, kind.alone, kind.beside, kind.at_most);
  return key;
}

}  // namespace gpol
