#include "checker/observe/view.h"

#include <charconv>

namespace gpol::manifest {
namespace {

std::string_view kind_name(Node::Kind kind) {
  constexpr std::string_view kNames[] = {"null",       "text",
                                         "an integer", "a number that is not whole",
                                         "a boolean",  "a word that YAML readers take differently",
                                         "a list",     "a mapping"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string View::field() const {
  if (parent_ == nullptr) return {};
  std::string path = parent_->field();
  if (parent_->kind() == Node::Kind::List)
    path += "[" + std::to_string(index_) + "]";
  else
    append_key(path, key_);
  return path;
}

void View::problem(std::string_view key, std::string what, Trouble trouble) const {
  std::string path = field();
  append_key(path, key);
  const Node* at = node_;
  for (const auto& candidate : node_->entries)
    if (candidate.key == key) at = &candidate.value;
  problems_->add(std::move(path), std::move(what), *at, trouble);
}

Span View::span_of(std::string_view key) const {
  const Entry* found = entry(key);
  return problems_->place().span(found == nullptr ? *node_ : found->value);
}

int View::line_of(std::string_view key) const {
  const Entry* found = entry(key);
  return found == nullptr ? node_->line : found->value.line;
}

void View::not_modelled(std::string_view key, std::string what) const {
  ignore(key);
  problem(key, std::move(what), Trouble::NotModelled);
}

const Entry* View::entry(std::string_view key) const {
  for (const auto& candidate : node_->entries) {
    if (candidate.key != key) continue;
    candidate.read = true;
    return &candidate;
  }
  return nullptr;
}

bool View::expect(Node::Kind kind) const {
  if (node_->kind == kind) return true;
  if (node_->kind == Node::Kind::Null)
    problem("is null; leave the field out instead");
  else if (node_->kind == Node::Kind::Ambiguous)
    problem("must be " + std::string(kind_name(kind)) + ", and " + shown(node_->text) +
            " is read differently by different YAML readers: quote it");
  else
    problem("must be " + std::string(kind_name(kind)) + ", is " + std::string(kind_name(node_->kind)));
  return false;
}

std::optional<View> View::child(std::string_view key, Node::Kind kind) const {
  const Entry* found = entry(key);
  if (found == nullptr) return std::nullopt;
  const View view(found->value, *this, found->key, 0);
  if (!view.expect(kind)) return std::nullopt;
  return view;
}

std::optional<std::string> View::text(std::string_view key) const {
  const auto view = child(key, Node::Kind::Text);
  if (!view) return std::nullopt;
  return view->node_->text;
}

std::optional<bool> View::boolean(std::string_view key) const {
  const auto view = child(key, Node::Kind::Bool);
  if (!view) return std::nullopt;
  return view->node_->text == "true";
}

std::optional<std::int64_t> View::integer(std::string_view key) const {
  const auto view = child(key, Node::Kind::Integer);
  if (!view) return std::nullopt;
  std::int64_t value = 0;
  const auto& text = view->node_->text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{}) return value;
  view->problem(shown(text) + " does not fit in 64 bits");
  return std::nullopt;
}

std::optional<std::string> View::quantity(std::string_view key) const {
  const Entry* found = entry(key);
  if (found == nullptr) return std::nullopt;
  const auto kind = found->value.kind;
  if (kind != Node::Kind::Integer && kind != Node::Kind::Float &&
      !View(found->value, *this, found->key, 0).expect(Node::Kind::Text))
    return std::nullopt;
  return found->value.text;
}

std::optional<std::string> View::as_text() const {
  if (!expect(Node::Kind::Text)) return std::nullopt;
  return node_->text;
}

std::vector<std::string> View::texts(std::string_view key) const {
  std::vector<std::string> result;
  const auto view = list(key);
  if (!view) return result;
  for (std::size_t i = 0; i < view->size(); ++i)
    if (auto word = view->at(i).as_text()) result.push_back(std::move(*word));
  return result;
}

std::map<std::string, std::string> View::text_map(std::string_view key) const {
  std::map<std::string, std::string> result;
  const auto view = map(key);
  if (!view) return result;
  for (const auto& item : view->node_->entries) {
    item.read = true;
    if (auto word = View(item.value, *view, item.key, 0).as_text()) result.emplace(item.key, std::move(*word));
  }
  return result;
}

std::string View::required_text(std::string_view key) const {
  require(key);
  auto word = text(key);
  if (word && word->empty()) problem(key, "must not be empty");
  return word.value_or("");
}

void View::require(std::string_view key) const {
  if (!has(key)) problem(key, "is required");
}

void View::finish() const {
  for (const auto& candidate : node_->entries)
    if (!candidate.read) View(candidate.value, *this, candidate.key, 0).problem(kNotUnderstood);
}

bool View::at_most(std::size_t limit) const {
  if (node_->items.size() <= limit && node_->entries.size() <= limit) return true;
  problem("holds more than " + std::to_string(limit));
  return false;
}

View View::at(std::size_t index) const { return {node_->items.at(index), *this, {}, index}; }

}  // namespace gpol::manifest
