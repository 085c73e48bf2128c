#include "tests/conformance/schema/mutate.h"

#include <nlohmann/json.hpp>
#include <random>

#include "checker/observe/schema/configuration.h"
#include "checker/observe/schema/tables.h"

namespace gpol {
namespace {

using manifest::Entry;
using manifest::Node;
using manifest::schema::Field;
using manifest::schema::Syntax;
using manifest::schema::Type;

// A value that may be changed, and what the table says of it.
struct Site {
  Node* parent;
  std::size_t index;  // of its entry or item
  Type type;
  bool open;  // more fields than the table's are legal beside it
};

const Field* field_of(const Type& type, const std::string& name) {
  for (const Field& field : type.all_fields())
    if (field.name == name) return &field;
  return nullptr;
}

Type item_of(const Type& list) {
  if (list.item != nullptr) return *list.item;
  Type object = list;
  object.is = Type::Is::Object;
  return object;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::size_t upto(std::size_t most) { return random_() % (most + 1); }

  void change(Node& root, const Type& type) {
    sites_.clear();
    gather(root, type);
    if (sites_.empty()) return;
    const Site site = sites_[upto(sites_.size() - 1)];
    Node& parent = *site.parent;
    const bool map = parent.kind == Node::Kind::Map;
    Node& value = map ? parent.entries[site.index].value : parent.items[site.index];
    switch (upto(9)) {
      case 0:
        if (map)
          parent.entries.erase(parent.entries.begin() + static_cast<std::ptrdiff_t>(site.index));
        else
          parent.items.erase(parent.items.begin() + static_cast<std::ptrdiff_t>(site.index));
        return;
      case 1:
      case 2:
        value = other(site.type);
        return;
      case 3:
        if (value.kind == Node::Kind::Map && !site.type.open) return add_field(value, site.type);
        break;
      case 4:
        if (map && !site.open) return rename(parent, site.index);
        if (map) break;
        parent.items.push_back(parent.items[site.index]);
        return;
      case 5:
        if (!map) std::swap(value, parent.items[upto(parent.items.size() - 1)]);
        return;
      case 6: {  // what stands elsewhere
        if (site.type.open) break;
        const Site from = sites_[upto(sites_.size() - 1)];
        const Node& there = from.parent->kind == Node::Kind::Map ? from.parent->entries[from.index].value
                                                                 : from.parent->items[from.index];
        Node copy = there;
        value = std::move(copy);
        return;
      }
      default:
        break;
    }
    nudge(value, site.type);
  }

 private:
  void gather(Node& node, const Type& type) {
    if (node.kind == Node::Kind::Map)
      for (std::size_t i = 0; i < node.entries.size(); ++i) {
        if (type.is == Type::Is::Map) visit(node, i, node.entries[i].value, *type.item, false);
        if (type.is != Type::Is::Object) continue;
        if (const Field* field = field_of(type, node.entries[i].key))
          visit(node, i, node.entries[i].value, field->type, type.open);
      }
    if (node.kind == Node::Kind::List && type.is == Type::Is::List)
      for (std::size_t i = 0; i < node.items.size(); ++i) visit(node, i, node.items[i], item_of(type), false);
  }

  void visit(Node& parent, std::size_t index, Node& value, const Type& type, bool open) {
    if (type.is == Type::Is::Any) return;
    sites_.push_back({&parent, index, type, open});
    gather(value, type);
  }

  static Node scalar(Node::Kind kind, std::string text) {
    Node node;
    node.kind = kind;
    node.text = std::move(text);
    return node;
  }

  // Something of any type, but more often of the right one.
  Node other(const Type& type) {
    switch (upto(7)) {
      case 0:
        return scalar(Node::Kind::Null, "null");
      case 1:
        return scalar(Node::Kind::Bool, upto(1) == 0 ? "true" : "false");
      case 2:
        return scalar(Node::Kind::Integer, number());
      case 3: {
        Node empty;
        empty.kind = upto(1) == 0 ? Node::Kind::List : Node::Kind::Map;
        return empty;
      }
      case 4:
        return scalar(Node::Kind::Ambiguous, pick({"1.5", "1.0", "1e3", "-0.5"}));
      default:
        return type.is == Type::Is::Integer ? scalar(Node::Kind::Integer, number())
                                            : scalar(Node::Kind::Text, word(type));
    }
  }

  std::string number() {
    return pick({"0", "1", "2", "-1", "-5", "8", "17", "64", "2147483647", "2147483648", "-2147483648", "-2147483649",
                 "9007199254740993", "9223372036854775807", "9223372036854775808", "100000000000000000000"});
  }

  std::string word(const Type& type) {
    if (!type.words.empty() && upto(1) == 0) {
      std::vector<std::string> all{""};
      for (const char c : type.words)
        if (c == ' ')
          all.emplace_back();
        else
          all.back() += c;
      return all[upto(all.size() - 1)];
    }
    if (type.is == Type::Is::Quantity && upto(2) > 0)
      return pick({"0",           "8",     "-1",   "500m", "1n", "0.5n", "2n",
                   "1.5",         ".5",    "5.",   "+3",   "-0", "1e3",  "1E-3",
                   "1e+2",        "1e1.5", "1e",   "1E",   "2K", "2Ki",  "1Ei",
                   "16Ei",        "100Ei", "1e18", "1e30", "",   " 1",   "1 ",
                   "1_0",         "0x1",   "1,5",  "u",    "1u", "1Kib", "12345678901234567890",
                   "0.0000000001"});
    if (type.syntax == Syntax::Duration && upto(3) > 0)
      return pick({"0",
                   "0s",
                   "30m",
                   "-5m",
                   "+5m",
                   "1h30m",
                   "1.5s",
                   ".5h",
                   "1.s",
                   ".s",
                   "5",
                   "5 m",
                   "5d",
                   "1.2.3s",
                   "\xC2\xB5s",
                   "3\xC2\xB5s",
                   "-0s",
                   "-0.1ns",
                   "2562047h47m16.854775807s",
                   "2562047h47m16.854775808s",
                   "-2562047h47m16.854775808s",
                   "9999999999h",
                   "0.99999999999999999999h"});
    switch (upto(6)) {
      case 0:
        return std::string(pick_size(), 'a');
      case 1:
        return std::string(pick_size(), 'a') + "/b";
      default:
        return pick({"",
                     "a",
                     "A",
                     "a-b",
                     "a_b",
                     "a.b",
                     "-a",
                     "a-",
                     "a.",
                     "a..b",
                     "a b",
                     "a/b",
                     "a/b/c",
                     "/a",
                     "a/",
                     "\xC3\xA9",
                     "example.com/Pool",
                     "Example.com/pool",
                     "Never",
                     "Any",
                     "LowerPriority",
                     "Exists",
                     "Equal",
                     "In",
                     "NotIn",
                     "DoesNotExist",
                     "NoSchedule",
                     "NoExecute",
                     "PreferNoSchedule",
                     "TryNextFlavor",
                     "MayStopSearch",
                     "None",
                     "cpu",
                     "pods",
                     "nvidia.com/gpu",
                     "main",
                     "kubernetes.io/hostname",
                     "2026-10-01T08:00:00Z",
                     "2026-02-30T08:00:00Z",
                     "2026-10-01",
                     "orphan",
                     "foregroundDeletion",
                     "v1",
                     "a/v1",
                     "PriorityClass",
                     "scheduling.k8s.io",
                     "1",
                     "true",
                     "null"});
    }
  }

  std::size_t pick_size() {
    constexpr std::size_t kSizes[] = {57, 62, 63, 64, 252, 253, 254, 256, 257, 314, 315, 316, 317, 318, 2048, 2049};
    return kSizes[upto(std::size(kSizes) - 1)];
  }

  std::string pick(std::initializer_list<const char*> from) { return *(from.begin() + upto(from.size() - 1)); }

  void add_field(Node& map, const Type& type) {
    const auto fields = type.all_fields();
    std::string key = pick({"x", "Name", "a/b", "a b", "", "cohort", "-"});
    const bool known = !fields.empty() && upto(3) > 0;
    const Field* field = known ? &fields[upto(fields.size() - 1)] : nullptr;
    if (field != nullptr) key = std::string(field->name);
    for (const Entry& entry : map.entries)
      if (entry.key == key) return;
    if (field != nullptr && field->type.is == Type::Is::Any) return;
    map.entries.push_back({key,
                           other(field != nullptr       ? field->type
                                 : type.item != nullptr ? *type.item
                                                        : Type{}),
                           false});
  }

  void rename(Node& map, std::size_t index) {
    std::string key = map.entries[index].key;
    if (upto(1) == 0)
      key += pick({"s", "X", "-", "/b"});
    else if (!key.empty())
      key[upto(key.size() - 1)] = pick({"a", "A", "-", "."})[0];
    for (const Entry& entry : map.entries)
      if (entry.key == key) return;
    map.entries[index].key = key;
  }

  void nudge(Node& value, const Type& type) {
    if (value.kind == Node::Kind::Integer && value.text.size() < 12 && upto(1) == 0)
      value.text = std::to_string(std::atoll(value.text.c_str()) + (upto(1) == 0 ? 1 : -1));
    else if (value.kind == Node::Kind::Integer)
      value.text = number();
    else if (value.kind == Node::Kind::Bool)
      value.text = value.text == "true" ? "false" : "true";
    else if (value.kind == Node::Kind::Text)
      value.text = word(type);
    else if (value.kind == Node::Kind::List && !value.items.empty())
      value.items.push_back(value.items[upto(value.items.size() - 1)]);
    else
      value = other(type);
  }

  std::mt19937_64 random_;
  std::vector<Site> sites_;
};

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

void print(const Node& node, std::string& out) {
  const char* separator = "";
  switch (node.kind) {
    case Node::Kind::Null:
      out += "null";
      return;
    case Node::Kind::Text:
      out += quoted(node.text);
      return;
    case Node::Kind::List:
      out += "[";
      for (const Node& item : node.items) {
        out += separator;
        print(item, out);
        separator = ", ";
      }
      out += "]";
      return;
    case Node::Kind::Map:
      out += "{";
      for (const Entry& entry : node.entries) {
        out += separator + quoted(entry.key) + ": ";
        print(entry.value, out);
        separator = ", ";
      }
      out += "}";
      return;
    default:
      out += node.text;
  }
}

const Node* field(const Node& map, std::string_view key) {
  for (const Entry& entry : map.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

}  // namespace

std::string mutant(const std::vector<Node>& objects, std::uint64_t seed) {
  Mutator mutator(seed);
  Node object = objects[mutator.upto(objects.size() - 1)];
  const Node *api = field(object, "apiVersion"), *kind = field(object, "kind");
  const Type* configuration = manifest::schema::configuration_type(api->text, kind->text);
  Type type = configuration != nullptr ? *configuration : manifest::schema::kind_of(api->text, kind->text)->root;
  // The two fields that say which table it is stay as they are.
  std::vector<Entry> head(object.entries.begin(), object.entries.begin() + 2);
  object.entries.erase(object.entries.begin(), object.entries.begin() + 2);
  for (auto left = 1 + mutator.upto(2) * mutator.upto(1); left > 0; --left) mutator.change(object, type);
  object.entries.insert(object.entries.begin(), head.begin(), head.end());
  return json_of(object);
}

std::string json_of(const Node& node) {
  std::string out;
  print(node, out);
  return out;
}

}  // namespace gpol
