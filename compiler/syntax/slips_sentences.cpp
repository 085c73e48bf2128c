// Slips in the declarations that read as sentences (`prove standard never held by batch`, `allow ... from main of
// chat`), and items that begin with their number (`16 gpus of main`, `4 nodes`). Before the other slips: here the sense
// tells more than the word that the grammar misses.
#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

bool begins(const Look& look, Kind kind) { return look.mistake().tokens.front().kind == kind; }

// Whether the text says `pool main`, near its top.
bool declared(std::string_view text, std::string_view what, std::string_view name) {
  constexpr std::size_t kFar = std::size_t{1} << 20U, kLongest = 64;
  if (name.empty() || name.size() > kLongest) return false;
  const std::string wanted = fmt::format("{} {}", what, name);
  const std::string_view near = text.substr(0, kFar);
  constexpr std::string_view kEnds = " {\t\r\n;:", kBefore = " {\t\r\n;}";
  for (auto at = near.find(wanted); at != std::string_view::npos; at = near.find(wanted, at + 1)) {
    const auto end = at + wanted.size();
    if ((at == 0 || kBefore.find(near[at - 1]) != std::string_view::npos) &&
        (end == near.size() || kEnds.find(near[end]) != std::string_view::npos))
      return true;
  }
  return false;
}

// `from chat of main`, `from main of chat`, `from chat` alone: the pool comes first, then who lends.
std::optional<Slip> lender(const Look& look) {
  if (!begins(look, Kind::ALLOW) || !look.wants(Kind::OF) || !look.is(Kind::FROM) || !look.after_is(Kind::ID))
    return std::nullopt;
  const std::string_view first = look.word(*look.after());
  if (look.after_is(Kind::OF, 2) && look.after_is(Kind::ID, 3)) {
    const std::string_view second = look.word(*look.after(3));
    const bool pool = declared(look.text(), "pool", first) || declared(look.text(), "tenant", second);
    return look.mended("the pool comes first, then who lends it:", look.found(), *look.after(3),
                       fmt::format("of {} from {}", pool ? first : second, pool ? second : first));
  }
  if (declared(look.text(), "tenant", first) && !declared(look.text(), "pool", first))
    return Slip{fmt::format("say of which pool: `of POOL from {}`", first), {}};
  return std::nullopt;
}

// `, returned within 2min`, `until 2027-01-01`, `during 22:00..06:00`.
std::optional<Slip> allowed(const Look& look) {
  if (look.before_is(Kind::DURING) && look.is(Kind::TIME))
    return Slip{
        "times are declared by a window, `window night = 22:00..06:00 Europe/Zurich daily`, and named here: "
        "`during night`",
        {}};
  if (!begins(look, Kind::ALLOW) || !look.wants(Kind::BACK)) return std::nullopt;
  if (look.is(Kind::ID) && look.after_is(Kind::WITHIN))
    return Slip{fmt::format("write `back` instead of `{}`", look.written()), look.replaced(look.found(), "back")};
  if (look.is(Kind::UNTIL))
    return Slip{"an `allow` has no last day: leave out the `until`, and delete the allow when it is to end", {}};
  return std::nullopt;
}

// `prove standard never held by batch`, `prove that standard ready within 4min`.
std::optional<Slip> proven(const Look& look) {
  if (!begins(look, Kind::PROVE)) return std::nullopt;
  if (look.wants_only(Kind::HOLDS) && look.written() == "held" && look.before_is(Kind::NEVER) &&
      look.before(2) != nullptr && look.after_is(Kind::BY) && look.after(2) != nullptr &&
      look.names(look.after(2)->kind))
    return look.mended("write", *look.before(2), *look.after(2),
                       fmt::format("{} never holds {}", look.word(*look.after(2)), look.word(*look.before(2))));
  if (look.wants(Kind::NEVER) && look.before(2) != nullptr &&
      contains({"that", "a", "the", "every"}, look.word(*look.before())) && look.names(look.found().kind))
    return Slip{fmt::format("leave out `{}`", look.word(*look.before())),
                look.kept_alone(*look.before(2), look.before()->end)};
  return std::nullopt;
}

// `trust ... until January`, `till 2027-01-31`.
std::optional<Slip> until(const Look& look) {
  if (!begins(look, Kind::TRUST)) return std::nullopt;
  if (look.before_is(Kind::UNTIL) && look.is(Kind::ID)) return Slip{"`until` takes a day: `until 2027-01-31`", {}};
  if (look.wants(Kind::UNTIL) && look.before_is(Kind::HANDLE) && look.after_is(Kind::DATE) && look.is(Kind::ID))
    return Slip{fmt::format("write `until` instead of `{}`", look.written()), look.replaced(look.found(), "until")};
  return std::nullopt;
}

// `daily weekdays`, `Europe/Zurich except holidays`, `except 2026-12-25`.
std::optional<Slip> window(const Look& look) {
  if (!begins(look, Kind::WINDOW)) return std::nullopt;
  if (look.before_is(Kind::EXCEPT) && look.is(Kind::DATE))
    return Slip{fmt::format("days are declared by a calendar, `calendar holidays {{ {} }}`, and named here: "
                            "`except holidays`",
                            look.written()),
                {}};
  if (!look.wants(Kind::EXCEPT) || look.wants_name() || look.before() == nullptr) return std::nullopt;
  const auto days = [&](const Token& token) { return contains({"daily", "weekdays", "weekends"}, look.word(token)); };
  if (days(*look.before()) && days(look.found()))
    return Slip{"a window has one choice of days, `daily`, `weekdays` or `weekends`: make a window of others each", {}};
  if (look.before_is(Kind::EXCEPT) && look.before_is(Kind::TIME, 3) && look.is(Kind::ID) && !days(*look.before(2)))
    return Slip{"the days stand before `except`: `daily except`", look.replaced(*look.before(), "daily except")};
  return std::nullopt;
}

