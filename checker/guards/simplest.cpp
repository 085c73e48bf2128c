#include "checker/guards/simplest.h"

#include <set>

namespace gpol {

namespace {

// Evaluations; a request that needs more is shown as it is by then.
constexpr int kBudget = 5000;

class Simplifier {
 public:
  Simplifier(cel::Value& root, const std::function<bool(const cel::Value&)>& keeps, std::vector<std::string> texts)
      : root_(root), keeps_(keeps), texts_(std::move(texts)) {}

  // True where another one is preferred. Once the rest is simple, more of them may do.
  bool in_namespace(const std::vector<std::string>& namespaces) {
    cel::Map* request = root_.as<cel::Map>();
    if (request == nullptr || !request->contains("namespace")) return false;
    const cel::Map before = *request;
    const auto* now = before.at("namespace").as<std::string>();
    for (const std::string& name : namespaces) {
      if (now != nullptr && *now == name) return false;
      (*request)["namespace"] = name;
      if (before.contains("namespaceObject"))
        (*request)["namespaceObject"] = cel::Map{
            {"metadata", cel::Map{{"name", name}, {"labels", cel::Map{{"kubernetes.io/metadata.name", name}}}}}};
      if (holds()) return true;
      *request = before;
    }
    return false;
  }

  void add(const std::vector<symbolic::AlwaysThere>& there) {
    for (const auto& part : there) {
      const cel::Value before = root_;
      cel::Value* value = &root_;
      for (const std::string& step : part.steps) {
        if (value->as<cel::Map>() == nullptr) *value = cel::Map{};
        value = &(*value->as<cel::Map>())[step];
      }
      const bool was = value->as<cel::List>() != nullptr || value->as<cel::Map>() != nullptr;
      if (!was) *value = part.list ? cel::Value(cel::List{}) : cel::Value(cel::Map{});
      if (was || holds())
        for (std::size_t steps = 1; steps <= part.steps.size(); ++steps) stays_.emplace(path(part.steps, steps));
      else
        root_ = before;
    }
  }

  bool simpler() { return at(root_, "", ""); }

 private:
  static std::string path(const std::vector<std::string>& steps, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += "/" + steps[i];
    return out;
  }

  // True where something became simpler.
  bool at(cel::Value& value, const std::string& name, const std::string& where) {
    bool changed = kNumbers.contains(name) && plainer(value, name);
    if (cel::Map* map = value.as<cel::Map>()) {
      if (name == "namespaceObject") return false;  // follows the namespace
      for (auto it = map->begin(); it != map->end();) {
        cel::Map::node_type part = map->extract(it++);
        if ((kFixed.contains(part.key()) && &value == &root_) || stays_.contains(where + "/" + part.key())) {
          map->insert(std::move(part));
          continue;
        }
        if (holds()) {
          changed = true;
          continue;
        }
        map->insert(std::move(part));
      }
      changed = rename(*map) || changed;
      for (auto& [key, part] : *map)
        if (&value != &root_ || !kFixed.contains(key)) changed = at(part, key, where + "/" + key) || changed;
    } else if (cel::List* list = value.as<cel::List>()) {
      for (std::size_t i = list->size(); i-- > 0;) {
        const cel::List before = *list;
        list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
        if (holds())
          changed = true;
        else
          *list = before;
      }
      for (cel::Value& part : *list) changed = at(part, "", where + "/") || changed;
    } else if (name != "namespace" && !kNumbers.contains(name)) {
      changed = plainer(value, name) || changed;
    }
    return changed;
  }

  // What kind of request it is; the demand is about that kind.
  inline static const std::set<std::string> kFixed{"operation", "resource", "subResource", "namespace",
                                                   "namespaceObject"};
  // Fields that an expression may compare with a number for being another one.
  inline static const std::set<std::string> kNumbers{"hostPort", "priority", "value"};

  bool holds() { return budget_-- > 0 && keeps_(root_); }

