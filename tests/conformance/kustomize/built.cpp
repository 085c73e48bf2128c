// Prints what gpol builds of kustomizations, for judge/main.go to compare with what kustomize builds of them. In: files
// of tests/support/kustomize_case.h. Out: one line of JSON for each.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/kustomize_case.h"

namespace {

using gpol::manifest::Node;
using nlohmann::json;

json to_json(const Node& node) {
  switch (node.kind) {
    case Node::Kind::Null:
      return nullptr;
    case Node::Kind::Bool:
      return node.text == "true";
    case Node::Kind::Integer:
    case Node::Kind::Float:
      return json::parse(node.text, nullptr, false);
    case Node::Kind::List: {
      json list = json::array();
      for (const Node& item : node.items) list.push_back(to_json(item));
      return list;
    }
    case Node::Kind::Map: {
      json map = json::object();
      for (const auto& entry : node.entries) map[entry.key] = to_json(entry.value);
      return map;
    }
    default:
      return node.text;
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i]);
    std::stringstream text;
    text << in.rdbuf();
    gpol::test::KustomizeCase one(text.str());
    const auto built = one.build();
    json line = {{"case", argv[i]},         {"entry", one.entry},        {"expect", one.expect},
                 {"files", one.files},      {"used", built.used},        {"objects", json::array()},
                 {"errors", json::array()}, {"not_built", json::array()}};
    // A part of it that kustomize would download: to be compared with nothing.
    for (const auto& part : built.not_read)
      line["not_built"].push_back(one.at(part.span) + ": " + part.name + " is to be downloaded");
    for (const Node& object : built.objects) line["objects"].push_back(to_json(object));
    for (const auto& [list, name] : {std::pair{&built.errors, "errors"}, std::pair{&built.not_built, "not_built"}})
      for (const auto& one_not : *list) line[name].push_back(one.at(one_not.span) + ": " + one_not.what);
    std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
  }
}
