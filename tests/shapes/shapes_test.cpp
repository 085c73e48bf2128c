// Folders in the shapes in which people keep their queues, answered as their owners ask: `gpol verify . --serving
// QUEUE`. What must come of each was written by hand (README.md). Of them all: nine of ten answer, none is proven where
// it is not, and the table of docs/verify.md is what they answer today.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "tests/shapes/report.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
namespace fs = std::filesystem;

namespace {

constexpr double kSeconds =
    1;  // what any of them may take, of processor time, with optimisation: a stall, no benchmark

struct Asked {
  fs::path folder;
  std::string shape;
  bool rare = false;
  ExpectedRun expected;
  Answered answered;
};

bool is_answer(const std::string& verdict) { return verdict == "proven" || verdict == "refuted"; }

std::vector<Asked> ask() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(fs::path(GPOL_ROOT) / "tests/shapes"))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  std::vector<Asked> all;
  for (const fs::path& folder : folders) {
    INFO(folder);
    const Expected expected = read_expected(read_text(folder / "expect"));
    for (const ExpectedRun& run : expected.runs)
      all.push_back({folder, expected.shape, expected.rare, run, answer(folder, run)});
  }
  return all;
}

const std::vector<Asked>& asked() {
  static const std::vector<Asked> all = ask();
  return all;
}

// `.` and the roles go without saying; what else was typed is told.
std::string row(const Asked& each) {
  std::string path = each.expected.args.size() > 1 ? each.expected.args[1] : ".";
  if (path != ".") path = ", `" + path + "` alone";
  return fmt::format("| {}{} | {} | {} | {} |\n", each.shape, path == "." ? "" : path, each.answered.verdict, kSeconds,
                     each.expected.known.empty() ? "yes" : each.expected.known);
}

std::string table() {
  std::string out = "| shape | first answer | seconds, at most | true by hand |\n|---|---|---|---|\n";
  for (const Asked& each : asked())
    if (!each.rare) out += row(each);  // traps that few fall into have no row
  return out;
}

}  // namespace

TEST_CASE("each shape is answered as it was reasoned by hand") {
  for (const Asked& each : asked()) {
    const std::string what =
        fmt::format("{}: gpol {}: {}\n", each.folder.filename().string(), fmt::join(each.expected.args, " "),
                    fmt::join(each.answered.differences, "\n  "));
    INFO(what);
    if (each.expected.known.empty()) {
      CHECK(each.answered.differences.empty());
    } else {  // when it is mended, its line `today` is to go
      CHECK_FALSE(each.answered.differences.empty());
      CHECK(each.answered.verdict == each.expected.known_verdict);
    }
#ifdef NDEBUG
#ifndef GPOL_SLOW
    CHECK(each.answered.seconds <= kSeconds);
#endif
#endif
  }
}

// What is known to be wrong today (`today`) counts as it will be: such a line goes when it is mended, and the table
// tells it.
TEST_CASE("nine of ten shapes answer at first try") {
  std::size_t shapes = 0, answer = 0, today = 0;
  for (const Asked& each : asked()) {
    if (each.rare) continue;
    ++shapes;
    answer += is_answer(each.expected.verdict);
    today += is_answer(each.expected.verdict) && each.answered.verdict == each.expected.verdict;
  }
  double most = 0;
  for (const Asked& each : asked()) most = std::max(most, each.answered.seconds);
  std::cout << "the slowest took " << most << " s\n"
            << today << " of " << shapes << " answer as they should; " << answer << " when what is known is mended\n";
  CHECK(shapes >= 25);
  CHECK(answer * 10 >= shapes * 9);
}

TEST_CASE("none is proven where it is not") {
  for (const Asked& each : asked()) {
    INFO(each.folder);
    if (each.answered.verdict == "proven" && each.expected.known_verdict != "proven")
      CHECK(each.expected.verdict == "proven");
  }
}

TEST_CASE("the table of docs/verify.md is what they answer") {
  const fs::path page = fs::path(GPOL_ROOT) / "docs/verify.md";
  const std::string begin = "<!-- shapes: written by tests/shapes -->\n", end = "<!-- end of shapes -->\n";
  const std::string text = read_text(page);
  const std::size_t from = text.find(begin), to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  const std::string now = text.substr(0, from) + begin + "\n" + table() + "\n" + text.substr(to);
  if (now != text && std::getenv("GPOL_UPDATE_GOLDEN") != nullptr) {
    write_text(page, now);
    FAIL("updated");
  }
  CHECK(now == text);
}
