// Gateway, of what is there: retries and deadlines, as advice. What nobody stated is Envoy Gateway's default, 15 s for
// a request and none for a try; of how long an answer takes nothing is known.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/duration.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using edge::Policy;

constexpr std::int64_t kSecond = 1'000'000'000;
const std::string kRequest = "timeout.http.requestTimeout", kIdle = "timeout.http.streamIdleTimeout",
                  kTry = "retry.perRetry.timeout";

// Of tries that take too long or fail after they began: what is slow is then asked for more. Without triggers those of
// Envoy Gateway count, a 503 among them (api/v1alpha1/retry_types.go).
bool retries_when_slow(const Policy& policy) {
  const auto triggers = [&](const auto& wanted) {
    return std::ranges::any_of(policy.fields, [&](const auto& field) {
      return field.first.starts_with("retry.retryOn.triggers[") && wanted(field.second.text);
    });
  };
  return policy.fields.contains(kTry) || !triggers([](const std::string&) { return true; }) ||
         triggers([](const std::string& one) {
           return contains({"5xx", "gateway-error", "reset", "retriable-status-codes"}, one);
         });
}

class Waits {
 public:
  explicit Waits(Report& report) : report_(report) {}

  // A route's own time wins over its policy's, and so does its `retry`.
  void judge(const EdgeDoor& door, const std::optional<Streams>& streams) {
    const Policy* by = door.saying(kRequest);
    const bool stated = by != nullptr || !door.rule->request_timeout.empty();
    const std::string text = !stated                              ? "15s"
                             : door.rule->request_timeout.empty() ? by->text(kRequest)
                                                                  : door.rule->request_timeout;
    const auto request = go_duration(text);
    if (!request) return;
    const Policy* retrying = door.own != nullptr && door.own->blocks.contains("retry") ? door.own : door.parent;
    if (retrying != nullptr && retrying->blocks.contains("retry") && !door.rule->retries)
      retries(*retrying, door, streams, *request, text + (stated ? "" : ", Envoy Gateway's default"));
    if (streams && stated)
      for (const edge::Server* server : streams->servers) grace(*server, door, *request, text);
    const Policy* idle = door.saying(kIdle);
    if (*request == 0 && door.saying("timeout.http.maxStreamDuration") == nullptr && idle != nullptr &&
        go_duration(idle->text(kIdle)) == 0)
      warn(code::WaitsUnbounded, idle->span(kIdle),
           fmt::format(
               "a request of HTTPRoute `{}` has no deadline, and {} no end to silence: it may wait for ever, and "
               "holds a place meanwhile",
               door.route->full(), in_words(*idle)),
           "bound one of them: `streamIdleTimeout` ends a stream on which nothing comes");
  }

 private:
  void warn(Code code, Span at, std::string message, std::string hint) {
    if (told_.insert({code, at}).second)
      report_.diagnostics.push_back(warning_at(code, at, std::move(message), std::move(hint)));
  }

  void retries(const Policy& policy, const EdgeDoor& door, const std::optional<Streams>& streams, std::int64_t request,
               const std::string& whole) {
    constexpr std::int64_t kByDefault = 2;
    const std::int64_t most = policy.number("retry.numRetries").value_or(kByDefault);
    if (most < 1 || policy.number("circuitBreaker.maxParallelRetries") == 0) return;
    if (streams && retries_when_slow(policy))
      warn(
          code::RetriesMultiply, policy.span("retry.numRetries"),
          fmt::format("{} sends a request that fails or takes too long again, up to {} times: where Deployment `{}` is "
                      "overloaded it gets up to {} times as many",
                      in_words(policy), most, streams->servers.front()->full(), most + 1),
          "set `spec.retry.numRetries` to 0, or retry only what no replica has begun (`connect-failure`, "
          "`refused-stream`)");
    if (const auto each = go_duration(policy.text(kTry)); each && *each > 0 && request > 0 && *each >= request)
      warn(code::DeadlineOrder, policy.span(kTry),
           fmt::format("a try of {} may take {}, and the whole request of HTTPRoute `{}` {}: it ends before any try is "
                       "given up",
                       in_words(policy), policy.text(kTry), door.route->full(), whole),
           "let a try end before the request does");
  }

  // Of what is being answered when its replica goes (an update, a drain).
  void grace(const edge::Server& server, const EdgeDoor& door, std::int64_t request, const std::string& text) {
    if (request > server.grace_s * kSecond)
      warn(code::DeadlineOrder, server.at,
           fmt::format("a request of HTTPRoute `{}` may take {}, and a pod of Deployment `{}` that goes has {} s: an "
                       "update cuts answers off",
                       door.route->full(), text, server.full(), server.grace_s),
           fmt::format("set `terminationGracePeriodSeconds` to {} or more, and let the server finish what it has begun",
                       (request + kSecond - 1) / kSecond));
  }

  Report& report_;
  std::set<std::pair<Code, Span>> told_;
};

}  // namespace

void judge_edge_waits(const EdgeView& view, Report& report) {
  Waits waits(report);
  for (const edge::Ref& service : view.services()) {
    const auto streams = view.streams_of(service);
    for (const EdgeDoor& door : view.doors_of(service))
      if (door.own_known && door.parent_known) waits.judge(door, streams);
  }
}

}  // namespace gpol
