// Input that means harm, or is only large: clean mistakes, soon.
#include <random>
#include <thread>

#include "compiler/syntax/codes.h"
#include "tests/support/catch.h"
#include "tests/unit/syntax/parsed.h"

using namespace gpol;
using gpol::test::Mistakes;
using gpol::test::parsed;

namespace {

std::string times(std::size_t n, std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += part;
  return out;
}

const std::string kDeep = "this is nested more than 16 deep | gpol stops reading this declaration here";

}  // namespace

TEST_CASE("nesting has a limit and the next declaration is read") {
  const auto open = parsed("tenant a " + times(100'000, "{"));
  CHECK(open.mistakes() == Mistakes{"GP0104 1:26 " + kDeep});
  const auto closed = parsed("tenant a " + times(100'000, "{") + times(100'000, "}") + "\ntenant b { }");
  CHECK(closed.mistakes() == Mistakes{"GP0104 1:26 " + kDeep});
  CHECK(closed.decls().size() == 1);
  const auto parens = parsed("class a : C { grace 1s " + times(200'000, "(") + "}\ntenant b { }");
  CHECK(parens.mistakes() == Mistakes{"GP0104 1:40 " + kDeep});
  CHECK(parens.decls().size() == 1);
  CHECK(parsed("tenant a " + times(16, "{") + times(16, "}")).outcome.diagnostics.at(0).code == code::SyntaxError);
}

TEST_CASE("a declaration has a limit of words") {
  const auto p = parsed("tenant a { " + times(100'001, ";") + "}\ntenant b { }");
  CHECK(p.mistakes() ==
        Mistakes{
            "GP0104 1:100008 one declaration has more than 100000 words | gpol stops reading this declaration here"});
  CHECK(p.decls().size() == 1);
}

TEST_CASE("a file has a limit of size") {
  const auto p = parsed(std::string(64 * 1024 * 1024 + 1, ' '));
  CHECK(p.mistakes() == Mistakes{"GP0104 1:1 the file is larger than 64 MiB | split the policy into several"});
  CHECK(parsed(std::string(64 * 1024 * 1024, '#')).mistakes() == Mistakes{});
}

TEST_CASE("a file has a limit of declarations and of words", "[slow]") {
  const auto p = parsed(times(250'001, "class a : A { }\n"));
  CHECK(p.mistakes() == Mistakes{"GP0104 250001:1 this file has more than 250000 declarations | split the policy into "
                                 "several; gpol stops reading here"});
  CHECK(p.decls().size() == 250'000);
  const auto words = parsed(times(250, "class a : C { " + times(90'000, ";") + "}\n"));
  CHECK(words.mistakes() == Mistakes{"GP0104 224:1 this file has more than 20000000 words | split the policy into "
                                     "several; gpol stops reading here"});
}

TEST_CASE("a word has a limit of length") {
  const auto p = parsed("tenant a { namespace " + std::string(4097, 'x') + "\n}\ntrust x because \"" +
                        std::string(4095, 'x') + "\" by @x\ntenant " + std::string(4096, 'y') + " { }");
  CHECK(p.mistakes() == Mistakes{"GP0104 1:22 this word is longer than 4096 bytes | write a shorter one",
                                 "GP0104 3:17 this word is longer than 4096 bytes | write a shorter one"});
  CHECK(p.decls().size() == 1);
}

TEST_CASE("a file has a limit of mistakes") {
  const auto p = parsed(times(5000, "tenant a { foo }\n"));
  REQUIRE(p.outcome.diagnostics.size() == 201);
  CHECK(p.outcome.diagnostics[199].code == code::SyntaxError);
  CHECK(p.mistakes()[200] ==
        "GP0104 201:12 this file has more than 200 mistakes, the rest is not shown | mend some of those above and "
        "check again");
  CHECK(parsed("tenant a {\n" + times(30'000, "foo\n owner\n") + "}").outcome.diagnostics.size() == 201);
  CHECK(parsed(times(200, "tenant a { foo }\n")).outcome.diagnostics.size() == 200);
}

TEST_CASE("bytes that are no text are reported once, at their place") {
  CHECK(parsed("tenant a { }\n# \xFF\xFE\ntrust x because \"\xC3\" by @x\ntenant b\xC0 { }").mistakes() ==
        Mistakes{"GP0103 2:3 byte 0xFF is not valid UTF-8 | save the file as UTF-8; later places of this kind in the "
                 "file are not shown"});
  CHECK(parsed(std::string("tenant a\0 { }\ntenant b { }", 27)).mistakes() ==
        Mistakes{"GP0103 1:9 the invisible character U+0000 is not allowed anywhere | delete it; later places of this "
                 "kind in the file are not shown"});
  CHECK(parsed("trust x because \"a\xE2\x80\xAE"
               "b\" by @x")
            .mistakes() == Mistakes{"GP0103 1:19 the invisible character U+202E is not allowed anywhere | delete it; "
                                    "later places of this kind in the file are not shown"});
  for (const char* invalid :
       {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\xF8\x88\x80\x80\x80"})
    CHECK(parsed(std::string("# ") + invalid).outcome.diagnostics.size() == 1);
  CHECK(parsed("# \xF0\x9F\x98\x80 \xED\x9F\xBF \xEE\x80\x80").mistakes() == Mistakes{});
  CHECK(parsed("").mistakes() == Mistakes{});
  CHECK(parsed("\xEF\xBB\xBF").mistakes() == Mistakes{});
}

TEST_CASE("long lines and long runs are read to their end") {  // anything quadratic would take minutes
  const std::size_t n = 2'500'000;
  CHECK(parsed("# " + std::string(2 * n, 'x')).mistakes() == Mistakes{});
  CHECK(parsed("tenant " + std::string(2 * n, 'x') + " { }").mistakes() ==
        Mistakes{"GP0104 1:8 this word is longer than 4096 bytes | write a shorter one"});
  CHECK(parsed("tenant a { class " + std::string(2 * n, 'x') + " = }").mistakes().at(0).size() < 240);
  CHECK(parsed(times(n, "\xC3\xA9")).mistakes().size() == 1);
  CHECK(parsed(times(n, "''")).outcome.diagnostics.size() == 201);
  CHECK(parsed(times(n, "/*")).outcome.diagnostics.size() <= 201);
  CHECK(parsed(times(n, "\"\"")).mistakes().size() == 1);
  CHECK(parsed(times(n / 2, "//\n")).mistakes().size() == 1);
  CHECK(parsed(times(n, "}")).mistakes().size() == 1);
  CHECK(parsed(times(n / 4, "tenant\n")).outcome.diagnostics.size() == 201);
}

TEST_CASE("no text breaks the reader") {
  std::mt19937 random(7);
  const std::vector<std::string> words = {
      "tenant", "cluster",  "class", "cohort", "{",    "}",       "(",     ")",        ";", "\n",
      "a",      "8",        "gpus",  "of",     "8s",   "nodes",   "each",  ",",        ":", "=",
      "..",     "queue",    "lend",  "at",     "most", "@x",      "\"t\"", "09:30",    "'", "\"",
      "//",     "\xC3\xA9", "\xFF",  "pool",   "on",   "reserve", "owner", "language", "1", "start"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int k = 0; k < 60; ++k) text += words[random() % words.size()] + (random() % 4 != 0 ? " " : "\n");
    const auto p = parsed(text);
    for (const auto& d : p.outcome.diagnostics) {
      REQUIRE(d.span.begin <= d.span.end);
      REQUIRE(d.span.end <= text.size());
      REQUIRE_FALSE(d.message.empty());
    }
    CHECK(p.mistakes() == parsed(text).mistakes());
  }
}

TEST_CASE("several threads read at once") {
  const std::string text =
      times(50, "tenant a { class b; reserve 8 gpus of c; foo }\nallow a to borrow up to 1 gpu of b from c\n");
  const auto alone = parsed(text).mistakes();
  std::vector<Mistakes> found(8);
  std::vector<std::thread> threads;
  for (auto& mine : found) threads.emplace_back([&mine, &text] { mine = parsed(text).mistakes(); });
  for (auto& thread : threads) thread.join();
  for (const auto& mine : found) CHECK(mine == alone);
}
