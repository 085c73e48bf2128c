// Every bundle of manifests below tests/bundles against what is committed beside it: a folder is one bundle, in the
// manner of one kind of team. NAME.args (may be absent) is what `gpol verify` is told beside the folder; NAME.expected
// is what it says, as rows (rows.h); NAME.report, where there is one, is what it says in full, exit code last.
// GPOL_UPDATE_GOLDEN=1 rewrites what differs; an empty NAME.report is filled so.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/golden/bundle.h"
#include "tests/golden/golden.h"
#include "tests/support/catch.h"
#include "tests/support/json_schema.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

namespace {

std::string in_full(const Played& ran) { return ran.human + "exit code " + std::to_string(ran.code) + "\n"; }

}  // namespace

TEST_CASE("bundles: gpol says of each what is committed beside it, in every format") {
  const Root root;
  const nlohmann::json schema = nlohmann::json::parse(read_text("tests/support/report.schema.json"));
  int updated = 0;
  const auto all = bundles();
  REQUIRE(!all.empty());
  for (const Bundle& bundle : all) {
    INFO(bundle.folder.string());
    const Played& ran = played(bundle);
    const fs::path expected = bundle.beside(".expected"), report = bundle.beside(".report");
    if (updating()) {
      updated += update_file(expected, ran.rows);
      if (fs::exists(report)) updated += update_file(report, in_full(ran));
      continue;
    }
    CHECK(difference(read_text(expected), ran.rows) == "");
    if (fs::exists(report)) CHECK(difference(read_text(report), in_full(ran)) == "");
    CHECK(SchemaCheck(schema)(nlohmann::json::parse(ran.json)) == std::vector<std::string>{});
    CHECK(ran.markdown != "");
  }
  if (updating()) FAIL("updated " << updated << " files of bundles");
}

TEST_CASE("bundles: what is taken from one run is what the command prints") {
  const Root root;
  const Bundle bundle = bundles().front();
  INFO(bundle.folder.string());
  const Played& ran = played(bundle);
  for (const auto& [format, text] : {std::pair{"human", ran.human}, {"json", ran.json}, {"markdown", ran.markdown}}) {
    INFO(format);
    const Ran printed = run_gpol(bundle.told(bundle.folder, {"--full", "--format", format}));
    CHECK(difference(printed.out, text) == "");
    CHECK(printed.err == "");
    CHECK(printed.code == ran.code);
  }
}

TEST_CASE("bundles: what is committed belongs to a bundle") {
  const Root root;
  for (const auto& entry : fs::directory_iterator("tests/bundles")) {
    INFO(entry.path().string());
    const std::string name = entry.path().filename().string();
    CHECK(fs::is_directory(entry.path().parent_path() / name.substr(0, name.find('.'))));
  }
}

}  // namespace gpol::test
