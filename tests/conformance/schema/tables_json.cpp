#include <map>
#include <nlohmann/json.hpp>

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/tables.h"
#include "tests/conformance/schema/mutate.h"

namespace gpol {
namespace {

using namespace manifest::schema;
using nlohmann::json;

json words_of(std::string_view words) {
  json all = json::array();
  for (;;) {
    const auto end = words.find(' ');
    all.push_back(words.substr(0, end));
    if (end == std::string_view::npos) return all;
    words.remove_prefix(end + 1);
  }
}

json shape(const Type& type) {
  constexpr const char* kNames[] = {"any", "text", "integer", "boolean", "quantity", "object", "map", "list", "number"};
  json out{{"is", kNames[static_cast<std::size_t>(type.is)]}};
  if (const auto syntax = name_of(type.syntax); !syntax.empty()) out["syntax"] = syntax;
  if (type.demanded) out["required"] = true;
  if (type.distinct) out["distinct"] = true;
  if (type.open) out["open"] = true;
  const bool integer = type.is == Type::Is::Integer;
  if (integer || type.least > 0) out["least"] = type.least;
  if (integer || type.most < std::numeric_limits<std::int64_t>::max()) out["most"] = type.most;
  if (!type.words.empty()) out["words"] = words_of(type.words);
  if (!type.key.empty()) out["key"] = type.key;
  if (!type.fallback.empty()) out["fallback"] = type.fallback;
  json fields = json::object();
  for (const Field& field : type.all_fields()) fields[std::string(field.name)] = shape(field.type);
  const bool list = type.is == Type::Is::List;
  if (type.item != nullptr) out["item"] = shape(*type.item);
  if (list && type.item == nullptr) {
    out["item"] = {{"is", "object"}, {"fields", fields}, {"open", type.open}};
    out.erase("open");
  } else if (!fields.empty()) {
    out["fields"] = fields;
  }
  return out;
}

}  // namespace

std::string tables_json() {
  json all = json::array();
  for (const Kind& kind : kinds()) {
    std::map<std::string, int> rules;
    const auto has = [&](const Rule& rule) {
      return (" " + std::string(rule.kinds) + " ").find(" " + std::string(kind.name) + " ") != std::string::npos;
    };
    for (const Rule& rule : cel_rules())
      if (has(rule) && (kind.api == kV1beta2 || rule.path != "spec.priorityClassRef")) ++rules[std::string(rule.path)];
    all.push_back({{"api", kind.api},
                   {"kind", kind.name},
                   {"namespaced", kind.namespaced},
                   {"root", shape(kind.root)},
                   {"celRules", rules}});
  }
  return all.dump();
}

}  // namespace gpol
