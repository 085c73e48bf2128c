// Gateway, of what is there: which of several BackendTrafficPolicies counts, routes that none limits beside those that
// one does, and fields that Envoy Gateway does not know.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using edge::Policy;
using edge::Ref;

std::string object_of(const Ref& target) {
  return fmt::format("{} `{}`{}", target.kind, target.name,
                     target.section.empty() ? "" : fmt::format(" (`{}`)", target.section));
}

bool same(const Ref& one, const Ref& other) {
  return one.kind == other.kind && one.ns == other.ns && one.name == other.name && one.section == other.section;
}

class Policies {
 public:
  Policies(const edge::Facts& facts, const EdgeView& view, Report& report)
      : facts_(facts), view_(view), report_(report) {}

  void run() {
    for (std::size_t i = 0; i < facts_.policies.size(); ++i)
      for (std::size_t j = i + 1; j < facts_.policies.size(); ++j) conflict(facts_.policies[i], facts_.policies[j]);
    for (const Policy& policy : facts_.policies) replaced_of_gateway(policy);
    for (const Ref& service : services_of(facts_)) unlimited(service);
    for (const Policy& policy : facts_.policies) fields(policy), refuses_all(policy);
  }

 private:
  // Of two for one target the older one counts, of one age the first by its name.
  void conflict(const Policy& one, const Policy& other) {
    const Ref* target = find_where(one.targets, [&](const Ref& mine) {
      return std::ranges::any_of(other.targets, [&](const Ref& its) { return same(mine, its); });
    });
    if (target == nullptr) return;
    const bool aged = !one.created.empty() && !other.created.empty() && one.created != other.created;
    const bool first = aged ? one.created < other.created : one.full() < other.full();
    const Policy &counts = first ? one : other, &replaced = first ? other : one;
    EdgeFinding found{code::PolicyReplaced, "BackendTrafficPolicy", replaced.full(), replaced.at, {}, {}};
    found.message = fmt::format("{} and {} are for the same {}: {}, and the other one limits nothing there",
                                in_words(counts), in_words(replaced), object_of(*target),
                                aged ? fmt::format("the older, `{}`, counts", counts.full())
                                     : fmt::format("the older counts, of one age `{}`", counts.full()));
    found.fix.text = ("say all of it in one of them, and take the target out of the other");
    tell(std::move(found), report_);
  }

  // One of a route replaces the gateway's as a whole, unless it has `mergeType`.
  void replaced_of_gateway(const Policy& policy) {
    if (policy.merges) return;
    std::set<const Policy*> told;
    for (const Ref& target : policy.targets)
      for (const edge::Route& route : facts_.routes) {
        if (target.kind != "HTTPRoute" || route.name != target.name || route.ns != target.ns) continue;
        for (const edge::Gateway* gateway : view_.gateways_of(route))
          for (const Policy* parent : view_.policies_on("Gateway", *gateway, ""))
            if (told.insert(parent).second) replaced(policy, *parent, route, *gateway);
      }
  }

  void replaced(const Policy& policy, const Policy& parent, const edge::Route& route, const edge::Gateway& gateway) {
    std::vector<std::string> lost;
    for (const std::string& block : parent.blocks)
      if (!policy.blocks.contains(block)) lost.push_back("`" + block + "`");
    if (lost.empty()) return;
    EdgeFinding found{code::PolicyReplaced, "BackendTrafficPolicy", policy.full(), policy.at, {}, {}};
    found.message = fmt::format(
        "{} of HTTPRoute `{}` replaces {} of Gateway `{}` there as a whole: {} of that one no longer hold{}",
        in_words(policy), route.full(), in_words(parent), gateway.full(), listed(lost), lost.size() == 1 ? "s" : "");
    if (std::ranges::all_of(policy.targets, [](const Ref& one) { return one.kind.ends_with("Route"); }))
      found.write(policy, "spec.mergeType", "StrategicMerge");
    else
      found.fix.text = fmt::format("say {} in it, too", listed(lost));
    tell(std::move(found), report_);
  }

