// The shape of the house, as a test: who may include whom, which file alone sees ANTLR or Z3, how long a file may grow.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace {

namespace fs = std::filesystem;

// A folder may include itself and these. `cli` looks at everything; tests are not listed, they may too.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"compiler/source", {}},
    {"compiler/syntax", {"compiler/source"}},
    {"compiler/format", {"compiler/source", "compiler/syntax"}},
    {"compiler/policy", {"compiler/source", "compiler/syntax"}},
    {"compiler/lint", {"compiler/source", "compiler/syntax", "compiler/policy"}},
    {"compiler/model", {"compiler/source", "compiler/policy"}},
    {"compiler/plan/partition", {"compiler/source", "compiler/policy"}},
    {"compiler/cluster", {"compiler/source", "compiler/policy", "compiler/model", "compiler/plan/partition"}},
    {"compiler/plan",
     {"compiler/source", "compiler/policy", "compiler/model", "compiler/cluster", "compiler/plan/partition"}},
    {"checker/solver", {}},
    {"checker/guards", {"compiler/source", "compiler/model", "compiler/cluster", "checker/solver"}},
    {"checker/report", {"compiler/source"}},
    {"checker/kueue", {"compiler/source", "compiler/model", "compiler/cluster"}},
    {"checker/nodes", {"compiler/source", "compiler/model", "compiler/cluster"}},
    {"checker/partition",
     {"compiler/source", "compiler/policy", "compiler/plan/partition", "compiler/model", "compiler/cluster",
      "checker/solver"}},
    {"checker/gateway", {"compiler/source", "compiler/model", "compiler/cluster"}},
    {"checker/edge", {"compiler/source"}},
    {"checker/observe", {"compiler/source", "compiler/model", "compiler/cluster", "checker/edge"}},
    {"checker/story",
     {"compiler/source", "compiler/policy", "compiler/model", "compiler/cluster", "checker/kueue", "checker/nodes",
      "checker/report"}},
    {"checker/families",
     {"compiler/source", "compiler/policy", "compiler/model", "compiler/cluster", "checker/solver", "checker/kueue",
      "checker/nodes", "checker/gateway", "checker/guards", "checker/partition", "checker/report", "checker/story",
      "checker/edge"}},
    {"checker/repair",
     {"compiler/source", "compiler/model", "compiler/cluster", "checker/solver", "checker/kueue", "checker/report",
      "checker/observe", "checker/families", "checker/story", "checker/proof", "checker/volcano/rules"}},
    {"checker/diff", {"compiler/source", "compiler/policy", "compiler/model", "compiler/cluster", "checker/report"}},
    {"checker/volcano/rules", {"compiler/source", "compiler/policy", "compiler/model", "compiler/cluster"}},
    {"checker/volcano",
     {"compiler/source", "compiler/policy", "compiler/model", "compiler/cluster", "checker/solver", "checker/nodes",
      "checker/report", "checker/story", "checker/families", "checker/volcano/rules"}},
    {"checker/proof",
     {"compiler/source", "compiler/model", "compiler/cluster", "checker/solver", "checker/report", "checker/families",
      "checker/volcano"}},
    {"emit", {"compiler/source", "compiler/policy", "compiler/model", "compiler/cluster"}},
};

struct File {
  std::string path, folder, text;
};

// "checker/observe/kinds/x.cpp" belongs to "checker/observe", "emit/kinds/x.cpp" to "emit".
std::string folder_of(const std::string& path) {
  std::string best;
  for (const auto& [folder, allowed] : kMayInclude)
    if (path.rfind(folder + "/", 0) == 0 && folder.size() > best.size()) best = folder;
  return best.empty() ? path.substr(0, path.find('/')) : best;
}

