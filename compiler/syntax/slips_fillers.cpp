// Words and signs that say nothing where they stand: `reserve at least 8 gpus`, `each node has 8 gpus`, `(8 gpus)`,
// `class is batch`, `22:00..06:00, Europe/Zurich`; and amounts that stand behind their name, `live: 8 gpus`.
#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

bool amount_at(const Look& look, std::size_t n) {
  return look.after_is(Kind::NUMBER, n) || look.after_is(Kind::MEASURE, n);
}

// Up to three words before an amount or a time.
std::optional<Slip> words_before_amount(const Look& look) {
  const bool time = look.wants(Kind::TIME) && !look.wants(Kind::MEASURE);
  if ((!time && !look.wants(Kind::MEASURE)) || look.wants_name() || look.before() == nullptr) return std::nullopt;
  constexpr Kind kWordsOnly[] = {Kind::ID,        Kind::OF,   Kind::IN,    Kind::AT,    Kind::TO,     Kind::BY,
                                 Kind::FOR,       Kind::ON,   Kind::UP,    Kind::EVERY, Kind::WITHIN, Kind::UNTIL,
                                 Kind::TIME_WORD, Kind::AS,   Kind::LEAST, Kind::MOST,  Kind::FROM,   Kind::THE,
                                 Kind::NODES,     Kind::EACH, Kind::LESS};
  const Token* last = &look.found();
  for (std::size_t n = 1; n <= 3 && last != nullptr && contains(kWordsOnly, last->kind); ++n) {
    if (time ? look.after_is(Kind::TIME, n) : amount_at(look, n)) {
      const auto said = look.said(look.found(), *last);
      return Slip{fmt::format("leave out `{}`: the {} follows at once", said, time ? "time" : "amount"),
                  look.kept_alone(*look.before(), last->end)};
    }
    last = look.after(n);
    if (last != nullptr && look.line_break(look.found(), *last)) break;
  }
  return std::nullopt;
}

// `reserve live: 8 gpus`, `quota live 8 gpus`: the pool stands behind its amount.
std::optional<Slip> pool_first(const Look& look) {
  constexpr Kind kOfPools[] = {Kind::RESERVE, Kind::QUOTA, Kind::SHAPE, Kind::MOST};
  if (!look.wants(Kind::MEASURE) || !look.is(Kind::ID) || look.before() == nullptr) return std::nullopt;
  if (!contains(kOfPools, look.before()->kind)) return std::nullopt;
  const bool sign = look.after_is(Kind::COLON) || look.after_is(Kind::EQUALS);
  const std::size_t number = sign ? 2 : 1;
  if (!amount_at(look, number)) return std::nullopt;
  const Token* last = nullptr;
  for (std::size_t n = number; n < number + 16 && look.after(n) != nullptr; ++n) {
    if (contains(kItemEnds, look.after(n)->kind) || look.line_break(*look.after(n - 1), *look.after(n))) break;
    if (look.after_is(Kind::OF, n)) return std::nullopt;  // it was another word
    last = look.after(n);
  }
  if (last == nullptr || (last->kind == Kind::NUMBER)) return std::nullopt;
  const auto from = look.after(number)->begin;
  return look.mended("the amount comes first:", look.found(), *last,
                     fmt::format("{} of {}", look.text().substr(from, last->end - from), look.written()));
}

// `reserve(8 gpus of live)`
std::optional<Slip> parentheses(const Look& look) {
  if (!look.is(Kind::LPAREN) || look.before() == nullptr || look.wants(Kind::LPAREN) || look.wants_only(Kind::LBRACE))
    return std::nullopt;
  if (look.before_is(Kind::ID) || (!amount_at(look, 1) && !look.wants_name())) return std::nullopt;
  for (std::size_t n = 2; n < 24 && look.after(n) != nullptr; ++n) {
    if (contains(kItemEnds, look.after(n)->kind) || look.after_is(Kind::LPAREN, n)) return std::nullopt;
    if (!look.after_is(Kind::RPAREN, n)) continue;
    const auto from = look.after()->begin;
    const auto inside = look.text().substr(from, look.after(n - 1)->end - from);
    const bool tight = Look::touch(*look.before(), look.found());
    return Slip{"leave out the parentheses",
                look.replaced(look.found().begin, look.after(n)->end, fmt::format("{}{}", tight ? " " : "", inside))};
  }
  return std::nullopt;
}

