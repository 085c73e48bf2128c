// Documents with what gpol says of each, one a line of JSON, for ../accept to compare with what the cluster says.
//   objects judge FILE...                the documents as they are; each names what it breaks in its first comment:
//                                        "# breaks RULE at FIELD", or "# accepted"
//   objects mutants SEED COUNT FILE...   COUNT mutants of the accepted ones
//   objects bundles FILE...              every object of the files, those of Lists one by one; the judges alone say
//                                        what becomes of each
//   objects tables                       the tables of the kinds
//   objects configurations [SEED COUNT] FILE...   the same of Kueue's Configuration: the documents, or mutants of them
//   objects gates                        the feature gates (compiler/cluster/feature_gates.h) and frameworks, in one
//   line
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "checker/observe/documents.h"
#include "checker/observe/schema/configuration.h"
#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/schema.h"
#include "compiler/cluster/feature_gates.h"
#include "tests/conformance/schema/mutate.h"
#include "tests/support/rule_documents.h"

using namespace gpol::manifest;
using nlohmann::json;

namespace {

json judged(const gpol::RuleDocument& document, bool configuration = false) {
  json found = json::array();
  const Tree tree = parse_document(document.text, configuration ? Reading::Kubernetes : Reading::Strict);
  if (!tree.root) {
    found.push_back({{"rule", "yaml"}, {"field", ""}, {"what", tree.refused}});
  } else {
    for (const Violation& v : configuration ? refused_at_start(*tree.root) : violations(*tree.root))
      found.push_back({{"rule", v.rule}, {"field", v.field}, {"what", v.what}});
  }
  return {{"file", document.file}, {"index", document.index}, {"text", document.text}, {"violations", found}};
}

void print(const json& line) { std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << '\n'; }

int gates() {
  json all = json::object();
  json locked = json::array();
  for (const auto& gate : gpol::feature_gates()) {
    all[std::string(gate.name)] = gate.by_default;
    if (gate.changed == gpol::FeatureGate::If::Locked) locked.push_back(gate.name);
  }
  json frameworks = json::object();
  for (const auto& one : kueue_frameworks()) frameworks[std::string(one.name)] = one.kind;
  print({{"defaults", all}, {"locked", locked}, {"frameworks", frameworks}});
  return 0;
}

int mutants(std::uint64_t seed, int count, const std::vector<gpol::RuleDocument>& documents, bool configurations) {
  std::vector<Node> accepted;
  for (const auto& document : documents) {
    Tree tree = parse_document(document.text, configurations ? Reading::Kubernetes : Reading::Strict);
    if (document.rule.empty() && tree.root) accepted.push_back(std::move(*tree.root));
  }
  if (accepted.empty()) return 1;
  for (int i = 0; i < count; ++i)
    print(judged({"mutant",
                  i,
                  (configurations ? "# Kueue reads it as YAML\n" : "") +
                      gpol::mutant(accepted, seed + static_cast<std::uint64_t>(i)),
                  {},
                  {}},
                 configurations));
  return 0;
}

// As verify reads them: kubectl's reading, and Lists taken apart.
int bundles(std::span<const std::string> files) {
  int unreadable = 0, index = 0;
  const auto say = [&](const std::string& file, const Node& object) {
    const std::string text = gpol::json_of(object);
    if (text.find("volcano.sh/v1") != std::string::npos) return;  // ../volcano asks Volcano's own webhook about these
    json found = json::array();
    for (const Violation& v : violations(object))
      found.push_back({{"rule", v.rule}, {"field", v.field}, {"what", v.what}});
    print({{"file", file}, {"index", index++}, {"text", text}, {"violations", found}});
  };
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (const DocumentText& document : split_documents(bytes, Reading::Kubernetes).list) {
      const Tree tree = parse_document(document, Reading::Kubernetes);
      unreadable += tree.root ? 0 : 1;  // ../reading asks the judges about these
      if (!tree.root || tree.root->kind == Node::Kind::Null) continue;
      const Node* items = nullptr;
      for (const Entry& entry : tree.root->entries)
        if (entry.key == "items" && entry.value.kind == Node::Kind::List) items = &entry.value;
      if (items == nullptr) say(file, *tree.root);
      if (items != nullptr)
        for (const Node& item : items->items) say(file, item);
    }
  }
  std::cerr << "objects: " << unreadable << " documents that are no YAML\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.empty()) return 2;
  if (args[0] == "tables") {
    std::cout << gpol::tables_json() << '\n';
    return 0;
  }
  if (args[0] == "gates") return gates();
  if (args[0] == "bundles") return bundles(std::span(args).subspan(1));
  const bool configurations = args[0] == "configurations";
  const bool random = args[0] == "mutants" || (configurations && args.size() > 3 && !args[1].ends_with(".yaml"));
  if (args.size() < (random ? 4U : 2U)) return 2;
  std::vector<gpol::RuleDocument> documents;
  for (std::size_t i = random ? 3 : 1; i < args.size(); ++i)
    for (auto& document : gpol::rule_documents(args[i])) documents.push_back(std::move(document));
  if (random)
    return mutants(std::strtoull(args[1].c_str(), nullptr, 10), std::atoi(args[2].c_str()), documents, configurations);
  for (const auto& document : documents) {
    json line = judged(document, configurations);
    line["expected"] = document.rule;
    line["field"] = document.field;
    print(line);
  }
}
