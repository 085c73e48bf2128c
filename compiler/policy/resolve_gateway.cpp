// Limits at gateways: how much is let in, how long the rest waits, what is said to who is turned away.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

// uint32 of maxParallelRequests and `requests` (api/v1alpha1/{circuitbreaker,ratelimit}_types.go of
// envoyproxy/gateway).
constexpr std::int64_t kMostOfGateway = 4'294'967'295;
constexpr std::int64_t kMostProxies = 100'000;
constexpr std::int64_t kLongestRetry = 24 * 3'600'000;  // ms

struct Reading {
  Resolver& r;
  GatewayLimit& made;
  std::string of;  // "chat at public"
  std::optional<Span> most, proxies, route, queue, otherwise;

  void plan(std::string_view construct, std::string text, Span span) {
    note_planned(r, construct, "limit", of, std::move(text), span);
  }
};

void read(Reading& in, const ast::GatewayAtMost& item, Span span) {
  if (item.amounts.empty() || !first_time(in.r, in.most, span, "at most")) return;
  std::map<std::string, std::optional<Span>> first;
  std::string text;
  const auto per_proxy = [&](const std::optional<ast::Name>& per) {
    if (per && per->text != "proxy")
      error(in.r, code::BadValue, per->span, fmt::format("no amount is counted per `{}`", per->text),
            "write `per proxy`: each proxy lets in so much");
    return per && per->text == "proxy";
  };
  const bool all = per_proxy(item.per);
  for (const auto& [written, per] : item.amounts) {
    auto rate = rate_of(in.r, written, "a rate or streams", "200 req/s",
                        {Dimension::Requests, Dimension::Tokens, Dimension::Streams});
    if (!rate || !first_time(in.r, first[rate->of], written.amount.span, rate->of)) continue;
    if (rate->thousandths % 1000 != 0 || rate->thousandths / 1000 > kMostOfGateway) {
      error(in.r, code::OutOfRange, written.amount.span, fmt::format("a gateway cannot count `{}`", text_of(written)),
            "write a whole number, at most 4294967295");
      continue;
    }
    if (per_proxy(per) || all) in.made.per_proxy.push_back(rate->of);
    if (rate->of == "tokens") add_to_list(text, text_of(written));
    in.made.most.push_back(std::move(*rate));
  }
  in.made.most_span = span;
  if (!text.empty()) in.plan("gatewayAtMost", "at most " + text, span);  // they are counted after the answer
}

void read(Reading& in, const ast::GatewayProxies& item, Span span) {
  const bool first = first_time(in.r, in.proxies, span, "on");
  if (item.count.unit != "proxies" && item.count.unit != "proxy") {
    error(in.r, code::WrongUnit, item.count.span, fmt::format("`on` takes proxies, found `{}`", item.count.unit),
          "say how many proxies of the gateway run at most: `on 2 proxies`");
    return;
  }
  const auto number = count({item.count.number, "", item.count.span}, "a number of proxies", in.r.diagnostics);
  if (number && (*number == 0 || *number > kMostProxies))
    error(in.r, code::OutOfRange, item.count.span, fmt::format("a gateway of {} proxies", *number),
          "say how many run at most: `on 2 proxies`");
  else if (first && number)
    in.made.proxies = *number;
}

void read(Reading& in, const ast::GatewayRoute& item, Span span) {
  if (!first_time(in.r, in.route, span, "route")) return;
  require_kubernetes_name("route", item.route.text, item.route.span, in.r.diagnostics);
  in.made.route = item.route.text;
  if (in.made.tenant == kNone) return;
  const std::vector<std::string>& namespaces = in.r.policy.tenants[in.made.tenant].namespaces;
  if (item.ns && !contains(namespaces, item.ns->text))
    error(in.r, code::BadValue, item.ns->span, fmt::format("`{}` is no namespace of the tenant", item.ns->text),
          "name one of those that its `namespace` lists");
  if (!item.ns && namespaces.size() > 1)
    error(in.r, code::MissingClause, span, "the tenant has several namespaces",
          fmt::format("say in which the route is: `route {} of {}`", in.made.route, namespaces.front()));
  in.made.route_ns = item.ns ? item.ns->text : namespaces.empty() ? "" : namespaces.front();
}

