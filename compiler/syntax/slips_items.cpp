// Slips in what items are made of, and in what stands between them: a word left out (`kill 5s`), words joined
// (`kill-margin`), a clause that is to be repeated (`quota 0 gpus of a, 8 gpus of b`), a text without its quotes.
#include <algorithm>

#include "compiler/source/text.h"
#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

// A word that goes with others, where it alone was left out or written.
struct Together {
  Kind kind;
  std::string_view all;
};
constexpr Together kTogether[] = {{Kind::CHANGES, "changes to"}, {Kind::PAID, "paid by"}, {Kind::UP, "up to"}};

std::string spelled(const Look& look, Kind kind) {
  for (const Together& words : kTogether)
    if (words.kind == kind) return std::string(words.all);
  if (kind == Kind::AT && look.before_is(Kind::HEADROOM)) return "at least";
  if (kind == Kind::AT && (look.before_is(Kind::LEND) || look.before_is(Kind::BORROW))) return "at most";
  return std::string(kWords[static_cast<std::size_t>(kind)]);
}

std::optional<Kind> only_word(const KindSet& expected) {
  std::optional<Kind> only;
  for (std::size_t i = 1; i < kKinds; ++i) {
    const std::string_view word = kWords[i];
    if (!expected.test(i) || word.empty()) continue;
    const auto kind = static_cast<Kind>(i);
    if (kind == Kind::WITHOUT || kind == Kind::COMMA) continue;  // `lend without limit`; a list may go on
    if (only || word.front() < 'a' || word.front() > 'z') return std::nullopt;
    only = kind;
  }
  return only;
}

bool small_word(Kind kind) {
  constexpr Kind kSmall[] = {Kind::ON, Kind::IN,   Kind::OF,  Kind::TO,  Kind::AT,     Kind::BY,
                             Kind::AS, Kind::FROM, Kind::FOR, Kind::PER, Kind::DURING, Kind::UNTIL};
  return contains(kSmall, kind);
}

// `kill 5s`, `pool main h100`, `pool main of h100`: one word is missing, or another stands for it.
std::optional<Slip> missing_word(const Look& look) {
  const auto only = only_word(look.mistake().expected);
  if (!only || look.before() == nullptr || look.is(Kind::END)) return std::nullopt;
  if (nearest_word(look.written(), look.mistake().expected)) return std::nullopt;  // it is there, mistyped
  const std::string word = spelled(look, *only);
  if (*only == Kind::BATCH && look.names(look.found().kind))
    return Slip{"write `batch`: a tenant preempts class C as a whole", look.replaced(look.found(), word)};
  // It ends its item: `tolerate 1`, `take 3`.
  if (*only == Kind::LOST || *only == Kind::NODES || *only == Kind::COMPUTE)
    return look.is(Kind::ID) ? std::nullopt
                             : std::optional(Slip{fmt::format("write `{} {}`", look.word(*look.before()), word),
                                                  look.put_behind(" " + word)});
  if (look.on_new_line()) return std::nullopt;
  if (word.ends_with(" " + std::string(look.written())))  // `by` alone for `paid by`
    return Slip{fmt::format("write `{}`", word), look.replaced(look.found(), word)};
  if (small_word(look.found().kind) && small_word(*only))
    return Slip{fmt::format("write `{}` instead of `{}`", word, look.written()), look.replaced(look.found(), word)};
  constexpr Kind kFollow[] = {Kind::NUMBER, Kind::MEASURE, Kind::TIME,  Kind::HANDLE,
                              Kind::STRING, Kind::ID,      Kind::BORROW};
  const bool follows = (*only == Kind::THE && look.is(Kind::QUEUE)) || contains(kFollow, look.found().kind);
  // Of two names in a row the first may be another word for the one that is missing.
  if (!follows || (look.is(Kind::ID) && look.after_is(Kind::ID))) return std::nullopt;
  // `asks around 09:30`, `trust k since "..."`: what follows the word that is missing follows this one.
  constexpr Kind kValues[] = {Kind::TIME, Kind::HANDLE, Kind::STRING, Kind::NUMBER, Kind::MEASURE};
  if (look.is(Kind::ID) && look.after() != nullptr && contains(kValues, look.after()->kind))
    return Slip{fmt::format("write `{}` instead of `{}`", word, look.written()), look.replaced(look.found(), word)};
  return Slip{fmt::format("write `{}` before `{}`", word, look.written()), look.put_before(word + " ")};
}

