// Gateway, of what is there: an HTTPRoute that its Gateway does not let in. It is not attached: no request comes
// through it, and no policy of it limits anything (apis/v1/gateway_types.go of sigs.k8s.io/gateway-api v1.6.1,
// `allowedRoutes`; `from` is Same where nobody says it).
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"

namespace gpol {

namespace {

// A selector may select any namespace but by the name that each has for a label.
bool surely_refuses(const edge::Listener& listener, const edge::Gateway& gateway, const edge::Route& route) {
  const bool same = listener.from.empty() || listener.from == "Same";
  if (listener.from == "Selector") return !listener.only_ns.empty() && listener.only_ns != route.ns;
  return listener.from == "None" || (same && gateway.ns != route.ns);
}

}  // namespace

void judge_edge_grants(const EdgeView& view, Report& report) {
  for (const edge::Route& route : view.facts.routes)
    for (const edge::Ref& parent : route.parents)
      for (const edge::Gateway& gateway : view.facts.gateways) {
        if (parent.kind != "Gateway" || gateway.name != parent.name || gateway.ns != parent.ns) continue;
        if (gateway.ns.empty() || route.ns.empty() || gateway.listeners.empty()) continue;
        const auto takes_no_part = [&](const edge::Listener& one) {
          return (!parent.section.empty() && parent.section != one.name) ||
                 (!parent.port.empty() && parent.port != one.port);
        };
        if (!std::ranges::all_of(
                gateway.listeners,
                [&](const edge::Listener& one) { return takes_no_part(one) || surely_refuses(one, gateway, route); }) ||
            std::ranges::all_of(gateway.listeners, takes_no_part))
          continue;
        EdgeFinding found{
            code::RouteNotLetIn,
            "HTTPRoute",
            route.full(),
            parent.at,
            parent.field,
            fmt::format("HTTPRoute `{}` hangs on {}Gateway `{}`, which lets in no routes of namespace `{}`: no "
                        "request comes to it that way",
                        route.full(), parent.section.empty() ? "" : fmt::format("listener `{}` of ", parent.section),
                        gateway.full(), route.ns)};
        found.fix.text = fmt::format(
            "let the listener take them: `allowedRoutes: {{namespaces: {{from: All}}}}`, or `from: Selector` with "
            "`matchLabels: {{kubernetes.io/metadata.name: {}}}`",
            route.ns);
        tell(std::move(found), report);
      }
}

}  // namespace gpol
