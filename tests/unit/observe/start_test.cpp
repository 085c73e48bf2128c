// Configurations with which Kueue starts, and ones with which it does not: those that tests/conformance/schema holds
// against Kueue's own loader.
#include <set>

#include "checker/observe/schema/configuration.h"
#include "tests/support/catch.h"
#include "tests/support/rule_documents.h"

namespace gpol {
namespace {

using namespace manifest;

const std::string kDocuments = std::string(GPOL_ROOT) + "/tests/conformance/schema/configuration/";

TEST_CASE("every Configuration breaks the rule that it names, or none") {
  std::set<std::string> broken;
  int accepted = 0;
  for (const auto& document : rule_documents_below(kDocuments)) {
    const Tree tree = parse_document(document.text, Reading::Kubernetes);
    INFO(document.file << ", document " << document.index << "\n" << document.text);
    REQUIRE(tree.root);
    const auto found = refused_at_start(*tree.root);
    INFO((found.empty() ? "" : found[0].rule + " at " + found[0].field + ": " + found[0].what));
    REQUIRE(found.size() == (document.rule.empty() ? 0U : 1U));
    accepted += found.empty() ? 1 : 0;
    if (found.empty()) continue;
    CHECK(found[0].rule == document.rule);
    CHECK(found[0].field == document.field);
    CHECK(found[0].at->line > 0);
    broken.insert(found[0].rule);
  }
  CHECK(accepted >= 30);
  using namespace manifest::schema;
  for (const Rule& rule : configuration_rules()) {
    INFO(rule.name);
    CHECK(broken.contains(std::string(rule.name)));
  }
}

}  // namespace
}  // namespace gpol