// `kill-margin`, `spot_notice`, `leadTime`: words of the language that were joined.
std::optional<Slip> joined(const Look& look) {
  constexpr std::size_t kLongest = 32;
  if (!look.is(Kind::ID) || look.written().size() > kLongest) return std::nullopt;
  std::string apart;
  for (const char c : look.written()) {
    if (c == '-' || c == '_')
      apart += ' ';
    else if (c >= 'A' && c <= 'Z')
      add_to_list(apart, std::string(1, lowered(c)), " ");
    else
      apart += c;
  }
  constexpr std::pair<std::string_view, std::string_view> kOneWord[] = {
      {"killmargin", "kill margin"}, {"leadtime", "lead time"}, {"readywithin", "ready within"}};
  for (const auto& [one, two] : kOneWord)
    if (look.written() == one) apart = two;
  const auto known = [](std::string_view word) { return contains(kWords, word); };
  std::size_t begin = 0;
  for (std::size_t end = 0; begin < apart.size(); begin = end + 1) {
    end = std::min(apart.find(' ', begin), apart.size());
    const std::string_view word = std::string_view(apart).substr(begin, end - begin);
    if (!known(word) || (begin == 0 && end == apart.size())) return std::nullopt;
    if (begin > 0) continue;
    bool fits = false;
    for (std::size_t i = 1; i < kKinds; ++i) fits = fits || (look.mistake().expected.test(i) && kWords[i] == word);
    if (!fits) return std::nullopt;
  }
  return Slip{fmt::format("write `{}`, in words of their own", apart), look.replaced(look.found(), apart), true};
}

// `spot with notice 120s`, `standard must be ready`: small words before the one that fits.
std::optional<Slip> filler(const Look& look) {
  constexpr std::string_view kSmall[] = {"with", "is",   "are",    "be",     "has", "have", "a",  "an", "the", "that",
                                         "will", "must", "should", "always", "may", "can",  "of", "to", "for", "get"};
  constexpr std::size_t kMost = 3;
  if (look.before() == nullptr || look.on_new_line() || look.wants(Kind::RBRACE)) return std::nullopt;
  const Token* last = &look.found();
  for (std::size_t n = 1; n <= kMost && look.after(n) != nullptr; ++n) {
    if (!contains(kSmall, look.word(*last))) return std::nullopt;
    const Kind next = look.after(n)->kind;
    if (next == Kind::END || look.line_break(*last, *look.after(n))) return std::nullopt;
    if (look.wants(next)) {
      const auto said = look.said(look.found(), *last);
      return Slip{fmt::format("leave out `{}`", said), look.kept_alone(*look.before(), last->end)};
    }
    last = look.after(n);
  }
  return std::nullopt;
}

// The word that an item begins with, of the item that the mistake is in.
const Token* item_word(const Look& look, std::initializer_list<Kind> words) {
  for (std::size_t n = 1; look.before(n) != nullptr; ++n) {
    const Kind kind = look.before(n)->kind;
    if (kind == Kind::SEMICOLON || kind == Kind::LBRACE || kind == Kind::RBRACE) return nullptr;
    if (contains(words, kind)) return look.before(n);
  }
  return nullptr;
}

// `quota 0 gpus of shared, 40 gpus of burst`: one clause for each pool.
std::optional<Slip> repeated(const Look& look) {
  if ((!look.is(Kind::COMMA) && look.written() != "and") || !look.before_is(Kind::OF, 2)) return std::nullopt;
  if (look.after() != nullptr && look.names(look.after()->kind) &&
      item_word(look, {Kind::QUOTA, Kind::RESERVE, Kind::SHAPE}) != nullptr)
    return Slip{"each pool has a clause of its own, with its amount", {}};
  if (!look.after_is(Kind::NUMBER) && !look.after_is(Kind::MEASURE)) return std::nullopt;
  const Token* item = item_word(look, {Kind::QUOTA, Kind::RESERVE, Kind::SHAPE, Kind::LEND, Kind::BORROW});
  if (item == nullptr) return std::nullopt;
  std::string again(look.word(*item));
  if (item->kind == Kind::LEND || item->kind == Kind::BORROW) again += " at most";
  return Slip{fmt::format("write `{}` again for each pool: `; {} {} ...`", again, again, look.word(*look.after())),
              look.replaced(look.found(), "; " + again)};
}

