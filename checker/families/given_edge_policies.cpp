// Gateway, of what is there: which of several BackendTrafficPolicies counts, routes that none limits beside those that
// one does, and what Envoy Gateway does not know or nobody can have meant.
#include <fmt/format.h>

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

class Policies {
 public:
  Policies(const EdgeView& view, Report& report) : view_(view), report_(report) {}

  void run() {
    for (const Policy& policy : view_.facts.policies)
      for (const Ref& target : policy.targets)
        for (const Policy* other : view_.policies_on(target.kind, target, target.section))
          if (other < &policy && replaced_.insert({other, &policy}).second) conflict(*other, policy, target);
    for (const edge::Route& route : view_.facts.routes)
      for (const Policy* policy : view_.policies_on("HTTPRoute", route, ""))
        for (const edge::Gateway* gateway : view_.gateways_of(route))
          for (const Policy* parent : view_.policies_on("Gateway", *gateway, ""))
            if (!policy->merges()) replaced(*policy, *parent, route, *gateway);
    for (const Ref& service : view_.services()) unlimited(service);
    for (const Policy& policy : view_.facts.policies) fields(policy), refuses_all(policy);
  }

 private:
  void say(Code code, const Policy& policy, const std::string& path, std::string message, Fix fix = {}) {
    EdgeFinding found = about(policy, code, std::move(message), policy.span(path), path.empty() ? "" : "spec." + path);
    found.fix = std::move(fix);
    tell(std::move(found), report_);
  }

  // Of two for one target the older one counts, of one age the first by its name.
  void conflict(const Policy& one, const Policy& other, const Ref& target) {
    const bool aged = !one.created.empty() && !other.created.empty() && one.created != other.created;
    const bool first = aged ? one.created < other.created : one.full() < other.full();
    const Policy &counts = first ? one : other, &void_one = first ? other : one;
    say(code::PolicyReplaced, void_one, "",
        fmt::format("{} and {} are for the same {} `{}`: the older{} `{}`{}, and the other one limits nothing there",
                    in_words(counts), in_words(void_one), target.kind, target.name, aged ? "," : " counts, of one age",
                    counts.full(), aged ? ", counts" : ""),
        {"say all of it in one of them, and take the target out of the other"});
  }

  // One of a route replaces the gateway's as a whole, unless it has `mergeType`: with bounds that it does not say
  // itself.
  void replaced(const Policy& policy, const Policy& parent, const edge::Route& route, const edge::Gateway& gateway) {
    constexpr std::string_view kBounds[] = {"rateLimit",     "circuitBreaker",   "timeout",
                                            "requestBuffer", "admissionControl", "bandwidthLimit"};
    std::vector<std::string> lost;
    for (const std::string& block : parent.blocks)
      if (!policy.blocks.contains(block)) lost.push_back("`" + block + "`");
    if (std::ranges::none_of(kBounds, [&](std::string_view one) { return contains(lost, fmt::format("`{}`", one)); }) ||
        !replaced_.insert({&policy, &parent}).second)
      return;
    EdgeFinding found =
        about(policy, code::PolicyReplaced,
              fmt::format(
                  "{} of HTTPRoute `{}` replaces {} of Gateway `{}` there as a whole: {} of that one no longer hold{}",
                  in_words(policy), route.full(), in_words(parent), gateway.full(), listed(lost),
                  lost.size() == 1 ? "s" : ""),
              policy.at);
    if (std::ranges::all_of(policy.targets, [](const Ref& one) { return one.kind.ends_with("Route"); }))
      found.write(policy, "spec.mergeType", "StrategicMerge");
    else
      found.fix.text = fmt::format("say {} in it, too", listed(lost));
    tell(std::move(found), report_);
  }

  // Beside a route with a limit one that surely has none: each proxy lets in by it what it likes.
  void unlimited(const Ref& service) {
    const auto doors = view_.doors_of(service);
    const EdgeDoor* limited = find_where(doors, [](const EdgeDoor& door) {
      return door.own != nullptr &&
             (door.own->blocks.contains("rateLimit") || door.own->blocks.contains("circuitBreaker"));
    });
    if (limited == nullptr || !view_.facts.whole) return;
    const Policy& policy = *limited->own;
    std::set<const edge::Route*> told = view_.meant;
    for (const EdgeDoor& door : doors) {
      const edge::Route& route = *door.route;
      if (!door.open() || !view_.is_envoys(*door.gateway) || !told.insert(&route).second) continue;
      EdgeFinding found{
          code::RouteWithoutLimit,
          "HTTPRoute",
          route.full(),
          route.at,
          {},
          fmt::format("HTTPRoute `{}` leads to Service `{}` as HTTPRoute `{}` does, and no BackendTrafficPolicy among "
                      "the manifests is for it or its Gateway `{}`: what {} bounds goes round it",
                      route.full(), service.name, limited->route->full(), door.gateway->full(), in_words(policy))};
      if (policy.ns == route.ns) found.write(policy, "spec.targetRefs[+]", route.name);
      found.fix.text = fmt::format("let {} be for it, too, or write one of its own", in_words(policy));
      tell(std::move(found), report_);
    }
  }

