// Values in another spelling than the one of their place: `0x10`, `x10`, `4x` and `10%` for plain numbers, `99%` for a
// percentile, `400s` for a rate, where a figure comes from.
#include <algorithm>
#include <charconv>

#include "compiler/source/text.h"
#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

bool digits(std::string_view word) { return !word.empty() && std::ranges::all_of(word, is_digit); }

// The word that an item begins with is the nearest of these.
bool item_of(const Look& look, Kind word) {
  for (std::size_t n = 1; look.before(n) != nullptr; ++n) {
    const Kind kind = look.before(n)->kind;
    if (kind == Kind::SEMICOLON || kind == Kind::LBRACE || kind == Kind::RBRACE) return false;
    if (kind == word) return true;
  }
  return false;
}

// `0x10 gpus`, `count 0xff`: its `0x` is read as a number with a unit.
std::optional<Slip> hexadecimal(const Look& look) {
  const auto begins = [&](const Token* word) {
    return word != nullptr && word->kind == Kind::MEASURE &&
           (look.word(*word).starts_with("0x") || look.word(*word).starts_with("0X"));
  };
  const bool here = begins(&look.found());
  if (!here && !begins(look.before())) return std::nullopt;
  const Token& first = here ? look.found() : *look.before();
  const Token* rest = here ? look.after() : &look.found();
  const bool joined = rest != nullptr && Look::touch(first, *rest) && rest->kind != Kind::END;
  const auto end = joined ? rest->end : first.end;
  const std::string_view written = look.text().substr(first.begin + 2, end - first.begin - 2);
  std::uint32_t value = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), value, 16);
  if (read.ec != std::errc() || read.ptr != written.data() + written.size()) return std::nullopt;
  return Slip{fmt::format("a number is written in decimal: `{}`", value),
              look.replaced(first.begin, end, std::to_string(value))};
}

// `burst x10`, `burst 10 x within`, `burst within 60s`.
std::optional<Slip> multiple_of(const Look& look) {
  if (look.is(Kind::ID) && look.wants(Kind::MEASURE) && look.written().starts_with('x') && look.written().size() < 8 &&
      digits(look.written().substr(1)))
    return look.mended("write", look.found(), fmt::format("{}x", look.written().substr(1)), true);
  if (!item_of(look, Kind::BURST)) return std::nullopt;
  if (look.wants(Kind::PROFILE) && look.before_is(Kind::TIMES) && look.before_is(Kind::NUMBER, 2))
    return look.mended("write", *look.before(2), *look.before(), fmt::format("{}x", look.word(*look.before(2))), true);
  if (look.before_is(Kind::BURST) && look.is(Kind::WITHIN))
    return Slip{"say how far the load may grow: `burst 10x within 60s`", {}};
  return std::nullopt;
}

// `at most 400s`, `floor 500s`, `2M` alone: a rate says of what, by which time.
std::optional<Slip> rate(const Look& look) {
  if (!look.before_is(Kind::MEASURE) || !look.wants_unit()) return std::nullopt;
  const std::string_view written = look.word(*look.before()), unit = unit_in(written);
  const bool multiple = unit == "k" || unit == "M" || unit == "G";
  const std::string_view of = item_of(look, Kind::FLOOR) ? "samples/s" : multiple ? "tokens/min" : "req/s";
  return look.mended("a rate says of what: write its unit, such as", *look.before(),
                     fmt::format("{} {}", multiple ? written : number_in(written), of));
}

// How many share a device: `time-slices` alone, `time-slices 4x`, `fractions 10%`, `4 time-slices`, `as 4x`.
std::optional<Slip> shared(const Look& look) {
  const auto mode = [](const Token* word) {
    return word != nullptr &&
           (word->kind == Kind::TIME_SLICES || word->kind == Kind::MPS || word->kind == Kind::FRACTIONS);
  };
  if (look.before_is(Kind::AS) && look.is(Kind::NUMBER) && mode(look.after()))
    return look.mended("the number follows:", look.found(), *look.after(),
                       fmt::format("{} {}", look.word(*look.after()), look.written()), true);
  if (look.before_is(Kind::AS) && look.a_number())
    return Slip{"say how its devices are shared, such as `as time-slices 4` or `as mig { 2 x 3g.40gb }`", {}};
  if (!mode(look.before()) || !look.wants(Kind::NUMBER)) return std::nullopt;
  const std::string_view word = look.word(*look.before());
  if (look.is(Kind::MEASURE) && unit_in(look.written()) == "%" && look.written().size() <= 3) {
    const int percent = std::stoi(std::string(number_in(look.written())));
    if (percent > 0 && percent <= 50 && 100 % percent == 0)
      return Slip{fmt::format("say how many share a device: `{} {}`", word, 100 / percent),
                  look.replaced(look.found(), std::to_string(100 / percent))};
  }
  if (look.is(Kind::MEASURE) && digits(number_in(look.written()))) return std::nullopt;
  return Slip{fmt::format("say how many share a device: `{} 4`", word), {}};
}