// A `,` where an item ends, or a `;` in the middle of one.
std::optional<Slip> between_items(const Look& look) {
  const bool start_term = look.is(Kind::ID) && (look.after_is(Kind::MEASURE) || look.after_is(Kind::NUMBER));
  constexpr std::string_view kTerms[] = {"schedule", "image", "weights", "load", "warm"};
  const bool term = start_term && contains(kTerms, look.written());
  if (look.is(Kind::LBRACE) && look.before_is(Kind::START))
    return Slip{"the terms of `start` stand without braces: `start schedule 5s, image 20s, ...`", {}};
  if (term && look.wants(Kind::START)) {
    const bool ended = look.before_is(Kind::SEMICOLON);
    const bool after_term = look.before_is(Kind::MEASURE, ended ? 2 : 1);
    bool started = false;  // in this item, or in the one that the `;` ended
    for (std::size_t n = ended ? 2 : 1; look.before(n) != nullptr && !started; ++n) {
      if (look.before(n)->kind == Kind::SEMICOLON || look.before(n)->kind == Kind::LBRACE) break;
      started = look.before(n)->kind == Kind::START;
    }
    if (started && after_term)
      return Slip{"the terms of `start` are separated with `,`",
                  ended ? look.replaced(*look.before(), ",") : look.put_behind(",")};
    return Slip{fmt::format("`{}` is a term of `start`: `start schedule 5s, image 20s, weights 40s, load 25s, warm "
                            "20s`",
                            look.written()),
                {}};
  }
  const bool mistyped = nearest_word(look.written(), look.mistake().expected).has_value();
  if (look.before_is(Kind::COMMA) && !look.on_new_line() && !look.wants(Kind::RBRACE) && !mistyped &&
      starts_item(look.found().kind, look.facts()) && look.after() != nullptr && !look.after_is(Kind::COMMA) &&
      !look.after_is(Kind::SEMICOLON) && !look.after_is(Kind::RBRACE))
    return Slip{"an item ends with `;`, or with its line", look.replaced(*look.before(), ";")};
  return std::nullopt;
}

// `because reviewed in October by @platform`: up to the word that goes on, the rest of the line at most.
std::optional<Slip> text_without_quotes(const Look& look) {
  const bool source = look.before_is(Kind::MEASURED) || look.before_is(Kind::DECLARED) || look.before_is(Kind::DERIVED);
  if (!look.wants(Kind::STRING) || look.on_new_line() || look.before() == nullptr) return std::nullopt;
  if (look.after_is(Kind::STRING)) return std::nullopt;  // `because: "..."`: it has its quotes
  const bool because = look.before_is(Kind::BECAUSE) || (source && !look.is(Kind::STRING));
  if (!because && !look.wants_only(Kind::STRING)) return std::nullopt;
  if (!because && !look.is(Kind::ID)) return std::nullopt;
  constexpr Kind kEnds[] = {Kind::END, Kind::SEMICOLON, Kind::LBRACE, Kind::RBRACE, Kind::STRING, Kind::RPAREN};
  const Token* last = nullptr;
  const Token* at = &look.found();
  for (std::size_t n = 1; at != nullptr; at = look.after(n++)) {
    if (contains(kEnds, at->kind)) break;
    if (at->kind == Kind::BY && look.after_is(Kind::HANDLE, n)) break;
    if (last != nullptr && (!because || look.line_break(*last, *at))) break;
    last = at;
  }
  if (last == nullptr) return std::nullopt;
  auto text = look.said(look.found(), *last);
  constexpr std::size_t kLongest = 200;
  if (look.before_is(Kind::BECAUSE)) {  // its words may begin declarations: `because measured on this cluster by @a`
    const auto rest = look.text().substr(look.found().begin, kLongest);
    const auto line = rest.substr(0, rest.find('\n'));
    if (const auto by = line.find(" by @"); by != std::string_view::npos) text = line.substr(0, by);
  }
  if (text.size() > kLongest) return std::nullopt;
  return Slip{"put the text in double quotes",
              look.replaced(look.found().begin, look.found().begin + static_cast<std::uint32_t>(text.size()),
                            fmt::format("\"{}\"", text))};
}

