// Gateway, of what is there: the requests that all proxies let in to a Service at once are within the streams of the
// replicas behind it. Each Envoy counts for itself, for each rule of a route (circuit breakers of its cluster).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::string_view kField = "spec.circuitBreaker.maxParallelRequests";

// What one door lets in.
struct LetIn {
  const EdgeDoor* door;
  const edge::Policy* policy;  // that says so, or could; null: none is there
  bool stated;
  std::int64_t each, proxies;
  const edge::ProxyFleet* fleet;
  std::int64_t all() const { return each * proxies; }
};

class StreamsJudge {
 public:
  StreamsJudge(const edge::Facts& facts, const EdgeView& view, Report& report)
      : facts_(facts), view_(view), report_(report) {}

  void judge(const edge::Ref& service) {
    const auto streams = view_.streams_of(service);
    if (!streams) return;
    const auto doors = view_.doors_of(service);
    std::vector<LetIn> in;
    for (const EdgeDoor& door : doors)
      if (auto one = let_in(door)) in.push_back(*one);
    std::int64_t total = 0, at_one_proxy = 0;
    for (const LetIn& one : in) total += one.all(), at_one_proxy += one.each;
    if (total <= streams->sustained) return;
    refute(service, *streams, in, total, at_one_proxy);
  }

 private:
  // Nothing: how much is not known.
  std::optional<LetIn> let_in(const EdgeDoor& door) const {
    if (!door.alone || !door.force.known) return std::nullopt;
    const auto proxies = view_.proxies_of(door.gateway);
    if (proxies.odd) return std::nullopt;
    constexpr std::int64_t kMost = 1'000'000;
    LetIn one{&door,        door.force.own, true, 0, std::clamp<std::int64_t>(proxies.most.value_or(1), 0, kMost),
              proxies.fleet};
    const edge::Policy *own = door.force.own, *parent = door.force.parent;
    // A replica is spoken to by HTTP/1.1 where nothing else is said: a connection carries one request.
    std::int64_t most = edge::kParallelByDefault;
    for (const edge::Policy* policy : {parent, own})
      if (policy != nullptr && policy->connections) most = *policy->connections;
    if (!door.force.parent_known && (own == nullptr || !own->parallel || !own->connections)) return std::nullopt;
    if (own != nullptr && own->parallel) return one.each = std::min(most, *own->parallel), one;
    if (parent != nullptr && parent->parallel)
      return one.policy = parent, one.each = std::min(most, *parent->parallel), one;
    // Nobody bounds it: where policies are kept and this one would be among them, that is Envoy's own bound.
    if (own == nullptr && (door.gateway == nullptr || view_.is_meant(*door.route) || !facts_.whole ||
                           facts_.policies.empty() || !view_.is_envoys(*door.gateway)))
      return std::nullopt;
    if (own == nullptr) one.policy = parent;
    one.stated = false, one.each = std::min(most, edge::kParallelByDefault);
    return one;
  }

  static std::string of_servers(const Streams& streams) {
    std::string text;
    for (const edge::Server* server : streams.servers) {
      std::string stand = fmt::format("{} replica{} of Deployment `{}`", *server->replicas,
                                      *server->replicas == 1 ? "" : "s", server->full());
      if (server->scaled) stand = "at most " + stand;
      if (server->away > 0) stand += fmt::format(", of which an update takes {} away,", server->away);
      add_to_list(text,
                  fmt::format("{} ha{} {} x {} = {} streams", stand, *server->replicas == 1 ? "s" : "ve",
                              *server->replicas - server->away, *server->streams, Streams::of(*server)),
                  " and ");
    }
    return text;
  }

  static std::string route_of(const LetIn& one) {
    return fmt::format("HTTPRoute `{}`{}", one.door->route->full(),
                       one.door->rule->name.empty() ? "" : fmt::format(" (rule `{}`)", one.door->rule->name));
  }

