#include "checker/families/gateway_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/families/pairs.h"
#include "compiler/policy/units.h"

namespace gpol::gateway {

namespace {

std::string says(std::string text, std::string clause, std::string& add) {
  add = std::move(clause);
  return text;
}

Formula one_more_proxy() {
  const Term in = int_symbol("in"), bound = int_symbol("bound"), here = int_symbol("here"), most = int_symbol("most");
  return {"gateway/proxies",
          "what one more proxy lets in is within the bound of the others and its own",
          {{"below", in <= bound}, {"counted", here <= most}, {"side-condition", int_symbol("sum") >= bound + most}},
          in + here > int_symbol("sum")};
}

Formula within_bucket() {
  const Term in = int_symbol("in"), tokens = int_symbol("tokens"), flows = int_symbol("flows"),
             holds = int_symbol("holds");
  return {"gateway/bucket",
          "what a bucket lets in within some time is within what it holds and what flows in meanwhile",
          {{"full", tokens <= holds},
           {"spent", in <= tokens + flows},
           {"side-condition", int_symbol("most") >= holds + flows}},
          in > int_symbol("most")};
}

Formula two_windows() {
  const Term in = int_symbol("in"), first = int_symbol("first"), second = int_symbol("second"),
             window = int_symbol("window");
  return {"gateway/windows",
          "a second meets two windows of the rate-limit service at most",
          {{"counted", first <= window && second <= window},
           {"meets", in <= first + second},
           {"side-condition", int_symbol("most") >= window + window}},
          in > int_symbol("most")};
}

Formula sustained() {
  const Term in = int_symbol("in"), bound = int_symbol("bound");
  return {"gateway/sustained",
          "what all proxies let in is what the service sustains",
          {{"below", in <= bound}, {"side-condition", bound <= int_symbol("sustained")}},
          in > int_symbol("sustained")};
}

}  // namespace

Obligation statement(const PlannedEdge& edge, Code code, Span span) {
  Obligation o = obligation(Family::Gateway, code, Verdict::Undecided,
                            {"Service", edge.service.empty() ? edge.tenant : edge.service, edge.tenant}, span);
  std::vector<Span> lines;
  for (const PlannedLimit& limit : edge.limits) {
    lines.push_back(limit.span);
    if (limit.waits_span.known()) lines.push_back(limit.waits_span);
  }
  for (const PlannedEdge::Caller& caller : edge.callers) lines.push_back(caller.span);
  lines.insert(lines.end(), edge.sources.begin(), edge.sources.end());
  o.core = as_core(std::move(lines));
  return o;
}

void add_undecided(Report& report, Obligation o, const std::string& about, std::string missing, std::string add) {
  report.add(std::move(o), {.reason = missing,
                            .message = fmt::format("{} is not known: {}", about, missing),
                            .fix = add.empty() ? std::nullopt : std::optional(Fix{std::move(add)})});
}

std::int64_t streams_of_one_proxy(const PlannedLimit& limit) {
  return limit.streams ? limit.streams->most : kParallelByDefault;
}
std::int64_t streams_let_in(const PlannedLimit& limit) { return times(*limit.proxies, streams_of_one_proxy(limit)); }
std::int64_t streams_sustained(const PlannedEdge& edge) { return times(*edge.replicas, *edge.streams); }

std::string missing_of_replicas(const PlannedEdge& edge, std::string& add) {
  if (edge.service.empty())
    return says(fmt::format("no service of `{}` is stated", edge.tenant),
                fmt::format("say what serves: `service NAME of {} {{ each 1 gpu; throughput 128 streams, 60 req/s }}`",
                            edge.tenant),
                add);
  return edge.replicas ? "" : says(edge.why_unknown, edge.add, add);
}

std::string missing_of_limit(const PlannedLimit& limit, std::string& add) {
  if (limit.route.empty())
    return says(fmt::format("which HTTPRoute is limited at `{}` is not stated", limit.gateway),
                "name it in the limit: `route NAME`", add);
  if (!limit.proxies)
    return says(fmt::format("how many proxies `{}` runs at most is not stated", limit.gateway),
                "add it to the limit, those of an update included: `on 2 proxies`", add);
  return {};
}

std::string missing_of_streams(const PlannedEdge& edge, std::string& add) {
  if (std::string text = missing_of_replicas(edge, add); !text.empty()) return text;
  if (!edge.streams)
    return says(fmt::format("what one replica of `{}` does at once is not stated", edge.service),
                "add it to what is measured of the service: `throughput 128 streams, 60 req/s`", add);
  for (const PlannedLimit& limit : edge.limits) {
    if (std::string text = missing_of_limit(limit, add); !text.empty()) return text;
    if (limit.streams && !limit.streams->per_proxy)
      return says(fmt::format("how `{}` counts streams is not stated", limit.gateway),
                  "write `per proxy` behind the amount: each proxy lets in so much", add);
  }
  return {};
}

std::string place_of(const PlannedEdge& edge, const PlannedLimit& limit) {
  const bool alone = std::ranges::count(edge.limits, limit.gateway, &PlannedLimit::gateway) == 1;
  return alone || limit.route.empty() ? fmt::format("`{}`", limit.gateway)
                                      : fmt::format("route `{}` of `{}`", limit.route, limit.gateway);
}

std::string ordinal(std::int64_t number) {
  const std::int64_t tens = number / 10 % 10, ones = number % 10;
  return fmt::format("{}{} request", number,
                     tens == 1   ? "th"
                     : ones == 1 ? "st"
                     : ones == 2 ? "nd"
                     : ones == 3 ? "rd"
                                 : "th");
}

bool sums_hold(LemmaBook& book) {
  return book.holds("gateway/proxies", one_more_proxy) && book.holds("gateway/bucket", within_bucket) &&
         book.holds("gateway/windows", two_windows) && book.holds("gateway/sustained", sustained);
}

}  // namespace gpol::gateway
