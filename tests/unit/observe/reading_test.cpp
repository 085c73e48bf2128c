// The reading of what others wrote. That it is Kubernetes' is what tests/conformance/reading says; here is what must
// hold where there is no Go, and what Kubernetes has no word on: places, limits, sentences.
#include "checker/observe/batches.h"
#include "checker/observe/documents.h"
#include "checker/observe/templates.h"
#include "tests/support/catch.h"

namespace gpol::manifest {
namespace {

Tree read(const std::string& text) { return parse_document(text, Reading::Kubernetes); }

std::string refusal(const std::string& text) {
  const auto tree = read(text);
  return tree.root ? "" : tree.refused + " @" + std::to_string(tree.refused_line);
}

void show(const Node& node, std::string& out) {
  constexpr const char* kinds[] = {"null", "text", "int", "float", "bool", "ambiguous", "list", "map"};
  out += kinds[static_cast<std::size_t>(node.kind)];
  if (!node.text.empty()) out += " " + node.text;
  if (node.kind == Node::Kind::List) out += "[";
  for (const auto& item : node.items) {
    show(item, out);
    out += ",";
  }
  if (node.kind == Node::Kind::List) out += "]";
  if (node.kind == Node::Kind::Map) out += "{";
  for (const auto& entry : node.entries) {
    show(entry.value, out += entry.key + ":");
    out += ",";
  }
  if (node.kind == Node::Kind::Map) out += "}";
}

std::string shown(const std::string& text) {
  const auto tree = read(text);
  std::string out = tree.refused;
  if (tree.root) show(*tree.root, out);
  return out;
}

// The text of a node, of its value's entries, and so on: what a caret would stand under.
void places(const Node& node, const std::string& text, std::string& out) {
  out += "<" + text.substr(node.begin, node.end - node.begin) + ">" + std::to_string(node.line);
  for (const auto& item : node.items) places(item, text, out += " ");
  for (const auto& entry : node.entries)
    places(entry.value, text, out += " " + text.substr(entry.begin, entry.end - entry.begin) + "=");
}

std::string places(const std::string& text) {
  std::string out;
  const auto tree = read(text);
  REQUIRE(tree.root);
  places(*tree.root, text, out);
  return out;
}

TEST_CASE("scalars are what kubectl sends for them") {
  const std::pair<const char*, const char*> cases[] = {{"yes", "bool true"},
                                                       {"OFF", "bool false"},
                                                       {"017", "int 15"},
                                                       {"0o17", "int 15"},
                                                       {"0x1F", "int 31"},
                                                       {"0b11", "int 3"},
                                                       {"1_000", "int 1000"},
                                                       {"08", "int 8"},
                                                       {"1.5", "float 1.5"},
                                                       {"1e3", "int 1000"},
                                                       {"1e-7", "float 1e-7"},
                                                       {"1e22", "float 1e+22"},
                                                       {"1E", "text 1E"},
                                                       {"1:30", "text 1:30"},
                                                       {"2026-01-01", "text 2026-01-01"},
                                                       {"~", "null"},
                                                       {"'8'", "text 8"},
                                                       {"!!str 8", "text 8"},
                                                       {"!!int '8'", "int 8"},
                                                       {"!!float 8", "int 8"},
                                                       {"!x 8", "text 8"},
                                                       {"!!binary aGk=", "text hi"},
                                                       {"18446744073709551615", "int 18446744073709551615"},
                                                       {"18446744073709551616", "int 18446744073709552000"},
                                                       {"-0", "int 0"},
                                                       {"${x}", "text ${x}"}};
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(shown("a: " + std::string(text) + "\n") == "map{a:" + std::string(expected) + ",}");
  }
  CHECK(shown("a: .inf\n") == "holds an infinity or no number, which JSON cannot hold");
  CHECK(shown("a: !!int x\n") == "holds a value that is not what its tag says");
}

TEST_CASE("keys become text, and no two may become the same") {
  CHECK(shown("1: a\ntrue: b\n1.5: c\n017: d\n") == "map{1:text a,true:text b,1.5:text c,15:text d,}");
  CHECK(refusal("1: a\n'1': b\n") == "holds the key `1` twice in one mapping @2");
  CHECK(refusal("a: 1\nb: 2\na: 3\n") == "holds the key `a` twice in one mapping @3");
  CHECK(refusal("a:\n  b: [{c: d, e: [{f") == "ends inside a `[` or a `{` that nothing closes @2");
  CHECK(refusal("a: [{b: ']', c: \"}]\", # }]\n  d: [{e:\n") == "ends inside a `[` or a `{` that nothing closes @2");
  CHECK(refusal("a:\n  " + std::string(90, '[')) == "holds more than 64 nested levels @2");
  CHECK(refusal("~: a\n") == "holds a key that is not text @1");
  CHECK(refusal("? [a]\n: b\n") == "holds a key that is not text @1");
}

TEST_CASE("aliases and merge keys are expanded; of equal keys the later one counts") {
  CHECK(shown("a: &x {b: 1}\nc: *x\n") == "map{a:map{b:int 1,},c:map{b:int 1,},}");
  CHECK(shown("a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n") == "map{a:map{b:int 1,},c:map{b:int 2,},}");
  CHECK(shown("a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n") == "map{a:map{b:int 1,},c:map{b:int 1,},}");
  CHECK(shown("c:\n  <<: [{a: 1}, {a: 2, b: 3}]\n") == "map{c:map{a:int 1,b:int 3,},}");
  CHECK(refusal("a: &x [*x]\n") == "holds an alias inside of what it stands for @1");
  CHECK(refusal("a: *x\n") != "");
  CHECK(refusal("c:\n  <<: 1\n") == "holds a merge key of something that is no mapping and no list of mappings @2");
}

TEST_CASE("an alias bomb is refused before it takes memory") {
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n", deep = "a: &a [x]\n",
              wide = "a: &a " + std::string(100'000, 'x') + "\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const std::string before = "*" + std::string(1, static_cast<char>(c - 1));
    bomb += std::string(1, c) + ": &" + c + " [" + before + "," + before + "," + before + "," + before + "]\n";
    deep += std::string(1, c) + ": &" + c + " [[[" + before + "]]]\n";
  }
  for (int i = 0; i < 1000; ++i) wide += "k" + std::to_string(i) + ": *a\n";
  CHECK(refusal(bomb).substr(0, 40) == "grows by more than 16 MiB through its al");
  CHECK(refusal(wide).substr(0, 40) == "grows by more than 16 MiB through its al");
  CHECK(refusal(deep).substr(0, 32) == "holds more than 64 nested levels");
}

TEST_CASE("every node and key knows its place, also behind characters of several bytes") {
  CHECK(places("a: b\nc:\n  - d # e\n  - \"f\"\n") ==
        "<a: b\nc:\n  - d # e\n  - \"f\">1 a=<b>1 c=<- d # e\n  - \"f\">3 <d>3 <\"f\">4");
  CHECK(places("Z\xc3\xbcrich: \"\xf0\x9f\x98\x80 x\"\nb: 'c''d'\n") ==
        "<Z\xc3\xbcrich: \"\xf0\x9f\x98\x80 x\"\nb: 'c''d'>1 Z\xc3\xbcrich=<\"\xf0\x9f\x98\x80 x\">1 b=<'c''d'>2");
  // Only a whole word is null: the empty value ends at its colon, whatever the next key begins with.
  CHECK(places("a:\nnullable: x\n") == "<a:\nnullable: x>1 a=<>1 nullable=<x>2");
  CHECK(places("a:\nnull x: ~\n") == "<a:\nnull x: ~>1 a=<>1 null x=<~>2");
  CHECK(places("a:\nb: ~\nc:\n- d: null\n  e:\n") ==
        "<a:\nb: ~\nc:\n- d: null\n  e:>1 a=<>1 b=<~>2 c=<- d: null\n  e:>4 <d: null\n  e:>4 d=<null>4 e=<>5");
  CHECK(places("a: |\n  b\n\n  c\n\nd: e\n  f\n") == "<a: |\n  b\n\n  c\n\nd: e\n  f>1 a=<|\n  b\n\n  c>1 d=<e\n  f>6");
  CHECK(places("a: {b: [c , d ], e: }\n") ==
        "<a: {b: [c , d ], e: }>1 a=<{b: [c , d ], e: }>1 b=<[c , d ]>1 <c>1 <d>1 e=<>1");
  CHECK(places("a: &x !!str\n  b\nc: *x\n") == "<a: &x !!str\n  b\nc: *x>1 a=<b>2 c=<b>2");
  CHECK(places("{\"a\": [1, {\"b\": \"c\"}]}") ==
        "<{\"a\": [1, {\"b\": \"c\"}]}>1 \"a\"=<[1, {\"b\": \"c\"}]>1 <1>1 <{\"b\": \"c\"}>1 \"b\"=<\"c\">1");
}

TEST_CASE("what is half written is refused where it is cut") {
  CHECK(refusal("a: 1\nb: \"c\n").find("a quoted text that does not end @2") != std::string::npos);
  CHECK(refusal("a: 1\nb: [c, d") != "");
  CHECK(refusal("a: 1\nb: {c: d") != "");
  CHECK(refusal("{\"a\": {\"b\": 1}") != "");
  CHECK(refusal("a: 1\nb") == "holds the key `b` without a colon @2");
  CHECK(refusal("a:\nb: &x\n  c: *x") != "");
  CHECK(refusal("%YAML 1.1\na: 1\n") == "holds a line that begins with %, a directive: kubectl cannot read that @1");
}

TEST_CASE("what is refused has a place in its line; what is cut off is refused behind its last character") {
  const auto at = [](const std::string& text) { return parse_document(text, Reading::Kubernetes).refused_at; };
  CHECK(at("a: 1\nb: {c: d\n\n") == std::string("a: 1\nb: {c: d").size());
  CHECK(at("a: 1\n  b: {{ .x }}\n") == 10);
  CHECK(at("a: {b: 1,\n b: 2}\n") == 11);
  CHECK(at("a: [1, 2]\n? [c]\n: 3\n") == 12);
}

TEST_CASE("a template that was not rendered is called so") {
  const auto helm = refusal("a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n");
  CHECK(helm.find("; it looks like a template that was not rendered ({{): run `helm template` first") !=
        std::string::npos);
  CHECK(refusal("a: 'b\n").find("template") == std::string::npos);
  CHECK(looks_like_template("${GPUS}")->says.find("envsubst") != std::string::npos);
  CHECK(looks_like_template("$(GPUS)")->says.find("kustomize build") != std::string::npos);
  CHECK(looks_like_template("<%= n %>").has_value());
  CHECK(looks_like_template("a ${x} {{ y }}")->at == 2);
  CHECK_FALSE(looks_like_template("8Gi").has_value());
}

TEST_CASE("a file is cut as kubectl cuts it, and one bad document does not hide the others") {
  const auto list = [](const std::string& text) {
    std::string result;
    const auto documents = split_documents(text, Reading::Kubernetes);
    for (const auto& d : documents.list) {
      const auto tree = parse_document(d, Reading::Kubernetes);
      result += std::to_string(d.index) + "@" + std::to_string(d.line) + " ";
      if (!tree.root) result += "(" + tree.refused + " @" + std::to_string(tree.refused_line) + ") ";
    }
    return result + documents.refused;
  };
  CHECK(list("") == "");
  CHECK(list("# only words\n---\n# more\n") == "");
  CHECK(list("a: 1\n--- # x\nb: 2\n---\n---\nc: 3\n") == "0@1 1@3 3@6 ");
  CHECK(list("\xEF\xBB\xBF"
             "a: 1\r\n---\r\nb: 2\r\n") == "0@1 1@3 ");
  CHECK(list("a: 1\n---\nb: [\n---\nc: 3\n").substr(0, 10) == "0@1 1@3 (e");
  CHECK(list("a: 1\n---\nb: [\n---\nc: 3\n").ends_with(" 2@5 "));
  CHECK(list("a: 1\n--- {b: 2}\n---\nc: 3\n") == "0@1 1@3 (holds text on a line that starts with --- @0) 2@4 ");
  CHECK(list("a: 1\n---\nb: \x01\n---\nc: 3\n") == "0@1 1@3 (holds a control character @1) 2@5 ");
  CHECK(list("a: \xff\n") == "0@1 (holds bytes that are not UTF-8 @1) ");
  CHECK(list("a: 1\n# \xE2\x80\xA8"
             "b: 2\n") == "0@1 (holds a line break that few programs show (U+0085, U+2028 or U+2029) @2) ");
  CHECK(list("a: 1\n...\n") == "0@1 ");
  CHECK(list("a: 1\n...\nb: 2\n") ==
        "0@1 (holds text behind its end, which kubectl passes over: an indentation too small, or no `---` @3) ");
  CHECK(list("{\"a\": 1}\n{\"b\": 2} {\"c\":\n3}") == "0@1 1@2 2@2 ");
  CHECK(list("{\"a\": 1}\n---\nb: 2\n") == "0@1 1@3 ");
  CHECK(list("\xFF\xFE"
             "a") == "is UTF-16; save it as UTF-8");
}

TEST_CASE("behind a document that kubectl cannot read, those of the same file are said not to be applied") {
  const auto stops = [](const std::string& text) {
    const YamlFile files[] = {{"a.yaml", text}, {"b.yaml", "z: 1\n"}};
    std::string result;
    each_parsed(
        files, {}, [](FileId, const Documents&) {},
        [&](const ParsedDocument& document) { result += std::to_string(document.text.stopped_at) + " "; });
    return result;
  };
  CHECK(stops("a: 1\n---\nb: 2\n") == "0 0 0 ");
  CHECK(stops("a: 1\n---\nb: [\n---\nc: 3\n---\nd: {\n") == "0 0 3 3 0 ");
  // What stands above a separator with text goes with it.
  CHECK(stops("a: 1\n---\nb: 2\n--- c: 3\n---\nd: 4\n") == "0 4 0 4 0 ");
  // Read by kubectl, refused by gpol: a key twice, what stands behind a document's end.
  CHECK(stops("a: 1\na: 2\n---\nb: 2\n") == "0 0 0 ");
  CHECK(stops("{a: 1} b\n---\nc: 3\n") == "0 0 0 ");
  CHECK(stops("{\"a\": 1}{\"b\": 2}\nc: 3\n") == "0 0 0 0 ");
}

TEST_CASE("JSON is JSON at the beginning of a file, and YAML behind a separator") {
  const auto list = [](const std::string& text) {
    std::string result;
    for (const auto& document : split_documents(text, Reading::Kubernetes).list) {
      const auto tree = parse_document(document, Reading::Kubernetes);
      if (tree.root) show(*tree.root, result);
      result += tree.refused + " ";
    }
    return result;
  };
  const std::string smile = "\xf0\x9f\x98\x80", pair = R"({"a": "\ud83d\ude00"})";
  CHECK(list(pair) == "map{a:text " + smile + ",} ");
  CHECK(list(pair + "\n---\n" + pair) ==
        "map{a:text " + smile +
            ",} is not YAML: found invalid Unicode character escape code while parsing a quoted scalar ");
  CHECK(list("{\"a\": 1}\nb: 2\nc: 3\n") == "map{a:int 1,} map{b:int 2,c:int 3,} ");
  CHECK(list("{\"a\": 1}x") == "map{a:int 1,} holds something that is not JSON, behind an object that is ");
}

TEST_CASE("what the name of an anchor stands for, and what a block text holds behind one") {
  CHECK(shown("a: &x [&x 1, *x]\nb: *x\n") == "map{a:list[int 1,int 1,],b:int 1,}");
  CHECK(shown("a: *x\n") == "holds an alias, *x, of an anchor that is not above it");
  CHECK(shown("a: &x !!str |1-\n   b\n  c\n") == "map{a:text   b\n c,}");
  CHECK(places("\xEF\xBB\xBF"
               "a: \xc3\xbc\n") == "<a: \xc3\xbc>1 a=<\xc3\xbc>1");
  CHECK(places("a: b\r\nc:\r\n- d\r\n") == "<a: b\r\nc:\r\n- d>1 a=<b>1 c=<- d>3 <d>3");
}

TEST_CASE("a document has a limit of values", "[slow]") {
  std::string many = "[";
  for (int i = 0; i < 4'000'001; ++i) many += "1,";
  CHECK(refusal("a: " + many + "1]\n") == "holds more than 4 million values: split it @1");
}

TEST_CASE("a long list as kubectl writes it is read, in YAML and in JSON") {
  std::string yaml = "apiVersion: v1\nitems:\n", json = "{\"apiVersion\": \"v1\", \"items\": [";
  for (int i = 0; i < 20000; ++i) {
    yaml += "- kind: ClusterQueue\n  metadata:\n    annotations:\n      last: |\n        {\"kind\":[1]}\n    name: q" +
            std::to_string(i) + "\n";
    json += (i > 0 ? ", " : "") + std::string("{\"kind\": \"ClusterQueue\", \"metadata\": {\"name\": \"q") +
            std::to_string(i) + "\"}}";
  }
  const auto first = read(yaml + "kind: List\n"), second = read(json + "]}");
  REQUIRE(first.root);
  REQUIRE(second.root);
  CHECK(first.root->entries[1].value.items.size() == 20000);
  CHECK(second.root->entries[1].value.items.size() == 20000);
}

}  // namespace
}  // namespace gpol::manifest
