#include "checker/families/placement_formula.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/nodes/placement_model.h"
#include "checker/planted.h"
#include "compiler/cluster/listed.h"

namespace gpol {

namespace {

// Labels as numbers: per key, its values from 1 on; 0 says nothing of the key.
class Labels {
 public:
  explicit Labels(const PlacementFacts& facts) {
    for (const auto& labels : facts.flavors) note(labels);
    for (const auto& pool : facts.pools) note(pool.labels);
  }
  std::int64_t value(const std::map<std::string, std::string>& labels, const std::string& key) const {
    const auto found = labels.find(key);
    return found == labels.end() ? 0 : values_.at(key).at(found->second);
  }
  template <class F>
  void each_key(F f) const {
    std::size_t at = 0;
    for (const auto& [key, values] : values_) f(key, at++);
  }

 private:
  void note(const std::map<std::string, std::string>& labels) {
    for (const auto& [key, value] : labels) {
      auto& values = values_[key];
      values.emplace(value, static_cast<std::int64_t>(values.size()) + 1);
    }
  }
  std::map<std::string, std::map<std::string, std::int64_t>> values_;
};

Term flavor_is(std::int64_t flavor) { return equal(int_symbol("flavor"), integer(flavor)); }
Term pool_is(std::size_t pool) { return equal(int_symbol("pool"), integer(static_cast<std::int64_t>(pool))); }
Term role_is(bool serving) { return serving ? bool_symbol("serving") : !bool_symbol("serving"); }
Term selector(std::size_t key) { return int_symbol(fmt::format("selector_{}", key)); }
Term label(std::size_t key) { return int_symbol(fmt::format("label_{}", key)); }

// What Kueue makes of the pod's selector.
Formula::Fact selected(const PlacementFacts& facts, const Labels& labels) {
  std::vector<Term> terms;
  const auto says = [&](std::int64_t flavor, const std::map<std::string, std::string>& of) {
    std::vector<Term> keys;
    labels.each_key([&](const std::string& key, std::size_t at) {
      keys.push_back(equal(selector(at), integer(labels.value(of, key))));
    });
    terms.push_back(implies(flavor_is(flavor), all_of(std::move(keys))));
  };
  says(kNoFlavor, {});
  for (std::size_t f = 0; f < facts.flavors.size(); ++f) says(static_cast<std::int64_t>(f), facts.flavors[f]);
  return {"flavor-labels", all_of(std::move(terms))};
}

Formula::Fact admitted(const PlacementFacts& facts) {
  std::vector<Term> some;
  for (const Admittable& who : facts.admitted) some.push_back(role_is(who.serving) && flavor_is(who.flavor));
  return {"admitted", any_of(std::move(some))};
}

bool beside(const Cluster& cluster, std::uint32_t f, std::uint32_t g) {
  std::set<std::uint32_t> of_f, of_g;
  bool both = false;
  for (const Queue& queue : cluster.queues) {
    both = both || (lists(queue, f) && lists(queue, g));
    for (const ListedQuota& one : listed_quotas(queue.groups)) {
      if (one.flavor == f) of_f.insert(one.resource);
      if (one.flavor == g) of_g.insert(one.resource);
    }
  }
  return both && std::ranges::none_of(of_f, [&](std::uint32_t r) { return of_g.contains(r); });
}

bool lands(const PlacementFacts& facts, std::int64_t flavor, const PlacementFacts::Pool& pool) {
  if (flavor == kNoFlavor) return !planted(Bug::WalkEmptyFlavorNowhere);
  return nodes::selects(facts.flavors[static_cast<std::size_t>(flavor)], pool.labels);
}

}  // namespace

PlacementFacts placement_facts(const Cluster& cluster, const Intent& intent) {
  PlacementFacts facts;
  for (const Flavor& flavor : cluster.flavors) facts.flavors.push_back(flavor.node_labels);
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
    for (std::uint32_t g = 0; g < cluster.flavors.size(); ++g)
      if (beside(cluster, f, g)) facts.beside.emplace(f, g);
  for (std::uint32_t p = 0; p < cluster.node_pools.size(); ++p) {
    const NodePool& pool = cluster.node_pools[p];
    PlacementFacts::Pool of{pool.labels, {}, {}, false, {}};
    for (const PoolCapacity& capacity : intent.capacities) {
      if (capacity.nodes != p) continue;
      of.own.insert(capacity.flavor);
      if (capacity.has_serving) of.reserve.insert(capacity.flavor);
      of.spot = of.spot || capacity.spot;
    }
    for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
      std::vector<Toleration> tolerations = nodes::tolerations_of(cluster.flavors[f]);
      for (std::uint32_t g = 0; g < cluster.flavors.size(); ++g)
        if (facts.beside.contains({f, g}) && nodes::selects(cluster.flavors[g].node_labels, pool.labels))
          std::ranges::copy(nodes::tolerations_of(cluster.flavors[g]), std::back_inserter(tolerations));
      if (nodes::untolerated(pool.taints, tolerations) != nullptr) of.keeps_away.insert(f);
    }
    facts.pools.push_back(std::move(of));
  }
  return facts;
}

