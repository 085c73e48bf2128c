#include "checker/observe/tree.h"

#include "checker/observe/documents.h"
#include "checker/observe/scalars.h"
#include "tests/unit/observe/manifests.h"

namespace gpol {
namespace {

using manifest::Node;
using manifest::parse_document;
using manifest::plain_kind;
using manifest::split_documents;
using manifests::problems_of;

std::string refusal(const std::string& text) {
  const auto tree = parse_document(text);
  return tree.root ? "" : tree.refused + " @" + std::to_string(tree.refused_line);
}

TEST_CASE("plain scalars are what every YAML reader takes them for, or ambiguous") {
  const std::pair<Node::Kind, std::vector<const char*>> cases[] = {
      {Node::Kind::Null, {"", "~", "null", "Null", "NULL"}},
      {Node::Kind::Bool, {"true", "false"}},
      {Node::Kind::Integer, {"0", "8", "-5", "123456789012345678901"}},
      {Node::Kind::Ambiguous, {"yes",  "No",   "on",        "OFF",        "y",     "N",     "True", "FALSE", "017",
                               "-017", "0x1F", "0o17",      "0b1",        "1_000", "+5",    "1.5",  ".5",    "5.",
                               "1e3",  "1:30", "190:20:30", "2026-10-01", ".inf",  "-.Inf", ".nan", "<<",    "="}},
      {Node::Kind::Text,
       {"500m", "1Gi", "1E", "nvidia.com/gpu", "yes-man", "-", "a1", "10s", "0xZZ", "nope", "3g.40gb"}}};
  for (const auto& [kind, words] : cases)
    for (const auto* word : words) {
      INFO("word " << word);
      CHECK(plain_kind(word) == kind);
    }
}

TEST_CASE("quoted scalars are text whatever they hold") {
  const auto tree = parse_document("a: \"8\"\nb: 'true'\nc: \"\"\nd: |\n  17\n");
  REQUIRE(tree.root);
  for (const auto& entry : tree.root->entries) CHECK(entry.value.kind == Node::Kind::Text);
  CHECK(tree.root->entries[3].value.text == "17\n");
  CHECK(tree.root->entries[3].value.line == 4);
}

TEST_CASE("what two readers could take differently is refused") {
  CHECK(refusal("a: &x 1\nb: *x\n") == "holds an anchor @1");
  CHECK(refusal("a: !!str 1\n") == "holds a tag @1");
  CHECK(refusal("a: 1\nb: {c: !custom d}\n") == "holds a tag @2");
  CHECK(refusal("a: !!map {}\n") == "holds a tag @1");
  CHECK(refusal("<<: {a: 1}\n") == "holds a merge key @1");
  CHECK(refusal("a: 1\nb: 2\na: 3\n") == "holds the key `a` twice in one mapping @3");
  CHECK(refusal("a: {b: 1, \"b\": 2}\n") == "holds the key `b` twice in one mapping @1");
  CHECK(refusal("true: 1\n") == "holds a key that is not text @1");
  CHECK(refusal("8: 1\n") == "holds a key that is not text @1");
  CHECK(refusal("? [a]\n: 1\n") == "holds a key that is not text @1");
  CHECK(refusal("a: [1\n") != "");
  CHECK(refusal("a: b: c\n").substr(0, 12) == "is not YAML:");
}

TEST_CASE("many keys in one mapping are compared too") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  CHECK(refusal(text) == "");
  CHECK(refusal(text + "k77: 1\n") == "holds the key `k77` twice in one mapping @1001");
}

TEST_CASE("deep nesting is refused, in flow and in block style, and does not take the stack") {
  const std::string opened(1'000'000, '[');
  CHECK(refusal(std::string(65, '[') + std::string(65, ']')).substr(0, 28) == "holds more than 64 nested le");
  CHECK(refusal(std::string(64, '[') + std::string(64, ']')) == "");
  CHECK(refusal(opened) != "");
  std::string block;
  for (int i = 0; i < 100; ++i) block += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  CHECK(refusal(block) == "holds more than 64 nested levels @65");
  std::string dashes;
  for (int i = 0; i < 5000; ++i) dashes += "- ";
  CHECK(refusal(dashes).substr(0, 17) == "holds more than 6");
}

TEST_CASE("an alias bomb is refused before it expands") {
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const std::string before(1, static_cast<char>(c - 1));
    bomb += std::string(1, c) + ": &" + c + " [*" + before + ",*" + before + ",*" + before + ",*" + before + "]\n";
  }
  CHECK(problems_of(bomb) == "in.yaml:1[0] : holds an anchor\n");
}