  bool instead(cel::Value& value, cel::Value other) {
    std::swap(value, other);
    if (holds()) return true;
    std::swap(value, other);
    return false;
  }

  // The first that will do, whatever the solver chose: of one formula it may find one model or another, and where a
  // value is only to differ from something, of any kind.
  bool plainer(cel::Value& value, const std::string& name) {
    std::vector<cel::Value> all;
    const auto numbers = [&] {
      for (const std::int64_t plain : {0, 1, -1}) all.emplace_back(plain);
    };
    if (kNumbers.contains(name)) numbers();
    if (name == "username") all.emplace_back(std::string("somebody"));
    if (name != "username")
      for (const std::string& text : texts_) all.emplace_back(text);
    all.emplace_back(false);
    all.emplace_back(true);
    if (!kNumbers.contains(name)) numbers();
    for (const cel::Value& plain : all) {
      if (same(value, plain)) return false;
      if (instead(value, plain)) return true;
    }
    return value.as<std::int64_t>() != nullptr && lower(value);
  }

  static bool same(const cel::Value& a, const cel::Value& b) {
    const auto both = [&](auto kind) {
      using Kind = decltype(kind);
      const auto *x = a.as<Kind>(), *y = b.as<Kind>();
      return x != nullptr && y != nullptr && *x == *y;
    };
    return both(std::string()) || both(std::int64_t()) || both(bool());
  }

  // Keys that a schema does not give: those of labels, limits and the like.
  bool rename(cel::Map& map) {
    bool changed = false;
    std::vector<std::string> keys;
    for (const auto& [key, part] : map) keys.push_back(key);
    for (const std::string& key : keys) {
      if (key.find_first_of("/.") == std::string::npos) continue;
      for (const std::string& text : texts_) {
        if (text == key) break;
        if (text.find('/') == std::string::npos || map.contains(text)) continue;
        const cel::Map before = map;
        cel::Map::node_type part = map.extract(key);
        part.key() = text;
        map.insert(std::move(part));
        if (holds()) {
          changed = true;
          break;
        }
        map = before;
      }
    }
    return changed;
  }

  bool lower(cel::Value& value) {
    const std::int64_t before = *value.as<std::int64_t>();
    if (before < 0) return false;
    std::int64_t fails = -1, works = before;
    while (works - fails > 1) {
      const std::int64_t middle = fails + (works - fails) / 2;
      value = middle;
      (holds() ? works : fails) = middle;
    }
    value = works;
    return works < before;
  }

  cel::Value& root_;
  const std::function<bool(const cel::Value&)>& keeps_;
  const std::vector<std::string> texts_;
  std::set<std::string> stays_;
  int budget_ = kBudget;
};

void collect(const cel::Expr& expr, std::set<std::string>& texts) {
  if (const auto* text = expr.value.as<std::string>()) texts.insert(*text);
  for (const auto& arg : expr.args)
    if (arg) collect(*arg, texts);
}

}  // namespace

std::vector<std::string> texts_of(const cel::Expr& expr) {
  std::set<std::string> texts;
  collect(expr, texts);
  return {texts.begin(), texts.end()};
}

cel::Value simplest(cel::Value request, const std::vector<symbolic::AlwaysThere>& there,
                    const std::vector<std::string>& texts, const std::vector<std::string>& namespaces,
                    const std::function<bool(const cel::Value&)>& keeps) {
  std::vector<std::string> plain{"1", "x"};  // a quantity, a word
  for (const std::string& text : texts) {
    if (text.empty()) continue;
    if (text.back() == '/') plain.push_back(text + "gpu");  // a prefix of names
    plain.push_back(text);
  }
  Simplifier simplifier(request, keeps, std::move(plain));
  simplifier.add(there);
  while (simplifier.simpler() || simplifier.in_namespace(namespaces)) {
  }
  return request;
}

}  // namespace gpol
