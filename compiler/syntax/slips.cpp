#include "compiler/syntax/slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "compiler/source/lookup.h"
#include "compiler/source/text.h"
#include "compiler/syntax/slip_rows.h"
#include "compiler/syntax/statement.h"

namespace gpol::syntax {

namespace {

constexpr Kind kValues[] = {Kind::NUMBER, Kind::MEASURE, Kind::TIME, Kind::DATE, Kind::PROFILE, Kind::STRING};
constexpr std::string_view kSmallWords = "on in of to at by as from for per";
constexpr std::string_view kDeclaring = "nodes replica replicas pool class tenant window cohort";

// `kill-margin`, `leadTime`, `readywithin`: as two words of the language; empty: they are none.
std::string apart(std::string_view written) {
  constexpr std::size_t kLongestWord = 32, kShortest = 4;
  std::string all = written.size() > kLongestWord ? std::string() : lowered(written);
  std::erase_if(all, [](char c) { return c == '-' || c == '_'; });
  for (std::size_t i = kShortest; i < all.size(); ++i)
    if (contains(kWords, all.substr(0, i)) && contains(kWords, all.substr(i))) return all.insert(i, " ");
  return {};
}

// One kind of edit after the other, the surest first.
class Mending : public Statement {
 public:
  using Statement::Statement;
  // Of a text where a declaration should begin: its line, up to a brace.
  void take_line() {
    begin_ = found_.begin;
    end_ = static_cast<std::uint32_t>(std::min(text_.find_first_of("\n{", found_.end), text_.size()));
    unfinished_ = end_ < text_.size() && text_[end_] == '{';
    behind_ = unfinished_ ? " {" : "";
  }

  std::optional<Slip> slip() {
    if (m_.list_end > 0) return parts_apart();
    if (auto slip = without_dollar()) return slip;
    if (short_enough()) {
      if (auto slip = first_of({&Mending::doubled, &Mending::rewritten, &Mending::spelled, &Mending::synonym,
                                &Mending::quotes, &Mending::joined, &Mending::sign, &Mending::filler, &Mending::missing,
                                &Mending::instead, &Mending::again}))
        return slip;
      another_mistake_ = true;
      if (auto slip = first_of({&Mending::rewritten, &Mending::spelled, &Mending::synonym, &Mending::quotes,
                                &Mending::joined, &Mending::sign}))
        return slip;
    }
    if (auto slip = brace()) return slip;
    return hint_.empty() ? std::nullopt : std::optional(Slip{std::string(hint_), {}});
  }
  std::optional<Slip> loose_slip() {
    if (declared(text_, "define", written(), true) || called(found_)) return dollar(found_);
    if (short_enough())
      if (auto slip = first_of({&Mending::synonym, &Mending::rewritten})) return slip;
    return hint_.empty() ? std::nullopt : std::optional(Slip{std::string(hint_), {}});
  }

 private:
  using Step = std::optional<Slip> (Mending::*)();
  std::optional<Slip> first_of(std::initializer_list<Step> steps) {
    for (const Step step : steps)
      if (auto slip = (this->*step)()) return slip;
    return std::nullopt;
  }

  // `h100-node` alone, where the file says `define h100-node { ... }`; `team(8)`, which nothing else is.
  bool called(const Token& name) const { return name.kind == Kind::ID && text_.substr(name.end).starts_with("("); }
  Slip dollar(const Token& name) const {
    const std::string mended = fmt::format("${}", word(name));
    return {fmt::format("a definition is used with a `$`: `{}`", mended),
            edit_of(findings_, name.begin, name.end, mended)};
  }
  std::optional<Slip> without_dollar() const {
    if (wants_any(Rule::argument) || before() == nullptr || before()->kind == Kind::DEFINE) return std::nullopt;
    if (is(Kind::ID) && declared(text_, "define", written(), true)) return dollar(found_);
    if (is(Kind::LPAREN) && before()->kind == Kind::ID && declared(text_, "define", word(*before()), true))
      return dollar(*before());
    if (is(Kind::ID) && between_items() && called(found_)) return dollar(found_);
    return std::nullopt;
  }

