#include "compiler/syntax/slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "compiler/source/text.h"
#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

// Words in the place of another one.
struct Instead {
  Kind expected;
  std::string_view written, instead, hint;  // written: several, with blanks between
};
constexpr Instead kInstead[] = {
    {Kind::OF, "on in from at", "of", "an amount is `of` a pool"},
    {Kind::DOTS, "to until", "..", "a range is written with `..`"},
    {Kind::DURING, "in at", "during", "write `during` before the window"},
    {Kind::BACK, "within", "back within", "write `back within` before the time"},
    {Kind::PER, "a an", "per", "write `per` here"},
    {Kind::GPU, "gpu-h gpu-hour", "gpu h", "write `gpu h`, in words of their own"},
    {Kind::BORROW, "use take have claim", "borrow", "an allow says `borrow up to`"},
    {Kind::WITHIN, "in after", "within", "write `within` before the time"},
    {Kind::COMMA, "and", ",", "separate the parts with `,`"},
    {Kind::LESS, "= : below under", "<", "a service level is a bound: write `<`"},
    {Kind::TO, "may can", "to", "an allow says `to borrow up to`"},
    {Kind::BACK, "return reclaim", "back", "write `back within` before the time"},
    {Kind::IN, ":", "in", "write `in` before the cohort that it belongs to"},
    {Kind::EXCEPT, "excluding not but", "except", "write `except` before the calendar"},
    {Kind::EQUALS, ":", "=", "write `=` here"},
    {Kind::COLON, "=", ":", "write `:` here"},
};

// What begins declarations elsewhere, words with blanks between. Empty `instead`: there is no such word.
struct Foreign {
  std::string_view written, instead, hint;
};
constexpr std::string_view kYaml = "this is YAML: a policy is written in gpol, and `gpol build` writes the YAML";
constexpr std::string_view kOwnWord = "a declaration begins with its own word, as in `tenant chat { ... }`";
constexpr std::string_view kDefine = "words are given a name by `define NAME { ... }`, and `$NAME` stands for them";
constexpr std::string_view kAllow = "what no `allow` permits is refused";
constexpr Foreign kForeign[] = {
    {"apiVersion kind metadata spec", "", kYaml},
    {"resource module", "", kOwnWord},
    {"variable locals let var const def macro function", "", kDefine},
    {"include require use", "import", "did you mean `import`?"},
    {"team", "tenant", "did you mean `tenant`?"},
    {"version", "language", "did you mean `language`?"},
    {"proof assert ensure", "prove", "did you mean `prove`?"},
    {"permit", "allow", "did you mean `allow`?"},
    {"forbid deny", "", kAllow},
};

// Slices, punctuation, names.
class Common : public Look {
 public:
  using Look::Look;

  // `label pool=live`, `taint size=8x`: words of the language, and what is no name.
  std::optional<Slip> key_value() const {
    for (const std::size_t n : {std::size_t{1}, std::size_t{3}}) {
      if (!wants_name() || is(Kind::STRING) || (n == 3 && !before_is(Kind::EQUALS))) continue;
      if (!before_is(Kind::LABEL, n) && !before_is(Kind::TAINT, n)) continue;
      Token all = run();
      if (n == 3) all.begin = before(2)->begin;
      static const std::regex pair("[a-zA-Z0-9_./-]+=[a-zA-Z0-9_.-]*(:[a-zA-Z]+)?");
      const std::string_view written = word(all);
      if (all.end - found_.begin >= 64 || !std::regex_match(written.begin(), written.end(), pair)) return std::nullopt;
      return mended("put it in double quotes:", all, fmt::format("\"{}\"", written), true);
    }
    return std::nullopt;
  }
  std::optional<Slip> instead() const {
    for (const Instead& row : kInstead)
      if (wants(row.expected) && in_list(row.written, written()) && !(wants_name() && Look::names(row.expected)))
        return Slip{std::string(row.hint), replaced(found_, row.instead), true};
    return std::nullopt;
  }
  std::optional<Slip> slip() const {
    for (const auto& rule :
         {&Common::slices, &Common::missing_word, &Common::punctuation, &Common::times, &Common::names})
      if (auto slip = (this->*rule)()) return slip;
    return std::nullopt;
  }

