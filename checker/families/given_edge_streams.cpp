// Gateway, of what is there: the requests that all proxies let in to a Service at once are within the streams of the
// replicas behind it. Each Envoy counts for itself, for each rule of a route (circuit breakers of its cluster).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

const std::string kParallel = "circuitBreaker.maxParallelRequests", kConnections = "circuitBreaker.maxConnections";

// What one door lets in, at least.
struct LetIn {
  const EdgeDoor* door;
  const edge::Policy* policy;  // that bounds it, or could; null: none is there
  bool stated;
  std::int64_t each, proxies;
  const edge::EnvoyProxy* by;

  std::string route() const {
    return fmt::format("HTTPRoute `{}`{}", door->route->full(),
                       door->rule->name.empty() ? "" : fmt::format(" (rule `{}`)", door->rule->name));
  }
};

// Nothing: how much is not known. To a replica that is spoken to by HTTP/1.1 a connection carries one request. Where
// nobody bounds it, and policies are kept here, the bound is Envoy's own.
std::optional<LetIn> let_in(const EdgeDoor& door, const EdgeView& view) {
  const auto proxies = view.proxies_of(door.gateway);
  const edge::Policy *bound = door.saying(kParallel), *connections = door.saying(kConnections);
  if (!door.alone || !door.own_known || proxies.odd) return std::nullopt;
  if (!door.parent_known && (bound == nullptr || connections == nullptr)) return std::nullopt;
  if (door.own == nullptr && bound == nullptr &&
      (door.gateway == nullptr || view.meant.contains(door.route) || !view.facts.whole || view.facts.policies.empty() ||
       !view.is_envoys(*door.gateway)))
    return std::nullopt;
  const auto of = [](const edge::Policy* policy, const std::string& path) {
    return policy == nullptr ? kParallelByDefault : policy->number(path).value_or(0);
  };
  constexpr std::int64_t kMost = 1'000'000;
  return LetIn{&door,
               bound != nullptr      ? bound
               : door.own != nullptr ? door.own
                                     : door.parent,
               bound != nullptr,
               std::clamp<std::int64_t>(std::min(of(bound, kParallel), of(connections, kConnections)), 0, kMost),
               std::clamp<std::int64_t>(proxies.most.value_or(1), 0, kMost),
               proxies.said};
}

std::string in_words(const edge::Server& server) {
  const bool one = server.replicas == 1;
  return fmt::format("{}{} replica{} of Deployment `{}`{} ha{} {} x {} = {} streams", server.scaled ? "at most " : "",
                     *server.replicas, one ? "" : "s", server.full(),
                     server.away > 0 ? fmt::format(", of which an update takes {} away,", server.away) : "",
                     one ? "s" : "ve", *server.replicas - server.away, *server.streams, Streams::of(server));
}

std::vector<StoryStep> story_of(const Streams& streams, const std::vector<LetIn>& in, std::int64_t total) {
  std::vector<StoryStep> story;
  for (const LetIn& one : in) {
    const auto* gateway = one.door->gateway;
    story.push_back({"",
                     fmt::format("{} prox{} of {}{}", one.proxies, one.proxies == 1 ? "y" : "ies",
                                 gateway == nullptr ? "the gateway" : fmt::format("Gateway `{}`", gateway->full()),
                                 one.by == nullptr ? "" : fmt::format(" (EnvoyProxy `{}`)", one.by->full())),
                     fmt::format("hold {} requests of {}: {} lets {} in at each", one.each * one.proxies, one.route(),
                                 one.stated ? gpol::in_words(*one.policy) : "Envoy's own bound", one.each)});
  }
  for (const edge::Server* server : streams.servers)
    story.push_back({"", fmt::format("Deployment `{}`", server->full()),
                     fmt::format("answers {} of them at once (`{} {}` of each replica)", Streams::of(*server),
                                 server->flag, *server->streams)});
  story.push_back({"", fmt::format("{} requests", total - streams.sustained),
                   "are more than that: they wait in the replicas, or are refused there"});
  return story;
}

// Each bound by the same part, or, where somebody has none yet, all alike: together they are within the streams.
void fix(EdgeFinding& found, const Streams& streams, const std::vector<LetIn>& in, std::int64_t total) {
  std::map<const edge::Policy*, std::int64_t> bounds;
  std::string by_hand;
  std::int64_t proxies = 0;
  for (const LetIn& one : in) proxies += one.proxies;
  const bool stated = std::ranges::all_of(in, &LetIn::stated);
  for (const LetIn& one : in) {
    const std::int64_t share =
        stated ? one.each * streams.sustained / total : std::min(one.each, streams.sustained / proxies);
    if (one.policy == nullptr || share == 0)
      add_to_list(by_hand,
                  share == 0 ? std::string("run more replicas, or fewer proxies")
                             : fmt::format("bound {} by a BackendTrafficPolicy, {} at each proxy", one.route(), share),
                  "; ");
    else if (const auto [at, fresh] = bounds.emplace(one.policy, share); !fresh)
      at->second = std::min(at->second, share);
  }
  for (const auto& [policy, share] : bounds) found.write(*policy, "spec." + kParallel, fmt::format("{}", share));
  if (by_hand.empty()) return;
  add_to_list(found.fix.text, by_hand, "; ");
  found.fix.tried.clear(), found.fix.edits.clear();
}

}  // namespace

void judge_edge_streams(const EdgeView& view, Report& report) {
  for (const edge::Ref& service : view.services()) {
    const auto streams = view.streams_of(service);
    if (!streams || streams->sustained > 1'000'000'000) continue;
    const auto doors = view.doors_of(service);
    std::vector<LetIn> in;
    std::int64_t total = 0, at_one_proxy = 0;
    std::string sums, have;
    bool stated = true;
    for (const EdgeDoor& door : doors) {
      const auto one = let_in(door, view);
      if (!one) continue;
      in.push_back(*one);
      total += one->each * one->proxies, at_one_proxy += one->each, stated = stated && one->stated;
      add_to_list(sums, fmt::format("{} x {}", one->proxies, one->each), " + ");
    }
    if (total <= streams->sustained) continue;
    for (const edge::Server* server : streams->servers) add_to_list(have, in_words(*server), " and ");
    const edge::Policy* first = in.front().policy;
    EdgeFinding found{code::GatewayStreams,
                      "Service",
                      service.full(),
                      first == nullptr ? in.front().door->route->at : first->span(kParallel),
                      first == nullptr ? "" : "spec." + kParallel,
                      fmt::format("proxies let in {} = {} requests at once, and {}", sums, total, have)};
    if (!stated)
      found.message += fmt::format("; where nothing is said Envoy's bound is {} at each proxy", kParallelByDefault);
    else if (at_one_proxy <= streams->sustained)
      found.message += "; the limit is that of each proxy, and would do for all of them together";
    found.story = story_of(*streams, in, total);
    fix(found, *streams, in, total);
    tell(std::move(found), report);
  }
}

}  // namespace gpol
