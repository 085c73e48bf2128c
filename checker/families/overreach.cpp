// Serving and bounded queues whose objects may hold more of a flavor than the queue owns there. Closed form, an upper
// bound: a podset takes one flavor of a group, whole. It goes above what is owned of a flavor where all of those that
// it tries instead (those before it, and with whenCanBorrow TryNextFlavor those after it) have no room left of their
// own: what fills them is asked for by others of the queue, and does not fill this one as well.
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "checker/families/asked.h"
#include "checker/kueue/counted.h"
#include "checker/kueue/walk.h"
#include "checker/nodes/placement_model.h"
#include "checker/nodes/standing.h"
#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

__extension__ using Wide = __int128;

// a * b / c, rounded down or up.
std::int64_t scaled(std::int64_t a, std::int64_t b, std::int64_t c, bool up) {
  const Wide all = static_cast<Wide>(a) * b + (up ? c - 1 : 0);
  return static_cast<std::int64_t>(std::min<Wide>(all / c, INT64_MAX));
}

// What a queue can have of a (flavor, resource), with the others as they stand beside it.
class Rooms {
 public:
  explicit Rooms(const Proof& proof)
      : cluster_(proof.cluster),
        shape_(kueue::shape_of(proof.cluster)),
        beside_(beside_overreach(proof.intent, kNone)) {}
  // At most, on an empty cluster.
  std::int64_t widest(std::uint32_t q, std::uint32_t flavor, std::uint32_t resource) {
    return of(flavor, resource).limits.potential[q];
  }
  // Of its nominal quota at least, whatever the others hold.
  std::int64_t own(std::uint32_t q, std::uint32_t flavor, std::uint32_t resource) {
    const One& one = of(flavor, resource);
    return std::min(one.limits.nominal[q], kueue::walk_path(shape_, one.limits, one.bounds, q).owner_available);
  }

 private:
  struct One {
    kueue::Limits limits;
    kueue::Bounds bounds;
  };
  const One& of(std::uint32_t flavor, std::uint32_t resource) {
    const auto [at, fresh] = known_.try_emplace({flavor, resource});
    if (fresh) {
      bool exact = false;
      at->second.limits = kueue::widest_limits(cluster_, shape_, flavor, resource, exact);
      kueue::Behaviour behaviour = behaviour_of(cluster_, beside_, flavor, resource);
      behaviour.at_most.resize(shape_.parent.size(), 0);
      at->second.bounds = kueue::walk_bounds(shape_, at->second.limits, behaviour);
    }
    return at->second;
  }

  const Cluster& cluster_;
  const kueue::Shape shape_;
  const Intent beside_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, One> known_;
};

struct Podset {
  std::vector<const AskedOf*> of;              // all objects that have one like it
  std::int64_t workloads = 0;                  // that they make at most
  std::int64_t parts = 1;                      // that may be admitted without the others: its pods, or itself
  std::map<std::uint32_t, std::int64_t> each;  // what it asks for of the group's resources
  std::vector<bool> takes;                     // parallel to the group's flavors
  std::int64_t asks(std::uint32_t resource) const { return value_or(each, resource, 0); }
  std::int64_t all(std::uint32_t resource) const { return times(workloads, asks(resource)); }
};

// One resource group of a queue, and what is asked of it.
class Asking {
 public:
  Asking(const Cluster& cluster, std::uint32_t q, const ResourceGroup& group, const std::vector<AskedOf>& objects,
         Rooms& rooms)
      : cluster_(cluster), q_(q), group_(group), rooms_(rooms) {
    for (const AskedOf& one : objects)
      for (const PodFacts* pods : one.templates) {
        // pod_controller.go constructGroupPodSets: pods of a group that are alike are one podset.
        std::int64_t count = 0;
        const PodFacts* first = nullptr;
        for (const PodFacts* other : one.templates)
          if (other == pods ||
              (!pods->pod_group.empty() && other->room == pods->room && other->node_selector == pods->node_selector)) {
            first = first == nullptr ? other : first;
            count = sum_of({count, other->count});
          }
        if (first == pods && count > 0 && one.most_workloads > 0) add(one, *pods, count);
      }
    // A podset comes to a flavor only where those before it may be full.
    for (std::size_t f = 1; f < group_.flavors.size(); ++f)
      for (Podset& one : podsets_)
        for (std::size_t g = 0; g < f && one.takes[f]; ++g)
          one.takes[f] = !one.takes[g] || filled(g, one, one.each.begin()->first);
  }

