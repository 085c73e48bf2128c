// Gateway: what gateways let in is what the service behind them sustains. One obligation for the requests that are open
// at once, and one for those that begin within any second, of each tenant with a limit.
//
// Formula: what is open (or begins) at each proxy is unknown, and bounded by what Envoy counts there; sums are folded
// over the proxies of all gateways. Closed form: sum of `at most` x proxies, compared with replicas x what one does;
// both must be the same. Within one second a proxy lets in what its bucket holds, and what flows in meanwhile.
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/families.h"
#include "checker/families/lemma_book.h"
#include "checker/families/pairs.h"
#include "checker/gateway/model.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using gateway::Proxies;

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

Formula sustained() {
  const Term in = int_symbol("in"), bound = int_symbol("bound");
  return {"gateway/sustained",
          "what all proxies let in is what the service sustains",
          {{"below", in <= bound}, {"side-condition", bound <= int_symbol("sustained")}},
          in > int_symbol("sustained")};
}

// Requests that one proxy lets in within any second: the bucket may be full when it begins.
std::int64_t within_second(const PlannedLimit::Amount& requests) {
  return requests.most + requests.most * 1000 / requests.window_ms;
}

enum class Clause : std::uint8_t { Streams, Requests };

class GatewayFamily {
 public:
  GatewayFamily(const Proof& proof, Report& report) : proof_(proof), report_(report), book_(proof) {}

  void run() {
    for (const PlannedEdge& edge : proof_.intent.edges)
      for (const Clause clause : {Clause::Streams, Clause::Requests}) judge(edge, clause);
    report_.note_analysed(Family::Gateway);
  }

 private:
  static bool of_streams(Clause clause) { return clause == Clause::Streams; }

  // What is not stated, and what would state it; empty: all is.
  static std::string missing(const PlannedEdge& edge, Clause clause, std::string& fix) {
    const auto says = [&](std::string text, std::string clause_to_add) {
      fix = std::move(clause_to_add);
      return text;
    };
    const auto& each = of_streams(clause) ? edge.streams : edge.requests;
    if (edge.service.empty())
      return says(
          fmt::format("no service of `{}` is stated", edge.tenant),
          fmt::format("say what serves: `service NAME of {} {{ each 1 gpu; throughput 128 streams, 60 req/s }}`",
                      edge.tenant));
    if (!edge.replicas) return says(edge.why_unknown, edge.add);
    if (!each)
      return says(fmt::format("what one replica of `{}` does {} is not stated", edge.service,
                              of_streams(clause) ? "at once" : "within a second"),
                  of_streams(clause) ? "add it to what is measured of the service: `throughput 128 streams, 60 req/s`"
                                     : "add it likewise, as `req/s`: what a minute does bounds no second");
    for (const PlannedLimit& limit : edge.limits) {
      if (limit.route.empty())
        return says(fmt::format("which HTTPRoute is limited at `{}` is not stated", limit.gateway),
                    "name it in the limit: `route NAME`");
      if (!limit.proxies)
        return says(fmt::format("how many proxies `{}` runs at most is not stated", limit.gateway),
                    "add it to the limit, those of an update included: `on 2 proxies`");
      const auto& amount = of_streams(clause) ? limit.streams : limit.requests;
      if (!amount && !of_streams(clause))
        return says(fmt::format("nothing limits the requests at `{}`", limit.gateway),
                    "add it to its `at most`: `at most 200 streams, 50 req/s, per proxy`");
      if (amount && !amount->per_proxy)
        return says(
            fmt::format("how `{}` counts {} is not stated", limit.gateway, of_streams(clause) ? "streams" : "requests"),
            "write `per proxy` behind the amount: each proxy lets in so much");
    }
    return {};
  }

  static std::int64_t of_one_proxy(const PlannedLimit& limit, Clause clause) {
    if (!of_streams(clause)) return within_second(*limit.requests);
    return limit.streams ? limit.streams->most : gateway::kParallelByDefault;
  }

  static std::string counted(std::int64_t amount, Clause clause) {
    return fmt::format("{} {}", amount, of_streams(clause) ? "streams" : "requests");
  }

  void judge(const PlannedEdge& edge, Clause clause) {
    Obligation o = obligation(
        Family::Gateway, of_streams(clause) ? code::GatewayStreams : code::GatewayRequests, Verdict::Undecided,
        {"Service", edge.service.empty() ? edge.tenant : edge.service, edge.tenant}, edge.limits.front().span);
    o.figures.unit = of_streams(clause) ? Unit::Streams : Unit::Requests;
    std::vector<Span> lines;
    for (const PlannedLimit& limit : edge.limits) lines.push_back(limit.span);
    lines.insert(lines.end(), edge.sources.begin(), edge.sources.end());
    o.core = as_core(std::move(lines));
    Detail detail;
    std::string add;
    const std::string what = missing(edge, clause, add);
    if (!what.empty()) {
      detail.reason = what;
      detail.message =
          fmt::format("whether `{}` sustains {} is not known: {}", o.subject.name,
                      of_streams(clause) ? "the requests that are let in at once" : "the requests of one second", what);
      if (!add.empty()) detail.fix = Fix{add};
      return report_.add(std::move(o), std::move(detail));
    }
    std::int64_t let_in = 0;
    for (const PlannedLimit& limit : edge.limits)
      let_in = sum_of({let_in, times(*limit.proxies, of_one_proxy(limit, clause))});
    const std::int64_t sustained =
        of_streams(clause) ? times(*edge.replicas, *edge.streams) : times(*edge.replicas, *edge.requests) / 1000;
    const std::string each = of_streams(clause) ? fmt::format("{}", *edge.streams)
                                                : fmt::format("{}", static_cast<double>(*edge.requests) / 1000);
    const std::string sums = sum_in_words(edge, clause);
    if (!lemmas()) {
      detail.reason = book_.why();
      detail.message = fmt::format("what is let in to `{}` was not compared: {}", edge.service, book_.why());
    } else if (let_in <= sustained) {
      if (folded(edge, clause) != let_in) throw InternalError("gateway: two sums of what is let in differ");
      o.verdict = Verdict::Proven;
      o.figures.slack = sustained - let_in;
      detail.message = fmt::format("{} within {} x {} = {}", sums, *edge.replicas, each, counted(sustained, clause));
    } else {
      refute(edge, clause, let_in, sustained, o, detail);
      if (o.verdict == Verdict::Refuted)
        detail.message = fmt::format("{} {}: more than {} x {} = {} that `{}` sustains", sums,
                                     of_streams(clause) ? "may be open at once" : "may begin within one second",
                                     *edge.replicas, each, counted(sustained, clause), edge.service);
    }
    report_.add(std::move(o), std::move(detail));
  }

