// Slips in how numbers, amounts and times are written: `8,000 gpus`, `192k cpu`, `4min30s`, `1e9h`, `"4min"`.
#include <algorithm>
#include <cstdint>
#include <regex>

#include "compiler/source/text.h"
#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

constexpr std::size_t kMostDigits = 12;  // of a number that a hint works with; no slip is longer

bool digits(std::string_view word) {
  return !word.empty() && word.size() <= kMostDigits && std::ranges::all_of(word, is_digit);
}

// A number without its point, moved by powers of ten: `1.5` by 3 is `1500`, `1500` by -3 is `1.5`.
std::optional<std::string> moved(std::string_view number, int by) {
  if (number.empty() || number.size() > kMostDigits || by > static_cast<int>(kMostDigits)) return std::nullopt;
  const auto point = std::min(number.find('.'), number.size());
  std::string all(number.substr(0, point));
  if (point < number.size()) all += number.substr(point + 1);
  int whole = static_cast<int>(point) + by;
  while (whole <= 0) all.insert(0, "0"), ++whole;
  while (static_cast<int>(all.size()) < whole) all += '0';
  std::string fraction = all.substr(static_cast<std::size_t>(whole));
  fraction.erase(std::min(fraction.find_last_not_of('0') + 1, fraction.size()));
  all.resize(static_cast<std::size_t>(whole));
  all.erase(0, std::min(all.find_first_not_of('0'), all.size() - 1));
  return fraction.empty() ? all : all + "." + fraction;
}

// `8,000`, `1,024,000`; and `4,5`, where the comma was meant as the point.
std::optional<Slip> separators(const Look& look) {
  const Token* last = look.before();
  if (!look.is(Kind::COMMA) || last == nullptr || last->kind != Kind::NUMBER || !Look::touch(*last, look.found()))
    return std::nullopt;
  if (!digits(look.word(*last))) return std::nullopt;
  std::string groups;
  std::size_t n = 1;
  std::uint32_t end = 0;
  bool thousands = look.word(*last).size() <= 3 && look.word(*last).front() != '0';
  const Token* comma = &look.found();
  for (; look.after(n) != nullptr && groups.size() < kMostDigits; n += 2) {
    const Token& group = *look.after(n);
    const std::string_view number = number_in(look.word(group));
    if ((group.kind != Kind::NUMBER && group.kind != Kind::MEASURE) || !Look::touch(*comma, group)) break;
    thousands = thousands && number.size() == 3;
    groups += number;
    end = group.begin + static_cast<std::uint32_t>(number.size());
    comma = look.after(n + 1);
    if (group.kind == Kind::MEASURE || comma == nullptr || comma->kind != Kind::COMMA || !Look::touch(group, *comma)) {
      n += 2;
      break;
    }
  }
  if (groups.empty() || !digits(groups)) return std::nullopt;
  const std::string whole(look.word(*last));
  if (thousands)
    return Slip{fmt::format("a number stands without separators: `{}{}`", whole, groups),
                look.replaced(last->begin, end, whole + groups)};
  if (n > 3) return std::nullopt;  // `1,2,3` is a list
  return Slip{fmt::format("the fraction follows a point: `{}.{}`", whole, groups),
              look.replaced(last->begin, end, whole + "." + groups)};
}

// `1e9h`, `count 1e3`: the `1e` of it is read as a number with a unit.
std::optional<Slip> exponent(const Look& look) {
  const auto mantissa = [&](const Token* token) {
    return token != nullptr && token->kind == Kind::MEASURE &&
           (unit_in(look.word(*token)) == "e" || unit_in(look.word(*token)) == "E");
  };
  const bool at_mantissa = mantissa(&look.found());
  const Token* first = at_mantissa ? &look.found() : look.before();
  const Token* power = at_mantissa ? look.after() : &look.found();
  if (!mantissa(first) || power == nullptr || !Look::touch(*first, *power)) return std::nullopt;
  if (power->kind != Kind::NUMBER && power->kind != Kind::MEASURE) return std::nullopt;
  const std::string_view by = number_in(look.word(*power));
  if (const auto number =
          by.size() <= 2 && digits(by) ? moved(number_in(look.word(*first)), std::stoi(std::string(by))) : std::nullopt)
    return Slip{fmt::format("write the number in full: `{}{}`", *number, unit_in(look.word(*power))),
                look.replaced(first->begin, power->begin + static_cast<std::uint32_t>(by.size()), *number)};
  return Slip{"write the number in full, with 15 digits at most: `1000` for `1e3`", {}};
}