  std::optional<Slip> rewritten() {
    const std::string_view statement = text_.substr(begin_, end_ - begin_);
    const bool follows = before() != nullptr && before()->begin >= begin_;
    const std::size_t place = (follows ? before()->begin : found_.begin) - begin_;
    const std::size_t last = found_.end > end_ ? statement.size() : found_.end - begin_;
    for (std::size_t row = 0; row < rewrites().size(); ++row) {
      const Rewrite& rewrite = rewrites()[row];
      std::optional<Patterns::Groups> match;
      for (std::size_t from = 0, n = 0; n < 4 && (match = matched(row, statement, from)); ++n) {
        const auto begin = static_cast<std::size_t>(match->front().data() - statement.data());
        const std::size_t end = begin + match->front().size();
        from = begin + 1;
        if (end <= place) continue;
        if (begin >= std::max(last, place + 1)) break;
        if (rewrite.meant.empty()) {
          if (rewrite.sure) return Slip{std::string(rewrite.hint), {}};
          if (hint_.empty()) hint_ = rewrite.hint;
          break;
        }
        if (another_mistake_ && !rewrite.sure) break;
        if (rewrite.tenant > 0 && !declared(text_, "tenant", (*match)[rewrite.tenant], false)) continue;
        const std::string with = filled(rewrite.meant, *match);
        std::string hint(rewrite.hint.empty() ? "write" : rewrite.hint);
        if (!hint.ends_with('`'))
          hint += (rewrite.hint.empty() ? " " : ": ") + quoted(with.substr(with.starts_with(' ') ? 1 : 0));
        if (auto slip = edit(begin_ + static_cast<std::uint32_t>(begin), begin_ + static_cast<std::uint32_t>(end), with,
                             std::move(hint), rewrite.sure))
          return slip;
      }
    }
    return std::nullopt;
  }

  std::optional<Slip> instead_of(const Token& token, std::string_view other) {
    return replaced(token, std::string(other), fmt::format("write `{}` instead of `{}`", other, word(token)), true);
  }

  std::optional<Slip> synonym() {
    for (const Synonym& row : synonyms())
      if (in_list(row.written, written()))
        if (auto slip = instead_of(found_, row.meant)) return slip;
    return std::nullopt;
  }

  // `1e3`, `0x10`, `10pm`, `4h 30min`.
  std::optional<Slip> spelled() {
    const std::string_view statement = text_.substr(0, end_);
    const auto part = [](char c) {
      return is_alphanumeric(c) || c == '.' || c == ':' || c == '/' || c == '-' || c == '+';
    };
    std::uint32_t from = std::min(found_.begin, end_), to = from;
    const auto dots = [&](std::uint32_t at) { return text_.substr(at, 2) == ".."; };
    while (from > begin_ && part(text_[from - 1]) && !dots(from - 1) && !(from > 1 && dots(from - 2))) --from;
    while (to < statement.size() && part(text_[to]) && !dots(to)) ++to;
    const auto try_all = [&](std::uint32_t begin, std::uint32_t end, std::string_view run) -> std::optional<Slip> {
      for (std::string& meant : spelled_otherwise(run))
        if (auto slip = edit(begin, end, meant, fmt::format("write `{}`", meant), false)) return slip;
      return std::nullopt;
    };
    if (auto slip = try_all(from, to, statement.substr(from, to - from))) return slip;
    const Token* last = before();
    if (last == nullptr || last->begin < begin_ || on_new_line()) return std::nullopt;
    if (auto slip = try_all(last->begin, last->end, word(*last))) return slip;
    return try_all(last->begin, found_.end, fmt::format("{}{}", word(*last), written()));
  }

