#include "checker/families/beyond_share.h"

#include <fmt/format.h>

#include "checker/families/whose.h"
#include "checker/story/narrate.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

std::int64_t asked_of(const PodFacts& pods, const std::string& resource) { return value_or(pods.room, resource, 0); }

// Why such a pod asks for more than its share of a node of the pool; empty: it does not, or cannot stand there.
std::string beyond(const Cluster& cluster, const CutPool& cut, const PodFacts& pods) {
  std::vector<std::int64_t> share(cluster.resources.size(), 0);
  bool any = false;
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
    const std::int64_t asked = asked_of(pods, cluster.resources[r]);
    if (asked == 0 || !is_gpu_or_slice(cluster.resources[r])) continue;
    const auto of = cut.shares.find(r);
    if (of == cut.shares.end()) return {};  // such devices are elsewhere
    any = true;
    for (std::size_t i = 0; i < share.size(); ++i) share[i] = sum_of({share[i], times(asked, of->second[i])});
  }
  const std::string& flavor = cluster.flavors[cut.flavor].name;
  if (!any) return fmt::format("asks for no slice, and may stand on nodes of `{}`, whose GPUs are cut", flavor);
  for (std::uint32_t r = 0; r < share.size(); ++r)
    if (const std::string& name = cluster.resources[r]; name == "cpu" || name == "memory")
      if (const std::int64_t asked = asked_of(pods, name); asked > share[r])
        return fmt::format("asks for {} beside its slices, and {} of a node of `{}` goes with them",
                           amount_in_words(cluster, r, asked), amount_in_words(cluster, r, share[r]), flavor);
  return {};
}

}  // namespace

std::vector<BeyondShare> beyond_share(const Proof& proof, std::span<const PodFacts> pods) {
  std::vector<BeyondShare> found;
  const Whose whose(proof);
  for (const PodFacts& one : pods) {
    const std::uint32_t q = whose.queue(one);
    if (q == kNone || promised(proof.intent.roles[q])) continue;
    for (const CutPool& cut : proof.intent.cut_pools) {
      if (cut.shares.empty() || !lists(proof.cluster.queues[q], cut.flavor)) continue;
      std::string why = beyond(proof.cluster, cut, one);
      if (why.empty()) continue;
      found.push_back({&one, fmt::format("{} `{}` of `{}` {}", one.kind, one.name, proof.cluster.queues[q].name, why)});
      break;
    }
  }
  return found;
}

}  // namespace gpol
