#include "checker/observe/schema/look.h"

#include <cmath>

#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"
#include "compiler/source/number.h"
#include "compiler/source/text.h"

namespace gpol::manifest::schema {
namespace {

constexpr double kMostExact = 9007199254740991.0;  // 2^53 - 1: beyond it a JSON number is no integer any more

Json number_type(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto value = whole_number<double>(text);
  if (!value || !std::isfinite(*value)) return Json::Text;
  return std::floor(*value) == *value && std::abs(*value) <= kMostExact ? Json::Integer : Json::Number;
}

bool is_bool_word(std::string_view text) {
  return contains({"y", "yes", "on", "n", "no", "off", "true", "false"}, std::string_view(lowered(text)));
}

}  // namespace

Json json_type(const Node& node) {
  using Kind = Node::Kind;
  if (node.kind == Kind::Null) return Json::Null;
  if (node.kind == Kind::Text) return Json::Text;
  if (node.kind == Kind::Bool) return Json::Bool;
  if (node.kind == Kind::List) return Json::List;
  if (node.kind == Kind::Map) return Json::Map;
  if (node.kind == Kind::Integer) return integer_of(node) ? Json::Integer : Json::Number;
  // A number with a point or exponent, or a word on which YAML's readers disagree: as the API server gets it.
  return is_bool_word(node.text) ? Json::Bool : number_type(node.text);
}

std::optional<std::int64_t> integer_of(const Node& node) {
  if (node.kind == Node::Kind::Integer) return whole_number(node.text);
  if (json_type(node) != Json::Integer) return std::nullopt;
  const std::string_view text(node.text);
  return static_cast<std::int64_t>(whole_number<double>(text.substr(text.starts_with('+') ? 1 : 0)).value_or(0));
}

Look Look::get(std::string_view key) const& {
  for (const Entry& candidate : entries())
    if (candidate.key == key && candidate.value.kind != Node::Kind::Null) return {&candidate.value, this, key, 0};
  return {nullptr, this, key, 0};
}

Look Look::at(std::size_t index) const& { return {&node_->items.at(index), this, {}, index}; }

std::string Look::field() const {
  if (parent_ == nullptr) return {};
  std::string path = parent_->field();
  if (parent_->is(Json::List))
    path += "[" + std::to_string(index_) + "]";
  else
    append_key(path, key_);
  return path;
}

const std::vector<Entry>& Look::entries() const {
  static const std::vector<Entry> kNone;
  return node_ != nullptr && node_->kind == Node::Kind::Map ? node_->entries : kNone;
}

std::string_view Look::text(std::string_view fallback) const { return is(Json::Text) ? node_->text : fallback; }

std::optional<std::string_view> Look::quantity() const {
  if (is(Json::Text) || is(Json::Integer)) return node_->text;
  return std::nullopt;
}

std::optional<std::int64_t> Look::integer() const { return node_ == nullptr ? std::nullopt : integer_of(*node_); }

}  // namespace gpol::manifest::schema
