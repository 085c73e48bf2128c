// The JSON report against the schema and the contract of its figures.
#include <nlohmann/json.hpp>
#include <sstream>

#include "checker/families/codes.h"
#include "cli/render/render.h"
#include "compiler/policy/codes.h"
#include "compiler/source/codes.h"
#include "tests/support/catch.h"
#include "tests/support/json_schema.h"
#include "tests/support/run_gpol.h"
#include "tests/unit/cli/made_report.h"

using namespace gpol;
using gpol::test::MadeReport;
using nlohmann::json;

namespace {

json schema() { return json::parse(test::read_text(std::string(GPOL_ROOT) + "/tests/support/report.schema.json")); }

json rendered(const RunReport& run) {
  std::ostringstream out;
  render_json(run, out);
  return json::parse(out.str());
}

std::vector<std::string> problems(const json& report) {
  const json root = schema();
  return test::SchemaCheck(root)(report);
}

// The proven report, with one change that must not be valid.
template <class Change>
bool refused(Change change) {
  MadeReport made;
  made.refute(Family::Claim, "chat", code::Claim);
  json report = rendered(made.run());
  REQUIRE(problems(report).empty());
  change(report);
  return !problems(report).empty();
}

}  // namespace

TEST_CASE("json: reports of every verdict are valid") {
  MadeReport made;
  CHECK(problems(rendered(made.run())) == std::vector<std::string>{});
  made.refute(Family::Claim, "chat", code::Claim);
  made.undecide(Family::Reclaim, "search", "a reason");
  made.report.diagnostics.push_back({code::UnknownName, Severity::Error, {0, 0, 6}, "bad \xff byte", {}, "a hint"});
  RunReport run = made.run();
  run.diagnostics.push_back({code::CannotRead, Severity::Error, {}, "`x` cannot be read", {}, ""});
  const json report = rendered(run);
  CHECK(problems(report) == std::vector<std::string>{});
  CHECK(report.at("verdict") == "error");
  CHECK(report.at("diagnostics").size() == 2);
  CHECK(report.at("diagnostics")[0].at("location").is_null());
  CHECK(report.at("diagnostics")[1].at("message") == "bad \xEF\xBF\xBD byte");
  CHECK(problems(rendered(RunReport{})) == std::vector<std::string>{});
}

TEST_CASE("json: figures are numbers in base units") {
  MadeReport made;
  const json report = rendered(made.run());
  const json& cpu = report.at("obligations")[0].at("figures");
  CHECK(cpu.at("reserve") == 23.5);
  CHECK(cpu.at("slack") == 0.5);
  CHECK(cpu.at("unit") == "cores");
  CHECK(cpu.at("back_within_s").is_null());
  const json& search = report.at("obligations")[7];
  CHECK(search.at("subject") == json{{"kind", "ClusterQueue"},
                                     {"name", "search"},
                                     {"tenant", "search"},
                                     {"flavor", "shared"},
                                     {"resource", "nvidia.com/gpu"}});
  CHECK(search.at("figures") ==
        json{{"reserve", 8}, {"claimable", 0}, {"slack", 2}, {"back_within_s", 125.5}, {"unit", "devices"}});
  CHECK(search.at("location") ==
        json{{"file", "p.gpol"}, {"document", nullptr}, {"line", 2}, {"column", 2}, {"field", nullptr}});
  CHECK(search.at("core").size() == 2);
  CHECK(report.at("stats").at("obligations_proven") == 8);
}

TEST_CASE("json: an amount without a limit is null") {
  MadeReport made;
  made.report.obligations[0].figures.slack = INT64_MAX;
  CHECK(rendered(made.run()).at("obligations")[0].at("figures").at("slack").is_null());
}

TEST_CASE("json: a fix carries its edits") {
  MadeReport made;
  made.refute(Family::Claim, "chat", code::Claim);
  const json fix = rendered(made.run()).at("obligations")[0].at("fix");
  CHECK(fix.at("edits")[0].at("insert") == "lend at most 0 gpus of live ");
  CHECK(fix.at("edits")[0].at("location").at("line") == 2);
}

TEST_CASE("schema: each keyword that the schema uses refuses something") {
  CHECK(refused([](json& r) { r.erase("stats"); }));                              // required
  CHECK(refused([](json& r) { r["headline"] = 7; }));                             // type, properties
  CHECK(refused([](json& r) { r["headline"] = ""; }));                            // minLength
  CHECK(refused([](json& r) { r["schema"] = 2; }));                               // const
  CHECK(refused([](json& r) { r["obligations"][0]["verdict"] = "maybe"; }));      // items, $ref, enum
  CHECK(refused([](json& r) { r["obligations"][0]["code"] = "GP01"; }));          // pattern
  CHECK(refused([](json& r) { r["obligations"][0]["location"]["line"] = 0; }));   // minimum, a list of types
  CHECK(refused([](json& r) { r["obligations"][0]["story"] = json::array(); }));  // allOf, if, then, minItems
  CHECK(refused([](json& r) { r["obligations"][0]["verdict"] = "undecided"; }));  // the second if
  CHECK(refused([](json& r) { r["families"]["analysed"].push_back("astrology"); }));
}

TEST_CASE("schema: a keyword that the validator does not know is an error") {
  json root = schema();
  root["properties"]["headline"]["maxLength"] = 5;
  MadeReport made;
  CHECK(!test::SchemaCheck(root)(rendered(made.run())).empty());
}