  // Quotes that are missing or one too many, an owner without its `@`.
  std::optional<Slip> quotes() {
    if (is(Kind::STRING) && written().size() > 2) {
      const std::string inner(written().substr(1, written().size() - 2));
      if (auto slip = replaced(found_, inner,
                               wants_any(Rule::name) ? "a name stands without quotes" : "leave out the quotes", true))
        return slip;
      return replaced(found_, "@" + inner, "an owner begins with `@`", true);
    }
    if (ends() || is(Kind::LBRACE) || is_sign(found_.kind) || on_new_line()) return std::nullopt;
    if (wants(Kind::HANDLE) && is(Kind::ID))
      return replaced(found_, fmt::format("@{}", written()), "an owner begins with `@`", true);
    if (!wants(Kind::STRING)) return std::nullopt;
    std::uint32_t to = found_.end;
    while (to < end_ && std::string_view(" \t\r\n,;{}()#\"").find(text_[to]) == std::string_view::npos) ++to;
    const std::string mended = fmt::format("\"{}\"", text_.substr(found_.begin, to - found_.begin));
    return edit(found_.begin, to, mended, fmt::format("put it in double quotes: {}", quoted(mended)),
                wants_any(Rule::name));
  }

  std::optional<Slip> joined() {
    const std::string words = is(Kind::ID) ? apart(written()) : std::string();
    if (words.empty()) return std::nullopt;
    return replaced(found_, words, fmt::format("write `{}`, in words of their own", words), true);
  }

  // A sign that is another one, or one too many: here, or the one before.
  std::optional<Slip> sign() {
    const Token* last = before();
    if (last != nullptr && (last->kind == Kind::COMMA || last->kind == Kind::SEMICOLON)) {
      const std::string_view other = last->kind == Kind::COMMA ? ";" : ",";
      if (last->kind == Kind::COMMA && before(2) != nullptr && (misses() || on_new_line()))
        if (auto slip = left_out(*before(2), *last, *last, true)) return slip;
      if (auto slip = instead_of(*last, other)) return slip;
    }
    if (!is_sign(found_.kind) || last == nullptr) return std::nullopt;
    if (is(Kind::COMMA))
      if (auto slip = instead_of(found_, ";")) return slip;
    const bool doubled = after() != nullptr && after()->begin == found_.end &&
                         (after()->kind == Kind::EQUALS || after()->kind == found_.kind);
    const bool joins = is(Kind::COLON) || is(Kind::EQUALS);
    if (auto slip = left_out(*last, found_, doubled ? *after() : found_, true, joins ? ": a space is enough" : ""))
      return slip;
    constexpr Kind kOthers[] = {Kind::COMMA, Kind::COLON, Kind::EQUALS, Kind::LESS, Kind::IN, Kind::ON, Kind::OF};
    for (const Kind other : kOthers)
      if (wants(other) && !is(other))
        if (auto slip = instead_of(found_, word_of(other))) return slip;
    return std::nullopt;
  }

  // `of of live`
  std::optional<Slip> doubled() {
    const bool twice = before() != nullptr && !on_new_line() && written() == word(*before());
    if (!twice || written().find_first_of("0123456789\"") != std::string_view::npos) return std::nullopt;
    return left_out(*before(), found_, found_, true);
  }

  // `spot with notice 120s`, `prove that standard ready`. A small word counts before a value, one that declares before
  // a name, too: else it may be what goes on with a wrong word.
  bool says_nothing(const Token& token, const Token& next) const {
    const bool value = contains(kValues, next.kind);
    if (in_list(kSmallWords, word(token)))
      return value || contains({Kind::WINDOW, Kind::IMPORT}, m_.tokens.front().kind);
    if (!in_list(kDeclaring, word(token))) return is_filler(word(token));
    return value || wants_any(Rule::name) || before()->kind == Kind::NUMBER;
  }
  std::optional<Slip> filler() {
    if (before() == nullptr || on_new_line()) return std::nullopt;
    for (std::size_t n = 1; n <= 3 && after(n) != nullptr; ++n)
      if (std::all_of(&found_, after(n), [&](const Token& token) { return says_nothing(token, *after(n)); }))
        if (auto slip = left_out(*before(), found_, *after(n - 1), false)) return slip;
    if (before(2) != nullptr && is_filler(word(*before()))) return left_out(*before(2), *before(), *before(), false);
    return std::nullopt;
  }

