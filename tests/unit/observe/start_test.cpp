// Configurations with which Kueue starts, and ones with which it does not: those that tests/conformance/schema holds
// against Kueue's own loader.
#include <map>
#include <set>

#include "checker/observe/schema/configuration.h"
#include "checker/observe/schema/configuration_rules.h"
#include "checker/observe/schema/duration.h"
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
  for (const auto rules : {configuration_rules(), integration_rules(), device_rules()})
    for (const Rule& rule : rules) {
      INFO(rule.name);
      CHECK(broken.contains(std::string(rule.name)));
    }
}

TEST_CASE("durations are Go's") {
  using manifest::schema::go_duration;
  const std::map<std::string, std::int64_t> taken = {
      {"0", 0},
      {"-0", 0},
      {"5s", 5000000000},
      {"+5s", 5000000000},
      {"-5s", -5000000000},
      {"1h15m30.918273645s", 4530918273645},
      {".5s", 500000000},
      {"1.s", 1000000000},
      {"12\xC2\xB5s", 12000},
      {"0.9223372036854775807h", 3320413933267},
      {"9223372036854775807ns", 9223372036854775807},
      {"-9223372036854775808ns", std::numeric_limits<std::int64_t>::min()},
      {"0.3333333333333333333h", 1200000000000},
      {"0.100000000000000000000h", 360000000000},
  };
  for (const auto& [text, value] : taken) {
    INFO(text);
    REQUIRE(go_duration(text));
    CHECK(*go_duration(text) == value);
  }
  for (const char* text : {"", "3", "-", "s", ".", "-.", ".s", "+.s", "1d", "5 m", "1.2.3s", "9223372036854775808ns",
                           "9223372036854ms775us808ns", "3000000h", "\x85s", "-9223372036854775809ns"}) {
    INFO(text);
    CHECK_FALSE(go_duration(text));
  }
}

}  // namespace
}  // namespace gpol