  // That the queue may hold at most of the flavor, where that is more than it owns there.
  std::int64_t most(std::size_t f, std::uint32_t resource) const {
    std::int64_t most = 0;
    for (const Podset& last : podsets_) {
      if (!last.takes[f] || last.asks(resource) == 0) continue;
      std::vector<bool> tried(group_.flavors.size());
      std::int64_t elsewhere = 0;
      bool borrows = true;
      for (std::size_t g = 0; g < tried.size() && borrows; ++g) {
        tried[g] = last.takes[g] && (g <= f || cluster_.queues[q_].when_can_borrow == Search::TryNextFlavor);
        if (!tried[g]) continue;
        const auto full = filled(g, last, resource);
        borrows = full.has_value();
        if (g != f) elsewhere = sum_of({elsewhere, full.value_or(0)});
      }
      if (borrows) most = std::max(most, asked(tried, resource) - elsewhere);
    }
    return std::min(most, held(f, resource));
  }

  std::string in_words(std::size_t f, std::uint32_t resource, std::int64_t owned) const {
    std::vector<std::pair<std::int64_t, const AskedOf*>> by;
    std::int64_t all = 0;
    for (const Podset& one : podsets_) {
      if (!one.takes[f] || one.asks(resource) == 0) continue;
      all = sum_of({all, one.all(resource)});
      for (const AskedOf* of : one.of) {
        auto known = std::ranges::find_if(by, [&](const auto& other) { return other.second == of; });
        if (known == by.end()) known = by.insert(known, {0, of});
        known->first = sum_of({known->first, times(of->most_workloads, one.asks(resource))});
      }
    }
    std::ranges::stable_sort(by, [](const auto& a, const auto& b) { return a.first > b.first; });
    constexpr std::size_t kMost = 3;
    return fmt::format(
        "{} {} for {} at most, and `{}` owns {}{}",
        listed_up_to(kMost, by, [](const auto& one) { return one.second->name(); }), by.size() == 1 ? "asks" : "ask",
        amount_in_words(cluster_, resource, all), cluster_.queues[q_].name, amount_in_words(cluster_, resource, owned),
        group_.flavors.size() == 1 ? "" : fmt::format(" of `{}`", cluster_.flavors[group_.flavors[f].flavor].name));
  }

 private:
  void add(const AskedOf& of, const PodFacts& pods, std::int64_t count) {
    const bool whole = pods.fewest >= pods.count;
    Podset out{{&of}, of.most_workloads, whole ? 1 : count, {}, {}};
    for (const std::uint32_t r : group_.covered) {
      const std::string& name = cluster_.resources[r];
      const auto asked = pods.room.find(name);
      const std::int64_t amount = asked != pods.room.end() ? asked->second : name == "pods" ? 1 : 0;
      if (amount > 0 && !kueue::uncharged(cluster_.config, name)) out.each[r] = times(count, amount);
    }
    if (out.each.empty()) return;
    for (const FlavorQuotas& row : group_.flavors)
      out.takes.push_back(may_take(pods, cluster_.flavors[row.flavor]) &&
                          std::ranges::all_of(out.each, [&](const auto& one) {
                            return scaled(one.second, whole ? count : pods.fewest, count, false) <=
                                   rooms_.widest(q_, row.flavor, one.first);
                          }));
    for (Podset& one : podsets_)
      if (one.parts == out.parts && one.each == out.each && one.takes == out.takes) {
        one.workloads = sum_of({one.workloads, out.workloads});
        return one.of.push_back(&of);
      }
    podsets_.push_back(std::move(out));
  }

  static bool comes_first(const Podset& one, std::size_t f) {
    return std::ranges::find(one.takes, true) - one.takes.begin() == static_cast<std::ptrdiff_t>(f);
  }

  // What they hold of a flavor is a multiple of this.
  std::int64_t step(std::size_t f, std::uint32_t resource) const {
    std::int64_t step = 0;
    for (const Podset& one : podsets_)
      if (one.takes[f]) step = std::gcd(step, one.asks(resource) / one.parts);
    return std::max<std::int64_t>(1, step);
  }

  // Of podsets that may take one of these flavors; without those that come to `but` before others.
  std::int64_t asked(const std::vector<bool>& flavors, std::uint32_t resource,
                     std::optional<std::size_t> but = std::nullopt) const {
    std::int64_t all = 0;
    for (const Podset& one : podsets_) {
      bool takes = false;
      for (std::size_t f = 0; f < flavors.size(); ++f) takes = takes || (flavors[f] && one.takes[f]);
      if (takes && !(but && comes_first(one, *but))) all = sum_of({all, one.all(resource)});
    }
    return all;
  }

