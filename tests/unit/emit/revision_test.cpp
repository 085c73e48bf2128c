#include "emit/revision.h"

#include <vector>

#include "compiler/source/sha256.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

std::string of(const std::vector<std::pair<std::string, std::string>>& files) {
  SourceSet sources;
  std::vector<FileId> ids;
  for (const auto& [path, text] : files) ids.push_back(sources.add(path, text));
  return revision(sources, ids);
}

}  // namespace

TEST_CASE("sha256 is the standard's") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a revision depends on file names and bytes and on nothing else") {
  const std::string a = of({{"a.gpol", "x"}});
  CHECK(a.size() == 16);
  CHECK(a.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(of({{"a.gpol", "x"}}) == a);
  CHECK(of({{"/elsewhere/checkout/a.gpol", "x"}}) == a);
  CHECK(of({{"b.gpol", "x"}}) != a);
  CHECK(of({{"a.gpol", "y"}}) != a);
  CHECK(of({{"a.gpol", "x"}, {"b.gpol", ""}}) != a);
}

TEST_CASE("texts do not run into each other") {
  CHECK(of({{"a", "xb"}, {"c", ""}}) != of({{"a", "x"}, {"bc", ""}}));
  CHECK(of({{"a", "1"}, {"b", "2"}}) != of({{"b", "2"}, {"a", "1"}}));
}
