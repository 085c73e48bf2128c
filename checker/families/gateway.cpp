// Gateway: what gateways let in is what the service behind them sustains. One obligation for the requests that are open
// at once, and one for those that begin within any second, of each tenant with a limit.
//
// Formula: what is open (or begins) at each proxy is unknown, and bounded by what Envoy counts there; sums are folded
// over the proxies of all gateways. Closed form: sum of `at most` x proxies, compared with replicas x what one does;
// both must be the same. Within one second a proxy lets in what its bucket holds, and what flows in meanwhile; what has
// waited there begins, too; and each try that fails is followed by the next, also of a request that was open before.
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/families.h"
#include "checker/families/gateway_parts.h"
#include "checker/gateway/model.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using gateway::Proxies;

// Requests that one proxy lets in within any second: the bucket may be full when it begins.
std::int64_t within_second(const PlannedLimit::Amount& requests) {
  return requests.most + requests.most * 1000 / requests.window_ms;
}

enum class Clause : std::uint8_t { Streams, Requests };

class GatewayFamily {
 public:
  GatewayFamily(const Proof& proof, Report& report) : proof_(proof), report_(report), book_(proof) {}

  void run() {
    for (const PlannedEdge& edge : proof_.intent.edges) {
      if (!edge.limits.empty())
        for (const Clause clause : {Clause::Streams, Clause::Requests}) judge(edge, clause);
      gateway::judge_queues(edge, book_, report_);
      gateway::judge_callers(edge, book_, report_);
      gateway::judge_classes(edge, book_, report_);
    }
    report_.note_analysed(Family::Gateway);
  }

 private:
  static bool of_streams(Clause clause) { return clause == Clause::Streams; }

  // What is not stated, and what would state it; empty: all is.
  static std::string missing(const PlannedEdge& edge, Clause clause, std::string& fix, Span& at) {
    const auto says = [&](std::string text, std::string clause_to_add) {
      fix = std::move(clause_to_add);
      return text;
    };
    if (of_streams(clause)) return gateway::missing_of_streams(edge, fix);
    if (std::string text = gateway::missing_of_replicas(edge, fix); !text.empty()) return text;
    if (!edge.requests)
      return says(fmt::format("what one replica of `{}` does within a second is not stated", edge.service),
                  "add it likewise, as `req/s`: what a minute does bounds no second");
    for (const PlannedLimit& limit : edge.limits) {
      if (std::string text = gateway::missing_of_limit(limit, fix); !text.empty()) return text;
      const bool counted = !limit.requests || limit.requests->per_proxy;
      if (counted && (limit.requests || limit.shared)) continue;
      at = limit.span;
      if (counted)
        return says(fmt::format("nothing limits the requests through {}", gateway::place_of(edge, limit)),
                    "add it to its `at most`: `at most 200 streams, 50 req/s, per proxy`");
      return says(fmt::format("how requests through {} are counted is not stated", gateway::place_of(edge, limit)),
                  "write `per proxy` behind the amount: each proxy lets in so much");
    }
    return {};
  }

  static std::int64_t of_one_proxy(const PlannedLimit& limit, Clause clause) {
    return of_streams(clause) ? gateway::streams_of_one_proxy(limit) : within_second(*limit.requests);
  }
  static std::int64_t tries(const PlannedLimit& limit, Clause clause) {
    return of_streams(clause) ? 1 : limit.retries + 1;  // a try begins where the one before has ended
  }
  // Both windows that a second meets are fewer than what the proxies' own buckets let in.
  static bool by_service(const PlannedLimit& limit, Clause clause) {
    return !of_streams(clause) && limit.shared &&
           (!limit.requests || times(2, limit.shared->most) < times(*limit.proxies, within_second(*limit.requests)));
  }
  // What waits for a connection: it has passed the bucket before. Where nobody says how many streams there are, Envoy
  // has as many connections as it lets in at once, and the rest waits.
  static std::int64_t waiting(const PlannedLimit& limit, Clause clause) {
    if (of_streams(clause)) return 0;
    return times(*limit.proxies, limit.queue ? limit.queue->most : limit.streams ? 0 : kParallelByDefault);
  }
  static std::int64_t tried_again(const PlannedLimit& limit, Clause clause) {  // of what is open when the second begins
    return of_streams(clause) ? 0 : times(limit.retries, gateway::streams_let_in(limit));
  }
  static std::int64_t begin_once(const PlannedLimit& limit, Clause clause) {
    return by_service(limit, clause) ? times(2, limit.shared->most)
                                     : times(*limit.proxies, of_one_proxy(limit, clause));
  }
  static std::int64_t of_all(const PlannedLimit& limit, Clause clause) {
    return sum_of({times(tries(limit, clause), sum_of({begin_once(limit, clause), waiting(limit, clause)})),
                   tried_again(limit, clause)});
  }