// `class is batch`, `tenant chat is {`, `of the live`, `class realtime : A` in a tenant.
std::optional<Slip> small_words(const Look& look) {
  if (look.before() == nullptr || look.on_new_line()) return std::nullopt;
  if (look.written() == look.word(*look.before()) &&
      look.written().find_first_of("0123456789\"") == std::string_view::npos)
    return Slip{fmt::format("`{}` stands twice: leave one out", look.written()), look.left_out(), true};
  if (look.wants_only(Kind::LBRACE) && look.is(Kind::ID) && look.after_is(Kind::LBRACE))
    return Slip{fmt::format("leave out `{}`", look.written()), look.left_out()};
  if (look.names(look.found().kind) && look.before(2) != nullptr && look.wants(Kind::RBRACE) &&
      (contains({"is", "are", "be", "the"}, look.word(*look.before()))))
    return Slip{fmt::format("leave out `{}`", look.word(*look.before())),
                look.kept_alone(*look.before(2), look.before()->end)};
  if (look.is(Kind::COLON) && look.before_is(Kind::CLASS, 2) && look.after_is(Kind::ID) && look.wants(Kind::OWNER))
    return Slip{"a tenant names its class alone", look.kept_alone(*look.before(), look.after()->end)};
  return std::nullopt;
}

// `22:00..06:00, Europe/Zurich`, `in Europe/Zurich`, `except on holidays`, `except: holidays`, `window n { 22:00..`.
std::optional<Slip> in_window(const Look& look) {
  if (look.mistake().tokens.front().kind != Kind::WINDOW || look.before() == nullptr) return std::nullopt;
  const bool days = look.before_is(Kind::ID) && look.is(Kind::COMMA) && look.after_is(Kind::ID) &&
                    look.wants(Kind::EXCEPT) && !look.wants_name();
  if (days) return Slip{"the days are `daily`, `weekdays` or `weekends`: make a window of others each", {}};
  constexpr Kind kSaysNothing[] = {Kind::COMMA, Kind::IN, Kind::ON, Kind::AT, Kind::OF};
  if (contains(kSaysNothing, look.found().kind) && look.after() != nullptr && !look.after_is(Kind::END))
    return Slip{fmt::format("leave out `{}`", look.written()), look.left_out()};
  if (look.is(Kind::LBRACE) && look.wants_only(Kind::EQUALS) && look.after_is(Kind::TIME))
    for (std::size_t n = 2; n < 12 && look.after(n) != nullptr; ++n)
      if (look.after_is(Kind::RBRACE, n)) {
        const auto from = look.after()->begin;
        const auto inside = look.text().substr(from, look.after(n - 1)->end - from);
        return Slip{"a window has no block: write `=`",
                    look.replaced(look.found().begin, look.after(n)->end, fmt::format("= {}", inside))};
      }
  return std::nullopt;
}

// `owner team chat`, `owner @Chat Team`, `owner @a @b`: one word.
std::optional<Slip> owner(const Look& look) {
  if (look.wants(Kind::HANDLE) && (look.is(Kind::ID) || look.is(Kind::STRING)) && look.after() != nullptr &&
      !look.line_break(look.found(), *look.after()) && (look.after_is(Kind::ID) || look.after_is(Kind::COLON)))
    return Slip{"an owner is one word that begins with `@`, such as `@chat`", {}};
  if (!look.before_is(Kind::HANDLE) || look.on_new_line() || !look.wants(Kind::RBRACE)) return std::nullopt;
  if (look.is(Kind::HANDLE) || (look.is(Kind::COMMA) && look.after_is(Kind::HANDLE)))
    return Slip{"a tenant has one owner: keep one of them", {}};
  if (look.is(Kind::ID) && !nearest_word(look.written(), look.mistake().expected))
    return look.mended("an owner is one word:", *look.before(), look.found(),
                       fmt::format("{}-{}", look.word(*look.before()), look.written()));
  return std::nullopt;
}

