#include "tests/independence/shuffle.h"

#include <algorithm>
#include <stdexcept>

#include "compiler/syntax/parse.h"

namespace gpol::test {

namespace {

// A piece of text and the pieces in it whose order means nothing.
struct Piece {
  Span span;
  std::vector<Piece> parts = {};
};

template <class T>
void add_all(Piece& piece, const std::vector<T>& items) {
  for (const T& item : items) piece.parts.push_back({item.span});
}

void add_parts(Piece&, const auto&) {}

void add_parts(Piece& piece, const ast::Cluster& cluster) {
  add_all(piece, cluster.schedulers);
  add_all(piece, cluster.pools);
  add_all(piece, cluster.writers);
  for (const ast::Nodes& nodes : cluster.nodes) {
    Piece& group = piece.parts.emplace_back(Piece{nodes.span});
    add_all(group, nodes.items);
  }
}

void add_parts(Piece& piece, const ast::Cohort& cohort) {
  add_all(piece, cohort.quotas);
  add_all(piece, cohort.limits);
}

void add_parts(Piece& piece, const ast::Class& of) { add_all(piece, of.items); }

void add_parts(Piece& piece, const ast::Tenant& tenant) {
  for (const ast::TenantItem& item : tenant.items) {
    Piece& part = piece.parts.emplace_back(Piece{item.span});
    const auto* queue = std::get_if<ast::TenantQueue>(&item.node);
    if (queue == nullptr) continue;
    add_all(part, queue->limits);
    for (const ast::QueueSetting& setting : queue->settings)
      part.parts.push_back({join(setting.field.span, setting.value.span)});
  }
}

std::string text_of(const std::string& text, const Piece& piece, gpol::testing::Dice& dice) {
  std::vector<Piece> slots = piece.parts;
  std::sort(slots.begin(), slots.end(), [](const Piece& a, const Piece& b) { return a.span.begin < b.span.begin; });
  std::vector<Piece> order = slots;
  shuffle(order, dice);
  std::string out;
  std::uint32_t at = piece.span.begin;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    out += text.substr(at, slots[i].span.begin - at) + text_of(text, order[i], dice);
    at = slots[i].span.end;
  }
  return out + text.substr(at, piece.span.end - at);
}

}  // namespace

std::string shuffled(const std::string& policy, gpol::testing::Dice& dice) {
  SourceSet sources;
  const FileId file = sources.add("policy", policy);
  const auto tree = parse(sources, file);
  if (!tree.ok()) throw std::invalid_argument("only what parses can be shuffled");
  Piece all{{file, 0, static_cast<std::uint32_t>(policy.size())}};
  for (const ast::Decl& decl : tree.value.decls) {
    if (std::holds_alternative<ast::Language>(decl.node)) continue;
    Piece& piece = all.parts.emplace_back(Piece{decl.span});
    std::visit([&](const auto& node) { add_parts(piece, node); }, decl.node);
  }
  return text_of(policy, all, dice);
}

}  // namespace gpol::test