 private:
  // All that stands together at the word.
  Token run() const {
    constexpr std::uint32_t kLongest = 64;  // no slip is longer
    Token all = found_;
    while (all.end < text_.size() && all.end - all.begin < kLongest &&
           std::string_view(" \t\r\n,;{}()#").find(text_[all.end]) == std::string_view::npos)
      ++all.end;
    return all;
  }

  std::optional<Slip> slices() const {
    if (wants(Kind::PROFILE)) {
      const Token all = run();
      if (const auto slice = mended_slice(word(all))) return mended("a slice is written", all, *slice, true);
    }
    if (before() == nullptr) return std::nullopt;
    const std::string_view last = word(*before());
    // `2 x MIG 3g.40gb`, `2 MIG 3g.40gb`
    if (wants(Kind::PROFILE) && is(Kind::ID) && before_is(Kind::TIMES) && before_is(Kind::NUMBER, 2) &&
        (after_is(Kind::COMMA) || after_is(Kind::OF) || after_is(Kind::SEMICOLON)) && !mended_slice(word(run())))
      return Slip{fmt::format("`x` stands before slices alone: `{} gpus`", word(*before(2))),
                  edit_of(findings_, before()->begin, found_.end, "gpus")};
    if (wants(Kind::PROFILE) && after_is(Kind::PROFILE) && (is(Kind::ID) || is(Kind::MIG)))
      return Slip{fmt::format("leave out `{}`", written()), left_out(), true};
    if (!is(Kind::PROFILE)) return std::nullopt;
    if (before_is(Kind::PROFILE) && wants(Kind::COMMA))
      return Slip{fmt::format("separate the slices with `,`, and say how many: `1 x {}`", written()),
                  put_behind(", 1 x")};
    if (before_is(Kind::NUMBER, 2) && (last == "MIG" || last == "mig" || last == "X" || last == "slices"))
      return Slip{fmt::format("write `{} x {}`", word(*before(2)), word(found_)), replaced(*before(), "x"), true};
    if (wants_unit()) return Slip{fmt::format("write `{} x {}`", last, word(found_)), put_behind(" x"), true};
    if (before()->kind == Kind::MEASURE && last.ends_with('x')) {
      const std::string mended = fmt::format("{} x", last.substr(0, last.size() - 1));
      return Slip{fmt::format("write `{} {}`", mended, word(found_)),
                  replaced(*before(), mended + (touch(*before(), found_) ? " " : "")), true};
    }
    if (wants(Kind::MEASURE)) return Slip{fmt::format("say how many: `1 x {}`", word(found_)), put_before("1 x ")};
    return std::nullopt;
  }

