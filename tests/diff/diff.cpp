// Every pair of tests/diff: exit code, headline, what is exposed, and every word beside it.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/diff/pair.h"
#include "tests/support/catch.h"
#include "tests/support/json_schema.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> pairs() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(GPOL_ROOT) / "tests/diff"))
    if (entry.path().extension() == ".pair") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// Where gpol runs: paths in what it prints are the same wherever the test does.
class InDirectory {
 public:
  explicit InDirectory(const fs::path& path) : before_(fs::current_path()) { fs::current_path(path); }
  ~InDirectory() { fs::current_path(before_); }
  InDirectory(const InDirectory&) = delete;
  InDirectory& operator=(const InDirectory&) = delete;

 private:
  fs::path before_;
};

}  // namespace

TEST_CASE("diff: every pair is told as it was reasoned by hand") {
  const bool update = std::getenv("GPOL_UPDATE_GOLDEN") != nullptr;
  const json schema = json::parse(read_text(GPOL_ROOT "/tests/support/report.schema.json"));
  std::size_t count = 0;
  for (const fs::path& file : pairs()) {
    INFO(file.filename().string());
    const Scratch dir;
    const Pair pair = set_up(file, dir.path());
    const InDirectory here(dir.path());
    const Ran ran = run_gpol({"diff", "before", "after"});
    INFO(ran.out << ran.err);
    CHECK(ran.code == pair.exit);
    CHECK(ran.out.starts_with(pair.headline));
    CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') <= 30);
    for (const std::string& words : pair.says) CHECK(ran.out.find(words) != std::string::npos);
    const json report = json::parse(run_gpol({"diff", "before", "after", "--format", "json"}).out);
    CHECK(SchemaCheck(schema)(report).empty());
    for (const Pair::Exposed& one : pair.exposed) {
      INFO(one.name << " " << one.flavor << " " << one.resource);
      const json& all = report["diff"]["exposed"];
      CHECK(std::any_of(all.begin(), all.end(), [&](const json& found) {
        return found["name"] == one.name && found["flavor"] == one.flavor && found["resource"] == one.resource &&
               found["figures"]["reserve"] == one.units;
      }));
    }
    if (pair.exit == 0) CHECK(report["diff"]["exposed"].empty());
    if (pair.headline == "means the same") CHECK(report["diff"]["rows"].empty());
    // The other way round nothing may be both worse and worse again.
    const Ran back = run_gpol({"diff", "after", "before"});
    if (pair.headline == "means the same") CHECK(back.out == ran.out);
    if (ran.out.starts_with("SAFER")) CHECK(back.code == 1);
    fs::path expected = file;
    expected.replace_extension(".expected");
    if (update)
      write_text(expected, ran.out);
    else
      CHECK(read_text(expected) == ran.out);
    ++count;
  }
  CHECK(count >= 30);
  CHECK_FALSE(update);
}