  static std::vector<StoryStep> story_of(const Streams& streams, const std::vector<LetIn>& in, std::int64_t total) {
    std::vector<StoryStep> story;
    for (const LetIn& one : in) {
      const std::string gateway =
          one.door->gateway == nullptr ? "the gateway" : fmt::format("Gateway `{}`", one.door->gateway->full());
      const std::string by =
          one.fleet == nullptr ? std::string() : fmt::format(" (EnvoyProxy `{}`)", one.fleet->full());
      const std::string who = one.stated ? in_words(*one.policy) + " lets" : std::string("Envoy's own bound lets");
      story.push_back(
          {"", fmt::format("{} prox{} of {}{}", one.proxies, one.proxies == 1 ? "y" : "ies", gateway, by),
           fmt::format("hold {} requests of {}: {} {} in at each", one.all(), route_of(one), who, one.each)});
    }
    for (const edge::Server* server : streams.servers)
      story.push_back({"", fmt::format("Deployment `{}`", server->full()),
                       fmt::format("answers {} of them at once (`{} {}` of each replica)", Streams::of(*server),
                                   server->flag, *server->streams)});
    story.push_back({"", fmt::format("{} requests", total - streams.sustained),
                     "wait in the replicas, behind those that are answered"});
    return story;
  }

  void refute(const edge::Ref& service, const Streams& streams, const std::vector<LetIn>& in, std::int64_t total,
              std::int64_t at_one_proxy) {
    std::string sums;
    for (const LetIn& one : in) add_to_list(sums, fmt::format("{} x {}", one.proxies, one.each), " + ");
    const LetIn* first = find_where(in, [](const LetIn& one) { return one.policy != nullptr; });
    EdgeFinding found{code::GatewayStreams,
                      "Service",
                      service.ns.empty() ? service.name : service.ns + "/" + service.name,
                      {},
                      {},
                      {}};
    found.at = first == nullptr ? in.front().door->route->at
                                : value_or(first->policy->fields, std::string(kField), first->policy->at);
    found.field = first == nullptr ? "" : kField;
    found.message = fmt::format("proxies let in {} = {} requests at once, and {}", sums, total, of_servers(streams));
    const bool stated = std::ranges::all_of(in, &LetIn::stated);
    if (!stated)
      found.message +=
          fmt::format("; where nothing is said Envoy's bound is {} at each proxy", edge::kParallelByDefault);
    if (stated && at_one_proxy <= streams.sustained)
      found.message += "; the limit is that of each proxy, and would do for all of them together";
    found.story = story_of(streams, in, total);
    fix(found, streams, in, total);
    tell(std::move(found), report_);
  }

  // Each bound by the same part, or, where somebody has none yet, all bounds alike: together they are within the
  // streams.
  static void fix(EdgeFinding& found, const Streams& streams, const std::vector<LetIn>& in, std::int64_t total) {
    std::map<const edge::Policy*, std::int64_t> bounds;
    std::string by_hand;
    std::int64_t proxies = 0;
    for (const LetIn& one : in) proxies += one.proxies;
    const bool stated = std::ranges::all_of(in, &LetIn::stated);
    for (const LetIn& one : in) {
      const auto part =
          static_cast<std::int64_t>(static_cast<long double>(one.each) * static_cast<long double>(streams.sustained) /
                                    static_cast<long double>(total));
      const std::int64_t share = stated ? part : std::min(one.each, streams.sustained / proxies);
      if (one.policy == nullptr || share == 0)
        add_to_list(by_hand, fmt::format("bound {} by a BackendTrafficPolicy, {} at each proxy", route_of(one), share),
                    "; ");
      else if (const auto [at, fresh] = bounds.emplace(one.policy, share); !fresh)
        at->second = std::min(at->second, share);
    }
    for (const auto& [policy, share] : bounds) found.write(*policy, std::string(kField), fmt::format("{}", share));
    if (by_hand.empty()) return;
    add_to_list(found.fix.text, by_hand, "; ");
    found.fix.tried.clear(), found.fix.edits.clear();
  }

  const edge::Facts& facts_;
  const EdgeView& view_;
  Report& report_;
};

}  // namespace

void judge_edge_streams(const edge::Facts& facts, const EdgeView& view, Report& report) {
  StreamsJudge judge(facts, view, report);
  for (const edge::Ref& service : services_of(facts)) judge.judge(service);
}

}  // namespace gpol