  // Beside a route with a limit one that surely has none: each proxy lets in by it what it likes.
  void unlimited(const Ref& service) {
    if (!facts_.whole) return;
    const auto doors = view_.doors_of(service);
    const EdgeDoor* limited =
        find_where(doors, [](const EdgeDoor& door) { return door.force.own != nullptr && door.force.limits(); });
    if (limited == nullptr) return;
    std::set<const edge::Route*> told;
    for (const EdgeDoor& door : doors) {
      if (!door.force.none() || door.gateway == nullptr || !view_.is_envoys(*door.gateway) ||
          view_.is_meant(*door.route) || !told.insert(door.route).second)
        continue;
      const Policy& policy = *limited->force.own;
      EdgeFinding found{code::RouteWithoutLimit, "HTTPRoute", door.route->full(), door.route->at, {}, {}};
      found.message = fmt::format(
          "HTTPRoute `{}` leads to Service `{}` as HTTPRoute `{}` does, and no BackendTrafficPolicy is for it or its "
          "Gateway `{}`: what {} bounds goes round it",
          door.route->full(), service.name, limited->route->full(), door.gateway->full(), in_words(policy));
      const bool listed =
          std::ranges::any_of(policy.targets, [](const Ref& one) { return one.field.starts_with("spec.targetRefs["); });
      if (listed && policy.ns == door.route->ns) {
        found.write(policy, "spec.targetRefs[+]", door.route->name);
        found.fix.text = fmt::format("let {} be for it, too", in_words(policy));
      } else {
        found.fix.text = fmt::format("write a BackendTrafficPolicy for it, as {} is for `{}`", in_words(policy),
                                     limited->route->full());
      }
      tell(std::move(found), report_);
    }
  }

  void fields(const Policy& policy) {
    if (policy.wrong.empty()) return;
    const edge::WrongField& first = policy.wrong.front();
    EdgeFinding found{code::PolicyField, "BackendTrafficPolicy", policy.full(), first.key, first.field, {}};
    std::vector<std::string> words;
    for (const edge::WrongField& one : policy.wrong) {
      const std::string name = one.field.substr(one.field.rfind('.') + 1);
      std::string said = fmt::format("`{}` of {} is no field there", one.field, in_words(policy));
      if (!one.meant.empty()) said += fmt::format("; did you mean `{}`?", one.meant);
      if (!one.belongs.empty()) said += fmt::format(": it is one of `{}`", one.belongs);
      words.push_back(std::move(said));
      if (!one.meant.empty()) {
        add_to_list(found.fix.text, fmt::format("call it `{}`", one.meant), "; ");
        found.fix.edits.push_back({one.key, one.meant});
        found.fix.tried.push_back({in_words(policy), one.meant, one.value.empty() ? "..." : one.value, {}, false});
      } else if (!one.belongs.empty() && one.whole.known()) {
        found.write(policy, one.belongs + "." + name, one.value);
        found.fix.edits.back() = {one.whole, one.value, one.belongs + "." + name + "<"};
      } else {
        add_to_list(found.fix.text, fmt::format("take `{}` out", name), "; ");
      }
    }
    if (found.fix.tried.size() < policy.wrong.size()) found.fix.tried.clear(), found.fix.edits.clear();
    found.message = listed_up_to(3, words) + "; an API server refuses the policy, or forgets what stands there";
    tell(std::move(found), report_);
  }

  // Measured: with no pending requests Envoy 1.39 opens no connection for any.
  void refuses_all(const Policy& policy) {
    if (policy.pending != 0) return;
    const std::string path = "spec.circuitBreaker.maxPendingRequests";
    EdgeFinding found{
        code::RefusesAll, "BackendTrafficPolicy", policy.full(), value_or(policy.fields, path, policy.at), path, {}};
    found.message = fmt::format(
        "{} lets no request wait, not even for its connection: Envoy refuses every one with 503", in_words(policy));
    found.write(policy, path,
                fmt::format("{}", std::max<std::int64_t>(1, policy.parallel.value_or(edge::kParallelByDefault))));
    tell(std::move(found), report_);
  }

  const edge::Facts& facts_;
  const EdgeView& view_;
  Report& report_;
};

}  // namespace

void judge_edge_policies(const edge::Facts& facts, const EdgeView& view, Report& report) {
  Policies(facts, view, report).run();
}

}  // namespace gpol
