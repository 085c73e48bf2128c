#include "cli/commands/diff_windows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "checker/families/families.h"
#include "cli/commands/diff_hours.h"
#include "cli/render/text.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // tenant, pool, resource
using Figure = std::pair<std::int64_t, Unit>;
using Held = std::map<Key, Figure>;

void apply(const Mode& mode, Cluster& cluster) {
  for (Queue& queue : cluster.queues)
    for (ResourceGroup& group : queue.groups)
      for (FlavorQuotas& row : group.flavors)
        for (std::size_t r = 0; r < row.quotas.size(); ++r)
          if (const auto changed = mode.changed.find(
                  {queue.name, cluster.flavors[row.flavor].name, cluster.resources[group.covered[r]]});
              changed != mode.changed.end())
            row.quotas[r] = changed->second;
}

// Of devices, for those to whom something is promised.
Held held(const Planned& planned, const Mode& mode) {
  Cluster cluster = planned.cluster;
  apply(mode, cluster);
  cluster.modes.clear();
  Solver solver{SolverLimits{}};
  Report report;
  prove_claim({cluster, planned.intent, planned.origins, solver, nullptr, false}, report);
  std::set<std::string> promised_to;
  for (const QueueRole& role : planned.intent.roles)
    if (promised(role)) promised_to.insert(role.tenant);
  Held figures;
  for (const Obligation& o : report.obligations)
    if (promised_to.contains(std::string(o.subject.tenant)) && o.figures.claimable &&
        (o.figures.unit == Unit::Devices || o.figures.unit == Unit::Slices))
      figures[{std::string(o.subject.tenant), std::string(o.subject.flavor), std::string(o.subject.resource)}] = {
          *o.figures.claimable, o.figures.unit};
  return figures;
}

// By the windows that are in force; the plan has a mode for each set of them.
std::map<WindowSet, Held> by_windows(const PolicySide& side) {
  std::map<WindowSet, Held> all;
  const auto sets = window_modes(side.policy.windows).value_or(std::vector<WindowSet>{{}});
  for (std::size_t m = 0; m < sets.size() && m < side.planned.cluster.modes.size(); ++m)
    all.emplace(sets[m], held(side.planned, side.planned.cluster.modes[m]));
  return all;
}

std::optional<std::int64_t> most(const std::map<WindowSet, Held>& windows, const Key& key) {
  std::optional<std::int64_t> value;
  for (const auto& [set, figures] : windows)
    if (const auto found = figures.find(key); found != figures.end()) value = std::max(value, {found->second.first});
  return value;
}

// What others can take of each reserve. What is more than the other side ever has is told as the worst of all windows.
void compare_loans(const PolicySide& before, const PolicySide& after, const std::vector<Week>& weeks,
                   std::vector<Removed>& out) {
  const auto was = by_windows(before), is = by_windows(after);
  if (!is.contains({})) return;
  for (const auto& [key, figure] : is.at({})) {
    const auto all_was = most(was, key), all_is = most(is, key);
    if (!all_was || !all_is) continue;
    const auto in = [&key](const std::map<WindowSet, Held>& side) {
      return [&](const WindowSet& set) -> std::optional<std::int64_t> {
        const auto mode = side.find(set);
        if (mode == side.end() || !mode->second.contains(key)) return std::nullopt;
        return mode->second.at(key).first;
      };
    };
    const std::int64_t least = std::min(*all_was, *all_is);
    for (const auto& [change, hours] : hours_of_change(weeks, in(was), in(is))) {
      const auto [old, now] = change;
      if (std::min(old, least) == std::min(now, least)) continue;
      const auto text = [&](std::int64_t value) { return figure_text(value, figure.second); };
      const bool more = now > old;
      std::string what = fmt::format("{} others can take {} of `{}` on `{}`, and could take {} before", hours,
                                     text(now), std::get<0>(key), std::get<1>(key), text(old));
      out.push_back({std::move(what), {}, more, more ? "exposed" : "safer"});
    }
  }
}

// By tenant, metric and percentile, the tightest at a time.
using Slos = std::map<std::tuple<std::string, std::string, std::string>, std::vector<const Slo*>>;
Slos slos_of(const Policy& policy) {
  Slos found;
  for (const Tenant& tenant : policy.tenants)
    for (const Slo& slo : policy.classes[tenant.latency_class].slos)
      found[{tenant.name, slo.metric, slo.percentile}].push_back(&slo);
  return found;
}

// A tenant that is new has lost nothing, and one that is gone is told by its row.
void compare_slos(const Policy& before, const Policy& after, const std::vector<Week>& weeks,
                  std::vector<Removed>& out) {
  constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
  Slos was = slos_of(before), is = slos_of(after);
  for (const auto& [key, slos] : was) is[key];
  std::map<std::tuple<std::string, std::int64_t, std::int64_t, std::string>, std::string> alike;  // who
  for (const auto& [key, slos] : is) {
    const auto& [tenant, metric, percentile] = key;
    const auto here = [&](const Policy& policy) { return contains(policy.tenants, tenant, &Tenant::name); };
    if (!here(before) || !here(after)) continue;
    const auto in = [](const std::vector<const Slo*>& list) {
      return [&list](const WindowSet& set) -> std::optional<std::int64_t> {
        std::int64_t tightest = kNoLimit;
        for (const Slo* slo : list)
          if (slo->window == kNone || contains(set, slo->window)) tightest = std::min(tightest, slo->below_ms);
        return tightest;
      };
    };
    for (const auto& [change, hours] : hours_of_change(weeks, in(was[key]), in(slos)))
      add_to_list(alike[{fmt::format("slo {} {}", metric, percentile), change.first, change.second, hours}],
                  fmt::format("`{}`", tenant));
  }
  const auto text = [](std::int64_t below) { return below == kNoLimit ? "not stated" : "< " + human_duration(below); };
  for (const auto& [what, who] : alike) {
    const auto& [slo, old, now, hours] = what;
    std::string says = fmt::format("{} `{}` of {} is {}, and was {} before", hours, slo, who, text(now), text(old));
    out.push_back({std::move(says), {}, now > old, now > old ? "exposed" : "safer"});
  }
}

std::string hours_text(const Policy& policy, const Window& window) {
  constexpr const char* kDays[] = {"daily", "weekdays", "weekends"};
  std::string text = fmt::format("{:02}:{:02}..{:02}:{:02} {} {}", window.from / 60, window.from % 60, window.to / 60,
                                 window.to % 60, window.zone, kDays[static_cast<std::size_t>(window.days)]);
  if (window.except != kNone) text += fmt::format(" except {}", fmt::join(policy.calendars[window.except].dates, ","));
  return text;
}

}  // namespace

std::vector<Removed> compare_hours(const PolicySide& before, const PolicySide& after) {
  std::vector<Removed> out;
  const auto weeks = weeks_of(before.policy, after.policy);
  compare_loans(before, after, weeks, out);
  compare_slos(before.policy, after.policy, weeks, out);
  return out;
}

std::vector<std::string> window_changes(const Policy& before, const Policy& after) {
  std::vector<std::string> out;
  for (const Window& was : before.windows)
    for (const Window& is : after.windows)
      if (const std::string old = hours_text(before, was), now = hours_text(after, is);
          was.name == is.name && old != now)
        out.push_back(fmt::format("window `{}` is {} now, and {} before", was.name, now, old));
  return out;
}

}  // namespace gpol
