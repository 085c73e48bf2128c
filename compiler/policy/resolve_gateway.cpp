// Limits at gateways: how much is let in, how long the rest waits, what is said to who is turned away.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"
#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

// uint32 of maxParallelRequests and `requests` (api/v1alpha1/{circuitbreaker,ratelimit}_types.go of
// envoyproxy/gateway).
constexpr std::int64_t kMostOfGateway = 4'294'967'295;
constexpr std::int64_t kMostProxies = 100'000;
constexpr std::int64_t kLongestTime = 24 * 3'600'000;  // ms

struct Reading {
  Resolver& r;
  GatewayLimit& made;
  std::string of;  // "chat at public"
  std::optional<Span> most, none, proxies, route, host, classes, queue, timeout, deadline, retries, longest, otherwise;

  void plan(std::string_view construct, std::string text, Span span) {
    note_planned(r, construct, "limit", of, std::move(text), span);
  }
};

CountedBy counted_by(Reading& in, const std::optional<ast::Name>& per) {
  if (!per) return CountedBy::NobodySaid;
  if (per->text == "proxy") return CountedBy::EachProxy;
  if (per->text == "global") return CountedBy::RateLimitService;
  error(in.r, code::BadValue, per->span, fmt::format("no amount is counted per `{}`", per->text),
        "write `per proxy`: each proxy lets in so much");
  return CountedBy::NobodySaid;
}

// Streams are counted by each proxy alone (circuitBreaker), tokens by the rate-limit service alone (rateLimit.global).
bool is_counted_so(Reading& in, const Rate& rate, CountedBy by, Span span) {
  const bool streams = rate.of == "streams" && by == CountedBy::RateLimitService,
             tokens = rate.of == "tokens" && by == CountedBy::EachProxy;
  if (streams)
    error(in.r, code::BadValue, span, "no gateway counts the streams of all its proxies",
          "write `per proxy` behind the streams");
  if (tokens) error(in.r, code::BadValue, span, "no proxy counts tokens by itself", "write `global` behind the tokens");
  return !streams && !tokens;
}

void read(Reading& in, const ast::GatewayAtMost& item, Span span) {
  if (item.amounts.empty() || !first_time(in.r, in.most, span, "at most")) return;
  std::map<std::pair<std::string, CountedBy>, std::optional<Span>> first;
  std::string text;
  const CountedBy all = counted_by(in, item.per);
  for (const auto& [written, per] : item.amounts) {
    auto rate = rate_of(in.r, written, "a rate or streams", "200 req/s",
                        {Dimension::Requests, Dimension::Tokens, Dimension::Streams});
    if (!rate) continue;
    CountedBy by = per                                                   ? counted_by(in, per)
                   : rate->of == "tokens" && all == CountedBy::EachProxy ? CountedBy::NobodySaid
                                                                         : all;
    if (!first_time(in.r, first[{rate->of, by}], written.amount.span, rate->of)) continue;
    if (rate->thousandths % 1000 != 0 || rate->thousandths / 1000 > kMostOfGateway) {
      error(in.r, code::OutOfRange, written.amount.span, fmt::format("a gateway cannot count `{}`", text_of(written)),
            "write a whole number, at most 4294967295");
      continue;
    }
    if (!is_counted_so(in, *rate, by, written.amount.span)) continue;
    if (rate->of == "tokens") add_to_list(text, text_of(written));
    in.made.most.push_back({std::move(*rate), by});
  }
  in.made.most_span = span;
  if (!text.empty()) in.plan("gatewayAtMost", "at most " + text, span);  // they are counted after the answer
}

void read(Reading& in, const ast::GatewayNoLimit&, Span span) {
  if (!first_time(in.r, in.none, span, "no limit")) return;
  in.made.unlimited = true;
  in.made.most_span = span;
}

void read(Reading& in, const ast::GatewayClass& item, Span span) {
  if (!first_time(in.r, in.classes, span, "class")) return;
  for (const ast::Name& one : item.classes) {
    if (!contains(kRequestClasses, one.text))
      error(in.r, code::BadValue, one.span, fmt::format("`{}` is not a class of requests", one.text),
            choice_hint(one.text, kRequestClasses));
    else if (contains(in.made.classes, one.text))
      error(in.r, code::DuplicateClause, one.span, fmt::format("`{}` is there twice", one.text), "leave one out");
    else
      in.made.classes.push_back(one.text);
  }
}

