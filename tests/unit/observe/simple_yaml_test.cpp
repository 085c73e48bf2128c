#include "checker/observe/simple_yaml.h"

#include <iostream>
#include <random>

#include "tests/unit/observe/manifests.h"

namespace gpol {
namespace {

using manifest::Node;

std::string range(std::uint32_t begin, std::uint32_t end) { return std::to_string(begin) + "-" + std::to_string(end); }

// Everything of a tree, places included.
void dump(const Node& node, std::string& out) {
  out += std::to_string(static_cast<int>(node.kind)) + "@" + std::to_string(node.line) + ":" +
         range(node.begin, node.end) + "<" + node.text + ">";
  for (const auto& item : node.items) dump(item, out += "-");
  for (const auto& entry : node.entries)
    dump(entry.value, out += "{" + entry.key + " " + range(entry.begin, entry.end) + "}");
  out += ";";
}

std::string dumped(const std::optional<Node>& node) {
  std::string out;
  if (node) dump(*node, out);
  return out;
}

// What is read directly must be what yaml-cpp reads; what yaml-cpp refuses must not be read directly.
bool agrees(const std::string& text) {
  for (const auto reading : {manifest::Reading::Strict, manifest::Reading::Kubernetes}) {
    const auto simple = manifest::read_simple(text, reading);
    if (!simple) continue;
    const auto full = manifest::parse_with_yaml_cpp(text, reading);
    if (!full.root || dumped(simple) != dumped(full.root)) return false;
  }
  return true;
}

std::string with_carriage_returns(const std::string& text) {
  std::string out;
  for (const char c : text) (c == '\n' ? out += '\r' : out) += c;
  return out;
}

TEST_CASE("what tools write is read directly, as yaml-cpp reads it") {
  const std::string texts[] = {
      manifests::kFlavor,
      manifests::kQueue,
      manifests::kLocalQueue,
      manifests::kBaseKustomization,
      manifests::kNightKustomization,
      manifests::kNightPatch,
      "# a comment\n\na: b\n  # another\nc:   \n  d: []\n  e: {}\n",
      "a:\nb: c # d\n\"e\": f g\n  h\n\n  i\nj: Z\xc3\xbcrich\n",
      "a: |\n  b\n\n   c\nd: >-\n  e\n  f\n\n   g\n\n  h\ni: |2+\n   j\n\n",
      "a: \"b\\n\\u00e9 \\\n  c\n\n  d\"\ne: 'it''s\n  f' # g\n",
      "a: {b: c, d: \"8\"} # e\nf: [\"g\", h, 9]\n",
      "a:\n  f:b:\n    .: {}\n    f:c/d.e: {}\n    k:{\"type\":\"Ready\",\"n\":8}:\n      .: {}\n"
      "      f:x:\n        v:\"x/y\": {}\n  a:b: []\n",
      "a:\n  'k:{\"type\":\"Ready\"}':\n    .: {}\n",
      "a: 'x y'\nb: \"#not: a comment\"\nc: a:b\nd: -5\ne: -x\n"};
  for (const auto& text : texts) {
    INFO(text);
    CHECK(agrees(text));
  }
  for (std::size_t i = 0; i < std::size(texts); ++i) {
    INFO(texts[i]);
    CHECK(manifest::read_simple(texts[i]).has_value());
  }
  for (const auto& text : texts) {
    const auto windows = with_carriage_returns(text);
    INFO(windows);
    CHECK(dumped(manifest::parse_document(windows, manifest::Reading::Kubernetes).root) ==
          dumped(manifest::parse_with_yaml_cpp(windows, manifest::Reading::Kubernetes).root));
  }
}

TEST_CASE("a dump of Windows is read however large it is, and a carriage return by itself as before") {
  std::string large = "kind: List\nitems:\n";
  while (large.size() < (1U << 21U)) large += "- a: [b, c]  # d\n  e: |\n    f\n\n    $(g)\n";
  CHECK(manifest::parse_document(with_carriage_returns(large), manifest::Reading::Kubernetes).root.has_value());
  const std::string lone = "a: b\rc: d\r\n";
  CHECK(dumped(manifest::parse_document(lone, manifest::Reading::Kubernetes).root) ==
        dumped(manifest::parse_with_yaml_cpp(lone, manifest::Reading::Kubernetes).root));
}

TEST_CASE("what is not plainly simple is left to yaml-cpp") {
  for (const auto* text : {"",
                           "a",
                           "a: &x b\n",
                           "a: *x\n",
                           "a: !t b\n",
                           "<<: {}\n",
                           "a: b\na: c\n",
                           "a: b: c\n",
                           "yes: 1\n",
                           "a: [b,c]\n",
                           "a: [b, c: d]\n",
                           "a: [b, ]\n",
                           "? a\n: b\n",
                           "a: b\n c: d\n",
                           "a:\n  b: c\n d: e\n",
                           "- - a\n",
                           "a: b\r\n",
                           "a:\tb\n",
                           " a: b\n",
                           "a: b\n---\n",
                           "a: ~\n",
                           "a: b\n  # c\n  d\n",
                           "a: 8\n  b\n",
                           "a: |\n  \tb\n",
                           "a: >+\n  b\n\n",
                           "a: \"b\nc\"\n",
                           "a: \"b\n",
                           "a: {b: {c: d}}\n",
                           "a: [b, c\n  ]\n",
                           "a:\n  b\n"}) {
    INFO(text);
    CHECK_FALSE(manifest::read_simple(text).has_value());
  }
  std::string deep;
  for (std::size_t i = 0; i < 100; ++i) deep += std::string(i, ' ') + "a:\n";
  CHECK_FALSE(manifest::read_simple(deep + std::string(100, ' ') + "b: c\n").has_value());
}

TEST_CASE("both readers agree on broken and odd texts") {
  const std::string seeds[] = {manifests::kQueue,
                               manifests::kNightKustomization,
                               manifests::kNightPatch,
                               "a:\n- b\n- c: \"d e\"\n  f: [g, h]\ni: {}\n# j\nk: 'l'\n",
                               "a: |\n  b\n\n   c\nd: >-\n  e\n  f\n\n   g\n\n  h\nk: {l: m, n: 017}\n",
                               "a: \"b\\n\\u00e9 \\\n  c\n\n  d\"\ne: 'it''s\n  f' # g\nh:\ni: j k\n  l\n\n  m\n"};
  const std::string pieces[] = {" ", "  ", "\n", "- ", "-", ":",   ": ",   "#",    " #", "\"",       "'",   "[",   "]",
                                "{", "}",  ",",  ", ", "a", "yes", "0",    "&",    "*",  "!",        "|",   ">",   "%",
                                "@", "`",  "?",  "? ", "~", "<<",  "\n- ", "\n  ", "\\", "\xc3\xbc", "017", "\n\n"};
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  int simple = 0, wrong = 0;
  for (int round = 0; round < 40000; ++round) {
    std::string text = seeds[below(std::size(seeds))];
    for (auto edits = 1 + below(3); edits > 0; --edits) {
      const auto at = below(text.size());
      if (below(3) == 0)
        text.erase(at, 1 + below(4));
      else
        text.insert(at, pieces[below(std::size(pieces))]);
      if (text.empty()) text = "a";
    }
    simple += manifest::read_simple(text).has_value() ? 1 : 0;
    if (agrees(text)) continue;
    if (++wrong <= 5) UNSCOPED_INFO("disagree on\n" << text);
  }
  std::cout << "simple YAML: 40000 edited texts, " << simple << " read directly, " << wrong << " differently\n";
  CHECK(wrong == 0);
  CHECK(simple > 1000);
}

}  // namespace
}  // namespace gpol