  static std::string counted(std::int64_t amount, Clause clause) {
    return fmt::format("{} {}", amount, of_streams(clause) ? "streams" : "requests");
  }

  void judge(const PlannedEdge& edge, Clause clause) {
    Obligation o = gateway::statement(edge, of_streams(clause) ? code::GatewayStreams : code::GatewayRequests,
                                      edge.limits.front().span);
    o.figures.unit = of_streams(clause) ? Unit::Streams : Unit::Requests;
    Detail detail;
    std::string add;
    if (std::string what = missing(edge, clause, add, o.span); !what.empty())
      return gateway::add_undecided(
          report_, std::move(o),
          fmt::format("whether `{}` sustains {}", edge.service.empty() ? edge.tenant : edge.service,
                      of_streams(clause) ? "the requests that are let in at once" : "the requests of one second"),
          std::move(what), std::move(add));
    std::int64_t let_in = 0;
    for (const PlannedLimit& limit : edge.limits) let_in = sum_of({let_in, of_all(limit, clause)});
    const std::int64_t sustained =
        of_streams(clause) ? times(*edge.replicas, *edge.streams) : times(*edge.replicas, *edge.requests) / 1000;
    const std::string each = of_streams(clause) ? fmt::format("{}", *edge.streams)
                                                : fmt::format("{}", static_cast<double>(*edge.requests) / 1000);
    const std::string sums = sum_in_words(edge, clause);
    if (!gateway::sums_hold(book_)) {
      detail.reason = book_.why();
      detail.message = fmt::format("what is let in to `{}` was not compared: {}", edge.service, book_.why());
    } else if (let_in <= sustained) {
      if (folded(edge, clause) != let_in) throw InternalError("gateway: two sums of what is let in differ");
      o.verdict = Verdict::Proven;
      o.figures.slack = sustained - let_in;
      detail.message = fmt::format("{} within {} x {} = {}{}", sums, *edge.replicas, each, counted(sustained, clause),
                                   of_streams(clause) ? while_lost(edge) : "");
    } else {
      refute(edge, clause, let_in, sustained, o, detail);
      if (o.verdict == Verdict::Refuted)
        detail.message = fmt::format("{} {}: more than {} x {} = {} that `{}` sustains", sums,
                                     of_streams(clause) ? "may be open at once" : "may begin within one second",
                                     *edge.replicas, each, counted(sustained, clause), edge.service);
    }
    report_.add(std::move(o), std::move(detail));
  }

  // The reserve is what stands after the loss; what ran on the lost nodes is away.
  static std::string while_lost(const PlannedEdge& edge) {
    if (!edge.may_lose) return {};
    return edge.start_ms ? fmt::format(
                               "; a replica that ran on a lost node serves nothing until its pod is made anew, "
                               "and for {} of start-up after that",
                               human_duration(*edge.start_ms))
                         : "; a replica that ran on a lost node serves nothing until its pod is made anew and has "
                           "started, and how long that takes is not stated (`start`)";
  }

  // The sum as the lemmas fold it, proxy by proxy or window by window, and try by try.
  static std::int64_t folded(const PlannedEdge& edge, Clause clause) {
    std::int64_t bound = 0;
    for (const PlannedLimit& limit : edge.limits) {
      const std::int64_t waits = waiting(limit, clause) / *limit.proxies, open = gateway::streams_of_one_proxy(limit);
      for (std::int64_t of_try = 0; of_try < tries(limit, clause); ++of_try) {
        if (by_service(limit, clause)) bound = sum_of({bound, limit.shared->most, limit.shared->most});
        for (std::int64_t proxy = 0; proxy < *limit.proxies; ++proxy)
          bound = sum_of(
              {bound, by_service(limit, clause) ? 0 : of_one_proxy(limit, clause), waits, of_try > 0 ? open : 0});
      }
    }
    return bound;
  }

  // "2 x 200 = 400 streams through `public`"
  static std::string sum_in_words(const PlannedEdge& edge, Clause clause) {
    std::string words;
    for (const PlannedLimit& limit : edge.limits) {
      std::string one = by_service(limit, clause) ? fmt::format("2 windows x {}", limit.shared->most)
                                                  : fmt::format("{} x {}", *limit.proxies, of_one_proxy(limit, clause));
      if (waiting(limit, clause) > 0)
        one += fmt::format(" + {} x {} that wait", *limit.proxies, waiting(limit, clause) / *limit.proxies);
      if (tries(limit, clause) > 1)
        one = fmt::format("{} tries x ({}) + {} x {} that were open", tries(limit, clause), one, limit.retries,
                          gateway::streams_let_in(limit));
      add_to_list(words,
                  fmt::format("{} = {} through {}{}", one, counted(of_all(limit, clause), clause),
                              gateway::place_of(edge, limit),
                              of_streams(clause) && !limit.streams ? " (Envoy's own bound)" : ""),
                  " and ");
    }
    return words;
  }

