#include "compiler/syntax/mistake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/source/edit_distance.h"
#include "compiler/source/text.h"
#include "compiler/source/utf8.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/forms.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {
namespace {

struct Block {
  Rule block, items;
  std::string_view word;
};
constexpr std::array kBlocks{
    Block{Rule::clusterDecl, Rule::clusterItem, "cluster"},
    Block{Rule::schedulerDecl, Rule::schedulerItem, "scheduler"},
    Block{Rule::nodesDecl, Rule::nodesItem, "nodes"},
    Block{Rule::cohortDecl, Rule::cohortItem, "cohort"},
    Block{Rule::classDecl, Rule::classItem, "class"},
    Block{Rule::tenantDecl, Rule::tenantItem, "tenant"},
    Block{Rule::queueBlock, Rule::queueItem, "queue"},
    Block{Rule::hardwareDecl, Rule::hardwareItem, "hardware"},
    Block{Rule::migBlock, Rule::migItem, "mig"},
    Block{Rule::serviceDecl, Rule::serviceItem, "service"},
    Block{Rule::requestsBlock, Rule::requestItem, "requests"},
    Block{Rule::engineBlock, Rule::engineItem, "engine"},
    Block{Rule::gatewayDecl, Rule::gatewayItem, "limit"},
    Block{Rule::leverDecl, Rule::leverItem, "lever"},
};

// Items that begin with any name tell nothing of the block that a word belongs to.
bool begins_with_names(Rule items) { return items == Rule::requestItem || items == Rule::engineItem; }

// After a number.
bool wants_unit(const KindSet& expected, const GrammarFacts& facts) { return expected == facts.first_of(Rule::unit); }

// Kinds that are no words of the language.
constexpr std::pair<Kind, std::string_view> kTold[] = {
    {Kind::ID, "a setting of the queue"},       {Kind::NUMBER, "a number"},
    {Kind::HANDLE, "an owner such as `@team`"}, {Kind::REFERENCE, "a definition such as `$team(search)`"},
    {Kind::STRING, "a text in double quotes"},  {Kind::TIME, "a time such as `09:30`"},
    {Kind::DATE, "a date such as `2026-10`"},   {Kind::PROFILE, "a slice such as `3g.40gb`"}};

// "a name, `{` or `}`": what would have fitted, most general first.
std::string phrase(KindSet expected, const GrammarFacts& facts) {
  std::vector<std::string> parts;
  const auto drop = [&](Kind kind) { expected.reset(static_cast<std::size_t>(kind)); };
  const KindSet& arguments = facts.first_of(Rule::argument);  // nearly every word there is
  if ((expected & arguments) == arguments) {
    parts.emplace_back("an argument");
    expected &= ~arguments;
  }
  if (const KindSet& names = facts.first_of(Rule::name); (expected & names) == names) {
    parts.emplace_back("a name");
    expected &= ~names;
  }
  if (has(expected, Kind::MEASURE)) {
    parts.emplace_back("a number with its unit");
    drop(Kind::MEASURE);
    drop(Kind::NUMBER);
  }
  if (has(expected, Kind::VERSION)) {
    parts.emplace_back("a version");
    drop(Kind::VERSION);
    drop(Kind::NUMBER);
    drop(Kind::ID);
  }
  if (wants_unit(expected, facts)) return "a unit";
  if (expected.count() > 1) drop(Kind::SEMICOLON);  // always optional
  for (std::size_t i = 1; i < kKinds; ++i) {
    if (!expected.test(i)) continue;
    const auto* const told = std::ranges::find(kTold, static_cast<Kind>(i), &std::pair<Kind, std::string_view>::first);
    parts.push_back(told == std::end(kTold) ? fmt::format("`{}`", kWords[i]) : std::string(told->second));
  }
  if (has(expected, Kind::END)) parts.emplace_back("the next declaration");
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : i + 1 == parts.size() ? " or " : ", ") + parts[i];
  return out;
}

// "in a `tenant` or `cohort` block"
std::string home_of(Kind kind, const GrammarFacts& facts) {
  std::string blocks;
  for (const Block& block : kBlocks)
    if ((block.items != Rule::queueItem || kind != Kind::ID) && !begins_with_names(block.items))
      if (has(facts.first_of(block.items), kind)) add_to_list(blocks, fmt::format("`{}`", block.word), " or ");
  return blocks;
}

// The slips that have a better answer than a list of words.
std::string hint(std::string_view text, const Mistake& m, const GrammarFacts& facts) {
  const Token& found = m.tokens[m.at];
  const std::string_view written = text.substr(found.begin, found.end - found.begin);
  const KindSet& names = facts.first_of(Rule::name);
  const bool name_expected = (m.expected & names) == names;
  if (has(m.expected, Kind::HANDLE) && !has(m.expected, Kind::REFERENCE)) return "an owner begins with `@`";
  if (name_expected) {
    if (is_word(found.kind))
      return fmt::format("{} is a word of the language and cannot be a name here", quoted(written));
    if (found.kind == Kind::NUMBER || found.kind == Kind::MEASURE || found.kind == Kind::VERSION)
      return "a name begins with a letter";
    if (found.kind == Kind::HANDLE) return "only an owner is written with `@`";
  }
  if (found.kind == Kind::ID || is_word(found.kind))
    if (const auto near = nearest_word(written, m.expected)) return fmt::format("did you mean `{}`?", *near);
  if (has(facts.first_of(Rule::declaration), found.kind) && has(m.expected, Kind::RBRACE))
    return fmt::format("a {} cannot stand inside this block: close the block with `}}` first", quoted(written));
  if (has(m.expected, Kind::RBRACE) && is_word(found.kind))
    if (const std::string home = home_of(found.kind, facts); !home.empty())
      return fmt::format("{} stands in a {} block", quoted(written), home);
  return "";
}