  bool lemmas() {
    return book_.holds("gateway/proxies", one_more_proxy) && book_.holds("gateway/bucket", within_bucket) &&
           book_.holds("gateway/sustained", sustained);
  }

  // The sum as the lemmas fold it, proxy by proxy.
  static std::int64_t folded(const PlannedEdge& edge, Clause clause) {
    std::int64_t bound = 0;
    for (const PlannedLimit& limit : edge.limits)
      for (std::int64_t proxy = 0; proxy < *limit.proxies; ++proxy)
        bound = sum_of({bound, of_one_proxy(limit, clause)});
    return bound;
  }

  // "2 proxies x 200 = 400 streams"
  static std::string sum_in_words(const PlannedEdge& edge, Clause clause) {
    std::string words;
    for (const PlannedLimit& limit : edge.limits) {
      const std::int64_t one = of_one_proxy(limit, clause);
      add_to_list(
          words,
          fmt::format("{} x {} = {} through `{}`{}", *limit.proxies, one, counted(times(*limit.proxies, one), clause),
                      limit.gateway, of_streams(clause) && !limit.streams ? " (Envoy's own bound)" : ""),
          " and ");
    }
    return words;
  }

  void refute(const PlannedEdge& edge, Clause clause, std::int64_t let_in, std::int64_t sustained, Obligation& o,
              Detail& detail) {
    std::vector<StoryStep> story{
        {"", fmt::format("`{}`", edge.service),
         fmt::format("runs {} replica{} within the reserve of `{}`: {}", *edge.replicas, *edge.replicas == 1 ? "" : "s",
                     edge.tenant, counted(sustained, clause))}};
    Steps steps;
    std::int64_t played = 0;
    for (const PlannedLimit& limit : edge.limits) {
      const auto here = of_streams(clause) ? play_streams(limit, steps) : std::optional(play_second(limit, steps));
      if (!here) {
        detail.reason = "the requests come too slowly for a story of fewer than 100000 steps";
        detail.message = fmt::format("{}, and `{}` sustains {}: {}", sum_in_words(edge, clause), edge.service,
                                     counted(sustained, clause), detail.reason);
        return;
      }
      played += *here;
    }
    std::ranges::stable_sort(steps, {}, &Steps::value_type::first);
    for (auto& [at, step] : steps) story.push_back(std::move(step));
    if (played != let_in)
      throw InternalError(fmt::format("gateway: {} are let in, and {} were counted", played, let_in));
    story.push_back(
        {"", fmt::format("`{}`", edge.service),
         fmt::format("{} {}: the {} waits{}", of_streams(clause) ? "takes" : "does", counted(sustained, clause),
                     ordinal(sustained + 1), of_streams(clause) ? " for a stream" : "")});
    o.verdict = Verdict::Refuted;
    detail.story = std::move(story);
    std::int64_t proxies = 0;
    for (const PlannedLimit& limit : edge.limits) proxies = sum_of({proxies, *limit.proxies});
    std::int64_t most = sustained / proxies;  // of each
    std::string_view unit = "streams";
    if (!of_streams(clause)) {  // what the bucket holds, and what flows in within a second
      const std::int64_t window = edge.limits.front().requests->window_ms;
      most = most * window / (window + 1000);
      unit = window == 1000 ? "req/s" : window == 60'000 ? "req/min" : "req/h";
    }
    detail.fix = Fix{most > 0 ? fmt::format("let in {} {} per proxy at most, or have more replicas run", most, unit)
                              : "run fewer proxies, or have more replicas run"};
  }

  static std::string ordinal(std::int64_t number) {
    const std::int64_t tens = number / 10 % 10, ones = number % 10;
    return fmt::format("{}{} request", number,
                       tens == 1   ? "th"
                       : ones == 1 ? "st"
                       : ones == 2 ? "nd"
                       : ones == 3 ? "rd"
                                   : "th");
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

  const Proof& proof_;
  Report& report_;
  LemmaBook book_;
};

}  // namespace

void prove_gateway(const Proof& proof, Report& report) {
  if (!proof.intent.edges.empty()) GatewayFamily(proof, report).run();
}

}  // namespace gpol