  // What those that may take the flavor can hold of it, by what they ask for beside it, too.
  std::int64_t held(std::size_t f, std::uint32_t resource) const {
    const std::uint32_t flavor = group_.flavors[f].flavor;
    std::int64_t least = rooms_.widest(q_, flavor, resource);
    for (const std::uint32_t beside : group_.covered) {
      const std::int64_t room = rooms_.widest(q_, flavor, beside);
      std::int64_t without = 0, with = 0, of_room = 0;
      for (const Podset& one : podsets_) {
        if (!one.takes[f]) continue;
        std::int64_t& sum = one.asks(beside) == 0 ? without : with;
        sum = sum_of({sum, one.all(resource)});
        if (one.asks(beside) > 0)
          of_room = std::max(of_room, scaled(room, one.asks(resource), one.asks(beside), false));
      }
      least = std::min(least, sum_of({without, std::min(with, of_room)}));
    }
    // Those that come to it first; and of the others what does not fill the flavors that they come to before it.
    std::int64_t first = 0, spilled = 0;
    for (const Podset& one : podsets_) {
      if (!one.takes[f] || one.asks(resource) == 0) continue;
      if (comes_first(one, f)) {
        first = sum_of({first, one.all(resource)});
        continue;
      }
      std::vector<bool> tried(one.takes.begin(), one.takes.begin() + static_cast<std::ptrdiff_t>(f) + 1);
      std::int64_t before = 0;
      for (std::size_t g = 0; g < f; ++g)
        if (tried[g]) before = sum_of({before, filled(g, one, resource).value_or(0)});
      spilled = std::max(spilled, asked(tried, resource, f) - before);
    }
    least = std::min(least, sum_of({first, spilled}));
    return least - least % step(f, resource);
  }

  // What others of the queue hold of `resource` at least where this one finds no room of its own in the flavor;
  // nothing: it always does.
  std::optional<std::int64_t> filled(std::size_t g, const Podset& last, std::uint32_t resource) const {
    std::vector<bool> here(group_.flavors.size());
    here[g] = true;
    std::optional<std::int64_t> least;
    for (const auto& [r, amount] : last.each) {
      const std::int64_t own = rooms_.own(q_, group_.flavors[g].flavor, r);
      if (own < amount) return 0;
      const std::int64_t full = times(scaled(own - amount + 1, 1, step(g, r), true), step(g, r));
      if (full > asked(here, r) - amount) continue;
      for (const Podset& one : podsets_)
        if (one.takes[g] && one.asks(r) > 0)
          least = std::min(least.value_or(INT64_MAX), scaled(full, one.asks(resource), one.asks(r), true));
    }
    return least;
  }

  const Cluster& cluster_;
  const std::uint32_t q_;
  const ResourceGroup& group_;
  Rooms& rooms_;
  std::vector<Podset> podsets_;
};

// Whether anything was found that was not known.
bool note(const Cluster& cluster, std::uint32_t q, const std::vector<AskedOf>& objects, Rooms& rooms, QueueRole& role) {
  std::vector<std::int64_t> found = role.reserve;
  std::size_t at = 0;
  for (const ResourceGroup& group : cluster.queues[q].groups) {
    const Asking asking(cluster, q, group, objects, rooms);
    for (std::size_t f = 0; f < group.flavors.size(); ++f)
      for (const std::uint32_t resource : group.covered) {
        std::int64_t& most = found[at++];
        const std::int64_t owned = std::exchange(most, std::max(most, asking.most(f, resource)));
        if (most > owned) role.overreaching[{group.flavors[f].flavor, resource}] = asking.in_words(f, resource, owned);
      }
  }
  if (found == (role.overreach.empty() ? role.reserve : role.overreach)) return false;
  role.overreach = std::move(found);
  return true;
}

}  // namespace

// flavorassigner.go checkFlavorForPodSets: of what selects nodes only the keys that the flavor labels its nodes with
// matter, and a term without one of them is met.
bool may_take(const PodFacts& as_written, const Flavor& flavor) {
  PodFacts pods = as_written;
  const auto unknown = [&](const auto& key) { return !flavor.node_labels.contains(key); };
  std::erase_if(pods.node_selector, [&](const auto& pair) { return unknown(pair.first); });
  bool met = false;
  if (pods.node_terms)
    for (auto& term : *pods.node_terms) {
      std::erase_if(term, [&](const auto& wanted) { return wanted.of_name || unknown(wanted.key); });
      met = met || term.empty();
    }
  if (met) pods.node_terms.reset();
  for (const Toleration& one : flavor.tolerations) pods.tolerations.push_back(one);
  NodeFacts node;
  node.labels = flavor.node_labels;
  return nodes::selects(pods.node_selector, node.labels) && nodes::meets_terms(pods, node) &&
         nodes::tolerates_all(pods, flavor.taints);
}

void note_overreach(const Proof& proof, std::span<const PodFacts> pods, Intent& intent) {
  std::map<std::uint32_t, std::vector<AskedOf>> asked;  // by queue
  for (AskedOf& one : asked_of_queues(proof, pods)) {
    const QueueRole::Kind kind = intent.roles[one.queue].kind;
    if ((kind == QueueRole::Kind::Serving || kind == QueueRole::Kind::Bounded) &&
        !proof.cluster.queues[one.queue].cohort.empty())
      asked[one.queue].push_back(std::move(one));
  }
  // Of what one holds above its own another may find no room for its own.
  for (bool more = !asked.empty(); more;) {
    more = false;
    Rooms rooms(proof);
    for (const auto& [q, objects] : asked) more = note(proof.cluster, q, objects, rooms, intent.roles[q]) || more;
  }
}

}  // namespace gpol
