// What an author is told: the message, the place and the hint, once for each mistake and no more.
#include "tests/support/catch.h"
#include "tests/unit/syntax/parsed.h"

using namespace gpol;
using gpol::test::Mistakes;
using gpol::test::parsed;

namespace {

// The mistakes of one line inside `tenant t { ... }`.
Mistakes in_tenant(const std::string& item) { return parsed("tenant t {\n" + item + "\n}\n").mistakes(); }

const std::string kTenantItems =
    "expected `class`, `at`, `namespace`, `owner`, `reserve`, `quota`, `replica`, `replicas`, `shape`, `start`, "
    "`asks`, "
    "`queue`, `outside`, `budget` or `}` here, "
    "found ";

}  // namespace

TEST_CASE("a mistyped word of a block has the nearest word as its hint") {
  CHECK(in_tenant("reservee 8 gpus of live") ==
        Mistakes{"GP0101 2:1 " + kTenantItems + "`reservee` | did you mean `reserve`?"});
  CHECK(in_tenant("OWNER @x") == Mistakes{"GP0101 2:1 " + kTenantItems + "`OWNER` | did you mean `owner`?"});
  CHECK(in_tenant("zzz") == Mistakes{"GP0101 2:1 " + kTenantItems + "`zzz`"});
}

TEST_CASE("an item of another block has its home as its hint") {
  CHECK(in_tenant("tolerate 1 lost") ==
        Mistakes{"GP0101 2:1 " + kTenantItems + "`tolerate` | `tolerate` stands in a `nodes` block"});
  CHECK(parsed("cluster c {\n  tenant t { owner @x }\n}").mistakes() ==
        Mistakes{"GP0101 2:3 expected `scheduler`, `nodes`, `pool`, `writers`, `guard`, `exempt` or `}` here, found "
                 "`tenant` | "
                 "a `tenant` cannot stand inside this block: close the block with `}` first"});
}

TEST_CASE("equals and colon where a space is meant") {
  CHECK(in_tenant("reserve = 8 gpus of live") ==
        Mistakes{"GP0101 2:9 expected a number with its unit here, found `=` | leave out the `=`: a space is enough"});
  CHECK(in_tenant("class: standard") ==
        Mistakes{"GP0101 2:6 expected a name here, found `:` | leave out the `:`: a space is enough"});
}

TEST_CASE("a missing unit") {
  CHECK(in_tenant("reserve 8 of live") ==
        Mistakes{"GP0101 2:9 expected a unit after `8` | write the unit of `8`, such as `8 gpus`"});
  CHECK(parsed("class b : B { ready within 4 }").mistakes() ==
        Mistakes{"GP0101 1:28 expected a unit after `4` | it is written as in `ready within 4min`"});
  CHECK(in_tenant("replica gpus 8") == Mistakes{"GP0101 2:9 expected a number with its unit here, found `gpus` | "
                                                "the number comes first, then its unit: `8 gpus`"});
}

TEST_CASE("names, owners, texts and times in the wrong form") {
  CHECK(parsed("tenant pool { }").mistakes() == Mistakes{"GP0101 1:8 expected a name here, found `pool` | `pool` is a "
                                                         "word of the language and cannot be a name here"});
  CHECK(parsed("tenant window { }").mistakes() == Mistakes{"GP0101 1:8 expected a name here, found `window` | `window` "
                                                           "is a word of the language and cannot be a name here"});
  CHECK(parsed("tenant 3d { }").mistakes() ==
        Mistakes{"GP0101 1:8 expected a name here, found `3d` | a name begins with a letter"});
  CHECK(parsed("tenant \"a\" { }").mistakes() ==
        Mistakes{"GP0101 1:8 expected a name here, found `\"a\"` | a name stands without quotes"});
  CHECK(parsed("tenant @a { }").mistakes() ==
        Mistakes{"GP0101 1:8 expected a name here, found `@a` | only an owner is written with `@`"});
  CHECK(in_tenant("owner search") ==
        Mistakes{"GP0101 2:7 expected an owner such as `@team` here, found `search` | an owner begins with `@`"});
  CHECK(in_tenant("asks at 9:30") == Mistakes{"GP0101 2:9 expected a time such as `09:30` here, found `9` | "
                                              "write `09:30`"});
  CHECK(parsed("trust a because reviewed by @x").mistakes() ==
        Mistakes{"GP0101 1:17 expected a text in double quotes here, found `reviewed` | put the text in double quotes: "
                 "`because \"reviewed\" by @x`"});
}