// As it is called elsewhere, words with blanks between. Empty `instead`: its values differ, too.
struct Elsewhere {
  std::string_view written, instead, hint;
};
constexpr Elsewhere kElsewhere[] = {
    {"lendingLimit", "", "it is written `lend at most 8 gpus of POOL`"},
    {"borrowingLimit", "", "it is written `borrow at most 8 gpus of POOL`"},
    {"nominalQuota", "", "it is written `quota 8 gpus of POOL`"},
    {"terminationGracePeriodSeconds", "", "it is written `grace 60s`"},
    {"nominal", "quota", "did you mean `quota`?"},
    {"nodegroup nodepool", "nodes", "did you mean `nodes`?"},
    {"gracePeriod", "grace", "did you mean `grace`?"},
    {"gracePeriodSeconds", "", "it is written `grace 60s`"},
    {"loss losses lose", "", "it is written `tolerate 1 lost`"},
    {"kinds", "runs", "did you mean `runs`?"},
    {"variance cv", "variation", "did you mean `variation`?"},
    {"profile", "mig", "the slices of a GPU are written `mig 1g.10gb { ... }`"},
    {"max", "at most", "write `at most`"},
    {"otherwise", "else", "did you mean `else`?"},
    {"disallow", "no allow", "write `no allow`"},
};
std::optional<Slip> elsewhere(const Look& look) {
  if (!look.is(Kind::ID) || !look.wants(Kind::RBRACE)) return std::nullopt;
  for (const Elsewhere& row : kElsewhere)
    if (in_list(row.written, look.written()))
      return Slip{std::string(row.hint),
                  row.instead.empty() ? std::vector<Edit>{} : look.replaced(look.found(), row.instead)};
  return std::nullopt;
}

// `lend up to 8 gpus`, `lend nothing`, `price EUR 2.50`, `approve realtime changes`, `during night; back within 2min`.
std::optional<Slip> other_order(const Look& look) {
  if (look.before() == nullptr) return std::nullopt;
  const bool limit = look.before_is(Kind::LEND) || look.before_is(Kind::BORROW);
  if (limit && look.is(Kind::UP) && look.after_is(Kind::TO))
    return Slip{"write `at most`", look.replaced(look.found().begin, look.after()->end, "at most"), true};
  if (limit && look.wants(Kind::AT) && !look.a_number() && !amount_at(look, 1))
    return Slip{fmt::format("write `{0} at most 0 gpus of POOL`, or `{0} without limit`", look.word(*look.before())),
                {}};
  if (look.wants(Kind::MEASURE) && look.after_is(Kind::NUMBER) &&
      contains({"EUR", "USD", "CHF", "GBP", "JPY"}, look.written()))
    return look.mended("the number comes first:", look.found(), *look.after(),
                       fmt::format("{} {}", look.word(*look.after()), look.written()));
  if (look.wants_only(Kind::CHANGES) && look.after_is(Kind::CHANGES))
    return look.mended("write", look.found(), *look.after(), fmt::format("changes to {}", look.written()));
  if (look.is(Kind::BACK) && look.before_is(Kind::SEMICOLON) && look.mistake().tokens.front().kind == Kind::ALLOW)
    return Slip{"an allow goes on with `,`", look.replaced(*look.before(), ",")};
  return std::nullopt;
}

// `cpu: 192` of a list of resources, as its own item.
std::optional<Slip> resource_as_item(const Look& look) {
  if (!look.wants(Kind::RBRACE) || (!look.after_is(Kind::COLON) && !look.after_is(Kind::EQUALS))) return std::nullopt;
  if (!contains({"cpu", "cpus", "gpus", "memory", "mem", "pods", "nvidia.com/gpu"}, look.written()))
    return std::nullopt;
  return Slip{"amounts stand in one list, the number first: `each 8 gpus, 192 cpu, 2 TiB, 110 pods`", {}};
}

}  // namespace

std::optional<Slip> slip_of_filler(const Look& look) {
  return first_of(look, {elsewhere, other_order, resource_as_item, pool_first, parentheses, in_window, owner,
                         small_words, words_before_amount});
}

}  // namespace gpol::syntax