// `192k cpu`, `2M gpus`, `192000m cpu`: the multiples stand before rates alone.
std::optional<Slip> multiple(const Look& look) {
  const Token* last = look.before();
  if (last == nullptr || last->kind != Kind::MEASURE || look.on_new_line()) return std::nullopt;
  if (!look.is(Kind::ID) && !look.is(Kind::GPU)) return std::nullopt;
  constexpr std::pair<std::string_view, int> kMultiples[] = {{"k", 3}, {"K", 3}, {"M", 6}, {"G", 9}, {"m", -3}};
  for (const auto& [letter, by] : kMultiples)
    if (unit_in(look.word(*last)) == letter)
      if (const auto number = moved(number_in(look.word(*last)), by))
        return Slip{fmt::format("write the number in full: `{} {}`", *number, look.written()),
                    look.replaced(*last, *number)};
  return std::nullopt;
}

// `2 M tokens/min`: the multiple touches its number.
std::optional<Slip> multiple_apart(const Look& look) {
  constexpr std::string_view kMultiples[] = {"k", "K", "M", "G"};
  if (!look.is(Kind::ID) || !look.before_is(Kind::ID) || !look.before_is(Kind::NUMBER, 2)) return std::nullopt;
  const std::string_view multiple = look.word(*look.before());
  if (!contains(kMultiples, multiple)) return std::nullopt;
  if (look.written().find('/') == std::string_view::npos) return std::nullopt;
  const std::string mended = fmt::format("{}{}", look.word(*look.before(2)), multiple == "K" ? "k" : multiple);
  return Slip{fmt::format("write `{} {}`", mended, look.written()),
              look.replaced(look.before(2)->begin, look.before()->end, mended)};
}