// A number with a unit where there is none: `variation 1.2x`, `count 6nodes`.
std::optional<Slip> plain(const Look& look) {
  if (!look.is(Kind::MEASURE) || !look.wants(Kind::NUMBER) || look.wants(Kind::MEASURE)) return std::nullopt;
  const std::string_view number = number_in(look.written()), unit = unit_in(look.written());
  if (look.after() != nullptr && Look::touch(look.found(), *look.after())) return std::nullopt;
  if (unit == "e" || unit == "E" || unit == "k" || unit == "M" || unit == "G") return std::nullopt;
  if (unit == "%" && look.before_is(Kind::TOLERATE)) return Slip{"nodes are counted: `tolerate 1 lost`", {}};
  if (unit == "%" && !look.before_is(Kind::VARIATION)) return Slip{"this is a whole number, not a share", {}};
  if (unit == "%") return Slip{"this is a plain number, not a share: a fifth is `0.2`", {}};
  return Slip{fmt::format("this is a plain number: `{}`", number), look.replaced(look.found(), number)};
}

// `slo ttft 99% < 150ms`, `slo ttft p 99 < 150ms`, `slo ttft < 150ms`, `slo ttft(p99) <`, `slo ttft p99 150ms`.
std::optional<Slip> service_level(const Look& look) {
  if (look.before_is(Kind::LESS) && item_of(look, Kind::SLO) && look.is(Kind::EQUALS))
    return Slip{"write `<`", look.left_out(), true};
  if (look.before_is(Kind::SLO, 2) && look.wants_name()) {
    if (look.a_number() && digits(number_in(look.written()).substr(0, 2))) {
      const std::string_view unit = unit_in(look.written());
      if (unit.empty() || unit == "%" || unit == "th" || unit == "p")
        return look.mended("a percentile is written", look.found(), fmt::format("p{}", number_in(look.written())));
    }
    if (look.is(Kind::LESS))
      return Slip{fmt::format("say of which percentile: `slo {} p99 < ...`", look.word(*look.before())),
                  look.put_behind(" p99")};
    if (look.is(Kind::LPAREN) && look.after_is(Kind::ID) && look.after_is(Kind::RPAREN, 2))
      return Slip{"leave out the parentheses",
                  look.replaced(look.found().begin, look.after(2)->end, fmt::format(" {}", look.word(*look.after())))};
  }
  if (!look.before_is(Kind::SLO, 3) || !look.wants(Kind::LESS)) return std::nullopt;
  if (look.is(Kind::NUMBER) && look.word(*look.before()) == "p")
    return look.mended("a percentile is one word:", *look.before(), look.found(), fmt::format("p{}", look.written()));
  if (look.is(Kind::MEASURE)) return Slip{"write `<` before the time", look.put_before("< "), true};
  return std::nullopt;
}

// `(guessed "x")`, `(2026-10)`, `("a first guess")`, `measured 2026-10` without its parentheses.
std::optional<Slip> source(const Look& look) {
  if (look.wants(Kind::LPAREN) && look.before_is(Kind::MEASURE) && item_of(look, Kind::START) &&
      has(look.facts().first_of(Rule::source), Kind::LPAREN)) {
    const bool word = look.is(Kind::MEASURED) || look.is(Kind::DECLARED) || look.is(Kind::DERIVED);
    const bool detail = look.after_is(Kind::DATE) || look.after_is(Kind::STRING);
    if (word) {
      const Token& last = detail ? *look.after() : look.found();
      return Slip{"where the times come from stands in parentheses",
                  look.replaced(look.found().begin, last.end, fmt::format("({})", look.said(look.found(), last))),
                  true};
    }
  }
  if (!look.wants(Kind::MEASURED) || !look.wants(Kind::DECLARED)) return std::nullopt;
  constexpr std::string_view kWhat = "say whether the times are `measured`, `declared` or `derived`";
  if (look.is(Kind::DATE)) return Slip{std::string(kWhat), look.put_before("measured ")};
  if (look.is(Kind::STRING)) return Slip{std::string(kWhat), look.put_before("declared ")};
  if (nearest_word(look.written(), look.mistake().expected)) return std::nullopt;
  if (look.is(Kind::ID) && (look.after_is(Kind::RPAREN) || look.after_is(Kind::STRING) || look.after_is(Kind::DATE)))
    return Slip{std::string(kWhat), look.replaced(look.found(), "declared")};
  return Slip{fmt::format("{}, as in `(declared \"a first guess\")`", kWhat), {}};
}

// `replicas 8 gpus, 128 cpu`: what one asks for.
std::optional<Slip> replica(const Look& look) {
  if (!look.before_is(Kind::REPLICAS, 2) || !look.before_is(Kind::NUMBER)) return std::nullopt;
  if (look.mistake().tokens.front().kind != Kind::TENANT) return std::nullopt;
  if (look.is(Kind::GPU) || look.written() == "gpus")
    return Slip{"what one of them asks for is said by `replica`", look.replaced(*look.before(2), "replica")};
  if ((look.is(Kind::OF) || look.is(Kind::TIMES) || look.written() == "each") && look.after_is(Kind::NUMBER))
    return Slip{
        fmt::format("how many it runs and what one asks for are two clauses: `replicas {}, surge 1; replica {} gpus`",
                    look.word(*look.before()), look.word(*look.after())),
        {}};
  return std::nullopt;
}

}  // namespace

std::optional<Slip> slip_of_value(const Look& look) {
  return first_of(look, {hexadecimal, multiple_of, rate, shared, plain, service_level, source, replica});
}

}  // namespace gpol::syntax
