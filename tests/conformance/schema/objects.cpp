// Documents with what gpol says of each, one a line of JSON, for ../accept to compare with what the cluster says.
//   objects judge FILE...                the documents as they are; each names what it breaks in its first comment:
//                                        "# breaks RULE at FIELD", or "# accepted"
//   objects mutants SEED COUNT FILE...   COUNT mutants of the accepted ones
//   objects tables                       the tables of the kinds
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/schema.h"
#include "tests/conformance/schema/mutate.h"
#include "tests/support/rule_documents.h"

using namespace gpol::manifest;
using nlohmann::json;

namespace {

json judged(const gpol::RuleDocument& document) {
  json found = json::array();
  const Tree tree = parse_document(document.text);
  if (!tree.root) {
    found.push_back({{"rule", "yaml"}, {"field", ""}, {"what", tree.refused}});
  } else {
    for (const Violation& v : violations(*tree.root))
      found.push_back({{"rule", v.rule}, {"field", v.field}, {"what", v.what}});
  }
  return {{"file", document.file}, {"index", document.index}, {"text", document.text}, {"violations", found}};
}

void print(const json& line) { std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << '\n'; }

int mutants(std::uint64_t seed, int count, const std::vector<gpol::RuleDocument>& documents) {
  std::vector<Node> accepted;
  for (const auto& document : documents) {
    Tree tree = parse_document(document.text);
    if (document.rule.empty() && tree.root) accepted.push_back(std::move(*tree.root));
  }
  if (accepted.empty()) return 1;
  for (int i = 0; i < count; ++i)
    print(judged({"mutant", i, gpol::mutant(accepted, seed + static_cast<std::uint64_t>(i)), {}, {}}));
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
  const bool random = args[0] == "mutants";
  if (args.size() < (random ? 4U : 2U)) return 2;
  std::vector<gpol::RuleDocument> documents;
  for (std::size_t i = random ? 3 : 1; i < args.size(); ++i)
    for (auto& document : gpol::rule_documents(args[i])) documents.push_back(std::move(document));
  if (random) return mutants(std::strtoull(args[1].c_str(), nullptr, 10), std::atoi(args[2].c_str()), documents);
  for (const auto& document : documents) {
    json line = judged(document);
    line["expected"] = document.rule;
    line["field"] = document.field;
    print(line);
  }
}
