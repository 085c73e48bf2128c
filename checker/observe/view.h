// A typed look at a node of a document that reports its own mistakes: wrong types, missing and unknown fields, nulls.
// Each reader takes the fields it understands and calls finish(), which reports every field that nobody looked at; so
// whatever a reader does not know is a problem, never silence. A view points at its parent: keep parents alive.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/tree.h"
#include "compiler/source/text.h"

namespace gpol::manifest {

template <class E>
using Choices = std::span<const std::pair<std::string_view, E>>;

// What finish() says of a field that nobody looked at.
inline constexpr const char* kNotUnderstood = "is not a field that is understood";

class View {
 public:
  View(const Node& root, Problems& problems) : node_(&root), problems_(&problems) {}

  std::string field() const;
  void problem(std::string what) const { problems_->add(field(), std::move(what), *node_); }
  // About a field of this mapping that is absent or wrong as a whole.
  void problem(std::string_view key, std::string what, Trouble trouble = Trouble::Wrong) const;
  // Kubernetes knows this field of the mapping, and what it does is not modelled.
  void not_modelled(std::string_view key, std::string what) const;
  int line() const { return node_->line; }
  int line_of(std::string_view key) const;  // of a field's value; its own where the field is absent
  Span span() const { return problems_->place().span(*node_); }
  Span span_of(std::string_view key) const;  // of a field's value; its own where the field is absent
  Node::Kind kind() const { return node_->kind; }
  const Node& node() const { return *node_; }

  // Fields of a mapping. Absent fields give nothing; a null or a wrong type gives nothing and a problem.
  bool has(std::string_view key) const { return entry(key) != nullptr; }
  std::optional<View> map(std::string_view key) const { return child(key, Node::Kind::Map); }
  std::optional<View> list(std::string_view key) const { return child(key, Node::Kind::List); }
  std::optional<std::string> text(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<bool> boolean(std::string_view key) const;
  std::optional<std::string> quantity(std::string_view key) const;  // an integer or text: int-or-string of the CRDs
  std::vector<std::string> texts(std::string_view key) const;
  std::map<std::string, std::string> text_map(std::string_view key) const;
  template <class E>
  E choice(std::string_view key, Choices<E> choices, E fallback) const {
    const auto word = text(key);
    if (!word) return fallback;
    for (const auto& [name, value] : choices)
      if (name == *word) return value;
    std::string names;
    for (const auto& [name, value] : choices) add_to_list(names, name);
    problem(key, shown(*word) + " is none of " + names);
    return fallback;
  }

  // The same, and a problem when the field is absent.
  std::string required_text(std::string_view key) const;  // not empty
  std::optional<View> required_map(std::string_view key) const { return require(key), map(key); }
  std::optional<View> required_list(std::string_view key) const { return require(key), list(key); }

  // Of no consequence, but still of this type.
  void ignore(std::string_view key, Node::Kind kind) const { (void)child(key, kind); }
  // Of no consequence whatever it is.
  void ignore(std::string_view key) const { (void)entry(key); }
  // Reports what nobody looked at.
  void finish() const;

  // Elements of a list.
  std::size_t size() const { return node_->items.size(); }
  View at(std::size_t index) const;
  // Reads each item of a list that is a mapping; of any other there is a problem.
  template <class Read>
  void each_map(Read read) const {
    for (std::size_t i = 0; i < size(); ++i)
      if (const View item = at(i); item.expect(Node::Kind::Map)) read(item);
  }
  // The same of the list in a field; of one that holds more than `most` it reads none, and that is a problem.
  template <class Read>
  void each_map(std::string_view key, Read read, std::size_t most = std::numeric_limits<std::size_t>::max()) const {
    if (const auto items = list(key); items && items->at_most(most)) items->each_map(std::move(read));
  }
  // The CRD's maxItems; false, with a problem, when the list (or mapping) is longer.
  bool at_most(std::size_t limit) const;
  // The scalar itself; reports when it is not text.
  std::optional<std::string> as_text() const;
  bool expect(Node::Kind kind) const;

 private:
  View(const Node& node, const View& parent, std::string_view key, std::size_t index)
      : node_(&node), problems_(parent.problems_), parent_(&parent), key_(key), index_(index) {}
  const Entry* entry(std::string_view key) const;
  std::optional<View> child(std::string_view key, Node::Kind kind) const;
  void require(std::string_view key) const;

  const Node* node_;
  Problems* problems_;
  const View* parent_ = nullptr;
  std::string_view key_;  // empty with a parent: an element of a list
  std::size_t index_ = 0;
};

}  // namespace gpol::manifest