TEST_CASE("what is missing is told at the word that it should follow") {
  CHECK(in_tenant("reserve 8 gpus\nowner @x") ==
        Mistakes{"GP0101 2:11 expected `of` or `,` after `gpus` | say of which pool: `8 gpus of NAME`"});
  CHECK(in_tenant("owner") ==
        Mistakes{"GP0101 2:1 expected an owner such as `@team` after `owner` | an owner begins with `@`"});
  CHECK(parsed("window night = 22:00..06:00 Europe/Zurich").mistakes() ==
        Mistakes{"GP0101 1:29 expected a name after `Europe/Zurich` | the days follow the time zone, `daily`, "
                 "`weekdays` or `weekends`"});
  CHECK(parsed("tenant a\nlanguage 1").mistakes() ==
        Mistakes{"GP0101 1:8 expected `{` after `a` | it is written as in `tenant NAME { ... }`"});
  CHECK(in_tenant("start schedule 5s image 20s") ==
        Mistakes{"GP0101 2:19 expected `(` or `,` here, found `image` | separate the parts with `,`"});
}

TEST_CASE("words between declarations") {
  CHECK(parsed("language 1\ntenat chat {\n class a\n}\ntenant b { }").mistakes() ==
        Mistakes{"GP0101 2:1 expected a declaration here, found `tenat` | did you mean `tenant`?"});
  CHECK(parsed("reserve 8 gpus of x\nlanguage 1").mistakes() ==
        Mistakes{"GP0101 1:1 expected a declaration here, found `reserve` | `reserve` stands in a `tenant` block"});
  const auto stray = parsed("tenant a { }\n}\n}\nlanguage 1\n");
  CHECK(stray.mistakes() ==
        Mistakes{"GP0101 2:1 this `}` closes nothing | delete it, or add the `{` that it belongs to"});
  CHECK(stray.decls().size() == 2);
}

TEST_CASE("all mistakes of a file, each once") {
  const auto p = parsed(R"(language 1
tenant a {
  ownr @a
  class = x
  reservee 8 gpus of p
  asks at 09:30
  queue { cohort all; lend at least 3 gpus of y; borrow wihout limit }
  replica 8 gpus cpu 3
}
prove a never hold b
tenant b { owner @b }
allow a to borrow 8 gpus of p from b
)");
  Mistakes places;
  for (const auto& m : p.mistakes()) places.push_back(m.substr(0, m.find(' ', 7)));
  CHECK(places == Mistakes{"GP0101 3:3", "GP0101 4:9", "GP0101 5:3", "GP0101 7:31", "GP0101 7:57", "GP0101 8:18",
                           "GP0101 10:15", "GP0101 12:19"});
  CHECK(p.decls().size() == 2);  // language and tenant b
}