  void refute(const PlannedEdge& edge, Clause clause, std::int64_t let_in, std::int64_t sustained, Obligation& o,
              Detail& detail) {
    std::vector<StoryStep> story{
        {"", fmt::format("`{}`", edge.service),
         fmt::format("runs {} replica{} within the reserve of `{}`{}: {}", *edge.replicas,
                     *edge.replicas == 1 ? "" : "s", edge.tenant,
                     edge.unavailable > 0 ? fmt::format(", while an update takes {} away", edge.unavailable) : "",
                     counted(sustained, clause))}};
    Steps steps;
    std::int64_t played = 0;
    for (const PlannedLimit& limit : edge.limits) {
      const auto here = of_streams(clause)          ? play_streams(limit, steps)
                        : by_service(limit, clause) ? std::optional(play_windows(limit, steps))
                                                    : std::optional(play_second(limit, steps));
      std::string why;
      if (!here)
        why = "the requests come too slowly for a story of fewer than 100000 steps";
      else if (const std::int64_t full = Proxies(limit, 1).full_at_ms();
               of_streams(clause) && edge.longest_ms && full > *edge.longest_ms)
        why = fmt::format("it takes {} until so many are open, and no answer takes longer than {}",
                          human_duration(full), human_duration(*edge.longest_ms));
      if (!why.empty()) {
        detail.message = fmt::format("{}, and `{}` sustains {}: {}", sum_in_words(edge, clause), edge.service,
                                     counted(sustained, clause), why);
        detail.reason = std::move(why);
        return;
      }
      played += *here;
      if (const std::int64_t waits = waiting(limit, clause); waits > 0) {
        played += waits;
        tell(steps, 1000, limit, fmt::format("has {} waiting, and they begin as streams end", counted(waits, clause)));
      }
      if (limit.retries > 0 && !of_streams(clause)) {
        const std::int64_t first = sum_of({*here, waiting(limit, clause)});
        played += sum_of({times(limit.retries, first), tried_again(limit, clause)});
        tell(steps, 1000, limit,
             fmt::format(
                 "tries each that fails again, up to {} time{}, and so the {} that were open when the second began: {} "
                 "more",
                 limit.retries, limit.retries == 1 ? "" : "s", gateway::streams_let_in(limit),
                 counted(sum_of({times(limit.retries, first), tried_again(limit, clause)}), clause)));
      }
    }
    std::ranges::stable_sort(steps, {}, &Steps::value_type::first);
    for (auto& [at, step] : steps) story.push_back(std::move(step));
    if (played != let_in)
      throw InternalError(fmt::format("gateway: {} are let in, and {} were counted", played, let_in));
    story.push_back(
        {"", fmt::format("`{}`", edge.service),
         fmt::format("{} {}: the {} waits{}", of_streams(clause) ? "takes" : "does", counted(sustained, clause),
                     gateway::ordinal(sustained + 1), of_streams(clause) ? " for a stream" : "")});
    o.verdict = Verdict::Refuted;
    detail.story = std::move(story);
    detail.fix = Fix{remedy(edge, clause, sustained)};
  }

