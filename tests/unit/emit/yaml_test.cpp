#include "emit/yaml.h"

#include <yaml-cpp/yaml.h>

#include <random>

#include "emit/plain.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

// A tree of every shape that manifests have, from a seed.
yaml::Value random_tree(std::mt19937& random, int depth) {
  static const std::vector<std::string> kTexts = {
      "a", "yes", "8", "", "x: y", "nvidia.com/gpu", "l1\nl2", " b", "0x1", "- a: \"1\"\n  b: 2\n"};
  auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  switch (depth == 0 ? below(3) : below(7)) {
    case 0:
      return yaml::Value(kTexts[below(kTexts.size())]);
    case 1:
      return yaml::Value(static_cast<std::int64_t>(below(2000)) - 1000);
    case 2:
      return yaml::Value(below(2) == 0);
    case 3:
    case 4: {
      yaml::List list;
      for (std::size_t i = below(4); i > 0; --i) list.push_back(random_tree(random, depth - 1));
      return list;
    }
    default: {
      yaml::Map map;
      for (std::size_t i = below(4); i > 0; --i)
        map.emplace_back(kTexts[below(kTexts.size())] + std::to_string(i), random_tree(random, depth - 1));
      return map;
    }
  }
}

bool same(const YAML::Node& read, const yaml::Value& tree) {
  if (const auto* text = std::get_if<std::string>(&tree.node)) return read.IsScalar() && read.Scalar() == *text;
  if (const auto* number = std::get_if<std::int64_t>(&tree.node)) return read.as<std::int64_t>() == *number;
  if (const auto* flag = std::get_if<bool>(&tree.node)) return read.as<bool>() == *flag;
  if (const auto* list = std::get_if<yaml::List>(&tree.node)) {
    if (!read.IsSequence() || read.size() != list->size()) return false;
    for (std::size_t i = 0; i < list->size(); ++i)
      if (!same(read[i], (*list)[i])) return false;
    return true;
  }
  const auto& map = std::get<yaml::Map>(tree.node);
  if (!read.IsMap() || read.size() != map.size()) return false;
  auto at = read.begin();
  for (const auto& [key, value] : map) {
    if (at->first.Scalar() != key || !same(at->second, value)) return false;
    ++at;
  }
  return true;
}

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
  CHECK(scalar("one\ntwo") == "\"one\\ntwo\"\n");
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

TEST_CASE("any tree comes back as it was, and prints the same twice") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed), again(seed);
    const yaml::Value tree = random_tree(random, 4);
    const std::string text = yaml::print(tree);
    CAPTURE(seed, text);
    CHECK(yaml::print(random_tree(again, 4)) == text);
    CHECK(same(YAML::Load(text), tree));
  }
}
