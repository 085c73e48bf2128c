// How the builders of the syntax tree look at what was parsed: a node with its words, and the small parts that many
// declarations share. Private to compiler/syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/syntax/ast.h"
#include "compiler/syntax/build.h"

namespace gpol::syntax {

// A node with what is needed to read it. Cheap to copy.
class Reader {
 public:
  Reader(const Parsed& parsed, std::uint32_t node) : parsed_(&parsed), node_(node) {}

  Rule rule() const { return node().rule; }
  Span span() const { return span_of(node().first, node().last); }
  std::uint32_t first() const { return node().first; }
  std::uint32_t last() const { return node().last; }
  Kind kind(std::uint32_t token) const { return parsed_->tokens[token].kind; }
  Kind first_kind() const { return kind(first()); }
  Span span_of(std::uint32_t from, std::uint32_t to) const {
    return parsed_->places.span(parsed_->tokens[from].begin, parsed_->tokens[to - 1].end);
  }
  std::string text_of(std::uint32_t token) const {
    const Token& t = parsed_->tokens[token];
    return std::string(parsed_->text.substr(t.begin, t.end - t.begin));
  }
  ast::Name word(std::uint32_t token) const { return {text_of(token), span_of(token, token + 1)}; }

  // Calls f for every part that is a rule, in order.
  template <class F>
  void each(F f) const {
    for (std::uint32_t i = node_ + 1; i < node().next; i = parsed_->nodes[i].next) f(Reader(*parsed_, i));
  }
  // The parts of one rule, in order.
  std::vector<Reader> all(Rule wanted) const {
    std::vector<Reader> out;
    each([&](Reader part) {
      if (part.rule() == wanted) out.push_back(part);
    });
    return out;
  }
  std::optional<Reader> find(Rule wanted) const {
    for (std::uint32_t i = node_ + 1; i < node().next; i = parsed_->nodes[i].next)
      if (parsed_->nodes[i].rule == wanted) return Reader(*parsed_, i);
    return std::nullopt;
  }
  // A part that the grammar makes sure of.
  Reader the(Rule wanted) const { return find(wanted).value(); }
  // The single part of a rule that only chooses.
  Reader only() const { return {*parsed_, node_ + 1}; }

 private:
  const Node& node() const { return parsed_->nodes[node_]; }
  const Parsed* parsed_;
  std::uint32_t node_;
};

inline ast::Name name(const Reader& r) { return r.word(r.first()); }

inline std::vector<ast::Name> names(const Reader& r) {
  std::vector<ast::Name> out;
  r.each([&](const Reader& part) {
    if (part.rule() == Rule::name) out.push_back(name(part));
  });
  return out;
}

inline ast::Quantity number(const Reader& r, std::uint32_t token) {
  return {r.text_of(token), "", r.span_of(token, token + 1)};
}

inline ast::Quantity quantity(const Reader& r) {
  std::string written = r.text_of(r.first());
  if (r.first_kind() == Kind::NUMBER) {
    std::string unit = r.text_of(r.first() + 1);
    if (r.last() - r.first() == 3) unit += " " + r.text_of(r.first() + 2);  // `2 x 3g.40gb`
    return {std::move(written), std::move(unit), r.span()};
  }
  const std::size_t unit = written.find_first_not_of("0123456789.");
  return {written.substr(0, unit), written.substr(unit), r.span()};
}

inline ast::Amounts amounts(const Reader& r) {
  ast::Amounts out;
  r.each([&](const Reader& part) { out.push_back(quantity(part)); });
  return out;
}

inline ast::PoolAmounts pool_amounts(const Reader& r) {
  return {amounts(r.the(Rule::amounts)), name(r.the(Rule::name)), r.span()};
}

// The items of a block, each with its place.
template <class Item>
std::vector<Item> items(const Reader& r, Rule rule, decltype(Item::node) (*node)(const Reader&)) {
  std::vector<Item> out;
  for (const Reader& item : r.all(rule)) out.push_back({item.span(), node(item)});
  return out;
}

inline ast::TimeOfDay time(const Reader& r, std::uint32_t token) {
  const std::string t = r.text_of(token);  // dd:dd
  const auto digit = [&](std::size_t i) { return t[i] - '0'; };
  return {digit(0) * 10 + digit(1), digit(3) * 10 + digit(4), r.span_of(token, token + 1)};
}

inline std::string unquoted(const std::string& text) { return text.substr(1, text.size() - 2); }

// A name, in quotes or not.
inline ast::Name namespace_name(const Reader& r) {
  ast::Name out = name(r);
  if (r.first_kind() == Kind::STRING) out.text = unquoted(out.text);
  return out;
}

// The words of `sku=gpu:NoExecute` as one, quoted or not.
inline ast::Name key_value(const Reader& pair) {
  ast::Name out{{}, pair.span()};
  for (std::uint32_t i = pair.first(); i < pair.last(); ++i) out.text += pair.text_of(i);
  if (pair.first_kind() == Kind::STRING) out.text = unquoted(out.text);
  return out;
}

}  // namespace gpol::syntax