std::string hint_of_form(const Mistake& m) {
  const std::string_view form = form_of(m);
  return form.empty() ? std::string() : fmt::format("it is written as in `{}`", form);
}

bool line_break_between(std::string_view text, const Token& a, const Token& b) {
  return text.substr(a.end, b.begin - a.end).find('\n') != std::string_view::npos;
}

}  // namespace

bool is_word(Kind kind) { return !word_of(kind).empty() && is_letter(word_of(kind).front()); }

std::string quoted(std::string_view word) {
  constexpr std::size_t kShown = 60;
  if (word.size() <= kShown) return fmt::format("`{}`", word);
  std::size_t cut = kShown;
  while (cut > 0 && !starts_code_point(word[cut])) --cut;
  return fmt::format("`{}...`", word.substr(0, cut));
}

std::optional<std::string> nearest_word(std::string_view written, const KindSet& expected) {
  std::vector<std::string_view> words;
  for (std::size_t i = 1; i < kKinds; ++i)
    if (expected.test(i) && is_word(static_cast<Kind>(i))) words.push_back(kWords[i]);
  return nearest(written, words);
}

std::string_view block_of(Rule item_rule) {
  for (const Block& block : kBlocks)
    if (block.items == item_rule) return block.word;
  return {};
}

std::optional<Rule> items_of(Rule block) {
  for (const Block& b : kBlocks)
    if (b.block == block) return b.items;
  return std::nullopt;
}

std::optional<Rule> items_of(Kind word) {
  const std::string_view written = word_of(word);
  if (written.empty()) return std::nullopt;
  for (const Block& b : kBlocks)
    if (b.word == written) return b.items;
  return std::nullopt;
}

std::size_t open_braces(std::span<const Token> words) {
  std::size_t depth = 0;
  for (const Token& word : words) {
    if (word.kind == Kind::LBRACE) ++depth;
    if (word.kind == Kind::RBRACE && depth > 0) --depth;
  }
  return depth;
}

bool starts_item(Kind kind, const GrammarFacts& facts) {
  return std::ranges::any_of(
      kBlocks, [&](const Block& b) { return !begins_with_names(b.items) && has(facts.first_of(b.items), kind); });
}

Diagnostic describe(std::string_view text, const Findings& findings, const Mistake& m, const GrammarFacts& facts,
                    const Trial& trial) {
  const Token& found = m.tokens[m.at];
  const bool new_line = m.at > 0 && line_break_between(text, m.tokens[m.at - 1], found);
  if (has(m.expected, Kind::END) && new_line) return describe_loose(text, findings, found, facts, trial);
  const bool unit = wants_unit(m.expected, facts);
  const bool ends = found.kind == Kind::END || found.kind == Kind::RBRACE || found.kind == Kind::SEMICOLON;
  const bool between_items = has(m.expected, Kind::RBRACE) || has(m.expected, Kind::END);
  const std::string expected = phrase(m.expected, facts);
  Diagnostic out = error_at(code::SyntaxError, findings.span(found.begin, found.end), "");
  const auto slip = slip_of(text, findings, m, facts, trial);
  // Something is missing, rather than something wrong there: point to where it belongs.
  const bool behind = m.at > 0 && (found.kind == Kind::END || (!between_items && (unit || ends || new_line)));
  const Token& there = behind ? m.tokens[m.at - 1] : found;
  const std::string written = quoted(text.substr(there.begin, there.end - there.begin));
  out.span = findings.span(there.begin, there.end);
  out.message = fmt::format("expected {} {} {}", expected, behind ? "after" : "here, found", written);
  if (slip) {
    out.hint = slip->hint;
    out.edits = slip->edits;
    out.sure = slip->sure && !out.edits.empty();
  } else if (!behind || has(m.expected, Kind::HANDLE)) {
    out.hint = hint(text, m, facts);
  }
  // An item of its own is not written as the one on the line before.
  if (out.hint.empty() && !(between_items && new_line && !behind)) out.hint = hint_of_form(m);
  return out;
}

Diagnostic describe_loose(std::string_view text, const Findings& findings, const Token& found,
                          const GrammarFacts& facts, const Trial& trial) {
  const std::string_view written = text.substr(found.begin, found.end - found.begin);
  Diagnostic out = error_at(code::SyntaxError, findings.span(found.begin, found.end), "");
  if (found.kind == Kind::RBRACE) {
    out.message = "this `}` closes nothing";
    out.hint = "delete it, or add the `{` that it belongs to";
    return out;
  }
  out.message = fmt::format("expected a declaration here, found {}", quoted(written));
  if (auto slip = loose_slip(text, findings, found, facts, trial)) {
    out.hint = std::move(slip->hint);
    out.edits = std::move(slip->edits);
  } else if (const auto near = nearest_word(written, facts.first_of(Rule::declaration))) {
    out.hint = fmt::format("did you mean `{}`?", *near);
  } else if (const std::string home = home_of(found.kind, facts); !home.empty()) {
    out.hint = fmt::format("{} stands in a {} block", quoted(written), home);
  }
  return out;
}

}  // namespace gpol::syntax