// `4min30s`, `1h 30min`, `4m30s`: several amounts of time for one.
std::optional<Slip> time_in_parts(const Look& look) {
  struct Unit {
    std::string_view written, name;
    std::int64_t ms;
  };
  constexpr Unit kUnits[] = {{"d", "d", 86'400'000}, {"h", "h", 3'600'000}, {"min", "min", 60'000},
                             {"m", "min", 60'000},   {"s", "s", 1000},      {"ms", "ms", 1}};
  const auto time = [&](const Token& token) -> std::optional<std::int64_t> {
    if (token.kind != Kind::MEASURE || !digits(number_in(look.word(token)))) return std::nullopt;
    for (const Unit& unit : kUnits)
      if (unit_in(look.word(token)) == unit.written && number_in(look.word(token)).size() <= 6)
        return std::stoll(std::string(number_in(look.word(token)))) * unit.ms;
    return std::nullopt;
  };
  if (!look.is(Kind::MEASURE) || look.before() == nullptr || look.on_new_line()) return std::nullopt;
  const auto first = time(*look.before()), second = time(look.found());
  if (!first || !second) return std::nullopt;
  std::int64_t all = *first + *second;
  const Token* last = &look.found();
  for (std::size_t n = 1; look.after(n) != nullptr && Look::touch(*last, *look.after(n)); ++n) {
    const auto more = time(*look.after(n));
    if (!more) break;
    all += *more;
    last = look.after(n);
  }
  std::string mended;
  for (const Unit& unit : kUnits)
    if (mended.empty() && all % unit.ms == 0) mended = fmt::format("{}{}", all / unit.ms, unit.name);
  return look.mended("a length of time is one number with its unit:", *look.before(), *last, mended);
}

// `ready within 4:30`, `04:30`: a time of day, or minutes and seconds, for a length of time.
std::optional<Slip> time_with_colon(const Look& look) {
  const bool colon = look.is(Kind::COLON) && look.wants_unit() && look.before_is(Kind::NUMBER) &&
                     Look::touch(*look.before(), look.found()) && look.after() != nullptr &&
                     (look.after_is(Kind::NUMBER) || look.after_is(Kind::MEASURE));
  if (!colon && !(look.is(Kind::TIME) && look.wants(Kind::MEASURE))) return std::nullopt;
  return Slip{"a length of time is one number with its unit, such as `90s` or `4min`", {}};
}

// `"4min"`, `"6"`, `"22:00"`, `"2026-10-01"`, `"@platform"`.
std::optional<Slip> in_quotes(const Look& look) {
  if (!look.is(Kind::STRING) || look.wants(Kind::STRING)) return std::nullopt;
  const std::string_view inner = look.written().substr(1, look.written().size() - 2);
  constexpr std::size_t kLongest = 40;
  if (inner.empty() || inner.size() > kLongest) return std::nullopt;
  const std::string text(inner);
  struct Form {
    Kind kind;
    const char* form;
    std::string_view what;
  };
  static constexpr Form kForms[] = {
      {Kind::MEASURE, "[0-9]+(\\.[0-9]+)? ?([a-zA-Z]+|%)", "an amount"},
      {Kind::NUMBER, "[0-9]+(\\.[0-9]+)?", "a number"},
      {Kind::PROFILE, "[0-9]+g\\.[0-9]+gb([+-][a-z.]+)?", "a slice"},
      {Kind::VERSION, "[0-9]+(\\.[0-9]+)+", "a version"},
      {Kind::TIME, "[0-9]{2}:[0-9]{2}(\\.\\.[0-9]{2}:[0-9]{2})?", "a time"},
      {Kind::DATE, "[0-9]{4}-[0-9]{2}(-[0-9]{2})?", "a date"},
      {Kind::HANDLE, "@[a-zA-Z0-9][a-zA-Z0-9_/-]*", "an owner"},
  };
  for (const Form& form : kForms)
    if (look.wants(form.kind) && std::regex_match(text, std::regex(form.form)))
      return Slip{fmt::format("{} stands without quotes", form.what), look.replaced(look.found(), text), true};
  return std::nullopt;
}

// `count four`.
std::optional<Slip> in_words(const Look& look) {
  constexpr std::string_view kWords[] = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                         "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  if (!look.is(Kind::ID) || !look.wants(Kind::NUMBER)) return std::nullopt;
  for (std::size_t i = 0; i < std::size(kWords); ++i)
    if (look.written() == kWords[i])
      return Slip{fmt::format("write it in digits: `{}`", i), look.replaced(look.found(), std::to_string(i))};
  return std::nullopt;
}

// `count 2 nodes`, `tolerate 1 node lost`: counts of what is said already.
std::optional<Slip> counted(const Look& look) {
  constexpr Kind kCounts[] = {Kind::COUNT, Kind::DOTS,      Kind::TOLERATE,    Kind::REPLICAS, Kind::SURGE,
                              Kind::MPS,   Kind::FRACTIONS, Kind::TIME_SLICES, Kind::MEMORY,   Kind::COMPUTE};
  if (!look.before_is(Kind::NUMBER) || look.before(2) == nullptr || look.on_new_line()) return std::nullopt;
  if (!look.is(Kind::ID) && !look.is(Kind::NODES) && !look.is(Kind::REPLICAS)) return std::nullopt;
  if (!contains(kCounts, look.before(2)->kind)) return std::nullopt;
  // `tolerate 1 losst` is the word that is wanted, mistyped.
  if (nearest_word(look.written(), look.mistake().expected)) return std::nullopt;
  return Slip{fmt::format("leave out `{}`: this is a plain number", look.written()), look.left_out()};
}

// `30 req per s`, `30 requests/s` are two; the first has the form of a rate.
std::optional<Slip> rate_in_words(const Look& look) {
  if (!look.is(Kind::PER) || !look.before_is(Kind::ID) || look.after() == nullptr || !look.after_is(Kind::ID))
    return std::nullopt;
  const std::string_view what = look.word(*look.before());
  constexpr std::string_view kRates[] = {"req", "requests", "tokens", "samples"};
  if (!contains(kRates, what)) return std::nullopt;
  std::string_view time = look.word(*look.after());
  if (time.starts_with("sec")) time = "s";
  if (time.starts_with("minute")) time = "min";
  if (time.starts_with("hour")) time = "h";
  return look.mended("write", *look.before(), *look.after(),
                     fmt::format("{}/{}", what == "requests" ? "req" : what, time));
}

// `24.12.2026`.
std::optional<Slip> day_first(const Look& look) {
  if (!look.is(Kind::VERSION) || !look.wants(Kind::DATE)) return std::nullopt;
  static const std::regex form("([0-9]{1,2})[.]([0-9]{1,2})[.]([0-9]{4})");
  std::smatch match;
  const std::string written(look.written().substr(0, 16));
  if (!std::regex_match(written, match, form)) return std::nullopt;
  return look.mended("a date has the year first:", look.found(),
                     fmt::format("{}-{:0>2}-{:0>2}", match[3].str(), match[2].str(), match[1].str()));
}

// `09:30:00`, `09h30`.
std::optional<Slip> clock(const Look& look) {
  if (look.is(Kind::COLON) && look.before_is(Kind::TIME) && look.after_is(Kind::NUMBER) &&
      Look::touch(*look.before(), look.found()))
    return Slip{"a time has hours and minutes alone", look.kept_alone(*look.before(), look.after()->end)};
  if (!look.wants(Kind::TIME) || !look.is(Kind::MEASURE) || unit_in(look.written()) != "h") return std::nullopt;
  if (!look.after_is(Kind::NUMBER) || !Look::touch(look.found(), *look.after())) return std::nullopt;
  return look.mended("write", look.found(), *look.after(),
                     fmt::format("{:0>2}:{:0>2}", number_in(look.written()), look.word(*look.after())));
}

// `<= 6`, `< 6`: counts and amounts are what they are.
std::optional<Slip> comparison(const Look& look) {
  if (!look.is(Kind::LESS) || look.before() == nullptr) return std::nullopt;
  if (!look.wants(Kind::NUMBER) && !look.wants(Kind::MEASURE)) return std::nullopt;
  const Token& last = look.after_is(Kind::EQUALS) ? *look.after() : look.found();
  return Slip{"leave out the comparison: the number stands alone", look.kept_alone(*look.before(), last.end)};
}

// `"0 22 * * *"`, `@daily`: a window lasts, and a cron line names its beginning alone.
std::optional<Slip> cron(const Look& look) {
  if (!look.wants(Kind::TIME)) return std::nullopt;
  static const std::regex form("\"[-0-9*,/@?A-Za-z]+( +[-0-9*,/?A-Za-z]+){4,5}\"|\"?@[a-z]+\"?");
  if (!std::regex_match(std::string(look.written().substr(0, 80)), form)) return std::nullopt;
  return Slip{std::string(kNoCron), {}};
}

// `22h..06h`, `22..06`, `2200..0600`.
std::optional<Slip> hour(const Look& look) {
  if (!look.wants(Kind::TIME) || look.after_is(Kind::COLON)) return std::nullopt;
  static const std::regex form("([0-9]{1,2})(?:h|([0-9]{2}))?");
  std::smatch match;
  const std::string written(look.written().substr(0, 8));
  if (!std::regex_match(written, match, form)) return std::nullopt;
  const std::string mended =
      fmt::format("{:0>2}:{}", match[1].str(), match[2].matched ? match[2].str() : std::string("00"));
  if (mended > "23:59") return std::nullopt;
  return look.mended("write", look.found(), mended, true);
}

}  // namespace

std::optional<Slip> slip_of_number(const Look& look) {
  return first_of(look, {separators, exponent, multiple, multiple_apart, time_in_parts, time_with_colon, in_quotes,
                         in_words, counted, rate_in_words, day_first, clock, comparison, cron, hour});
}

}  // namespace gpol::syntax
