#include "emit/yaml.h"

#include <yaml-cpp/yaml.h>

#include "emit/plain.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

std::string scalar(const std::string& text) { return yaml::print(yaml::Value(text)); }

}  // namespace

TEST_CASE("strings that every reader takes for themselves stand bare") {
  for (const std::string text :
       {"search", "kueue.x-k8s.io/v1beta2", "nvidia.com/gpu", "/spec/resourceGroups/0/flavors/1", "../../base",
        "clusterqueue-search.yaml", "policies/team.gpol:12", "None", "MayStopSearch", "H100-80GB", "a b", "yes1", "_x",
        "none", "e3", "x0", "offline", "dir+name@x=y"}) {
    CAPTURE(text);
    CHECK(scalar(text) == text + "\n");
  }
}

TEST_CASE("strings that YAML 1.1 or 1.2 reads as something else are double-quoted") {
  for (const std::string text : {"",      "~",          "null",
                                 "Null",  "NULL",       "yes",
                                 "Yes",   "no",         "NO",
                                 "on",    "On",         "off",
                                 "y",     "N",          "true",
                                 "True",  "false",      "0",
                                 "8",     "007",        "0o7",
                                 "0x1f",  "0b1",        "1_000",
                                 "1e3",   "1E-3",       ".5",
                                 ".inf",  "-.INF",      ".NaN",
                                 "+1",    "-1",         "12:30",
                                 "1:2:3", "248Gi",      "23500m",
                                 "5m",    "2026-11-20", "2026-11-20T10:00:00Z",
                                 "<<",    "=",          "...",
                                 "---",   " x",         "x ",
                                 "a: b",  "a #b",       "a:",
                                 "#a",    "- a",        "-",
                                 "? a",   ": a",        "[a",
                                 "{a",    "a, b",       "a]",
                                 "&a",    "*a",         "!a",
                                 "|",     ">",          "'a'",
                                 "%a",    "@chat",      "`a`",
                                 "a  b",  "a'b",        "..",
                                 "."}) {
    CAPTURE(text);
    CHECK(scalar(text) == "\"" + text + "\"\n");
  }
}

TEST_CASE("what quotes alone do not save is escaped") {
  CHECK(scalar("a\"b") == "\"a\\\"b\"\n");
  CHECK(scalar("a\tb") == "\"a\\tb\"\n");
  CHECK(scalar("a\\b") == "\"a\\\\b\"\n");
  CHECK(scalar("one\ntwo\n") == "\"one\\ntwo\\n\"\n");
  CHECK(scalar(std::string("a\0b", 3)) == "\"a\\x00b\"\n");
  CHECK(scalar("a\x7f") == "\"a\\x7f\"\n");
  CHECK(scalar("caf\xC3\xA9") == "\"caf\xC3\xA9\"\n");
  CHECK(scalar("a\xE2\x80\xA8z") == "\"a\\u2028z\"\n");
}

TEST_CASE("every string of up to three awkward characters comes back as it was written") {
  const std::string alphabet = "a0-:# ~.'\"\\\n\t[{}],&*!|>%@`=?+_/eE<";
  std::size_t count = 0;
  auto check = [&](const std::string& text) {
    const YAML::Node read = YAML::Load(yaml::print(yaml::Map{{"k", text}}));
    if (!read["k"].IsScalar() || read["k"].Scalar() != text) FAIL("not itself: " << text);
    // A tag of "?" is a plain scalar: only what reads_as_itself() vouches for may be one.
    if ((read["k"].Tag() == "?") != yaml::reads_as_itself(text)) FAIL("quoting: " << text);
    ++count;
  };
  for (const char a : alphabet) {
    check({a});
    for (const char b : alphabet) {
      check({a, b});
      for (const char c : alphabet) check({a, b, c});
    }
  }
  CHECK(count == alphabet.size() * (1 + alphabet.size() * (1 + alphabet.size())));
}

TEST_CASE("maps keep their order and nothing is tagged or anchored") {
  const yaml::Value tree = yaml::Map{{"z", "last"},
                                     {"a", yaml::List{yaml::Map{{"name", "x"}, {"n", std::int64_t{-3}}}, "two", true}},
                                     {"on", yaml::Map{}},
                                     {"none", yaml::List{}},
                                     {"nested", yaml::List{yaml::Value(yaml::List{"1"})}}};
  CHECK(yaml::print(tree) == R"(z: last
a:
  - name: x
    "n": -3
  - two
  - true
"on": {}
none: []
nested:
  -
    - "1"
)");
}