// `lending at most 8 gpus`, `lendingLimit 8`: in a queue each word that is not known may be a setting of it.
std::optional<Slip> queue_limit(const Look& look) {
  if (!look.before_is(Kind::ID)) return std::nullopt;
  const std::string_view word = look.word(*look.before());
  for (const std::string_view limit : {"lend", "borrow"}) {
    if (!word.starts_with(limit)) continue;
    if (look.is(Kind::AT)) return Slip{fmt::format("write `{}`", limit), look.replaced(*look.before(), limit)};
    if (look.is(Kind::NUMBER) || look.is(Kind::COLON) || look.is(Kind::EQUALS) || look.is(Kind::MEASURE))
      return Slip{fmt::format("write `{} at most 8 gpus of POOL`", limit), {}};
  }
  return std::nullopt;
}

// `22:00..06:00` alone, or without one of zone and days.
std::optional<Slip> window_parts(const Look& look) {
  if (look.mistake().tokens.front().kind != Kind::WINDOW) return std::nullopt;
  constexpr std::string_view kDays[] = {"daily", "weekdays", "weekends"};
  const auto days = [&](const Token& token) { return contains(kDays, look.word(token)); };
  if (look.wants_name() && look.before_is(Kind::TIME) && (look.is(Kind::END) || look.is(Kind::SEMICOLON)))
    return Slip{"the time zone and the days follow the times: `22:00..06:00 Europe/Zurich daily`", {}};
  if (look.before_is(Kind::EXCEPT) && days(*look.before(2)) && look.before_is(Kind::TIME, 3))
    return Slip{fmt::format("the time zone stands before the days: `Europe/Zurich {}`", look.word(*look.before(2))),
                {}};
  // `America/New York daily`
  if (days(look.found()) && look.before_is(Kind::ID) && look.before_is(Kind::ID, 2) && look.before_is(Kind::TIME, 3)) {
    const std::string zone = fmt::format("{}_{}", look.word(*look.before(2)), look.word(*look.before()));
    return Slip{fmt::format("a time zone is one word: `{}`", zone),
                look.replaced(look.before(2)->begin, look.before()->end, zone)};
  }
  if (!look.before_is(Kind::TIME, 2) || look.before_is(Kind::DOTS)) return std::nullopt;
  if (look.wants_name() && (look.is(Kind::END) || look.is(Kind::SEMICOLON))) {
    if (days(*look.before()))
      return Slip{"the time zone stands before the days: `22:00..06:00 Europe/Zurich daily`", {}};
    return Slip{fmt::format("the days follow the time zone, `daily`, `weekdays` or `weekends`: `{} daily`",
                            look.word(*look.before())),
                look.put_behind(" daily")};
  }
  if (look.wants_name() && look.is(Kind::EVERY) && look.after_is(Kind::ID) && look.word(*look.after()) == "day")
    return Slip{"write `daily`", look.replaced(look.found().begin, look.after()->end, "daily"), true};
  if (look.wants_name() && look.is(Kind::ON) && look.after() != nullptr && days(*look.after()))
    return Slip{"leave out `on`", look.left_out(), true};
  return std::nullopt;
}

}  // namespace

// `each 8 gpus; 192 cpu; 2 TiB`, `replicas 1; surge 0`: parts of a list that stand apart as items do.
std::optional<Slip> parts_apart(const Look& look) {
  const Mistake& m = look.mistake();
  if (m.list_end == 0) return std::nullopt;
  std::size_t from = m.at - 1;
  if (m.tokens[from].kind == Kind::SEMICOLON) --from;
  std::string mended;
  for (std::size_t i = from; i < m.list_end; ++i) {
    const Token &word = m.tokens[i], &next = m.tokens[i + 1];
    mended += word.kind == Kind::SEMICOLON ? "," : look.word(word);
    if (i + 1 == m.list_end) break;
    if (word.kind != Kind::SEMICOLON && word.kind != Kind::COMMA && next.kind != Kind::SEMICOLON &&
        look.line_break(word, next))
      mended += ",";
    mended += look.text().substr(word.end, next.begin - word.end);
  }
  return Slip{"the parts are separated with `,`",
              look.replaced(m.tokens[from].begin, m.tokens[m.list_end - 1].end, mended), true};
}

std::optional<Slip> slip_of_item(const Look& look) {
  return first_of(look, {repeated, between_items, text_without_quotes, window_parts, queue_limit});
}

std::optional<Slip> missing_or_joined(const Look& look) {
  if (auto slip = filler(look)) return slip;
  auto slip = joined(look);
  return slip ? slip : missing_word(look);
}

}  // namespace gpol::syntax
