// A look at a node that may be absent or of any type, for the rules: asking for what is not there gives what an absent
// field gives. In a mapping null is absent too, as the API server drops it. A look points at its parent: keep parents.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest::schema {

// What a scalar becomes in the JSON that kubectl sends. 1e3 and 1.0 are integers there.
enum class Json : std::uint8_t { Null, Text, Integer, Number, Bool, List, Map };
Json json_type(const Node& node);
// Of an integer that fits.
std::optional<std::int64_t> integer_of(const Node& node);

class Look {
 public:
  explicit Look(const Node& root) : node_(&root) {}

  Look get(std::string_view key) const&;
  Look at(std::size_t index) const&;
  // A field of this mapping that the caller met while iterating.
  Look entry(const Entry& of) const& { return {&of.value, this, of.key, 0}; }
  Look get(std::string_view) && = delete;
  Look at(std::size_t) && = delete;
  Look entry(const Entry&) && = delete;

  bool present() const { return node_ != nullptr; }
  const Node* node() const { return node_; }
  const Node& nearest() const { return node_ != nullptr ? *node_ : parent_->nearest(); }
  std::string field() const;

  // Of a list; 0 for anything else.
  std::size_t size() const { return is(Json::List) ? node_->items.size() : 0; }
  auto items() const& {
    return std::views::iota(std::size_t{0}, size()) | std::views::transform([this](std::size_t i) { return at(i); });
  }
  auto items() && = delete;
  // Of a mapping; empty for anything else.
  const std::vector<Entry>& entries() const;
  bool is(Json type) const { return node_ != nullptr && json_type(*node_) == type; }

  // Absent or not text: `fallback`.
  std::string_view text(std::string_view fallback = {}) const;
  // The spelling of a quantity, written as text or number.
  std::optional<std::string_view> quantity() const;
  std::optional<std::int64_t> integer() const;
  bool is_true() const { return is(Json::Bool) && node_->text == "true"; }

 private:
  Look(const Node* node, const Look* parent, std::string_view key, std::size_t index)
      : node_(node), parent_(parent), key_(key), index_(index) {}

  const Node* node_;  // null: absent
  const Look* parent_ = nullptr;
  std::string_view key_;  // of the mapping above; an element of a list has none
  std::size_t index_ = 0;
};

}  // namespace gpol::manifest::schema