void read(Reading& in, const ast::GatewayProxies& item, Span span) {
  const bool first = first_time(in.r, in.proxies, span, "on");
  if (item.count.unit != "proxies" && item.count.unit != "proxy") {
    error(in.r, code::WrongUnit, item.count.span, fmt::format("`on` takes proxies, found `{}`", item.count.unit),
          "say how many proxies of the gateway run at most: `on 2 proxies`");
    return;
  }
  const auto number = count({item.count.number, "", item.count.span}, "a number of proxies", in.r.diagnostics);
  const auto least =
      item.least ? count(*item.least, "a number of proxies", in.r.diagnostics) : std::optional(number.value_or(0));
  if (number && least && *least > *number)
    error(in.r, code::OutOfRange, item.least->span,
          fmt::format("{}..{} proxies: the first is more than the last", *least, *number),
          fmt::format("write the fewest first: `on {}..{} proxies`", *number, *least));
  if (number && (*number == 0 || *number > kMostProxies))
    error(in.r, code::OutOfRange, item.count.span, fmt::format("a gateway of {} proxies", *number),
          "say how many run at most: `on 2 proxies`");
  else if (first && number)
    in.made.proxies = *number;
}

// Names that stand for themselves: `listener https`, `port 8000`.
void require_word(Reading& in, const ast::Name& written, std::string_view wanted, std::string_view example) {
  if (written.text != wanted)
    error(in.r, code::BadValue, written.span, fmt::format("`{}` is not `{}`", written.text, wanted),
          fmt::format("write `{}`", example));
}