void read(Reading& in, const ast::GatewayQueue& item, Span span) {
  const bool first = first_time(in.r, in.queue, span, "queue");
  const auto length = count(item.length, "how many may wait", in.r.diagnostics);
  const auto wait = time_constant(in.r, item.wait, "queue ... for", Zero::Refused);
  if (!first || !length || !wait) return;
  in.made.queue = {*length, wait->value};
  in.plan("gatewayQueue", fmt::format("queue {} for {}", *length, text_of(item.wait)), span);
}

void read(Reading& in, const ast::GatewayElse& item, Span span) {
  const bool first = first_time(in.r, in.otherwise, span, "else");
  const auto status = count(item.status, "an HTTP status", in.r.diagnostics);
  const auto retry = time_constant(in.r, item.retry, "retry", Zero::Refused);
  if (status && *status != 429 && *status != 503)
    error(in.r, code::OutOfRange, item.status.span, fmt::format("a gateway that is full does not answer {}", *status),
          "write 429 (ask less) or 503 (not now)");
  if (retry && retry->value > kLongestRetry)
    error(in.r, code::OutOfRange, item.retry.span,
          fmt::format("a client that comes again after {}", text_of(item.retry)), "write a day at most: `retry 1s`");
  if (!first || !status || !retry) return;
  in.made.otherwise = {*status, retry->value};
}

}  // namespace

void resolve_limits(Resolver& r) {
  std::map<std::string, std::optional<Span>> seen, routes;
  std::map<std::string, std::pair<std::int64_t, Span>> proxies;  // of a gateway, where they were said first
  for (const auto& placed : r.declared.limits) {
    const ast::GatewayLimit& written = *placed.node;
    GatewayLimit made;
    made.tenant = r.tenants.find(written.tenant);
    made.gateway = written.gateway.text;
    made.span = placed.span;
    Reading in{r, made, written.tenant.text + " at " + written.gateway.text, {}, {}, {}, {}, {}};
    require_kubernetes_name("gateway", written.gateway.text, written.gateway.span, r.diagnostics);
    if (auto& first = seen[in.of]; first)
      error(r, code::DuplicateName, join(written.tenant.span, written.gateway.span),
            fmt::format("tenant `{}` is limited twice at gateway `{}`", written.tenant.text, written.gateway.text),
            "make them one")
          .labels.push_back({*first, "first limited here"});
    else
      first = join(written.tenant.span, written.gateway.span);
    for (const auto& item : written.items) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
    if (isolation_of_tenant(r, made.tenant) == Isolation::C)
      error(r, code::ClassMismatch, written.tenant.span,
            fmt::format("tenant `{}` is of class C, and batch serves nobody", written.tenant.text),
            "name a tenant of class A or B");
    if (made.proxies) {
      const auto& [count, at] = proxies.try_emplace(made.gateway, *made.proxies, *in.proxies).first->second;
      if (count != *made.proxies)
        error(r, code::BadValue, *in.proxies, fmt::format("gateway `{}` has {} proxies elsewhere", made.gateway, count),
              "a gateway has one number of proxies, the most that it runs")
            .labels.push_back({at, "said here"});
    }
    if (auto& first = routes[made.route_ns + "/" + made.route]; first && in.route)
      error(r, code::DuplicateName, *in.route,
            fmt::format("HTTPRoute `{}` of `{}` is limited twice", made.route, made.route_ns),
            "a route has one limit, whatever gateways it hangs on: make them one, or name another route")
          .labels.push_back({*first, "first limited here"});
    else
      first = in.route;
    if (!in.most)
      error(r, code::MissingClause, join(written.tenant.span, written.gateway.span), "this limit limits nothing",
            "add how much is let in: `at most 200 req/s`");
    if (made.tenant != kNone) r.policy.limits.push_back(std::move(made));
  }
}

}  // namespace gpol
