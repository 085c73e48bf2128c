// The clause that an object comes from, as its comment tells it.
#include "emit/clauses.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

const std::string kText =
    "language 1\n"
    "define classes($grace) {\n"
    "  class batch : C { grace $grace }\n"
    "}\n"
    "cluster  eu-west   { # here; { it is\n"
    "  pool live   on h100\ttake 3 nodes; pool burst on spot\n"
    "  writers user \"a # b\"\n"
    "}\n"
    "tenant chat\n"
    "{\n"
    "  queue { lend without limit }   # all of it\r\n"
    "  quota 8 gpus of live,\n"
    "    40 gpus of burst\n"
    "}\n";

std::string clause_at(const std::string& words, const std::string& text = kText) {
  SourceSet sources;
  const FileId file = sources.add("policies/team.gpol", text);
  const auto begin = static_cast<std::uint32_t>(text.find(words));
  return Clauses(sources).of({file, begin, begin + 1});
}

}  // namespace

TEST_CASE("a clause is told in the words of the blocks that it stands in, on one line") {
  CHECK(clause_at("eu-west") == "cluster eu-west");
  CHECK(clause_at("live") == "cluster eu-west { pool live on h100 take 3 nodes }");
  CHECK(clause_at("pool burst") == "cluster eu-west { pool burst on spot }");
  CHECK(clause_at("lend") == "tenant chat { queue { lend without limit } }");
  CHECK(clause_at("8 gpus") == "tenant chat { quota 8 gpus of live, }");
}

TEST_CASE("in quotes a number sign begins no comment, and a definition's own words are not told") {
  CHECK(clause_at("user") == "cluster eu-west { writers user \"a # b\" }");
  CHECK(clause_at("batch") == "class batch : C");
  CHECK(clause_at("grace $grace") == "class batch : C { grace $grace }");
}

TEST_CASE("comments, blanks and lines above change no clause") {
  std::string other = "# more\n\n" + kText;
  other.replace(other.find("take 3"), 6, "take   3");
  CHECK(clause_at("live", other) == clause_at("live"));
}

TEST_CASE("what nobody wrote has no clause, and one of another text is told with that") {
  SourceSet sources;
  sources.add("policies/team.gpol", kText);
  const FileId beside = sources.add("policies/more/classes.gpol", "class batch : C { }\n");
  const FileId library = sources.add("gpol/classes", "class batch : C { }\n", true);
  CHECK(Clauses(sources).of({}).empty());
  CHECK(Clauses(sources).of({beside, 6, 11}) == "class batch : C (more/classes.gpol)");
  CHECK(Clauses(sources).of({library, 6, 11}) == "class batch : C (gpol/classes)");
}

TEST_CASE("a long clause is cut") {
  const std::string text = "tenant a { " + std::string(500, 'x') + " }\n";
  CHECK(clause_at("x", text).size() < 200);
  CHECK(clause_at("x", text).ends_with(" ..."));
}