// Hostname and PathPrefix as the CRD of HTTPRoute has them (apis/v1/httproute_types.go), of the characters that a name
// of the language can have.
void read_host(Reading& in, const ast::GatewayHost& item) {
  const std::string& address = item.address.text;
  const std::size_t slash = std::min(address.find('/'), address.size());
  RouteHost made{address.substr(0, slash), slash == address.size() ? "/" : address.substr(slash), item.listener.text,
                 item.service.text, 0};
  for (const std::string_view part : split(made.host, '.'))
    require_kubernetes_name("part of a host", part, item.address.span, in.r.diagnostics);
  if (made.path.find("//") != std::string::npos || made.path.find("/./") != std::string::npos || address.size() > 253)
    error(in.r, code::BadValue, item.address.span, fmt::format("`{}` is no host with the beginning of a path", address),
          "write it as `chat.example.com/v1`");
  require_word(in, item.listener_word, "listener", "on listener https");
  require_kubernetes_name("listener", made.listener, item.listener.span, in.r.diagnostics);
  require_word(in, item.port_word, "port", "to assistant port 8000");
  require_kubernetes_name("Service", made.service, item.service.span, in.r.diagnostics);
  const auto port = count(item.port, "a port", in.r.diagnostics);
  if (port && (*port == 0 || *port > 65'535))
    error(in.r, code::OutOfRange, item.port.span, fmt::format("there is no port {}", *port), "write one of 1 to 65535");
  made.port = port.value_or(0);
  if (made.path.size() > 1 && made.path.ends_with('/')) made.path.pop_back();  // a prefix means the same without it
  in.host = item.address.span;
  in.made.host = std::move(made);
}

void read(Reading& in, const ast::GatewayRoute& item, Span span) {
  if (!first_time(in.r, in.route, span, "route")) return;
  require_kubernetes_name("route", item.route.text, item.route.span, in.r.diagnostics);
  in.made.route = item.route.text;
  if (item.host)
    read_host(in, *item.host);
  else if (item.route.text.starts_with("gpol-"))
    error(in.r, code::BadValue, item.route.span, "routes that gpol writes have names that begin with `gpol-`",
          "name the route that is there, or write this one: `route chat for chat.example.com on listener https to chat "
          "port 8000`");
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
  const CountedBy by = counted_by(in, item.per);
  if (!first || !length) return;
  if (*length == 0 || *length > kMostOfGateway) {  // maxPendingRequests: 0 refuses everything
    error(in.r, code::OutOfRange, item.length.span, fmt::format("a queue of {}", *length),
          "write how many may wait, or leave `queue` out: then none waits");
  } else if (by == CountedBy::RateLimitService) {
    error(in.r, code::BadValue, span, "no gateway counts what waits at all its proxies", "write `per proxy`");
  } else {
    in.made.queue = *length;
    in.made.queue_by = by;
  }
}

std::optional<std::int64_t> read_time(Reading& in, std::optional<Span>& seen, const ast::Quantity& written,
                                      const std::string& word, Span span) {
  const bool first = first_time(in.r, seen, span, word);
  const auto time = time_constant(in.r, written, word, Zero::Refused);
  if (!first || !time) return std::nullopt;
  if (time->value <= kLongestTime) return time->value;
  error(in.r, code::OutOfRange, written.span, fmt::format("a {} of {}", word, text_of(written)),
        fmt::format("write a day at most: `{} 60s`", word));
  return std::nullopt;
}

void read(Reading& in, const ast::GatewayTimeout& item, Span span) {
  in.made.timeout = read_time(in, in.timeout, item.time, "timeout", span);
}
void read(Reading& in, const ast::GatewayDeadline& item, Span span) {
  in.made.deadline = read_time(in, in.deadline, item.time, "deadline", span);
}

void read(Reading& in, const ast::GatewayRetries& item, Span span) {
  constexpr std::int64_t kMostRetries = 100;
  const bool first = first_time(in.r, in.retries, span, "retries");
  const auto number = count(item.count, "a number of retries", in.r.diagnostics);
  if (number && *number > kMostRetries)
    error(in.r, code::OutOfRange, item.count.span, fmt::format("{} retries of one request", *number),
          "each retry asks the service again: write few, or leave `retries` out for none");
  else if (first && number)
    in.made.retries = *number;
}

void read(Reading& in, const ast::GatewayLongest& item, Span span) {
  constexpr std::int64_t kMostBytes = 4'294'967'295;  // of Envoy's buffer filter, max_request_bytes
  const bool first = first_time(in.r, in.longest, span, "longest");
  if (item.what.text != "request") {
    error(in.r, code::BadValue, item.what.span, fmt::format("a gateway bounds no `longest {}`", item.what.text),
          "write `longest request 1 MiB`");
    return;
  }
  const auto bytes = measure(item.size, Dimension::Memory, "a size", "1 MiB", in.r.diagnostics);
  if (bytes && (*bytes == 0 || *bytes > kMostBytes))
    error(in.r, code::OutOfRange, item.size.span, fmt::format("a longest request of {}", text_of(item.size)),
          "write less than 4 GiB, and more than nothing: `longest request 1 MiB`");
  else if (first && bytes)
    in.made.longest_request = *bytes;
}

void read(Reading& in, const ast::GatewayElse& item, Span span) {
  const bool first = first_time(in.r, in.otherwise, span, "else");
  const auto status = count(item.status, "an HTTP status", in.r.diagnostics);
  const auto retry = time_constant(in.r, item.retry, "retry", Zero::Refused);
  if (status && *status != 429 && *status != 503)
    error(in.r, code::OutOfRange, item.status.span, fmt::format("a gateway that is full does not answer {}", *status),
          "write 429 (ask less) or 503 (not now)");
  if (retry && retry->value > kLongestTime)
    error(in.r, code::OutOfRange, item.retry.span,
          fmt::format("a client that comes again after {}", text_of(item.retry)), "write a day at most: `retry 1s`");
  if (!first || !status || !retry) return;
  in.made.otherwise = {*status, retry->value};
}

}  // namespace

void resolve_limits(Resolver& r) {
  std::map<std::string, std::optional<Span>> routes;             // limits of one tenant at one gateway, by route
  std::map<std::string, std::pair<std::int64_t, Span>> proxies;  // of a gateway, where they were said first
  std::map<std::string, std::optional<Span>> hosts;              // by listener and address
  for (const auto& placed : r.declared.limits) {
    const ast::GatewayLimit& written = *placed.node;
    GatewayLimit made;
    made.tenant = r.tenants.find(written.tenant);
    made.gateway = written.gateway.text;
    made.span = placed.span;
    Reading in{r,  made, written.tenant.text + " at " + written.gateway.text, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
               {}, {}};
    require_kubernetes_name("gateway", written.gateway.text, written.gateway.span, r.diagnostics);
    if (written.ns) {
      require_kubernetes_name("namespace", written.ns->text, written.ns->span, r.diagnostics);
      made.gateway_ns = written.ns->text;
    }
    for (const auto& item : written.items) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
    for (const auto* waits : {&in.queue, &in.timeout, &in.deadline})
      if (*waits && !made.waits_span.known()) made.waits_span = **waits;
    if (isolation_of_tenant(r, made.tenant) == Isolation::C)
      error(r, code::ClassMismatch, written.tenant.span,
            fmt::format("tenant `{}` is of class C, and batch serves nobody", written.tenant.text),
            "name a tenant of class A or B");
    // Where nobody says its namespace, a Gateway is in that of the route.
    std::string gateway = (made.gateway_ns.empty() ? made.route_ns : made.gateway_ns) + "/" + made.gateway;
    if (gateway.starts_with('/') && made.tenant != kNone && !r.policy.tenants[made.tenant].namespaces.empty())
      gateway = r.policy.tenants[made.tenant].namespaces.front() + gateway;
    if (made.proxies) {
      const auto& [count, at] = proxies.try_emplace(gateway, *made.proxies, *in.proxies).first->second;
      if (count != *made.proxies)
        error(r, code::BadValue, *in.proxies,
              fmt::format("gateway `{}` has {} {} elsewhere", made.gateway, count, count == 1 ? "proxy" : "proxies"),
              "a gateway has one number of proxies, the most that it runs")
            .labels.push_back({at, "said here"});
    }
    // Of two HTTPRoutes with one host and path the older takes all requests (Gateway API, precedence of matches).
    if (const auto& to = made.host) {
      if (auto& first = hosts[fmt::format("{} {} {}{}", gateway, to->listener, to->host, to->path)]; first)
        error(r, code::DuplicateName, *in.host,
              fmt::format("`{}{}` leads two ways at gateway `{}`", to->host, to->path, made.gateway),
              "one of two routes would get every request: give each its own host, path or listener")
            .labels.push_back({*first, "first routed here"});
      else
        first = in.host;
    }
    const Span named = join(written.tenant.span, written.gateway.span);
    if (in.route) {
      if (auto& first = routes[made.route_ns + "/" + made.route]; first)
        error(r, code::DuplicateName, *in.route,
              fmt::format("HTTPRoute `{}` of `{}` is limited twice", made.route, made.route_ns),
              "a route has one limit, whatever gateways it hangs on: make them one, or name another route")
            .labels.push_back({*first, "first limited here"});
      else
        first = in.route;
    } else if (auto& first = routes[in.of]; first) {
      error(r, code::DuplicateName, named,
            fmt::format("tenant `{}` is limited twice at gateway `{}`", written.tenant.text, written.gateway.text),
            "make them one, or name the `route` of each")
          .labels.push_back({*first, "first limited here"});
    } else {
      first = named;
    }
    if (in.most && in.none)
      error(r, code::BadValue, *in.none, "this limit says how much is let in, and that nobody limits it",
            "leave out one of the two");
    for (const auto* beside : {&in.host, &in.queue, &in.timeout, &in.deadline, &in.retries, &in.longest, &in.otherwise})
      if (in.none && *beside)
        error(r, code::BadValue, **beside, "nothing is written for a route that nobody limits",
              "leave this out, or limit the route: `at most 200 streams, 50 req/s, per proxy`");
    if (!in.most && !in.none)
      error(r, code::MissingClause, named, "this limit limits nothing",
            "add how much is let in: `at most 200 req/s`; of a route that nobody limits, `no limit`");
    if (made.tenant != kNone) r.policy.limits.push_back(std::move(made));
  }
}

}  // namespace gpol
