// Classes of requests that share the streams of each replica. A server takes whatever comes first, so a class finds its
// streams only where the gateway lets in fewer of the others. Opportunistic requests take what is left.
//
// Formula: what is open of the others is within what is let in of them; the class has the rest. Closed form: sum of
// `at most` x proxies over limits that let in another class + replicas x the class's streams <= replicas x streams.
#include <fmt/format.h>

#include <set>

#include "checker/families/codes.h"
#include "checker/families/gateway_parts.h"
#include "checker/gateway/model.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol::gateway {

namespace {

Formula others_leave_room() {
  const Term open = int_symbol("open"), bound = int_symbol("bound"), own = int_symbol("own"), has = int_symbol("has"),
             sustained = int_symbol("sustained");
  return {"gateway/classes",
          "what others have open leaves a class its streams",
          {{"below", open <= bound}, {"asks", own <= has}, {"side-condition", bound + has <= sustained}},
          open + own > sustained};
}

bool lets_in_others(const PlannedLimit& limit, const std::string& name) {
  return limit.classes.size() != 1 || limit.classes.front() != name;
}

void judge(const PlannedEdge& edge, const std::pair<std::string, std::int64_t>& of, LemmaBook& book, Report& report) {
  Obligation o = statement(edge, code::GatewayClasses, edge.limits.empty() ? edge.span : edge.limits.front().span);
  o.figures.unit = Unit::Streams;
  const auto& [name, streams] = of;
  const std::string about = fmt::format("whether {} requests find their streams", name);
  std::string add;
  std::string missing = missing_of_streams(edge, add);
  if (missing.empty() && edge.limits.empty()) {
    missing = fmt::format("nothing limits what is let in to `{}`", edge.service);
    add = fmt::format("limit it where it is let in: `limit {} at gateway NAME {{ ... }}`", edge.tenant);
  }
  for (const PlannedLimit& limit : edge.limits)
    if (missing.empty() && limit.classes.empty()) {
      missing = fmt::format("which class of requests comes through {} is not stated", place_of(edge, limit));
      add = "add it to that limit: `class interactive`, `class standard` or `class opportunistic`";
    }
  if (!missing.empty()) return add_undecided(report, std::move(o), about, std::move(missing), std::move(add));
  if (!book.holds("gateway/classes", others_leave_room))
    return add_undecided(report, std::move(o), about, book.why(), "");
  std::int64_t others = 0, played = 0;
  std::string through, names;
  std::set<std::string_view> named;
  for (const PlannedLimit& limit : edge.limits)
    if (lets_in_others(limit, name)) {
      if (others == 0) o.span = limit.span;
      others = sum_of({others, streams_let_in(limit)});
      PlannedLimit at_once = limit;  // how long it takes to open them is nothing to the class
      at_once.requests.reset();
      played = sum_of({played, Proxies(at_once, *limit.proxies).ask(0, streams_of_one_proxy(limit))});
      add_to_list(through, fmt::format("{} through {}", streams_let_in(limit), place_of(edge, limit)), " and ");
      for (const std::string& each : limit.classes)
        if (named.insert(each).second) add_to_list(names, each, " and ");
    }
  const std::int64_t has = times(*edge.replicas, streams), sustained = streams_sustained(edge);
  Detail detail;
  if (sum_of({others, has}) <= sustained) {
    o.verdict = Verdict::Proven;
    o.figures.slack = sustained - others - has;
    detail.message = fmt::format("{} other streams at most leave {} requests theirs: {} + {} x {} within {}", others,
                                 name, others, *edge.replicas, streams, sustained);
    return report.add(std::move(o), std::move(detail));
  }
  if (played != others) throw InternalError(fmt::format("gateway: {} are open, and {} were counted", played, others));
  const std::int64_t left = std::max<std::int64_t>(sustained - others, 0);
  o.verdict = Verdict::Refuted;
  detail.message = fmt::format("{} requests have {} x {} = {} streams of `{}`, and {} are left of {}", name,
                               *edge.replicas, streams, has, edge.service, left, sustained);
  detail.story = {
      {"", "the gateway", fmt::format("lets {} requests open {} streams: {}", names, others, through)},
      {"", fmt::format("`{}`", edge.service), fmt::format("has {}", sustained)},
      {"", fmt::format("{} requests", name), fmt::format("come: the {} waits for a stream", ordinal(left + 1))}};
  detail.fix = Fix{fmt::format("let in {} streams of the other classes at most, through all proxies", sustained - has)};
  report.add(std::move(o), std::move(detail));
}

}  // namespace

void judge_classes(const PlannedEdge& edge, LemmaBook& book, Report& report) {
  for (const auto& one : edge.classes)
    if (one.first != kRequestClasses.back()) judge(edge, one, book, report);
  std::set<std::string_view> told{kRequestClasses.back()};
  for (const auto& [name, streams] : edge.classes) told.insert(name);
  for (const PlannedLimit& limit : edge.limits)
    for (const std::string& name : limit.classes)
      if (told.insert(name).second)
        add_undecided(report, statement(edge, code::GatewayClasses, limit.span),
                      fmt::format("whether {} requests find their streams", name),
                      "how many streams of each replica they have is not stated",
                      fmt::format("add it to the service: `requests {{ {} 96 streams }}`", name));
}

}  // namespace gpol::gateway