std::vector<Landing> astray_landings(const PlacementFacts& facts) {
  std::vector<Landing> astray;
  for (const Admittable& who : facts.admitted)
    for (std::uint32_t p = 0; p < facts.pools.size(); ++p) {
      const auto& pool = facts.pools[p];
      if (!lands(facts, who.flavor, pool)) continue;
      bool wrong = std::ranges::any_of(pool.reserve, [&](std::int64_t flavor) {
        return flavor != who.flavor && !facts.beside.contains({flavor, who.flavor});
      });
      const bool spot = pool.spot && !planted(Bug::WalkSpotForgotten);
      if (who.serving) wrong = wrong || spot || !pool.own.contains(who.flavor);
      if (wrong) astray.push_back({who, p});
    }
  return astray;
}

std::vector<Admittable> without_nodes(const PlacementFacts& facts) {
  std::vector<Admittable> without;
  for (const Admittable& who : facts.admitted) {
    const bool some = std::ranges::any_of(facts.pools, [&](const auto& pool) {
      return lands(facts, who.flavor, pool) && !(who.serving && pool.keeps_away.contains(who.flavor));
    });
    if (!some && who.flavor != kNoFlavor) without.push_back(who);
  }
  return without;
}

Formula astray_formula(const PlacementFacts& facts, const std::vector<Landing>& known) {
  const Labels labels(facts);
  Formula f{"placement/astray",
            "batch stands on no node of serving's, and serving only on its own",
            {admitted(facts), selected(facts, labels)},
            boolean(true)};
  std::vector<Term> of_pools, matches, wrong;
  for (std::size_t p = 0; p < facts.pools.size(); ++p) {
    const auto& pool = facts.pools[p];
    std::vector<Term> keys, not_own;
    labels.each_key([&](const std::string& key, std::size_t at) {
      keys.push_back(equal(label(at), integer(labels.value(pool.labels, key))));
    });
    of_pools.push_back(pool_is(p) && all_of(std::move(keys)));
    for (const std::int64_t flavor : pool.reserve) {
      std::vector<Term> strange{pool_is(p), !flavor_is(flavor)};
      for (const auto& [of, with] : facts.beside)
        if (of == flavor) strange.push_back(!flavor_is(with));
      wrong.push_back(all_of(std::move(strange)));
    }
    if (pool.spot) wrong.push_back(pool_is(p) && role_is(true));
    for (const std::int64_t flavor : pool.own) not_own.push_back(!flavor_is(flavor));
    wrong.push_back(pool_is(p) && role_is(true) && all_of(std::move(not_own)));
  }
  labels.each_key([&](const std::string&, std::size_t at) {
    const Term any = equal(planted(Bug::EncodingSelectorOfAbsentLabel) ? label(at) : selector(at), integer(0));
    matches.push_back(any || equal(selector(at), label(at)));
  });
  f.facts.push_back({"node-labels", any_of(std::move(of_pools))});
  f.facts.push_back({"node-selector", all_of(std::move(matches))});
  for (std::size_t i = 0; i < known.size(); ++i)
    f.facts.push_back({fmt::format("known-{}", i),
                       !(role_is(known[i].who.serving) && flavor_is(known[i].who.flavor) && pool_is(known[i].pool))});
  f.negated_goal = any_of(std::move(wrong));
  return f;
}

Formula nowhere_formula(const PlacementFacts& facts, const std::vector<Admittable>& known) {
  const Labels labels(facts);
  Formula f{"placement/nowhere",
            "the pods of every flavor that can be admitted fit on the nodes of some pool",
            {admitted(facts), selected(facts, labels)},
            boolean(true)};
  std::vector<Term> on_none{!flavor_is(kNoFlavor)};
  for (const auto& pool : facts.pools) {
    std::vector<Term> why;
    labels.each_key([&](const std::string& key, std::size_t at) {
      const Term value = integer(labels.value(pool.labels, key));
      why.push_back(!equal(selector(at), integer(0)) && !equal(selector(at), value));
    });
    for (const std::int64_t flavor : pool.keeps_away)
      if (!planted(Bug::EncodingTaintsForgotten)) why.push_back(role_is(true) && flavor_is(flavor));
    on_none.push_back(any_of(std::move(why)));
  }
  for (std::size_t i = 0; i < known.size(); ++i)
    f.facts.push_back({fmt::format("known-{}", i), !(role_is(known[i].serving) && flavor_is(known[i].flavor))});
  f.negated_goal = all_of(std::move(on_none));
  return f;
}

}  // namespace gpol
