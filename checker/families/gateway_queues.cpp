// What waits at a gateway. Envoy queues a request only for a connection (HTTP/1.1), so with as many connections as
// streams a full proxy takes what waits in rounds of its streams, each as long as the longest answer.
//
// Formula: after each round so many fewer wait; the last one is answered a longest answer after it began. Closed form:
// (ceil(queue / streams) + 1) x longest answer x tries, and the time between tries <= timeout < deadline.
#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/gateway_parts.h"
#include "checker/gateway/model.h"
#include "compiler/policy/units.h"

namespace gpol::gateway {

namespace {

constexpr std::int64_t kMostRounds = 100'000;
constexpr std::int64_t kTimeoutByDefault = 15'000;  // of Envoy Gateway, where the route and its policy say nothing

Formula one_more_round() {
  const Term ahead = int_symbol("ahead"), bound = int_symbol("bound"), begun = int_symbol("begun"),
             streams = int_symbol("streams"), left = int_symbol("left");
  return {"gateway/round",
          "a round of a full proxy leaves so many fewer waiting",
          {{"below", ahead <= bound}, {"begun", begun >= streams}, {"side-condition", left >= bound - streams}},
          ahead - begun > left};
}

Formula in_time() {
  const Term waited = int_symbol("waited"), bound = int_symbol("bound"), answer = int_symbol("answer"),
             longest = int_symbol("longest"), timeout = int_symbol("timeout"), deadline = int_symbol("deadline");
  return {"gateway/in-time",
          "what waited is answered before the gateway gives up, and that before the client does",
          {{"waited", waited <= bound},
           {"answered", answer <= longest},
           {"side-condition", bound + longest <= timeout},
           {"ordered", timeout < deadline}},
          (waited + answer > timeout) || (waited + answer >= deadline)};
}

std::int64_t rounds(std::int64_t queue, std::int64_t streams) { return (queue + streams - 1) / streams; }

constexpr std::int64_t kLongestTime = 24 * 3'600'000;  // that can be written

// Envoy waits before it tries again: 25 ms and twice as long each time, at random, and never more than this
// (x-envoy-max-retries; retry_policy's default max_interval).
constexpr std::int64_t kBackOff = 250;

std::int64_t takes(std::int64_t rounds, std::int64_t longest, std::int64_t retries) {
  return sum_of({gpol::times(gpol::times(rounds + 1, longest), retries + 1), gpol::times(retries, kBackOff)});
}

std::int64_t takes_at_least(const PlannedEdge& edge, const PlannedLimit& limit) {
  const bool waits = limit.queue && limit.streams && limit.streams->per_proxy;
  return takes(waits ? rounds(limit.queue->most, limit.streams->most) : 0, *edge.longest_ms, limit.retries);
}

std::string missing_of_queue(const PlannedEdge& edge, const PlannedLimit& limit, std::string& add) {
  const auto says = [&](std::string text, std::string clause) {
    add = std::move(clause);
    return text;
  };
  if (edge.service.empty()) return missing_of_streams(edge, add);
  if (!edge.longest_ms)
    return says(fmt::format("how long the longest answer of `{}` takes is not stated", edge.service),
                "add it to the service; an average bounds nothing: `longest answer 60s`");
  const std::int64_t enough = takes_at_least(edge, limit);
  if (!limit.timeout_ms)
    return says(
        fmt::format("when the gateway gives up is not stated (Envoy Gateway's default is 15s), and an answer may "
                    "take {}",
                    human_duration(*edge.longest_ms)),
        enough > kLongestTime ? "" : fmt::format("add it: `timeout {}`", written_duration(enough)));
  if (!limit.deadline_ms)
    return says("when the client gives up is not stated",
                fmt::format("add it: `deadline {}`", written_duration(std::max(enough, *limit.timeout_ms) + 1000)));
  if (limit.queue && !limit.queue->per_proxy)
    return says("how the queue is counted is not stated", "write `per proxy` behind it: as many wait at each proxy");
  if (!limit.streams || !limit.streams->per_proxy)  // then 1,024 connections, and as many that wait for one
    return says("how many streams each proxy has is not stated, and so how many wait and how fast they move",
                "add them to its `at most`: `at most 200 streams, 50 req/s, per proxy`");
  if (std::string text = missing_of_streams(edge, add); !text.empty()) return text;
  std::int64_t let_in = 0;
  for (const PlannedLimit& each : edge.limits) let_in = sum_of({let_in, streams_let_in(each)});
  if (let_in > streams_sustained(edge))
    return says(
        fmt::format("more is let in to `{}` than it has streams, and what waits there has no bound", edge.service), "");
  return {};
}

std::string times(const PlannedLimit& limit, std::int64_t longest) {
  const std::string tries =
      limit.retries > 0 ? fmt::format("{} tries, {} apart at most, of ", limit.retries + 1, human_duration(kBackOff))
                        : "";
  if (!limit.queue) return fmt::format("{}a longest answer of {}", tries, human_duration(longest));
  const std::int64_t n = rounds(limit.queue->most, limit.streams->most);
  return fmt::format("{}{} round{} of {} and the answer itself", tries, n, n == 1 ? "" : "s", human_duration(longest));
}

// What is to be changed: the timeout, or as many wait as would do.
std::string remedy(const PlannedLimit& limit, std::int64_t longest, std::int64_t takes) {
  const std::int64_t timeout = *limit.timeout_ms, tries = limit.retries + 1;
  if (takes <= timeout)
    return takes < *limit.deadline_ms
               ? fmt::format("let the gateway give up before the client does: `timeout {}`", written_duration(takes))
               : fmt::format("let the client wait longer: `deadline` above {}", human_duration(timeout));
  const std::int64_t in_time = (timeout - (tries - 1) * kBackOff) / (longest * tries) - 1;
  const std::string longer =
      takes > kLongestTime ? "" : fmt::format("let the gateway wait longer: `timeout {}`", written_duration(takes));
  if (limit.queue && in_time > 0)
    return fmt::format("let {} wait at most (`queue {} per proxy`){}{}", in_time * limit.streams->most,
                       in_time * limit.streams->most, longer.empty() ? "" : ", or ", longer);
  return limit.queue && in_time == 0 ? longer + (longer.empty() ? "" : ", or ") + "let none wait there" : longer;
}

void judge(const PlannedEdge& edge, const PlannedLimit& limit, LemmaBook& book, Report& report) {
  Obligation o = statement(edge, code::GatewayQueue, limit.waits_span.known() ? limit.waits_span : limit.span);
  const std::string about = fmt::format("whether what waits at {} is answered in time", place_of(edge, limit));
  std::string add;
  if (std::string missing = missing_of_queue(edge, limit, add); !missing.empty())
    return add_undecided(report, std::move(o), about, std::move(missing), std::move(add));
  const std::int64_t longest = *edge.longest_ms, timeout = *limit.timeout_ms, deadline = *limit.deadline_ms,
                     queue = limit.queue ? limit.queue->most : 0, streams = limit.streams->most,
                     takes = gateway::takes(rounds(queue, streams), longest, limit.retries);
  if (rounds(queue, streams) > kMostRounds)
    return add_undecided(report, std::move(o), about, "it waits for more than 100000 rounds of answers", "");
  if (!book.holds("gateway/round", one_more_round) || !book.holds("gateway/in-time", in_time))
    return add_undecided(report, std::move(o), about, book.why(), "");
  FullProxy proxy(streams, queue, longest);
  std::int64_t played = proxy.answer_all();
  for (std::int64_t retry = 0; retry < limit.retries; ++retry)
    played += kBackOff + FullProxy(streams, queue, longest).answer_all();
  if (played != takes)
    throw InternalError(fmt::format("gateway: the last is answered after {} ms, and {} were counted", played, takes));
  Detail detail;
  const std::string sum = fmt::format("{}: {}", times(limit, longest), human_duration(takes));
  if (takes <= timeout && timeout < deadline) {
    o.verdict = Verdict::Proven;
    detail.message = fmt::format("{} within the timeout of {}, which is over before the client's deadline of {}", sum,
                                 human_duration(timeout), human_duration(deadline));
    o.say(std::move(detail));
    report.obligations.push_back(std::move(o));
    return;
  }
  const std::string where = place_of(edge, limit);
  o.verdict = Verdict::Refuted;
  detail.message = takes > timeout ? fmt::format("{}, and {} gives up after {}", sum, where, human_duration(timeout))
                                   : fmt::format("{} gives up after {}, and the client has left after {}", where,
                                                 human_duration(timeout), human_duration(deadline));
  if (limit.queue)
    detail.story.push_back(
        {"0s", fmt::format("gateway `{}`", limit.gateway),
         fmt::format("has {} requests open at each proxy, each of which takes {}, and {} wait behind them", streams,
                     human_duration(longest), queue)});
  else
    detail.story.push_back(
        {"0s", fmt::format("gateway `{}`", limit.gateway),
         fmt::format("sends a request to `{}` that takes {}{}", edge.service, human_duration(longest),
                     limit.retries > 0 ? ", and tries it again each time that it fails" : "")});
  if (takes > timeout) {
    detail.story.push_back({human_duration(timeout), fmt::format("gateway `{}`", limit.gateway),
                            "answers 504 to a request that is not answered yet"});
    detail.story.push_back({human_duration(takes), fmt::format("`{}`", edge.service), "would have answered it"});
  } else {
    detail.story.push_back({human_duration(deadline), "the client", "gives up"});
    detail.story.push_back({human_duration(timeout), fmt::format("gateway `{}`", limit.gateway),
                            "gives up only now, had the client waited"});
  }
  if (std::string text = remedy(limit, longest, takes); !text.empty()) detail.fix = Fix{std::move(text)};
  report.add(std::move(o), std::move(detail));
}

}  // namespace

void judge_queues(const PlannedEdge& edge, LemmaBook& book, Report& report) {
  for (const PlannedLimit& limit : edge.limits)
    if (limit.waits_span.known() || (edge.longest_ms && *edge.longest_ms > kTimeoutByDefault && !limit.unlimited))
      judge(edge, limit, book, report);
}

}  // namespace gpol::gateway
