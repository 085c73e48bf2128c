#include "checker/observe/kustomize/json_patch.h"

#include <algorithm>
#include <optional>

#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"
#include "compiler/source/number.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

// "/spec/resourceGroups/0/flavors" with ~1 for / and ~0 for ~. What stands before the first slash counts for nothing.
std::vector<std::string> read_pointer(std::string_view text) {
  std::vector<std::string> parts;
  for (auto at = text.find('/'); at != std::string_view::npos;) {
    const auto end = text.find('/', at + 1);
    std::string part;
    const auto raw = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const bool escaped = raw[i] == '~' && i + 1 < raw.size() && (raw[i + 1] == '0' || raw[i + 1] == '1');
      part += escaped ? (raw[i + 1] == '1' ? '/' : '~') : raw[i];
      i += escaped ? 1 : 0;
    }
    parts.push_back(std::move(part));
    at = end;
  }
  return parts;
}

// Of an item that is there; negative numbers count from the end.
std::optional<std::size_t> item_at(const Node& list, std::string_view part) {
  const auto index = whole_number<long>(part);
  const auto size = static_cast<long>(list.items.size());
  if (!index || *index >= size || *index < -size) return std::nullopt;
  return static_cast<std::size_t>(*index < 0 ? *index + size : *index);
}

Node* child(Node& node, std::string_view part) {
  if (node.kind == NodeKind::Map) return find(node, part);
  if (node.kind != NodeKind::List) return nullptr;
  const auto index = item_at(node, part);
  return index ? &node.items[*index] : nullptr;
}

Node* parent_of(Node& object, const std::vector<std::string>& path) {
  Node* at = &object;
  for (std::size_t i = 0; at != nullptr && i + 1 < path.size(); ++i) at = child(*at, path[i]);
  return path.empty() || at == nullptr || (at->kind != NodeKind::Map && at->kind != NodeKind::List) ? nullptr : at;
}

bool add_value(Node& object, const std::vector<std::string>& path, Node value) {
  Node* parent = parent_of(object, path);
  if (parent == nullptr) return false;
  if (parent->kind == NodeKind::Map) {
    put(*parent, path.back(), std::move(value));
    return true;
  }
  auto& items = parent->items;
  if (path.back() == "-") {
    items.push_back(std::move(value));
    return true;
  }
  const auto index = whole_number<long>(path.back());
  const auto size = static_cast<long>(items.size());
  if (!index || *index > size || *index < -(size + 1)) return false;
  items.insert(items.begin() + (*index < 0 ? *index + size + 1 : *index), std::move(value));
  return true;
}

bool remove_value(Node& object, const std::vector<std::string>& path) {
  Node* parent = parent_of(object, path);
  if (parent == nullptr || child(*parent, path.back()) == nullptr) return false;
  if (parent->kind == NodeKind::Map)
    erase(*parent, path.back());
  else
    parent->items.erase(parent->items.begin() + static_cast<long>(*item_at(*parent, path.back())));
  return true;
}

bool same_value(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() || a.entries.size() != b.entries.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same_value(a.items[i], b.items[i])) return false;
  for (const Entry& entry : a.entries)
    if (const Node* other = find(b, entry.key); other == nullptr || !same_value(entry.value, *other)) return false;
  return true;
}

bool is_operation(std::string_view op) { return contains({"add", "remove", "replace", "test", "move", "copy"}, op); }

// A key that is missing is a null to copy and test, and replacing it puts it in: so the library that kustomize uses has
// it, though not RFC 6902.
bool apply(Context& context, Node& object, const Operation& operation) {
  const Node* place = parent_of(object, operation.path);
  if (place != nullptr && !context.spend_steps(object.entries.size() + place->entries.size() + place->items.size()))
    return false;
  const auto value = [&] { return operation.value == nullptr ? Node{} : *operation.value; };
  if (operation.op == "add") return add_value(object, operation.path, value());
  if (operation.op == "remove") return remove_value(object, operation.path);
  if (operation.op == "replace" || operation.op == "test") {
    Node* parent = parent_of(object, operation.path);
    if (parent == nullptr) return false;
    Node* target = child(*parent, operation.path.back());
    if (target == nullptr && parent->kind == NodeKind::List) return false;
    if (operation.op == "test" && is_null(target)) return is_null(operation.value);
    if (operation.op == "test") return operation.value != nullptr && same_value(*target, *operation.value);
    if (target != nullptr)
      *target = value();
    else
      put(*parent, operation.path.back(), value());
    return true;
  }
  Node* parent = parent_of(object, operation.from);
  const Node* source = parent == nullptr ? nullptr : child(*parent, operation.from.back());
  if (source == nullptr && (operation.op == "move" || parent == nullptr || parent->kind == NodeKind::List))
    return false;
  Node copy = source == nullptr ? Node{} : *source;
  if (!context.spend_bytes(tree_bytes(copy))) return false;
  if (deeper_than(copy, kDepthLimit))
    return context.fail_to_build(*operation.at, "makes an object of more than 64 nested levels");
  if (operation.op == "move") remove_value(object, operation.from);
  return add_value(object, operation.path, std::move(copy));
}

}  // namespace

bool read_operations(Context& context, const Node& list, std::vector<Operation>& operations) {
  for (const Node& item : list.items) {
    if (item.kind != NodeKind::Map) return context.fail(item, "must be an operation, with `op` and `path`");
    const Node* path = find(item, "path");
    if (path != nullptr && text_of(path).empty())
      return context.fail_to_build(item, "is an operation on the whole object");
    const std::string from = text_at(item, "from");
    if (std::ranges::count(from, '/') > kDepthLimit ||
        (path != nullptr && std::ranges::count(path->text, '/') > kDepthLimit))
      return context.fail_to_build(item, "leads to more than 64 nested levels");
    if (from == "/metadata" || from == "/metadata/annotations")
      return context.fail_to_build(item, "takes along the notes that kustomize keeps among the annotations");
    operations.push_back({text_at(item, "op"), read_pointer(text_of(path)), read_pointer(text_at(item, "from")), &item,
                          find(item, "value")});
  }
  return true;
}

bool apply_operations(Context& context, Node& object, const std::vector<Operation>& operations) {
  for (const Operation& operation : operations) {
    if (operation.value != nullptr && !context.spend_bytes(tree_bytes(*operation.value))) return false;
    const bool known = is_operation(operation.op) && find(*operation.at, "path") != nullptr;
    if (known && apply(context, object, operation)) continue;
    if (context.cannot_build()) return false;
    if (!known)
      return context.fail(*operation.at, "must have an `op` (add, remove, replace, move, copy or test) and a `path`");
    const Node& path = *find(*operation.at, "path");
    return context.fail(path, "cannot " + operation.op + " " + shown(path.text) +
                                  (operation.op == "test" ? ": the value there is another"
                                                          : ": there is no such place in the " +
                                                                shown(text_at(object, "kind")) + " it patches"));
  }
  return true;
}

}  // namespace gpol::manifest::kustomize