  // Words and signs that may be put in, those alone that have one spelling.
  std::vector<Kind> fitting(const KindSet& expected) const {
    constexpr Kind kSigns[] = {Kind::COMMA, Kind::RPAREN, Kind::COLON, Kind::EQUALS, Kind::LESS, Kind::DOTS};
    std::vector<Kind> out;
    const KindSet& names = facts_.first_of(Rule::name);
    for (std::size_t i = 1; i < kKinds; ++i) {
      const auto kind = static_cast<Kind>(i);
      if (has(expected, kind) && (contains(kSigns, kind) || is_word(kind))) out.push_back(kind);
    }
    return (expected & names) == names || expected == facts_.first_of(Rule::unit) ? std::vector<Kind>{} : out;
  }

  // All that can stand in the place of the words from `begin` to `end`, of up to three words, the fewest first.
  std::vector<std::string> puts(std::uint32_t begin, std::uint32_t end, std::string_view ahead,
                                std::string_view behind) {
    std::vector<std::string> fit, open;
    for (const Kind kind : fitting(m_.expected)) open.emplace_back(word_of(kind));
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::string put = open[i];
      const auto stopped = tried(begin, end, fmt::format("{}{}{}", ahead, put, behind));
      if (!stopped) {
        if (put != word(m_.tokens[m_.starts.back()])) fit.push_back(put);
      } else if (count(put) < 3 && !has(stopped->expected, Kind::RBRACE)) {
        const std::size_t there = around_.size() + (begin - begin_) + ahead.size() + put.size();
        if (stopped->at < there || stopped->at > there + behind.size()) continue;
        for (const Kind kind : fitting(stopped->expected))
          if (is_word(kind)) open.push_back(fmt::format("{} {}", put, word_of(kind)));
      }
    }
    return fit;
  }
  static std::ptrdiff_t count(std::string_view words) { return 1 + std::ranges::count(words, ' '); }

  // `kill 5s`, `tolerate 1`, `replica 8 gpus 128 cpu`: what is missing, where only one thing can be.
  std::optional<Slip> missing() {
    const Token* last = before();
    if (last == nullptr) return std::nullopt;
    const bool behind = misses();
    const std::uint32_t at = behind ? last->end : found_.begin;
    if (m_.expected == facts_.first_of(Rule::unit) && is(Kind::OF) &&
        (before(2) == nullptr || before(2)->kind != Kind::COMMA))
      return edit(last->begin, last->end, fmt::format("{} gpus", word(*last)),
                  fmt::format("write the unit of `{0}`, such as `{0} gpus`", word(*last)), false);
    if (between_items() && (ends() || is(Kind::ID) || is_sign(found_.kind))) return std::nullopt;
    if (!ends() && last->end == found_.begin) return std::nullopt;  // one word to the author
    for (const std::string_view sign : {",", ")"})
      if (wants(sign == "," ? Kind::COMMA : Kind::RPAREN) && !tried(last->end, last->end, sign)) {
        const auto with = fmt::format("{}{}", word(*last), sign);
        return Slip{sign == "," ? "separate the parts with `,`" : "add the missing `)`",
                    edit_of(findings_, last->begin, last->end, with), true};
      }
    const auto fit = behind ? puts(at, at, " ", "") : puts(at, at, "", " ");
    if (fit.empty() || (fit.size() > 1 && (between_items() || count(fit[0]) == count(fit[1])))) return std::nullopt;
    const std::string& put = fit.front();  // the fewest words come first
    // After a value there is one too many.
    const bool value = contains(kValues, found_.kind) && !on_new_line() && m_.starts.size() > 1;
    if (put == word(*last) || (value && between_items() && contains(kValues, last->kind))) return std::nullopt;
    // A word of the language that would be a name is not what was meant: here, or behind a number.
    const Token* name = is_word(found_.kind) ? &found_ : after();
    if (between_items() && name != nullptr && is_word(name->kind) &&
        !tried(at, name->end, fmt::format("{} {}a", put, text_.substr(at, name->begin - at))))
      return std::nullopt;
    const std::string_view there = behind ? word(*last) : written();
    const std::string words = behind ? fmt::format("{} {}", there, put) : fmt::format("{} {}", put, there);
    const Token& token = behind ? *last : found_;
    return Slip{fmt::format("write `{}` {} {}", put, behind ? "behind" : "before", quoted(there)),
                edit_of(findings_, token.begin, token.end, words), !between_items()};
  }

