// Edits: what is taken out takes along what belongs to it, and nothing else.
#include "compiler/source/edit.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

// The text without `what`, which stands in it once.
std::string without(const std::string& text, const std::string& what) {
  SourceSet sources;
  const FileId file = sources.add("a.gpol", text);
  const auto at = static_cast<std::uint32_t>(text.find(what));
  REQUIRE(text.find(what) != std::string::npos);
  const Edit edit{{file, at, at + static_cast<std::uint32_t>(what.size())}, ""};
  return edited(sources, file, {&edit, 1});
}

}  // namespace

TEST_CASE("edit: a declaration goes with its lines, the comment behind it and the comment that is its own") {
  CHECK(without("a\nGONE\nb\n", "GONE") == "a\nb\n");
  CHECK(without("a\n  GONE  # why\nb\n", "GONE") == "a\nb\n");
  CHECK(without("a\n\n# of it\n# alone\nGONE { \n x\n}\n\nb\n", "GONE { \n x\n}") == "a\n\nb\n");
  CHECK(without("a\n\n# of both\nGONE\nb\n", "GONE") == "a\n\n# of both\nb\n");
  CHECK(without("# of the file\nGONE\n\nb\n", "GONE") == "# of the file\n\nb\n");
  CHECK(without("a\n# of a\n\nGONE\n\nb\n", "GONE") == "a\n# of a\n\nb\n");
}

TEST_CASE("edit: no blank line is left doubled, at the end, or in front of a brace") {
  CHECK(without("a\n\nGONE\n", "GONE") == "a\n");
  CHECK(without("a\n\nGONE", "GONE") == "a\n");
  CHECK(without("GONE\n\nb\n", "GONE") == "b\n");
  CHECK(without("GONE\n", "GONE") == "");
  CHECK(without("t {\n  a\n\n  GONE\n}\n", "GONE") == "t {\n  a\n}\n");
  CHECK(without("t {\n  GONE\n\n  a\n}\n", "GONE") == "t {\n  a\n}\n");
  CHECK(without("a\r\n\r\nGONE\r\n\r\nb\r\n", "GONE") == "a\r\n\r\nb\r\n");
}

TEST_CASE("edit: between others on a line it goes with its semicolon, or with one blank") {
  CHECK(without("{ a; GONE; b }", "GONE") == "{ a; b }");
  CHECK(without("{ a; GONE }", "GONE") == "{ a }");
  CHECK(without("{ GONE; b }", "GONE") == "{ b }");
  CHECK(without("quota = 8", "=") == "quota 8");
  CHECK(without("quota= 8", "=") == "quota 8");
}

TEST_CASE("edit: several are made at once, those that overlap an earlier one are not") {
  SourceSet sources;
  const FileId file = sources.add("a.gpol", "one two three\n");
  const std::vector<Edit> edits{
      {{file, 8, 13}, "3"}, {{file, 0, 3}, "1"}, {{file, 2, 6}, "x"}, {{file, 4, 4}, "and "}, {{7, 0, 1}, "y"}};
  CHECK(edited(sources, file, edits) == "1 and two 3\n");
}

TEST_CASE("edit: lines that go one after the other take the comment that they have together") {
  SourceSet sources;
  const FileId file = sources.add("a.gpol", "a\n\n# of both\none\ntwo  # 2\n\nb\n");
  const std::vector<Edit> edits{{{file, 17, 20}, ""}, {{file, 13, 16}, ""}};
  CHECK(edited(sources, file, edits) == "a\n\nb\n");
}
