#include "checker/kueue/shares.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "checker/kueue/amount.h"
#include "checker/planted.h"
#include "compiler/source/lookup.h"

namespace gpol::kueue {

namespace {

// Weights are plain decimals (cluster.h); unset is 1 (parseFairWeight).
double weight_of(const Ledger& snapshot, Node node) {
  const Cluster& cluster = snapshot.compiled().cluster();
  const std::size_t cohort = node - snapshot.shape().queues;
  const std::string& text = node < snapshot.shape().queues    ? cluster.queues[node].fair_weight
                            : cohort < cluster.cohorts.size() ? cluster.cohorts[cohort].fair_weight
                                                              : std::string();
  double weight = 1;
  if (!text.empty() && !planted(Bug::ModelWeightIgnored))
    std::from_chars(text.data(), text.data() + text.size(), weight);
  return weight;
}

bool infinite(const Share& share) { return share.weight == 0 && share.ratio != 0; }

double weighted(const Share& share) { return share.ratio == 0 ? 0 : share.ratio / share.weight; }

int order(double a, double b) { return a < b ? -1 : a > b ? 1 : 0; }

}  // namespace

Share dominant_share(const Ledger& snapshot, Node node) {
  Share share;
  share.weight = weight_of(snapshot, node);
  const Node parent = snapshot.shape().parent[node];
  if (parent == kRoot) return share;
  const Cluster& cluster = snapshot.compiled().cluster();
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
    std::int64_t borrowed = 0, lendable = 0;
    for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
      const FlavorResource fr{f, r};
      const Limits& limits = snapshot.limits(fr);
      lendable = saturating_add(lendable, limits.potential[parent]);
      if (snapshot.holds(Rule::ListedShares) && !limits.known[node])
        continue;  // also where it is in use: it was taken off (N7)
      const std::int64_t over = saturating_sub(snapshot.used(node, fr), limits.subtree[node]);
      if (over <= 0) continue;
      borrowed = saturating_add(borrowed, over);
      share.borrowed.push_back(fr);
    }
    if (borrowed > 0 && lendable > 0)
      share.ratio = std::max(share.ratio, static_cast<double>(borrowed) * 1000.0 / static_cast<double>(lendable));
  }
  return share;
}

int compare(const Share& a, const Share& b) {
  if (infinite(a) && infinite(b)) return order(a.ratio, b.ratio);
  if (infinite(a)) return 1;
  return infinite(b) ? -1 : order(weighted(a), weighted(b));
}

bool borrows_on(const Share& share, const Amounts& requested) {
  return std::ranges::any_of(
      requested, [&](const Amount& asked) { return asked.amount > 0 && contains(share.borrowed, asked.fr); });
}

}  // namespace gpol::kueue