  // `pool main of h100`, `because`: another small word stands for the one that fits.
  std::optional<Slip> instead() {
    if (before() == nullptr || on_new_line() || between_items() || !in_list(kSmallWords, written()))
      return std::nullopt;
    const auto fit = puts(found_.begin, found_.end, "", "");
    return fit.size() == 1 ? instead_of(found_, fit.front()) : std::nullopt;
  }

  // `quota 0 gpus of shared, 40 gpus of burst`: one clause for each.
  std::optional<Slip> again() {
    if ((!is(Kind::COMMA) && written() != "and") || m_.starts.size() < 2) return std::nullopt;
    std::string words;
    for (std::size_t i = m_.starts.back(); i < m_.at && is_word(m_.tokens[i].kind) && m_.tokens[i].kind != Kind::GPU;
         ++i)
      add_to_list(words, word(m_.tokens[i]), " ");
    return replaced(found_, "; " + words, fmt::format("write `{}` again for each: `; {} ...`", words, words), false);
  }

  // A block without its `{`. Where its `}` stands, the brace alone is missing.
  std::optional<Slip> brace() const {
    if (m_.expected.count() != 1 || !wants(Kind::LBRACE) || before() == nullptr) return std::nullopt;
    if (!starts_item(found_.kind, facts_) && !is(Kind::RBRACE)) return std::nullopt;
    std::optional<Rule> items;
    for (std::size_t n = 1; before(n) != nullptr && !items; ++n) items = items_of(before(n)->kind);
    const auto foreign = [&](Kind kind) { return items && !has(facts_.first_of(*items), kind); };
    if (foreign(found_.kind) && !is(Kind::RBRACE))
      return Slip{fmt::format("write `{{ ... }}` behind `{}`", word(*before())), {}};
    std::size_t open = 0;
    for (std::size_t i = m_.at; i < m_.tokens.size(); ++i) {
      const Token& at = m_.tokens[i];
      if (open == 0 && starts_item(at.kind, facts_) && foreign(at.kind) && line_break(m_.tokens[i - 1], at)) break;
      if (at.kind == Kind::LBRACE) ++open;
      if (at.kind == Kind::RBRACE && open-- == 0)
        return Slip{"add the missing `{`",
                    edit_of(findings_, before()->begin, before()->end, fmt::format("{} {{", word(*before())))};
    }
    return Slip{"the items stand in braces: `{ ... }`", {}};
  }

  std::string_view hint_;  // where no edit helps
};

// To look at a mistake takes as long as a few tries.
bool spend(const Trial& trial) {
  constexpr std::size_t kTries = 20;
  trial.left -= std::min(trial.left, kTries);
  return trial.left > 0;
}

}  // namespace

std::optional<Slip> slip_of(std::string_view text, const Findings& findings, const Mistake& m,
                            const GrammarFacts& facts, const Trial& trial) {
  return spend(trial) ? Mending(text, findings, m, facts, trial).slip() : std::nullopt;
}

std::optional<Slip> loose_slip(std::string_view text, const Findings& findings, const Token& found,
                               const GrammarFacts& facts, const Trial& trial) {
  if (!spend(trial)) return std::nullopt;
  const Token tokens[] = {found, {Kind::END, false, found.end, found.end}};
  const Mistake mistake{tokens, 0, facts.first_of(Rule::declaration), 0, {0}};
  Mending mending(text, findings, mistake, facts, trial);
  mending.take_line();
  return mending.loose_slip();
}

std::vector<Edit> edit_of(const Findings& findings, std::uint32_t begin, std::uint32_t end, std::string with) {
  const Span span = findings.span(begin, end);
  if (span.end - span.begin != end - begin) return {};
  return {{span, std::move(with)}};
}

}  // namespace gpol::syntax