// `16 gpus of main` in a tenant, `4 nodes` and `8 gpus, 192 cpu` in a node group: an item begins with its word.
std::optional<Slip> number_first(const Look& look) {
  if (!look.is(Kind::NUMBER) || !look.wants(Kind::RBRACE) || look.after() == nullptr ||
      (!look.on_new_line() && (look.before_is(Kind::NUMBER) || look.before_is(Kind::MEASURE))))
    return std::nullopt;
  const bool nodes = look.after_is(Kind::NODES) || contains({"node", "nodes"}, look.word(*look.after()));
  if (look.wants(Kind::COUNT) && nodes)
    return look.mended("write", look.found(), *look.after(), fmt::format("count {}", look.written()));
  if (look.wants(Kind::TOLERATE) && look.after_is(Kind::LOST))
    return Slip{"write `tolerate` before the number", look.put_before("tolerate ")};
  if (!contains({"gpu", "gpus"}, look.word(*look.after()))) return std::nullopt;
  if (look.wants(Kind::EACH) && !look.wants(Kind::RESERVE))
    return Slip{"write `each` before the amounts", look.put_before("each ")};
  if (!look.wants(Kind::RESERVE)) return std::nullopt;
  const std::string amount = fmt::format("{} gpus", look.written());
  if (look.after_is(Kind::OF, 2) && look.after(3) != nullptr)
    return Slip{fmt::format("say what they are: `reserve {0} of {1}` of class A or B, `quota {0} of {1}` of class C",
                            amount, look.word(*look.after(3))),
                {}};
  return Slip{
      fmt::format("say what they are, such as `reserve {0} of POOL`, `quota {0} of POOL` or `replica {0}`", amount),
      {}};
}

// `reserve 2 nodes of main`: an amount counts GPUs. `reserve 16 of main gpus`: the unit stands at its number.
std::optional<Slip> units(const Look& look) {
  if (look.wants_unit() && look.is(Kind::OF) && look.before_is(Kind::NUMBER) && look.after_is(Kind::ID) &&
      look.after(2) != nullptr && contains({"gpu", "gpus"}, look.word(*look.after(2))) &&
      !look.line_break(*look.after(), *look.after(2)))
    return look.mended(
        "write", *look.before(), *look.after(2),
        fmt::format("{} {} of {}", look.word(*look.before()), look.word(*look.after(2)), look.word(*look.after())));
  if (!look.wants_unit() || !look.is(Kind::NODES) || !look.before_is(Kind::NUMBER)) return std::nullopt;
  return Slip{fmt::format("an amount counts GPUs, not nodes: write how many GPUs `{} nodes` have, as in `16 gpus`",
                          look.word(*look.before())),
              {}};
}

// `take all`; `grace 60s saved in 45s`, `grace 60s, saved in 45s`; `reserve 2 x 8 gpus`; `language: 1`.
std::optional<Slip> clauses(const Look& look) {
  if (look.before_is(Kind::TAKE) && look.wants(Kind::THE) && look.written() == "all")
    return Slip{"write `the rest`: all that no other pool takes", look.replaced(look.found(), "the rest")};
  const bool comma = look.is(Kind::COMMA) && look.after_is(Kind::SAVED);
  if (look.wants(Kind::LPAREN) && look.before() != nullptr && (comma || look.is(Kind::SAVED))) {
    const std::size_t saved = comma ? 1 : 0;
    if (look.after_is(Kind::IN, saved + 1) && look.after_is(Kind::MEASURE, saved + 2)) {
      const Token& first = comma ? *look.after() : look.found();
      const Token& last = *look.after(saved + 2);
      const std::string mended = fmt::format("({})", look.said(first, last));
      return Slip{
          fmt::format("it stands in parentheses: `{}`", mended),
          look.replaced(look.before()->begin, last.end, fmt::format("{} {}", look.word(*look.before()), mended))};
    }
  }
  if (look.wants(Kind::PROFILE) && look.is(Kind::NUMBER) && look.before_is(Kind::TIMES) &&
      look.before_is(Kind::NUMBER, 2) && look.after() != nullptr &&
      contains({"gpu", "gpus"}, look.word(*look.after()))) {
    const std::string_view many = look.word(*look.before(2)), of = look.written();
    if (many.size() > 6 || of.size() > 6 || many.find('.') + 1 != 0 || of.find('.') + 1 != 0) return std::nullopt;
    const auto all = std::stoll(std::string(many)) * std::stoll(std::string(of));
    return Slip{fmt::format("an amount is one number: `{} {}`", all, look.word(*look.after())),
                look.replaced(look.before(2)->begin, look.found().end, fmt::to_string(all))};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Slip> slip_of_sentence(const Look& look) {
  return first_of(look, {lender, allowed, proven, until, window, number_first, units, clauses});
}

}  // namespace gpol::syntax
