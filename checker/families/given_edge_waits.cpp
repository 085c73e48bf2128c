// Gateway, of what is there: retries and deadlines, as advice. What nobody stated is Envoy Gateway's default, 15 s for
// a request and none for a try; of how long an answer takes nothing is known.
#include <fmt/format.h>

#include <set>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/duration.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using edge::Policy;

// What a door says, its route before its policy, and its policy before the gateway's.
struct Times {
  std::string request;  // "15s" where nobody says one
  bool stated = false;
  const Policy* retrying = nullptr;  // whose `retry` counts
};

std::optional<Times> times_of(const EdgeDoor& door) {
  const PolicyInForce& force = door.force;
  if (!force.known || !force.parent_known) return std::nullopt;
  Times times{std::string(edge::kRequestTimeoutByDefault), false, nullptr};
  for (const Policy* policy : {force.parent, force.own})
    if (policy != nullptr && policy->request_timeout) times.request = *policy->request_timeout, times.stated = true;
  if (door.rule->request_timeout) times.request = *door.rule->request_timeout, times.stated = true;
  if (door.rule->retries) return times;
  for (const Policy* policy : {force.own, force.parent})
    if (policy != nullptr && policy->retries && times.retrying == nullptr) times.retrying = policy;
  return times;
}

class Waits {
 public:
  Waits(const EdgeView& view, Report& report) : view_(view), report_(report) {}

  void judge(const edge::Ref& service) {
    const auto streams = view_.streams_of(service);
    for (const EdgeDoor& door : view_.doors_of(service)) {
      const auto times = times_of(door);
      if (!times) continue;
      const auto request = go_duration(times->request);
      if (!request) continue;
      if (streams && times->retrying != nullptr) retries(*times->retrying, *streams);
      if (times->retrying != nullptr) tries(*times->retrying, door, *times, *request);
      if (streams && times->stated) grace(door, *times, *request, *streams);
      endless(door, *request);
    }
  }

 private:
  // Only those that a slow or failing server provokes: what is slow is then asked for more.
  void retries(const Policy& policy, const Streams& streams) {
    if (*policy.retries < 1 || !policy.retries_when_slow || !told_.insert(&policy).second) return;
    warn(code::RetriesMultiply, value_or(policy.fields, "spec.retry", policy.at),
         fmt::format("{} sends a request that fails or takes too long again, up to {} times: where Deployment `{}` is "
                     "overloaded it gets up to {} times as many",
                     in_words(policy), *policy.retries, streams.servers.front()->full(), *policy.retries + 1),
         "set `spec.retry.numRetries` to 0, or retry only what no replica has begun (`connect-failure`, "
         "`refused-stream`)",
         report_);
  }

  void tries(const Policy& policy, const EdgeDoor& door, const Times& times, std::int64_t request) {
    const auto each = go_duration(policy.retry_timeout.value_or(""));
    if (!each || *each == 0 || request == 0 || *each < request || *policy.retries < 1 || !tried_.insert(&policy).second)
      return;
    warn(
        code::DeadlineOrder, value_or(policy.fields, "spec.retry.perRetry.timeout", policy.at),
        fmt::format(
            "a try of {} may take {}, and the whole request of HTTPRoute `{}` {}{}: it ends before any try is given up",
            in_words(policy), *policy.retry_timeout, door.route->full(), times.request,
            times.stated ? "" : ", Envoy Gateway's default"),
        "let a try end before the request does", report_);
  }

  // Of what is being answered when its replica goes (an update, a drain).
  void grace(const EdgeDoor& door, const Times& times, std::int64_t request, const Streams& streams) {
    constexpr std::int64_t kSecond = 1'000'000'000, kByDefault = 30;
    for (const edge::Server* server : streams.servers) {
      const std::int64_t grace = server->grace_s.value_or(kByDefault);
      if (request <= grace * kSecond || !ended_.insert(server).second) continue;
      warn(code::DeadlineOrder, server->at,
           fmt::format("a request of HTTPRoute `{}` may take {}, and a pod of Deployment `{}` that goes has {} s{}: an "
                       "update cuts answers off",
                       door.route->full(), times.request, server->full(), grace,
                       server->grace_s ? "" : ", Kubernetes' default"),
           fmt::format("set `terminationGracePeriodSeconds` to {} or more, and let the server finish what it has begun",
                       (request + kSecond - 1) / kSecond),
           report_);
    }
  }

  void endless(const EdgeDoor& door, std::int64_t request) {
    const Policy* own = door.force.own;
    if (request != 0 || own == nullptr || go_duration(own->idle_timeout.value_or("1s")) != 0 ||
        !endless_.insert(own).second)
      return;
    warn(code::WaitsUnbounded, value_or(own->fields, "spec.timeout.http.streamIdleTimeout", own->at),
         fmt::format("a request of HTTPRoute `{}` has no deadline, and {} no end to silence: it may wait for ever, and "
                     "holds a place meanwhile",
                     door.route->full(), in_words(*own)),
         "bound one of them: `streamIdleTimeout` ends a stream on which nothing comes", report_);
  }

  const EdgeView& view_;
  Report& report_;
  std::set<const Policy*> told_, tried_, endless_;
  std::set<const edge::Server*> ended_;
};

}  // namespace

void judge_edge_waits(const edge::Facts& facts, const EdgeView& view, Report& report) {
  Waits waits(view, report);
  for (const edge::Ref& service : services_of(facts)) waits.judge(service);
}

}  // namespace gpol