  // The largest amount that would do, the same in each limit; 0: none would.
  static std::int64_t largest(PlannedEdge edge, Clause clause, std::int64_t sustained) {
    std::int64_t low = 0, high = sustained;
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      std::int64_t sum = 0;
      for (PlannedLimit& limit : edge.limits) {
        const bool service = by_service(limit, clause);
        if (of_streams(clause))
          limit.streams = PlannedLimit::Amount{middle, 0, true};
        else
          (service ? limit.shared : limit.requests)->most = middle;
        sum = sum_of({sum, of_all(limit, clause)});
      }
      (sum <= sustained ? low : high) = sum <= sustained ? middle : middle - 1;
    }
    return low;
  }

  static std::string remedy(const PlannedEdge& edge, Clause clause, std::int64_t sustained) {
    const std::int64_t most = largest(edge, clause, sustained);
    const PlannedLimit& first = edge.limits.front();
    const bool service = by_service(first, clause);
    const auto some = [&](auto has) { return !of_streams(clause) && std::ranges::any_of(edge.limits, has); };
    std::string ways;
    if (some([](const PlannedLimit& limit) { return limit.retries > 0; })) add_to_list(ways, "retry less often");
    if (some([](const PlannedLimit& limit) { return limit.queue.has_value(); })) add_to_list(ways, "let fewer wait");
    if (std::ranges::any_of(edge.limits, [](const PlannedLimit& limit) { return *limit.proxies > 1; }))
      add_to_list(ways, "run fewer proxies");
    add_to_list(ways, "have more replicas run", ways.empty() ? "" : " or ");
    if (most <= 0) return ways;
    std::string_view unit = "streams";
    if (!of_streams(clause)) {
      const std::int64_t window = service ? first.shared->window_ms : first.requests->window_ms;
      unit = window == 1000 ? "req/s" : window == 60'000 ? "req/min" : "req/h";
    }
    return fmt::format("let in {} {} {} at most{}, or {}", most, unit, service ? "global" : "per proxy",
                       edge.limits.size() > 1 ? fmt::format(" in each of the {} limits", edge.limits.size()) : "",
                       "have more replicas run");
  }

  static std::string gateway_of(const PlannedLimit& limit) { return fmt::format("gateway `{}`", limit.gateway); }

  using Steps = std::vector<std::pair<std::int64_t, StoryStep>>;  // by their time
  static void tell(Steps& steps, std::int64_t at_ms, const PlannedLimit& limit, std::string does) {
    steps.push_back({at_ms, {at_ms == 0 ? "0s" : human_duration(at_ms), gateway_of(limit), std::move(does)}});
  }

  // All ask, and nobody is answered.
  static std::optional<std::int64_t> play_streams(const PlannedLimit& limit, Steps& steps) {
    constexpr std::int64_t kMostSteps = 100'000;
    Proxies proxies(limit, *limit.proxies);
    const std::int64_t most = of_one_proxy(limit, Clause::Streams),
                       window = limit.requests ? limit.requests->window_ms : 1000;
    if (proxies.full_at_ms() / window > kMostSteps) return std::nullopt;
    proxies.ask(0, most);
    if (proxies.full_at_ms() > 0)
      tell(steps, 0, limit,
           fmt::format("lets in {} requests at each of {} proxies: {} are open, none is answered yet", proxies.bucket(),
                       *limit.proxies, proxies.open()));
    std::int64_t at = 0;
    while (proxies.open() < *limit.proxies * most) {
      at = std::min(at + window, std::max(proxies.full_at_ms(), at + 1));
      proxies.ask(at, most);
    }
    tell(steps, at, limit,
         fmt::format("has let in {} at each of {} proxies: {} are open", most, *limit.proxies, proxies.open()));
    return proxies.open();
  }

  // Each is answered before the next asks.
  static std::int64_t play_second(const PlannedLimit& limit, Steps& steps) {
    Proxies proxies(limit, *limit.proxies);
    std::int64_t in = 0;
    for (const std::int64_t at : {0, 1000}) {
      const std::int64_t now = proxies.ask_in_turn(at, limit.requests->most);
      in += now;
      tell(steps, at, limit,
           fmt::format("lets in {} {}requests through {} proxies", now, at == 0 ? "" : "more ", *limit.proxies));
    }
    return in;
  }

  // At the end of one window of the rate-limit service, and at the beginning of the next; each is answered at once.
  static std::int64_t play_windows(const PlannedLimit& limit, Steps& steps) {
    gateway::Window window(*limit.shared);
    std::vector<Proxies> proxies(static_cast<std::size_t>(*limit.proxies), Proxies(limit, 1));
    const std::int64_t end = limit.shared->window_ms - 1;
    std::int64_t in = 0;
    for (const std::int64_t at : {end, end + 1000}) {
      std::int64_t now = 0, others = *limit.proxies;
      for (Proxies& proxy : proxies) {  // in equal parts: no bucket stays full, and loses what flows in
        const std::int64_t part = (window.left(at) + others - 1) / others;
        --others;
        const std::int64_t let_in = proxy.ask_in_turn(at, part);
        window.take(at, let_in);
        now += let_in;
      }
      in += now;
      tell(steps, at - end, limit,
           fmt::format("lets in {} {}requests, {} window of the rate-limit service", now, at == end ? "" : "more ",
                       at == end ? "at the end of one" : "in the next"));
    }
    return in;
  }

  const Proof& proof_;
  Report& report_;
  LemmaBook book_;
};

}  // namespace

void prove_gateway(const Proof& proof, Report& report) {
  if (!proof.intent.edges.empty()) GatewayFamily(proof, report).run();
}

}  // namespace gpol
