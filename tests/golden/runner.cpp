// Every policy below tests/golden and examples against what is committed beside it. GPOL_UPDATE_GOLDEN=1 rewrites what
// differs, and fills an empty NAME.premises and empty files of NAME.out; that run then fails with a count, so that an
// update is never taken for a pass.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/golden/golden.h"
#include "tests/golden/shard.h"
#include "tests/support/catch.h"
#include "tests/support/json_schema.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

namespace {

void compare_files(const Written& written, const Files& found) {
  CHECK(written.difference(found) == "");
  CHECK(revisions(found).size() <= 1);
}

// The same policy once more as JSON: the report must be valid, and find what the text's annotations say.
void check_report(const Golden& golden, const nlohmann::json& schema, bool annotated) {
  const std::string& report = json_report(golden.policy);
  const auto errors = SchemaCheck(schema)(nlohmann::json::parse(report));
  CHECK(errors == std::vector<std::string>{});
  if (annotated) CHECK(annotations(read_text(golden.policy)) == findings(report, golden.policy.string()));
}

nlohmann::json schema() { return nlohmann::json::parse(read_text("tests/support/report.schema.json")); }

}  // namespace

TEST_CASE("goldens: gpol says of each policy what is committed beside it") {
  const Root root;
  const nlohmann::json report_schema = schema();
  const auto all = of_shard(goldens(GPOL_ROOT));
  REQUIRE(!all.empty());
  int updated = 0;
  for (const Golden& golden : all) {
    INFO(golden.policy.string());
    const Scratch scratch;
    const Outcome outcome = play(golden, scratch.path());
    const bool named_fail = golden.policy.filename().string().starts_with("fail_");
    CHECK(named_fail == (outcome.code != 0));
    check_report(golden, report_schema, true);
    const Parted said = parted(outcome.text);
    const bool about_premises = fs::exists(golden.premises);
    const Written written{golden.written};
    if (updating()) {
      updated += update_file(golden.expected, said.text) + written.update(outcome.files);
      if (about_premises) updated += update_file(golden.premises, said.premises);
      continue;
    }
    CHECK(difference(read_text(golden.expected), said.text) == "");
    if (about_premises) CHECK(difference(read_text(golden.premises), said.premises) == "");
    compare_files(written, outcome.files);
  }
  if (updating()) FAIL("updated " << updated << " goldens");
}

TEST_CASE("examples: their reports and manifests are those committed beside them") {
  const Root root;
  const nlohmann::json report_schema = schema();
  const auto all = of_shard(examples(GPOL_ROOT));
  REQUIRE((!all.empty() || !shard().is_large()));
  int updated = 0;
  for (const Golden& example : all) {
    INFO(example.policy.string());
    const Scratch scratch;
    const Outcome report = play(example, scratch.path());
    const bool named_unsafe = example.policy.filename().string().find("unsafe") != std::string::npos;
    CHECK(named_unsafe == (report.code != 0));
    check_report(example, report_schema, false);
    Golden built = example;
    built.args = {"build", "{}", "-o", "{out}"};
    const Outcome manifests = play(built, scratch.path());
    CHECK(manifests.code == report.code);
    const Written output{example.policy.parent_path() / "output", true};
    if (named_unsafe) CHECK(manifests.files.empty());
    if (updating()) {
      updated += update_file(example.expected, report.text);
      if (!named_unsafe) updated += output.update(manifests.files);
      continue;
    }
    CHECK(difference(read_text(example.expected), report.text) == "");
    if (!named_unsafe) compare_files(output, manifests.files);
  }
  if (updating()) FAIL("updated " << updated << " files of examples");
}

TEST_CASE("goldens: no report speaks of how the proof is done") {
  const Root root;
  for (const char* directory : {"tests/golden", "examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      const fs::path kind = entry.path().extension();
      if (kind != ".expected" && kind != ".premises" && kind != ".table") continue;
      INFO(entry.path().string());
      CHECK(speaks_of_the_proof(read_text(entry.path())) == "");
    }
  }
}

TEST_CASE("goldens: a policy without its expected output, and an expected output without its policy, are found") {
  const Root root;
  for (const char* directory : {"tests/golden", "examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.path().extension() != ".expected" && entry.path().extension() != ".premises") continue;
      INFO(entry.path().string());
      CHECK(fs::exists(fs::path(entry.path()).replace_extension(".gpol")));
    }
  }
}

}  // namespace gpol::test