  std::optional<Slip> missing_word() const {
    if (before() == nullptr) return std::nullopt;
    const std::string_view last = word(*before());
    if (wants_unit() && is(Kind::OF))
      return Slip{fmt::format("write the unit of `{}`, such as `{} gpus`", last, last), put_behind(" gpus")};
    if (before()->kind == Kind::MEASURE && last.ends_with('x') && wants(Kind::COMMA) && (is(Kind::ID) || is(Kind::GPU)))
      return Slip{"leave out the `x`: it stands before slices alone",
                  replaced(*before(), last.substr(0, last.size() - 1)), true};
    // `8x1 gpus`: so many of so many are as many as their product.
    if (before()->kind == Kind::MEASURE && last.ends_with('x') && touch(*before(), found_) && is(Kind::NUMBER) &&
        after() != nullptr && (after_is(Kind::GPU) || after_is(Kind::ID)) && last.size() < 8 && written().size() < 8 &&
        last.find('.') == std::string_view::npos) {
      const auto all = std::stoll(std::string(last)) * std::stoll(std::string(written()));
      return Slip{fmt::format("an amount is one number: `{} {}`", all, word(*after())),
                  replaced(before()->begin, found_.end, fmt::to_string(all))};
    }
    if (wants(Kind::UP) && !wants_name() && a_number())
      return Slip{"write `up to` before the amount", put_before("up to "), true};
    if (wants(Kind::UP) && !wants_name() && is(Kind::AT) && after() != nullptr && after()->kind == Kind::MOST)
      return Slip{"an allow says `borrow up to`", edit_of(findings_, found_.begin, after()->end, "up to"), true};
    if (wants(Kind::EQUALS) && is(Kind::TIME)) return Slip{"write `=` before the times", put_before("= "), true};
    if (wants_only(Kind::COLON) && is(Kind::ID) && written().size() == 1)
      return Slip{"write `:` before the letter of the class", put_before(": "), true};
    if (wants(Kind::COMMA) && a_number() && !touch(*before(), found_) &&
        (before_is(Kind::ID) || before_is(Kind::GPU) || before_is(Kind::MEASURE) || before_is(Kind::PROFILE)))
      return Slip{"put a `,` between the amounts", put_behind(","), true};
    if (wants(Kind::COMMA) && is(Kind::STRING) && before()->kind == Kind::STRING && !on_new_line())
      return Slip{fmt::format("put a `,` between them: `{}, {}`", last.substr(0, 60), written().substr(0, 60)),
                  put_behind(","), true};
    // What Kubernetes lets be there is no safe guess: its own default leaves out pods that still end.
    if (wants(Kind::COMMA) && !is(Kind::SURGE) && before()->kind == Kind::NUMBER && m_.at > 1 &&
        m_.tokens[m_.at - 2].kind == Kind::REPLICAS)
      return Slip{fmt::format("say how many more there may be during an update, those included that still end: "
                              "`replicas {}, surge 1`",
                              last),
                  put_behind(", surge 1")};
    if (wants(Kind::NUMBER) && before()->kind == Kind::LANGUAGE && !is(Kind::COLON) && !is(Kind::EQUALS))
      return Slip{"write `language 1`", replaced(found_, "1"), true};
    return std::nullopt;
  }

  std::optional<Slip> punctuation() const {
    if (is(Kind::EQUALS) || is(Kind::COLON)) {
      Token all = found_;
      if (after() != nullptr && after()->kind == found_.kind && after()->begin == all.end) all.end = after()->end;
      const bool tight = all.begin > 0 && text_[all.begin - 1] != ' ' && all.end < text_.size() &&
                         text_[all.end] != ' ' && text_[all.end] != '\n';
      return Slip{fmt::format("leave out the `{}`: a space is enough", word(all)), replaced(all, tight ? " " : ""),
                  true};
    }
    if (is(Kind::COMMA) && wants(Kind::RBRACE) && after() != nullptr && wants(after()->kind))
      return Slip{"separate the items with `;`, or by a line break", replaced(found_, ";"), true};
    if (is(Kind::LPAREN) && wants(Kind::LBRACE)) return Slip{"a block stands in braces: `{ ... }`", {}};
    if (before() != nullptr && before()->kind == Kind::COMMA && !wants(Kind::COMMA) && line_break(*before(), found_))
      return Slip{"leave out the `,`, or go on after it", replaced(*before(), "")};
    return std::nullopt;
  }

