// The codes of all rooms: each has one name, one number, a title, a page and a golden; numbers and titles are sound.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "checker/families/codes.h"
#include "cli/codes.h"
#include "compiler/cluster/codes.h"
#include "compiler/source/code.h"
#include "compiler/source/explain_pages.h"
#include "emit/codes.h"
#include "tests/support/catch.h"

using namespace gpol;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Codes that no golden can show, since a golden is a policy in a directory that can be read and written.
const std::map<Code, std::string> kNoGolden = {
    {code::CannotWrite, "needs a directory that cannot be written: tests/unit/cli/build_test.cpp, fmt_test.cpp"},
    {code::ForeignOutput, "needs a directory with foreign files: tests/unit/cli/build_test.cpp"},
    {code::OutputDiffers, "needs a directory to compare with: tests/unit/cli/build_check_test.cpp"},
    {code::NoEarlier, "needs an earlier output: tests/unit/cli/build_from_test.cpp"},
    {code::CannotKeep, "needs an earlier output: tests/unit/cli/build_from_test.cpp"},
    {code::NotRetired, "needs an earlier output: tests/unit/cli/build_from_test.cpp"},
    {code::ReclaimShort, "no policy leads there, plan makes nominal quota and reserve equal: tests/unit/families"},
    {code::Artefact, "needs a broken emitter: tests/unit/emit, tests/unit/families"},
};

std::string all_goldens() {
  std::string text;
  for (const char* folder : {"/tests/golden", "/tests/bundles", "/examples"})
    for (const auto& entry : fs::recursive_directory_iterator(std::string(GPOL_ROOT) + folder))
      if (entry.path().extension() == ".expected" || entry.path().extension() == ".table") text += read(entry.path());
  return text;
}

// What the headers `codes.h` of the rooms declare: number and name.
std::vector<std::pair<int, std::string>> declared() {
  const std::regex line(R"(inline constexpr Code (\w+)\{(\d+)\};)");
  std::vector<std::pair<int, std::string>> found;
  for (const char* top : {"/compiler", "/checker", "/emit", "/cli"})
    for (const auto& entry : fs::recursive_directory_iterator(std::string(GPOL_ROOT) + top)) {
      if (entry.path().filename() != "codes.h") continue;
      const std::string text = read(entry.path());
      const std::size_t before = found.size();
      for (auto it = std::sregex_iterator(text.begin(), text.end(), line); it != std::sregex_iterator(); ++it)
        found.emplace_back(std::stoi((*it)[2]), (*it)[1]);
      INFO(entry.path());
      CHECK(found.size() > before);
    }
  return found;
}

}  // namespace

TEST_CASE("codes: the headers of the rooms and the pages have the same numbers, and no name or number twice") {
  std::set<int> numbers, titled;
  std::set<std::string> names;
  for (const auto& [number, name] : declared()) {
    INFO(name);
    CHECK(names.insert(name).second);
    CHECK(numbers.insert(number).second);
  }
  for (const CodeInfo& info : all_codes()) titled.insert(static_cast<int>(info.code));
  CHECK(numbers == titled);
}

TEST_CASE("codes: numbers rise and titles are lower case without a full stop") {
  int last = 0;
  for (const CodeInfo& info : all_codes()) {
    INFO(to_string(info.code));
    CHECK(static_cast<int>(info.code) > last);
    last = static_cast<int>(info.code);
    CHECK(!info.title.empty());
    CHECK(info.title.back() != '.');
    CHECK((info.title.front() < 'A' || info.title.front() > 'Z'));
  }
}

TEST_CASE("codes: each has a page that begins with its code and title, and no page is left over") {
  std::map<std::string, std::string> pages;
  for (const ExplainPage& page : explain_pages()) pages.emplace(page.code, page.text);
  for (const CodeInfo& info : all_codes()) {
    INFO(to_string(info.code));
    const std::string head = "# " + to_string(info.code) + ": " + std::string(info.title) + "\n";
    CHECK(pages[to_string(info.code)].substr(0, head.size()) == head);
    CHECK(read(std::string(GPOL_ROOT) + "/docs/explain/" + to_string(info.code) + ".md").size() > head.size() + 100);
  }
  CHECK(pages.count("preamble") == 1);
  CHECK(pages.size() == all_codes().size() + 1);
}

TEST_CASE("codes: pages are shown without markers") {
  for (const ExplainPage& page : explain_pages()) CHECK(page.text.find("{{") == std::string_view::npos);
}

TEST_CASE("codes: each is shown by a golden, or stands in the table of exceptions") {
  const std::string goldens = all_goldens();
  for (const CodeInfo& info : all_codes()) {
    INFO(to_string(info.code));
    const std::string code = to_string(info.code);
    const bool shown = goldens.find("[" + code + "]") != std::string::npos ||
                       goldens.find(" | " + code + " | ") != std::string::npos;  // in the table of slips
    CHECK(shown != (kNoGolden.count(info.code) == 1));
  }
}