  void fields(const Policy& policy) {
    if (policy.wrong.empty()) return;
    EdgeFinding found = about(policy, code::PolicyField, "", policy.wrong.front().key, policy.wrong.front().field);
    std::vector<std::string> words;
    for (const edge::WrongField& one : policy.wrong) {
      const std::string name = one.field.substr(one.field.rfind('.') + 1);
      const bool moves = !one.belongs.empty() && one.whole.known();
      words.push_back(fmt::format("`{}` of {} is no field there{}", one.field, in_words(policy),
                                  !one.meant.empty()     ? fmt::format("; did you mean `{}`?", one.meant)
                                  : !one.belongs.empty() ? fmt::format(": it is one of `{}`", one.belongs)
                                                         : ""));
      if (moves) found.write(policy, one.belongs + "." + name, one.value);
      if (moves) found.fix.edits.back() = {one.whole, one.value, one.belongs + "." + name + "<"};
      if (!moves)
        add_to_list(found.fix.text,
                    one.meant.empty() ? fmt::format("take `{}` out", name) : fmt::format("call it `{}`", one.meant),
                    "; ");
      if (moves || one.meant.empty()) continue;
      found.fix.edits.push_back({one.key, one.meant});
      found.fix.tried.push_back({in_words(policy), one.meant, one.value.empty() ? "..." : one.value, {}, false});
    }
    if (found.fix.tried.size() < policy.wrong.size()) found.fix.tried.clear(), found.fix.edits.clear();
    found.message =
        listed_up_to(3, words) +
        "; the API server refuses the policy, or forgets what stands there (fields of Envoy Gateway v1.9.1)";
    tell(std::move(found), report_);
  }

  static bool of_all_clients(const Policy& policy, const std::string& rule) {
    return std::ranges::none_of(policy.fields,
                                [&](const auto& field) { return field.first.starts_with(rule + ".clientSelectors"); });
  }

  // Measured with Envoy 1.39: of no requests at once none is let in, and with no pending ones no connection is opened
  // for any. A local rate of none Envoy Gateway takes for a mistake, and has the route answer 500.
  void refuses_all(const Policy& policy) {
    const std::string pending = "circuitBreaker.maxPendingRequests", parallel = "circuitBreaker.maxParallelRequests";
    for (const auto& [path, value] : policy.fields) {
      const auto dot = path.rfind(".limit.requests");
      const std::string rule = path.substr(0, std::min(dot, path.size()));
      const bool local = rule.starts_with("rateLimit.local.rules[");
      const bool rate = dot != std::string::npos && path.ends_with("].limit.requests") &&
                        (local || (rule.starts_with("rateLimit.global.rules[") && of_all_clients(policy, rule)));
      if ((!rate && path != pending && path != parallel) || policy.number(path) != 0) continue;
      EdgeFinding found = about(
          policy, code::RefusesAll,
          fmt::format("{} {}", in_words(policy),
                      rate && local
                          ? "has a local rate of no requests: Envoy Gateway refuses it, and the route answers 500"
                      : rate ? "counts no requests of any client: every one is answered 429"
                      : path == parallel
                          ? "lets no request be open: Envoy refuses every one with 503"
                          : "lets no request wait, not even for its connection: Envoy refuses every one with 503"),
          value.at, "spec." + path);
      const auto most = policy.number(parallel).value_or(kParallelByDefault);
      if (path == pending)
        found.write(policy, "spec." + path, fmt::format("{}", std::max<std::int64_t>(1, most)));
      else
        found.fix.text = "say how many are let in, at least 1, or leave the field out";
      tell(std::move(found), report_);
    }
  }

  const EdgeView& view_;
  Report& report_;
  std::set<std::pair<const Policy*, const Policy*>> replaced_;
};

}  // namespace

void judge_edge_policies(const EdgeView& view, Report& report) { Policies(view, report).run(); }

}  // namespace gpol
