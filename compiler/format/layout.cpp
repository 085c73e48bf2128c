#include "compiler/format/layout.h"

#include "compiler/syntax/mistake.h"

#include <utility>

namespace gpol::format {

using syntax::Kind;
using syntax::Parsed;
using syntax::Rule;
using syntax::Token;

namespace {

bool is_item(Rule rule) { return !syntax::block_of(rule).empty(); }

// `pool NAME on`, `window NAME =`, `class NAME :`
bool has_column(Rule rule) { return rule == Rule::poolDecl || rule == Rule::windowDecl || rule == Rule::classDecl; }

std::string_view between(Kind before, Kind after) {
  const bool tight = after == Kind::COMMA || after == Kind::RPAREN || after == Kind::DOTS || before == Kind::LPAREN ||
                     before == Kind::DOTS;
  return tight ? "" : " ";
}

bool line_ends(std::string_view text, std::size_t at) {
  return text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'));
}

}  // namespace

std::string_view Layout::slice(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }

Layout::Gap Layout::gap_to(std::uint32_t begin) const {
  Gap gap;
  bool empty = false;  // since the last line break
  for (std::uint32_t i = end_; i < begin; ++i) {
    if (line_ends(text_, i)) {
      gap.blank = gap.blank || empty;
      gap.breaks = empty = true;
    } else if (text_[i] == ';') {
      empty = false;
    }
  }
  return gap;
}

void Layout::measure(const Parsed& parsed) {
  marks_.assign(parsed.tokens.size(), {});
  marks_.front().item = true;
  for (const syntax::Node& node : parsed.nodes) {
    if (is_item(node.rule)) marks_[node.first].item = true;
    if (has_column(node.rule)) marks_[node.first + 2].column = true;
    if (node.rule == Rule::keyValue)  // `sku=gpu:NoExecute`
      for (std::uint32_t i = node.first + 1; i < node.last; ++i) marks_[i].tight = true;
  }
  std::vector<std::uint32_t> braces;
  std::uint32_t at = 0;
  Kind before = Kind::END;
  for (std::uint32_t i = 0; i < parsed.tokens.size(); ++i) {
    const Token& token = parsed.tokens[i];
    if (token.kind == Kind::SEMICOLON || token.kind == Kind::END) continue;
    if (before != Kind::END && !marks_[i].tight) at += static_cast<std::uint32_t>(between(before, token.kind).size());
    if (marks_[i].item && before != Kind::LBRACE && before != Kind::END) ++at;  // the `;`
    at += static_cast<std::uint32_t>(width(slice(token)));
    marks_[i].end = at;
    before = token.kind;
    if (token.kind == Kind::LBRACE) braces.push_back(i);
    if (token.kind == Kind::RBRACE) {
      marks_[braces.back()].close = i;
      braces.pop_back();
    }
  }
}

// A block stays on one line if it was written on one and fits. So the author chooses, and the choice stays.
bool Layout::flat(const Parsed& parsed, std::uint32_t brace) const {
  const std::uint32_t close = marks_[brace].close;
  const std::size_t from = marks_[item_].end - width(slice(parsed.tokens[item_]));
  if (indent() + marks_[close].end - from > kWidest) return false;
  bool empty = true;
  for (std::uint32_t i = brace + 1; i < close; ++i) empty = empty && parsed.tokens[i].kind == Kind::SEMICOLON;
  for (std::uint32_t i = parsed.tokens[brace].end; i < parsed.tokens[close].begin; ++i)
    if (text_[i] == '#' ? empty : !empty && line_ends(text_, i)) return false;
  return true;
}

void Layout::begin_line(std::size_t indent, bool blank) {
  end_line();
  if (blank) lines_.blank();
  line_ = {.indent = indent};
  in_line_ = true;
}

void Layout::end_line() {
  if (in_line_) lines_.add(std::move(line_));
  in_line_ = false;
}

void Layout::comments_before(std::uint32_t end, std::size_t indent, bool inside_item) {
  for (; next_comment_ < comments_.size() && comments_[next_comment_].begin < end; ++next_comment_) {
    const Token& comment = comments_[next_comment_];
    const Gap gap = gap_to(comment.begin);
    std::string_view written = slice(comment);
    written = written.substr(0, written.find_last_not_of(" \t") + 1);
    if (!in_line_ || gap.breaks)
      begin_line(indent, gap.blank && !inside_item && last_ != Kind::LBRACE && last_ != Kind::END);
    line_.comment = written;
    end_line();
    end_ = comment.end;
    last_ = Kind::COMMENT;
  }
}

void Layout::word(const Parsed& parsed, std::uint32_t i) {
  const Token& token = parsed.tokens[i];
  const bool closes = token.kind == Kind::RBRACE;
  const bool starts = marks_[i].item && flat_ == 0;
  comments_before(token.begin, starts || closes ? indent() : deeper(), !starts && !closes);
  const Gap gap = gap_to(token.begin);
  if (closes && flat_ == 0) --open_;
  if (starts || (closes && flat_ == 0)) {
    begin_line(indent(), gap.blank && !closes && last_ != Kind::LBRACE && last_ != Kind::END);
    item_ = line_from_ = i;
  } else if (!in_line_ || (last_ == Kind::COMMA && gap.breaks)) {
    begin_line(deeper(), false);
    line_from_ = i;
  } else {
    if (marks_[i].column && line_from_ + 2 == i) {
      line_.head = line_.code.size();
      line_.of = parsed.tokens[line_from_].kind;
    }
    const bool next = marks_[i].item && last_ != Kind::LBRACE;
    if (!marks_[i].tight) line_.code.append(next ? "; " : between(last_, token.kind));
  }
  line_.code.append(slice(token));
  if (closes && flat_ > 0) --flat_;
  if (token.kind == Kind::LBRACE) ++(flat_ > 0 || flat(parsed, i) ? flat_ : open_);
  end_ = token.end;
  last_ = token.kind;
}

// Its lines as they were written, without blanks at their ends.
void Layout::verbatim(const Parsed& parsed) {
  std::uint32_t end = 0;
  for (const Token& token : parsed.tokens)
    if (token.kind != Kind::SEMICOLON && token.kind != Kind::END) end = token.end;
  const std::uint32_t begin = parsed.tokens.front().begin;
  comments_before(begin, 0, false);
  begin_line(0, gap_to(begin).blank && last_ != Kind::END);
  const auto strip = [&] {
    while (!line_.code.empty() && (line_.code.back() == ' ' || line_.code.back() == '\t')) line_.code.pop_back();
  };
  for (std::uint32_t i = begin; i < end; ++i) {
    if (text_[i] == '\r' && i + 1 < end && text_[i + 1] == '\n') continue;
    if (text_[i] == '\n') strip();
    line_.code.push_back(text_[i]);
  }
  while (next_comment_ < comments_.size() && comments_[next_comment_].begin < end) ++next_comment_;
  end_ = end;
  last_ = Kind::RBRACE;
}

void Layout::declaration(const Parsed& parsed) {
  // What a reference stands for is not known here.
  if (parsed.nodes.empty() || parsed.tokens.front().kind == Kind::DEFINE) return verbatim(parsed);
  measure(parsed);
  item_ = 0;
  for (std::uint32_t i = 0; i < parsed.tokens.size(); ++i)
    if (parsed.tokens[i].kind != Kind::SEMICOLON && parsed.tokens[i].kind != Kind::END) word(parsed, i);
}

std::string Layout::finish() {
  comments_before(static_cast<std::uint32_t>(text_.size()), 0, false);
  end_line();
  return lines_.finish();
}

}  // namespace gpol::format
