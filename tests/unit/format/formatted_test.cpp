// The style, rule by rule: what is written, and what fmt makes of it.
#include "compiler/format/format.h"

#include <string>

#include "compiler/source/codes.h"
#include "tests/support/catch.h"

namespace gpol {
namespace {

std::string fmt_of(const std::string& text) {
  SourceSet sources;
  const FileId file = sources.add("test.gpol", text);
  const auto out = formatted(sources, file);
  REQUIRE(out.ok());
  SourceSet again;
  const FileId once = again.add("test.gpol", out.value);
  CHECK(formatted(again, once).value == out.value);
  return out.value;
}

TEST_CASE("a block on one line stays there, a block with a line break gets a line for each item") {
  CHECK(fmt_of("class   c:C{runs   Job,Pod;;grace 60 s(saved in 45s) kill margin 5s;}") ==
        "class c : C { runs Job, Pod; grace 60 s (saved in 45s); kill margin 5s }\n");
  CHECK(fmt_of("class c : C { runs Job\n kill margin 5s }") == "class c : C {\n  runs Job\n  kill margin 5s\n}\n");
  CHECK(fmt_of("class c : C {\n runs Job }") == "class c : C {\n  runs Job\n}\n");
  CHECK(fmt_of("cluster c{scheduler kueue{round within 5s}pool a on b take the rest}") ==
        "cluster c { scheduler kueue { round within 5s }; pool a on b take the rest }\n");
  CHECK(fmt_of("cluster c {\nscheduler kueue { round within 5s; release within 5s } pool a on b }") ==
        "cluster c {\n  scheduler kueue { round within 5s; release within 5s }\n  pool a on b\n}\n");
  CHECK(fmt_of("class a : A {\n\n}") == "class a : A { }\n");
  CHECK(fmt_of("class a : A {;;\n;}") == "class a : A { }\n");
}

TEST_CASE("a block that is wider than 120 columns gets a line for each item") {
  const auto tenant = [](std::size_t length) {
    return "tenant t { owner @x; namespace " + std::string(length, 'n') + " }\n";
  };
  const std::size_t rest = tenant(0).size() - 1;
  CHECK(fmt_of(tenant(120 - rest)) == tenant(120 - rest));
  CHECK(fmt_of(tenant(121 - rest)) == "tenant t {\n  owner @x\n  namespace " + std::string(121 - rest, 'n') + "\n}\n");
}

TEST_CASE("one declaration a line, blank lines kept one at a time") {
  CHECK(fmt_of("\n\nlanguage 1 cohort a;cohort b in a\n\n\n\ncohort c\n;\ncohort d ;\n\n") ==
        "language 1\ncohort a\ncohort b in a\n\ncohort c\ncohort d\n");
  CHECK(fmt_of("class c : C {\n\n runs Job\n\n\n kill margin 5s\n\n}") ==
        "class c : C {\n  runs Job\n\n  kill margin 5s\n}\n");
}

TEST_CASE("columns: pools, windows and classes on lines that follow each other") {
  CHECK(fmt_of("cluster c {\npool a on n\npool bbb on n\n\npool cccccc on n\nguard g warn\npool d on n}") ==
        "cluster c {\n  pool a   on n\n  pool bbb on n\n\n  pool cccccc on n\n  guard g warn\n  pool d on n\n}\n");
  CHECK(fmt_of("class a : A {}\nclass bb : C {\nruns Job}\nclass ccc : A {}") ==
        "class a  : A { }\nclass bb : C {\n  runs Job\n}\nclass ccc : A { }\n");
  const std::string wide(60, 'w');
  CHECK(fmt_of("window " + wide + " = 01:00..02:00 Z daily\nwindow a = 01:00..02:00 Z daily") ==
        "window " + wide + " = 01:00..02:00 Z daily\nwindow a = 01:00..02:00 Z daily\n");
}

TEST_CASE("columns: comments behind code on lines that follow each other") {
  CHECK(fmt_of("cohort a # one\ncohort bcd in a   # two\n\ncohort c# three") ==
        "cohort a         # one\ncohort bcd in a  # two\n\ncohort c  # three\n");
  CHECK(fmt_of("class a : A {# é\nready within 5s # x\n} # y") ==
        "class a : A {      # é\n  ready within 5s  # x\n}                  # y\n");
}

TEST_CASE("comments stay between the words where they were") {
  CHECK(fmt_of("#!x  \t\n  #y") == "#!x\n#y\n");
  CHECK(fmt_of("tenant # a\n t # b\n {# c\n # d\n\n # e\n owner # f\n @x; # g\n # h\n} # i\n # j") ==
        "tenant  # a\n    t   # b\n    {   # c\n  # d\n\n  # e\n  owner   # f\n      @x  # g\n  # h\n}  # i\n# j\n");
  CHECK(fmt_of("class c : C { # only\n}") == "class c : C {  # only\n}\n");
  CHECK(fmt_of("class c : C { runs Job # a\n , Pod }") == "class c : C {\n  runs Job  # a\n      , Pod\n}\n");
}

TEST_CASE("a line break behind a comma is kept, others within an item are not; long lines are left") {
  CHECK(fmt_of("cluster c { writers user \"a\",\nuser \"b\"\n, group\n\"c\" }") ==
        "cluster c {\n  writers user \"a\",\n      user \"b\", group \"c\"\n}\n");
  const std::string reason(200, 'r');
  CHECK(fmt_of("trust x\nbecause \"" + reason + "\" by @y") == "trust x because \"" + reason + "\" by @y\n");
}

TEST_CASE("texts are kept byte for byte; CRLF becomes LF and a byte order mark goes") {
  CHECK(fmt_of("\xEF\xBB\xBFtrust x because \" a ;  # \xC3\xA9\t\" by @y # z \r\n\r\n\r\nlanguage 1\r") ==
        "trust x because \" a ;  # \xC3\xA9\t\" by @y  # z\n\nlanguage 1\n");
}

TEST_CASE("nothing in, nothing out") {
  CHECK(fmt_of("") == "");
  CHECK(fmt_of(" \n\t\n ; \n") == "");
}

TEST_CASE("a file with mistakes has diagnostics and no text") {
  SourceSet sources;
  const auto out = formatted(sources, sources.add("test.gpol", "class a : A { }\nclas b : A { }"));
  CHECK_FALSE(out.ok());
  CHECK(out.value.empty());
}

TEST_CASE("a file that would outgrow what gpol reads is refused") {
  std::string text;  // a line of three bytes, indented and aligned, has more than four times as many
  text.reserve(std::size_t{34} << 20U);
  text = "class a : A {\n";
  while (text.size() < (std::size_t{33} << 20U)) text += "#\n";
  SourceSet sources;
  const auto out = formatted(sources, sources.add("test.gpol", text + "}"));
  REQUIRE(out.diagnostics.size() == 1);
  CHECK(out.diagnostics[0].code == code::TooDeepOrLarge);
  CHECK(out.value.empty());
}

TEST_CASE("what is read back must be the same: words, comments and tree") {
  SourceSet sources;
  const FileId file =
      sources.add("test.gpol",
                  "# one\ntrust x because \"a;b\" by @y # two\ncluster c { pool p on n; writers user \"u\" }\n"
                  "allow a to borrow up to 1 gpu of p from b, back within 5s");
  const std::string good = formatted(sources, file).value;
  CHECK_NOTHROW(require_same_meaning(sources, file, good));
  const std::pair<const char*, const char*> broken[] = {
      {"# one", ""},
      {"# one", "# ones"},
      {"two", "tw o"},
      {"\"a;b\"", "\"ab\""},
      {"\"a;b\"", "\"a; b\""},
      {"pool p on n", ""},
      {"pool p", "pool n"},
      {"by @y", ""},
      {"# two", "\n"},
      {"trust x", "# two\ntrust x"},
      {"user", "group"},
      {"cluster c", "cohort d\ncluster c"},
      {"from b,", "from b"},             // the tree is the same
      {"@y  # two\n", "\n# two\n@y\n"},  // and so are tree and comments
  };
  for (const auto& [what, with] : broken) {
    std::string text = good;
    text.replace(text.find(what), std::string(what).size(), with);
    INFO(text);
    CHECK_THROWS_AS(require_same_meaning(sources, file, text), std::logic_error);
  }
}

}  // namespace
}  // namespace gpol