TEST_CASE("a block that is not closed costs one mistake") {
  const auto p = parsed(R"(tenant a {
  owner @a
  queue { cohort x }

tenant b { owner @b }
class c : C {
  runs Job
cohort d { quota 1 gpu of p }
prove c never holds e
tenant f {
  queue {
    cohort g
  owner @f
)");
  CHECK(
      p.mistakes() ==
      Mistakes{"GP0102 1:10 the block of `tenant a` is not closed | add the missing `}` before the next declaration",
               "GP0102 6:13 the block of `class c : C` is not closed | add the missing `}` before the next declaration",
               "GP0102 11:9 the block of `queue` is not closed | add the missing `}` before this `owner`"});
  REQUIRE(p.outcome.diagnostics.at(0).labels.size() == 1);
  CHECK(p.sources.position(0, p.outcome.diagnostics[0].labels[0].span.begin).line == 5);
  CHECK(p.outcome.diagnostics[0].labels[0].text == "the next declaration begins here");
  CHECK(p.outcome.diagnostics.at(2).labels.at(0).text == "what stands here is outside of it");
  CHECK(p.decls().size() == 3);
}

TEST_CASE("a block without its opening brace costs one mistake") {
  const auto p = parsed(
      "tenant a\n  owner @a\n  class x\n}\ntenant b { }\ncluster c {\n nodes n\n  count 3\n }\n pool p on n\n}\ntenant "
      "d { }");
  CHECK(p.mistakes() == Mistakes{"GP0101 1:8 expected `{` after `a` | add the missing `{`",
                                 "GP0101 7:8 expected `{` after `n` | add the missing `{`"});
  CHECK(p.decls().size() == 2);
}

TEST_CASE("refused characters are one mistake, and nothing follows from them") {
  CHECK(in_tenant("owner $$$x") == Mistakes{"GP0103 2:7 `$` has no meaning in a policy"});
  CHECK(parsed("tenant caf\xC3\xA9 { }").mistakes() ==
        Mistakes{"GP0103 1:11 the character `\xC3\xA9` (U+00E9) can stand only in texts and comments | "
                 "names are made of the letters a to z, digits, `-`, `_`, `/` and `.`"});
  CHECK(in_tenant("class\xC2\xA0x") ==
        Mistakes{"GP0103 2:6 the character U+00A0 looks like a space but is none | delete it and type a space"});
  CHECK(in_tenant("quota -5 gpus of x") == Mistakes{"GP0103 2:7 a number cannot be negative | leave out the `-`"});
  CHECK(parsed("window n = 22:00-06:00 UTC daily").mistakes() ==
        Mistakes{"GP0103 1:17 `-` has no meaning here | a range is written with `..`: `22:00..06:00`"});
}

TEST_CASE("comments and quotes of other languages") {
  const std::string hint = "does not begin a comment | begin each line of a comment with `#`";
  const auto lines = parsed("// one\n// two\nlanguage 1 // three\n/* four\n five */ language 1\n");
  CHECK(lines.mistakes() == Mistakes{"GP0103 1:1 `//` " + hint, "GP0103 3:12 `//` " + hint});
  CHECK(lines.decls().size() == 2);
  const auto block = parsed("/* four\n five */ language 1\n");
  CHECK(block.mistakes() == Mistakes{"GP0103 1:1 `/*` " + hint});
  CHECK(block.decls().size() == 1);
  const auto quotes = parsed("trust a because 'x' by @x\ntrust a because \xE2\x80\x9Cy\xE2\x80\x9D by @x\n");
  CHECK(quotes.mistakes() ==
        Mistakes{"GP0103 1:17 a text cannot stand in `'` quotes | put it in double quotes: `\"...\"`",
                 "GP0103 2:17 a text cannot stand in `\xE2\x80\x9C` quotes | put it in double quotes: `\"...\"`"});
  REQUIRE(quotes.decls().size() == 2);
  CHECK(quotes.decl<ast::Trust>(0).reason == "x");
  CHECK(quotes.decl<ast::Trust>(1).reason == "y");
  CHECK(parsed("trust a because \"x by @x\ntenant b { }").mistakes() ==
        Mistakes{"GP0103 1:17 the text that begins here has no closing quote on its line | close the text with `\"`"});
}

TEST_CASE("no message speaks of the parser") {
  for (const char* text :
       {"tenant", "tenant {", "cluster a { nodes b { count } }", "window a = = b", "allow a to", "x y z", "prove a 3",
        "class a { }", "language one", "trust a because because", "cohort a in {", "{", "}", ";",
        "tenant a { queue { x } }", "cluster a { scheduler k { round } pool p on q take r }",
        "class c : C { grace 1s (saved 2s) }"}) {
    const auto found = parsed(text).mistakes();
    CHECK(found.size() <= 2);
    for (const auto& m : found) {
      CAPTURE(m);
      for (const char* jargon : {"token", "input", "EOF", "ID", "NUMBER", "LBRACE", "viable", "mismatch", "rule"})
        CHECK(m.find(jargon) == std::string::npos);
      CHECK(m.back() != '.');
    }
  }
}

TEST_CASE("a `;` between declarations hides nothing that follows it") {
  CHECK(parsed(";; class a : A { };\n;\nclass b : A { } ;").mistakes() == Mistakes{});
  const Mistakes found = parsed("; language 1\n; oops\nclass a : A { }").mistakes();
  REQUIRE(found.size() == 1);
  CHECK(found[0].find("GP0101 2:3 ") == 0);
  CHECK(parsed("; garbage\nclass a : A { }").mistakes().size() == 1);
}