TEST_CASE("documents are cut where every reader cuts them") {
  const auto lines = [](const std::string& text) {
    std::string result;
    const auto documents = split_documents(text);
    for (const auto& d : documents.list) result += std::to_string(d.index) + "@" + std::to_string(d.line) + " ";
    if (!documents.refused.empty()) result += documents.refused + " @" + std::to_string(documents.refused_line);
    return result;
  };
  CHECK(lines("") == "");
  CHECK(lines("# only words\n\n") == "");
  CHECK(lines("a: 1\n") == "0@1 ");
  CHECK(lines("---\na: 1\n---\nb: 2\n") == "0@2 1@4 ");
  CHECK(lines("# header\n---\na: 1\n") == "0@3 ");
  CHECK(lines("a: 1\r\n--- # next\r\nb: 2") == "0@1 1@3 ");
  CHECK(lines("a: 1\n---\n---\nb: 2\n") == "0@1 2@4 ");
  CHECK(lines("a: 1\n--- b: 2\n") == "holds text on a line that starts with --- @2");
  CHECK(lines("a: 1\n---b\n") == "holds text on a line that starts with --- @2");
  CHECK(lines("a: 1\n...\nb: 2\n") == "holds an end-of-document marker @2");
  CHECK(lines("%YAML 1.2\n---\na: 1\n") == "holds a directive @1");
  CHECK(lines("a:\n\tb: 1\n") == "holds a tab in indentation @2");
  CHECK(lines("a:\n  \tb: 1\n") == "holds a tab in indentation @2");
  CHECK(lines(std::string("a: 1\nb: \0", 10)) == "holds a NUL character @2");
  CHECK(lines("a: \x01\n") == "holds a control character @1");
  CHECK(lines("a: \xff\n") == "holds bytes that are not UTF-8 @1");
  CHECK(lines("a: \xc0\xaf\n") == "holds bytes that are not UTF-8 @1");
  CHECK(lines("a: \xed\xa0\x80\n") == "holds bytes that are not UTF-8 @1");
  CHECK(lines("a: Z\xc3\xbcrich\n") == "0@1 ");
}

TEST_CASE("sizes have limits") {
  const auto refused = [](const std::string& text) { return split_documents(text).refused; };
  const std::string ten_mib(10U << 20U, 'x');
  CHECK(refused("a: " + ten_mib) == "");
  CHECK(refused("a: " + ten_mib + ten_mib) == "a document is larger than 16 MiB");
  std::string many;
  for (int i = 0; i < 7; ++i) many += "a: " + ten_mib + "\n---\n";
  CHECK(refused(many) == "is larger than 64 MiB");
}

TEST_CASE("a scalar of 10 MB is read, and cut short in messages") {
  const std::string big(10'000'000, 'x');
  CHECK(problems_of(
            manifests::edited(manifests::kFlavor, "name: shared", "name: shared\n  annotations:\n    note: " + big)) ==
        "in.yaml:6[0] metadata.annotations: are larger than 256 KiB in all\n");
  CHECK(problems_of(manifests::edited(manifests::kFlavor, "name: shared", "name: " + big))
            .starts_with("in.yaml:4[0] metadata.name: `" + std::string(80, 'x') + "...` is not a DNS name"));
}

TEST_CASE("a file full of mistakes is summed up") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "---\nkind: Nothing\n";
  const auto observed = manifests::observe_text(text);
  CHECK(observed.problems.size() == 101);
  CHECK(observed.problems.back().what == "has more problems than are listed");
}

}  // namespace
}  // namespace gpol