  std::optional<Slip> times() const {
    if (!wants(Kind::TIME)) return std::nullopt;
    const std::string_view written = word(found_);
    if (is(Kind::NUMBER) && written.size() == 1 && after() != nullptr && after()->kind == Kind::COLON)
      return Slip{"a time has two digits for the hour and two for the minute: `09:30`", put_before("0"), true};
    static const std::regex clock("([0-9]{1,2})([aApP])[mM]");
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_match(written.begin(), written.end(), match, clock)) return std::nullopt;
    int hour = std::stoi(match[1].str()) % 12;
    if (match[2].str() == "p" || match[2].str() == "P") hour += 12;
    return mended("write", found_, fmt::format("{:02}:00", hour), true);
  }

  std::optional<Slip> names() const {
    const std::string_view written = word(found_);
    const auto plain = [](std::string_view name) {
      return !name.empty() && name.size() < 64 && name.front() >= 'a' && name.front() <= 'z' &&
             std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-'; });
    };
    const std::string_view inner = is(Kind::STRING) ? written.substr(1, written.size() - 2) : written;
    if (wants(Kind::HANDLE) && plain(inner))
      return Slip{"an owner begins with `@`", replaced(found_, "@" + std::string(inner)), true};
    if (wants(Kind::STRING) && is(Kind::ID))
      return Slip{"put the text in double quotes", replaced(found_, fmt::format("\"{}\"", written))};
    if (wants(Kind::STRING) && wants_name() && !is(Kind::STRING) && !is(Kind::END) && !before_is(Kind::IMPORT)) {
      const Token all = run();
      if (plain("a" + std::string(word(all))))
        return mended("this name stands in double quotes:", all, fmt::format("\"{}\"", word(all)), true);
    }
    static const std::regex name("[a-zA-Z_][a-zA-Z0-9_/-]*([.][a-zA-Z0-9_/-]+)*");
    if (wants_name() && is(Kind::STRING) && inner.size() < 64 && std::regex_match(std::string(inner), name))
      return Slip{"a name stands without quotes", replaced(found_, inner), true};
    return std::nullopt;
  }
};

}  // namespace

std::optional<Slip> slip_of(std::string_view text, const Findings& findings, const Mistake& m,
                            const GrammarFacts& facts) {
  const Common look(text, findings, m, facts);
  if (!look.can_be(Rule::argument))
    for (const auto& rule : {slip_of_sentence, slip_of_home, slip_of_value})
      if (auto slip = rule(look)) return slip;
  for (const auto& rule : {parts_apart, slip_of_number, slip_of_place})
    if (auto slip = rule(look)) return slip;
  if (auto slip = look.key_value()) return slip;
  if (auto slip = look.instead()) return slip;
  for (const auto& rule : {slip_of_item, slip_of_filler})
    if (auto slip = rule(look)) return slip;
  if (auto slip = look.slip()) return slip;
  return missing_or_joined(look);
}

std::optional<Slip> foreign_declaration(std::string_view text, const Findings& findings, const Token& found) {
  const std::string_view written = text.substr(found.begin, found.end - found.begin);
  for (const Foreign& row : kForeign)
    if (in_list(row.written, written))
      return Slip{std::string(row.hint), row.instead.empty()
                                             ? std::vector<Edit>{}
                                             : edit_of(findings, found.begin, found.end, std::string(row.instead))};
  return std::nullopt;
}

std::optional<std::string> mended_slice(std::string_view written) {
  constexpr std::size_t kLongest = 40;
  if (written.size() > kLongest) return std::nullopt;
  const std::string word = lowered(written);
  // `3g40gb`, and with something between the two numbers `3g.40`.
  static const std::regex slice(
      "(?:nvidia\\.com/)?(?:mig-)?([0-9]+)g(?:[.-]?([0-9]+) ?gi?b?|[.-]([0-9]+))(\\+[a-z.]+)?");
  std::smatch match;
  if (!std::regex_match(word, match, slice)) return std::nullopt;
  std::string mended = match[1].str() + "g." + match[2].str() + match[3].str() + "gb" + match[4].str();
  if (mended == written) return std::nullopt;
  return mended;
}

std::vector<Edit> edit_of(const Findings& findings, std::uint32_t begin, std::uint32_t end, std::string with) {
  const Span span = findings.span(begin, end);
  if (span.end - span.begin != end - begin) return {};
  return {{span, std::move(with)}};
}

}  // namespace gpol::syntax
