#include "cli/commands/diff_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "checker/families/families.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // tenant, pool, resource
using Figure = std::pair<std::int64_t, Unit>;
using Held = std::map<Key, Figure>;
constexpr const char* kDefault = "default";  // the mode of plan() in which no window is in force

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
Held held(const Planned& planned, const Mode* mode) {
  Cluster cluster = planned.cluster;
  if (mode != nullptr) apply(*mode, cluster);
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

std::map<std::string, Held> by_window(const Planned& planned) {
  std::map<std::string, Held> all;
  for (const Mode& mode : planned.cluster.modes) all.emplace(mode.name, held(planned, &mode));
  all.try_emplace(kDefault, held(planned, nullptr));
  return all;
}

std::int64_t most(const std::map<std::string, Held>& windows, const Key& key) {
  std::int64_t value = 0;
  for (const auto& [name, figures] : windows)
    if (const auto found = figures.find(key); found != figures.end()) value = std::max(value, found->second.first);
  return value;
}

}  // namespace

std::vector<std::string> window_changes(const Planned& before, const Planned& after) {
  std::vector<std::string> out;
  if (before.cluster.modes.empty() && after.cluster.modes.empty()) return out;
  const auto was = by_window(before), is = by_window(after);
  std::set<std::string> names;
  for (const auto* side : {&was, &is})
    for (const auto& [name, figures] : *side) names.insert(name);
  for (const auto& [key, figure] : is.at(kDefault)) {
    if (!was.at(kDefault).contains(key) || most(was, key) != most(is, key)) continue;  // the table tells it
    for (const std::string& name : names) {
      const auto value = [&](const std::map<std::string, Held>& side) -> std::optional<Figure> {
        const auto of = side.find(name);
        const Held& figures = of == side.end() ? side.at(kDefault) : of->second;
        const auto found = figures.find(key);
        return found == figures.end() ? std::nullopt : std::optional(found->second);  // it may be undecided there
      };
      const auto old = value(was), now = value(is);
      if (old && now && old->first != now->first)
        out.push_back(fmt::format("others can hold {} of `{}` on `{}` {}, and {} before",
                                  figure_text(now->first, now->second), std::get<0>(key), std::get<1>(key),
                                  name == kDefault ? "outside of all windows" : fmt::format("during `{}`", name),
                                  figure_text(old->first, old->second)));
    }
  }
  return out;
}

}  // namespace gpol
