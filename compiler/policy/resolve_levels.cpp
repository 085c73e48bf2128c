// Service levels of classes: SLOs, bursts, headroom, floors; and what is noted of every construct whose proof is
// planned.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"

namespace gpol {

std::string text_of(const ast::Quantity& written) {
  const bool tight = written.unit.empty() || is_unit(written.unit, Dimension::Time) ||
                     is_unit(written.unit, Dimension::Percent) || is_unit(written.unit, Dimension::Factor);
  return written.number.substr(0, 32) + (tight ? "" : " ") + written.unit;
}

std::string text_of(const ast::Rate& written) {
  return written.amount.number.substr(0, 32) + written.thousands + " " + written.amount.unit;
}

std::string suggested(Resolver& r, std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kMost = 32;
  return r.suggestions++ < kMost ? choice_hint(word, candidates) : std::string();
}

void note_planned(Resolver& r, std::string_view construct, std::string_view kind, std::string_view name,
                  std::string text, Span span) {
  r.policy.planned.push_back({std::string(construct), std::string(kind), std::string(name), std::move(text), span});
}

std::optional<Rate> rate_of(Resolver& r, const ast::Rate& written, std::string_view what, std::string_view example,
                            std::initializer_list<Dimension> allowed) {
  constexpr std::pair<std::string_view, std::int64_t> kThousands[] = {
      {"", 1}, {"k", 1000}, {"M", 1'000'000}, {"G", 1'000'000'000}};
  constexpr std::pair<Dimension, std::string_view> kNames[] = {{Dimension::Requests, "req"},
                                                               {Dimension::Tokens, "tokens"},
                                                               {Dimension::Samples, "samples"},
                                                               {Dimension::Streams, "streams"}};
  const auto* const scale =
      std::ranges::find(kThousands, written.thousands, &std::pair<std::string_view, std::int64_t>::first);
  if (scale == std::end(kThousands)) {
    error(r, code::UnknownUnit, written.amount.span, fmt::format("`{}` is no multiple of a rate", written.thousands),
          "write `k`, `M` or `G` after the number, or nothing");
    return std::nullopt;
  }
  const auto found = amount(written.amount, {allowed.begin(), allowed.size()}, what, example, r.diagnostics);
  if (!found) return std::nullopt;
  if (found->value == 0 || found->value > kLargestAmount / scale->second) {
    error(r, code::OutOfRange, written.amount.span,
          fmt::format("`{}` is {}", text_of(written), found->value == 0 ? "nothing" : "too much"),
          fmt::format("write a rate such as `{}`", example));
    return std::nullopt;
  }
  const std::string& unit = written.amount.unit;
  const std::int64_t window = unit.ends_with("/s") ? 1000 : unit.ends_with("/min") ? 60'000 : 3'600'000;
  const bool streams = found->dimension == Dimension::Streams;
  for (const auto& [known, name] : kNames)
    if (known == found->dimension)
      return Rate{std::string(name), found->value * scale->second * (streams ? 1000 : 1), streams ? 0 : window};
  return std::nullopt;
}

namespace {

constexpr std::string_view kMetrics[] = {"ttft", "itl", "e2e", "tpot"};
constexpr std::string_view kPercentiles[] = {"p50", "p90", "p95", "p99", "p99.9"};

struct Levels {
  Resolver& r;
  LatencyClass& made;
  std::optional<Isolation> isolation;
  std::optional<Span> burst, headroom, floor, preemptible;
  std::map<std::tuple<std::string, std::string, std::string>, std::optional<Span>> slos;

  // GP0302 unless the class is one that may state the clause.
  bool fits(bool serving, std::string_view clause, Span span) {
    if (!isolation || (*isolation != Isolation::C) == serving) return true;
    error(r, code::ClassMismatch, span,
          fmt::format("`{}` does not fit class `{}`, which is {}", clause, made.name, letter(*isolation)),
          serving ? "remove it: only a class A or B promises anything" : "remove it: only a class C states it");
    return false;
  }
  void plan(std::string_view construct, std::string text, Span span) {
    note_planned(r, construct, "class", made.name, std::move(text), span);
  }
};

bool is_one_of(std::span<const std::string_view> known, const ast::Name& written) {
  return contains(known, written.text);
}

bool known_word(Resolver& r, const ast::Name& written, std::span<const std::string_view> known, std::string_view what) {
  if (is_one_of(known, written)) return true;
  error(r, code::BadValue, written.span, fmt::format("`{}` is not {}", written.text, what),
        choice_hint(written.text, known));
  return false;
}

void read(Levels& in, const ast::ClassSlo& item, Span span) {
  if (is_one_of(kPercentiles, item.metric) && is_one_of(kMetrics, item.percentile)) {
    const Span both = join(item.metric.span, item.percentile.span);
    const std::string mended = fmt::format("{} {}", item.percentile.text, item.metric.text);
    auto& swapped = error(in.r, code::BadValue, both, "the percentile stands behind what it is of",
                          fmt::format("write `{}`", mended));
    if (item.metric.span.use == kNoUse) swapped.edits.push_back({both, mended});
    return;
  }
  const bool metric = known_word(in.r, item.metric, kMetrics, "a time that is measured of requests");
  const bool known = known_word(in.r, item.percentile, kPercentiles, "a percentile that gpol knows") && metric;
  const auto below = time_constant(in.r, item.below, "slo", Zero::Refused);
  Slo slo{item.metric.text, item.percentile.text, below ? below->value : 0, kNone};
  if (item.window) slo.window = in.r.windows.find(*item.window);
  const std::string during = item.window ? item.window->text : "";
  if (!in.fits(true, "slo", span) || !known || !below) return;
  if (!first_time(in.r, in.slos[{slo.metric, slo.percentile, during}], span,
                  fmt::format("slo {} {}", slo.metric, slo.percentile)))
    return;
  in.plan("classSlo",
          fmt::format("slo {} {} < {}{}", slo.metric, slo.percentile, text_of(item.below),
                      during.empty() ? "" : " during " + during),
          span);
  in.made.slos.push_back(std::move(slo));
}

void read(Levels& in, const ast::ClassBurst& item, Span span) {
  const bool first = first_time(in.r, in.burst, span, "burst");
  const auto factor = measure(item.factor, Dimension::Factor, "how many times the load", "10x", in.r.diagnostics);
  const auto within = time_constant(in.r, item.within, "within", Zero::Refused);
  if (!in.fits(true, "burst", span) || !first || !factor || !within) return;
  if (*factor <= 1000) {
    error(in.r, code::OutOfRange, item.factor.span, fmt::format("a burst of `{}` is none", text_of(item.factor)),
          "write more than `1x`");
    return;
  }
  in.made.burst = Burst{*factor, within->value};
  in.plan("classBurst", fmt::format("burst {} within {}", text_of(item.factor), text_of(item.within)), span);
}

void read(Levels& in, const ast::ClassHeadroom& item, Span span) {
  const bool first = first_time(in.r, in.headroom, span, "headroom");
  const auto least = measure(item.least, Dimension::Percent, "a share of the reserve", "40%", in.r.diagnostics);
  if (!in.fits(true, "headroom", span) || !first || !least) return;
  if (*least == 0 || *least >= 100 * 100) {
    error(in.r, code::OutOfRange, item.least.span,
          fmt::format("a headroom of `{}` leaves nothing to plan", text_of(item.least)),
          "write more than `0%` and less than `100%`: headroom lies inside the reserve");
    return;
  }
  in.made.headroom = least;
  in.plan("classHeadroom", "headroom at least " + text_of(item.least), span);
}

void read(Levels& in, const ast::ClassFloor& item, Span span) {
  const bool first = first_time(in.r, in.floor, span, "floor");
  auto rate =
      rate_of(in.r, item.rate, "a rate", "500 samples/s", {Dimension::Samples, Dimension::Tokens, Dimension::Requests});
  if (!in.fits(false, "floor", span) || !first || !rate) return;
  in.made.floor = std::move(rate);
  in.plan("classFloor", "floor " + text_of(item.rate), span);
}

void read(Levels& in, const ast::ClassPreemptible&, Span span) {
  const bool first = first_time(in.r, in.preemptible, span, "preemptible");
  if (in.fits(false, "preemptible", span) && first) in.made.preemptible = true;
}

template <class Other>
void read(Levels&, const Other&, Span) {}

}  // namespace

void resolve_levels(Resolver& r, std::uint32_t latency_class, const std::vector<ast::ClassItem>& items) {
  Levels in{r, r.policy.classes[latency_class], isolation_of_class(r, latency_class), {}, {}, {}, {}, {}};
  for (const auto& item : items) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
}

}  // namespace gpol
