// Where the bytes of a text come from in what is written of it, in every style of YAML's scalars.
#include "checker/observe/embedded.h"
#include "tests/support/catch.h"

namespace gpol::manifest {
namespace {

// What is written where each character that is no blank comes from.
std::string seen(const std::string& document) {
  const auto tree = parse_document(document, Reading::Kubernetes);
  REQUIRE(tree.root);
  const Node& node = tree.root->entries.at(0).value;
  const std::string written = document.substr(node.begin, node.end - node.begin);
  const auto origins = origins_of(written, node.text);
  if (!origins) return "nowhere";
  REQUIRE(origins->size() == node.text.size() + 1);
  std::string out;
  for (std::size_t i = 0; i < node.text.size(); ++i)
    if (node.text[i] != ' ' && node.text[i] != '\n') out += written[(*origins)[i]];
  return out;
}

TEST_CASE("each character of a text comes from where it is written") {
  CHECK(seen("a: |\n  kind: X\n\n  b: {c: 1}\n") == "kind:Xb:{c:1}");
  CHECK(seen("a: |2-\n    kind: X\n  b: 1\n\n") == "kind:Xb:1");
  CHECK(seen("a: >-\n  kind: X\n\n  b: 1\n") == "kind:Xb:1");
  CHECK(seen("a: \"kind: X\\nb: \\\"1\\\"\\n\"\n") == "kind:Xb:\\1\\");  // an escape is where its backslash is
  CHECK(seen("a: \"x: \\u003c1\\n  \\\n  \\  y: 2\"\n") == "x:\\1y:2");
  CHECK(seen("a: 'it''s\n  b'\n") == "it'sb");
  CHECK(seen("a: one\n  two\n") == "onetwo");
}

TEST_CASE("a text that stands elsewhere comes from nowhere") {
  CHECK(origins_of("*name", "kind: X") == std::nullopt);
  CHECK(origins_of("", "kind: X") == std::nullopt);
  CHECK(origins_of("|\n  kind: Y", "kind: X") == std::nullopt);
}

TEST_CASE("a tree moves to where its text is written") {
  const std::string document = "a: |\n  kind: X\n  b: {c: 'word'}\n";
  const auto outer = parse_document(document, Reading::Kubernetes);
  const Node& value = outer.root->entries.at(0).value;
  auto inner = parse_document(value.text, Reading::Kubernetes);
  const auto origins = origins_of(document.substr(value.begin, value.end - value.begin), value.text);
  REQUIRE(origins);
  move_to(*origins, value.begin, value.line, *inner.root);
  const Entry& b = inner.root->entries.at(1);
  CHECK(document.substr(b.begin, b.end - b.begin) == "b");
  const Node& word = b.value.entries.at(0).value;
  CHECK(document.substr(word.begin, word.end - word.begin) == "'word'");
}

}  // namespace
}  // namespace gpol::manifest