std::vector<File> sources() {
  std::vector<File> files;
  for (const char* top : {"compiler", "checker", "emit", "cli"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GPOL_ROOT) / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      const auto path = fs::relative(entry.path(), GPOL_ROOT).generic_string();
      files.push_back({path, folder_of(path), text.str()});
    }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

std::vector<std::string> includes(const std::string& text, char open) {
  static const std::regex quoted(R"re(#include "([^"]+)")re"), angled(R"re(#include <([^>]+)>)re");
  std::vector<std::string> found;
  const auto& pattern = open == '"' ? quoted : angled;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it)
    found.push_back((*it)[1]);
  return found;
}

TEST_CASE("every include is one that the table of layers allows") {
  const auto files = sources();
  REQUIRE(files.size() > 50);
  for (const auto& file : files) {
    const auto row = kMayInclude.find(file.folder);
    if (row == kMayInclude.end()) {
      CHECK((file.folder == "cli" || file.path == "checker/planted.h"));  // the switches include nothing of ours
      continue;
    }
    for (const auto& include : includes(file.text, '"')) {
      const std::string folder = folder_of(include);
      if (kMayInclude.count(folder) == 0 && folder != "cli") continue;  // generated
      INFO(file.path << " includes " << include);
      CHECK((folder == file.folder || row->second.count(folder) == 1));
    }
  }
}

TEST_CASE("one file sees ANTLR, one Z3, one the time zones, and no header shows a third party's types") {
  std::vector<std::string> antlr, z3, zones;
  for (const auto& file : sources()) {
    auto all = includes(file.text, '<');
    const auto own = includes(file.text, '"');
    all.insert(all.end(), own.begin(), own.end());
    for (const auto& include : all) {
      const bool is_antlr = include.find("antlr4") != std::string::npos ||
                            include.find("GpolLexer") != std::string::npos ||
                            include.find("GpolParser") != std::string::npos;
      const bool is_z3 = include.rfind("z3", 0) == 0;
      if (is_antlr && (antlr.empty() || antlr.back() != file.path)) antlr.push_back(file.path);
      if (include.rfind("cctz/", 0) == 0 && (zones.empty() || zones.back() != file.path)) zones.push_back(file.path);
      if (is_z3 && (z3.empty() || z3.back() != file.path)) z3.push_back(file.path);
    }
  }
  CHECK(antlr == std::vector<std::string>{"compiler/syntax/parse.cpp"});
  CHECK(zones == std::vector<std::string>{"compiler/policy/zones.cpp"});
  CHECK(z3 == std::vector<std::string>{"checker/solver/z3_solver.cpp"});
}

// Two of one name are one to the linker: it keeps the code of either.
TEST_CASE("each type of a namespace is defined once") {
  const std::regex opened("namespace ([A-Za-z:_0-9]*) ?\\{"), closed("\\}  // namespace.*"),
      defined("(?:struct|class|enum class) ([A-Za-z0-9_]+)(?: final)?(?: :[^{]*)? \\{.*");
  std::map<std::string, std::string> known;
  for (const auto& file : sources()) {
    std::vector<std::string> inside;
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);) {
      std::smatch found;
      if (std::regex_match(line, found, opened)) inside.push_back(found[1]);
      if (!inside.empty() && std::regex_match(line, closed)) inside.pop_back();
      if (std::find(inside.begin(), inside.end(), "") != inside.end() || !std::regex_match(line, found, defined))
        continue;
      std::string name;
      for (const auto& part : inside) name += part + "::";
      const auto [first, fresh] = known.emplace(name + found[1].str(), file.path);
      INFO(first->first << " of " << first->second << " and " << file.path);
      CHECK((fresh || first->second == file.path));
    }
  }
  CHECK(known.size() > 300);
}

TEST_CASE("files stay short: median under 200 lines, none over 400") {
  std::vector<long> lengths;
  for (const auto& file : sources()) {
    lengths.push_back(std::count(file.text.begin(), file.text.end(), '\n'));
    INFO(file.path);
    CHECK(lengths.back() <= 400);
  }
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
  CHECK(lengths[lengths.size() / 2] < 200);
}

}  // namespace
