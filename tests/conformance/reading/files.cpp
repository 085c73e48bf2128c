#include "tests/conformance/reading/cases.h"

namespace reading_cases {
namespace {

const char* const kTexts[] = {
    "", "\n", "# only words\n", "---\n", "--- \n---\n", "null\n", "~\n", "8\n", "a\n", "a", "a\nb\n", "- a\n- b\n",
    // collections
    "a:\n- b\n- c\n", "a:\n  - b\n  - c\n", "a:\n  b: c\n  d:\n    e: f\n", "- a: b\n  c: d\n- e\n", "- - a\n  - b\n",
    "-\n  a: b\n", "-\n- a\n", "- \n", "a:\nb:\n", "a:\n\nb: c\n", "a: b\n\n\n# x\nc: d\n", "a: # x\n  b: c\n",
    "a: b # x\n", "a: 'b' # x\n", "a: \"b\" # x\n", "a: \"b\"# x\n", "a:b\n", "a :b\n", "a : b\n", "a:  b\n",
    "\"a\": b\n", "'a': b\n", "\"a\":b\n", "'a b' : c\n", "a b: c\n", "a: b: c\n", "a: b\n c: d\n", "a: b\n  c: d\n",
    " a: b\n", "  a: b\n c: d\n", "a:\n  b: c\n d: e\n", "a:\n  - b\n - c\n", "a:\n- b\n  - c\n", "a: - b\n", "a: [b\n",
    "a: {b\n", "a: \"b\n", "a: 'b\n", "a: b]\n", "a: ]\n", "a: }\n", "- a\nb: c\n", "a: b\n- c\n", "a\nb: c\n",
    "a: b\nc\n", "? a\n: b\n", "? a\n", "? a\n? b\n", "? [a]\n: b\n", "? {a: b}\n: c\n", "?\n: a\n", ": a\n",
    "a: ? b\n", "[a]: b\n", "{a: b}: c\n", "[]: b\n", "[a, b]\n", "[a, b,]\n", "[a,, b]\n", "[,]\n", "[a b, c]\n",
    "[a: b, c]\n", "[a: b: c]\n", "{a, b: c}\n", "{a: b, c}\n", "{a: b,}\n", "{,}\n", "{a:b}\n", "{\"a\":b}\n",
    "{\"a\":1,\"b\":[1,2]}\n", "{a: }\n", "{a: , b: c}\n", "{: a}\n", "{? a : b}\n", "{? a}\n", "{a: [b, {c: d}]}\n",
    "a: [b,\n c]\n", "a: [b,\n  c]\n", "a: [\n  b, # x\n  c\n]\n", "a: {\nb: c\n}\n", "a: [b\n  c]\n", "a: [[]]\n",
    "a: [\"b\", 'c', d]\n", "[a]b\n", "{a: b} c\n", "a: {b: c}}\n", "a: [b]]\n", "[http://a.b/c, d]\n", "[a:b]\n",
    "{a: b:c}\n", "[-]\n", "[- a]\n", "[?a]\n", "[a#b]\n", "[a #b\n]\n", "[\"a\":b]\n", "[\"a\": b]\n", "{a\n: b}\n",
    "{a:\nb}\n",
    // scalars over several lines
    "a: b\n  c\n", "a: b\n  c\n\n  d\n", "a: b\n\n  c\n", "a: b\n  # c\n  d\n", "a: b\n  c # d\n", "a: b\n  - c\n",
    "a: \"b\n  c\"\n", "a: \"b\n\n  c\"\n", "a: \"b \\\n  c\"\n", "a: \"b\\\n   \\ c\"\n", "a: \"b  \n  c\"\n",
    "a: \"b\n\n\n  c\"\n", "a: 'b\n  c'\n", "a: 'b\n\n  c'\n", "a: ' b\n  c '\n", "a: '\n  b'\n", "a: 'b\n  '\n",
    "a: \"b\nc\"\n", "a: 'b\nc'\n", "\"b\n c\": d\n", "b\n c: d\n", "a:\n  b\n  c\n", "a:\n  \"b\"\n",
    "a:\n  'b\n  c'\n", "- b\n  c\n- d\n", "- b\n c\n", "a: b\n\n\n\n  c\nd: e\n", "a: \"b # c\"\n", "a: 'b: c'\n",
    "a: \"b\\n  c\"\n", "a: \"\n  b\n  \"\n", "a: b  \n  c  \n", "a: |\n  b\n  c\n", "a: |\n  b\n\n  c\n\n\nd: e\n",
    "a: |-\n  b\n", "a: |+\n  b\n\n\n", "a: |+\n  b\n\nc: d\n", "a: >\n  b\n  c\n", "a: >\n  b\n\n  c\n",
    "a: >\n  b\n   c\n  d\n", "a: >\n  b\n\n   c\n\n  d\n", "a: >-\n  b\n  c\n", "a: >+\n  b\n\n", "a: |2\n   b\n  c\n",
    "a: |1\n  b\n", "a: |9\n  b\n", "a: |0\n  b\n", "a: |-2\n   b\n", "a: |2-\n   b\n", "a: | # x\n  b\n",
    "a: |x\n  b\n", "a: |\nb: c\n", "a: |\n", "a: |", "a: |\n\n  b\n", "a: |\n    b\n  c\n", "a: |\n  b\n # c\nd: e\n",
    "a: |\n  b\n  # c\nd: e\n", "a: |\n  b", "a: |-\n  b\n\n", "a: |+\n", "a: |+\n\n", "a: |\n   \n  b\n",
    "a: |\n      \n  b\n", "a: |\n  b\n   \n", "a: |\n  \tb\n", "a: |\n\tb\n", "a: |\n b\n\tc\n", "- |\n b\n- c\n",
    "- |\n  b\n c\n", "- - |\n   a\n", "a:\n- |\n  b\n", "a:\n  - |\n   b\n", "|\n a\n", "|\na\n", "> a\n",
    "a: >\n\n  b\n", "a: >\n  b\n\n\n  c\n", "a: >\n  b\n  \n  c\n", "a: >\n   b\n\n  \n", "a: |\n  {\"a\": 1}\n",
    "a: |\n  - b: c\n", "a: \"{\\\"b\\\": 1}\"\n", "a: '{\"b\": 1}'\n", "a: \"b\\\"\n",
    // tabs
    "a:\tb\n", "a: b\t\n", "a: b\t# c\n", "\ta: b\n", "a:\n\tb: c\n", "a:\n  b:\tc\n", "a: [b,\tc]\n", "a: [\n\tb\n]\n",
    "a: b\tc\n", "a: \"b\tc\"\n", "a: 'b\tc'\n", "-\ta\n", "- \ta\n", "a:\t\n  b: c\n", "a: b\n\t\nc: d\n",
    "a: b\n  \tc\n", "a: \"b\n\tc\"\n", "\t\n", "a:\n  - b\n\t- c\n", "{\t\"a\":\t1\t}\n", "?\ta\n:\tb\n", "a\t: b\n",
    "a: \t[b]\n", "a: |\t\n  b\n", "# x\n\t# y\na: b\n", "a: b\n \t # y\nc: d\n",
    // keys
    "1: a\n", "017: a\n", "1.5: a\n", "1e3: a\n", "1e7: a\n", "true: a\nyes: b\n", "yes: a\n", "~: a\n", "null: a\n",
    "\"1\": a\n1: b\n", "'true': a\ntrue: b\n", ".inf: a\n", ".nan: a\n", "2001-01-01: a\n",
    "18446744073709551615: a\n", "16777217.5: a\n", "0x10: a\n16: b\n", "!!str 1: a\n1: b\n", "!!int \"1\": a\n",
    "!!binary aGk=: a\n", "&a b: c\nd: *a\n", "&a b: c\n*a : d\n", "*a: b\n", "\"\": a\n", "'': a\n'': b\n",
    "a: 1\nb: 2\na: 3\n", "a: {b: 1, b: 2}\n", "{a: 1, \"a\": 2}\n", "{\"a\": 1, \"a\": 2}", "- a: 1\n  a: 2\n",
    "!!null x: a\n", "? |\n  a\n: b\n", "? \"a\"\n: b\n", "a:\n? b\n: c\n",
    // anchors, aliases, merges
    "a: &x 1\nb: *x\n", "a: &x {c: 1}\nb: *x\n", "a: &x [1, 2]\nb: *x\nc: [*x, *x]\n", "a: *x\n", "b: *x\na: &x 1\n",
    "a: &x 1\nb: &x 2\nc: *x\n", "a: &x 1\nb: *x\nc: &x 2\nd: *x\n", "a: &x {b: *x}\n", "&x [*x]\n",
    "a: &x\n  b: c\nd: *x\n", "a: &x\nb: *x\n", "- &x a\n- *x\n- [*x]\n", "a: &x-y_1 2\nb: *x-y_1\n",
    "a: &x 1\nb: *x # c\n", "a: &x 1\nb: {c: *x}\n", "a: &x 1\nb: {c: *x, d: 2}\n", "a: &x 1\nb: [*x,*x]\n",
    "a: &x !!str 8\nb: *x\n", "a: &x\n  - 1\nb: *x\n", "&x a: b\nc: *x\n", "&x\na: b\n", "a: &x |\n  b\nc: *x\n",
    "a: &x \"b\"\nc: *x\n", "a: & b\n", "a: * b\n", "a: *x b\n", "a: &x *y\n", "a: &x 1\nb: &y *x\n",
    "a: &x 1\n*x : b\n", "a: &x {}\n? *x\n: b\n", "a: &x ~\n*x : b\n", "a: &x {b: 1}\nc:\n  <<: *x\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", "a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n",
    "a: &x {b: 1, c: 1}\nd: &y {b: 2, e: 2}\nf:\n  <<: [*x, *y]\n",
    "a: &x {b: 1}\nd: &y {b: 2}\nf:\n  <<: *x\n  <<: *y\n", "a: &x {b: 1}\nc: &y\n  <<: *x\n  d: 2\ne:\n  <<: *y\n",
    "a: &x [{b: 1}]\nc:\n  <<: *x\n", "a: &x 1\nc:\n  <<: *x\n", "c:\n  <<: {a: 1}\n",
    "c:\n  <<: [{a: 1}, {a: 2, b: 3}]\n", "c:\n  <<: []\n", "c:\n  <<: 1\n", "c:\n  <<: ~\n", "c:\n  <<:\n",
    "c:\n  <<: [1]\n", "c:\n  \"<<\": {a: 1}\n", "c:\n  '<<': 1\n", "c: {<<: {a: 1}, b: 2}\n", "c: <<\n", "- <<\n",
    "<<: {a: 1}\na: 2\n", "a: 2\n<<: {a: 1}\n", "<<: {a: 1}\n<<: {a: 2}\n", "!!merge <<: {a: 1}\n",
    "!!str <<: {a: 1}\n", "!!merge a: {a: 1}\n", "a: &x {<<: {b: 1}, c: 2}\nd:\n  <<: *x\n",
    "<<: {a: {b: 1}}\na: {c: 2}\n", "<<: &x {a: 1}\nb: *x\n", "a: &x [1]\nc:\n  <<: [*x]\n",
    "a: &x {b: 1}\nc:\n  <<: [*x, [*x]]\n", "c: &x\n  <<: *x\n",
    // documents
    "---\na: 1\n", "a: 1\n---\nb: 2\n", "---\na: 1\n---\nb: 2\n---\n", "a: 1\n---\n---\nb: 2\n",
    "a: 1\n--- # x\nb: 2\n", "--- # x\na: 1\n", "---\t\na: 1\n", "---   \na: 1\n", "--- a\n", "--- {a: 1}\n",
    "---a: 1\n", "a: 1\n---b\n", "a: 1\n--- |\n b\n", "----\na: 1\n", "a: 1\n --- \n", "a: |\n  ---\n  b\n",
    "a: |\n---\nb: 1\n", "a: \"\n---\nb\"\n", "a: 1\n...\n", "a: 1\n...\nb: 2\n", "...\n", "...\na: 1\n",
    "a: 1\n... # x\n", "a: 1\n...\n---\nb: 2\n", "a: 1\n...\n...\n", "a: 1\n.... b\n", "%YAML 1.1\n---\na: 1\n",
    "%YAML 1.2\n---\na: 1\n", "%TAG ! x:\n---\na: !b 1\n", "%YAML 1.1\na: 1\n", "# x\n---\na: 1\n", "\n\n---\na: 1\n",
    "a: 1\r\nb: 2\r\n", "a: 1\r\n---\r\nb: 2\r\n", "---\r\na: \"b\r\n  c\"\r\n", "a: |\r\n  b\r\n  c\r\n",
    "a: b\r\n  c\r\n",
    "\xEF\xBB\xBF"
    "a: 1\n",
    "\xEF\xBB\xBF---\na: 1\n", "\xEF\xBB\xBF{\"a\": 1}", "\xEF\xBB\xBF# x\na: 1\n---\nb: 2\n",
    "a: 1\n---\n\xEF\xBB\xBF"
    "b: 2\n",
    "a: b\xEF\xBB\xBF\n",
    "a: b\xE2\x80\xA8"
    "c: d\n",
    "# b\xC2\x85"
    "c: d\n",
    "a: b\xC2\xA0"
    "c\n",
    "a: \"\x7F\"\n", "a: \xC2\x80\n", "a: \"\x01\"\n", "a: b\xEF\xBF\xBF\n", "a: 1\n---\nb: [\n---\nc: 3\n",
    // JSON
    "{}", "{\"a\": 1}", "{\"a\": 1}{\"b\": 2}", "{\"a\": 1}\n{\"b\": 2}\n", "{\"a\": 1} {\"b\": 2} {\"c\": 3}",
    "{\"a\": 1}\n---\n{\"b\": 2}\n", "{\"a\": 1}\n---\nb: 2\n", " \n {\"a\": 1}\n", "{\"a\": 1}x",
    "{\"a\": 1}{\"b\": 2}x", "{\"a\": 1}\n# x\n", "{a: 1}{b: 2}", "{a: 1}", "{\"a\": 1,}", "{\"a\" 1}", "{\"a\": 01}",
    "{\"a\": 1.0}", "{\"a\": 1.5e3}", "{\"a\": -0}", "{\"a\": 1e400}", "{\"a\": 12345678901234567890}",
    "{\"a\": 123456789012345678901234567890}", "{\"a\": \"\\u0041\\n\\/\\ud83d\\ude00\"}", "{\"a\": \"\\ud83d\"}",
    "{\"a\": \"\\ud83dx\"}", "{\"a\": \"b\tc\"}", "{\"a\": [1, [2, {\"b\": null}], true, false]}", "{\"a\": tru}",
    "{\"a\": \"b}", "{\"a\": {\"b\": 1}", "{\"a\": \"}{\"}{\"b\": \"\\\"}\"}", "{\t\"a\":\t1\n}", "{\n  \"a\": 1\n}\n",
    "[{\"a\": 1}]", "[1]{\"a\": 1}", "{\"a\": yes}", "{\"a\": 017}", "{\"a\": 'b'}", "{\"a\": +1}", "{\"a\": .5}",
    "{\"a\": 1.}", "{\"<<\": {\"b\": 1}}", "{\"a\": 1, \"a\": 1}", "{\"a\": \"\\x41\"}", "{\"a\": 1}}",
    "{\"a\":1}\n\n---\n\n{\"b\":2}\n---\n", "{\"a\": 1}\nb: 2\n", "{\"a\": 1} x: y\nz: 8\n",
    "{\"a\": 1}{\"b\": 2}\nc: 3\n", "{\"a\": 1,}{\"b\": 2}\n", "{\"a\": 1}\n\n---\nb: 2\n",
    "{\"a\": 1}\n{\"b\": 2}\n---\nc: 3\n", "{\"a\": 1}{\"b\": 1,}\n", "a: 1\n---\n{\"a\": \"\\ud83d\\ude00\"}\n",
    "a: 1\n---\n{\"a\": \"\\/\"}\n", "a: 1\n---\n{\"a\": 1e400}\n", "{\"a\": 1}\n---\n{\"b\": \"\\ud83d\\ude00\"}\n",
    "{\"a\": \"\\ud83d\\ude00\"}\n---\nb: 2\n", "{\"a\": 1} \nb", "{\"a\": 1} \nb:", "{\"a\": 1}\n\nb", "{\"a\": 1}abc",
    "{\"a\": 1}abcd",
    "a: 1\n---\n---\n\xEF\xBB\xBF"
    "b: 2\n",
    "# x\n---\n\xEF\xBB\xBF"
    "b: 2\n",
    "---\n---\n\xEF\xBB\xBF"
    "b: 2\n",
    "---# x\na: 1\n", "---# x\n", "a: 1\n---\r\r\nb: 2\n", "a: \"b\\'c\"\n", "a: \"b\\/c\"\n",
    // what kubectl stops at, and what stands in front of it
    "a: 1\n---\nb: {\n---\nc: 3\n", "a: 1\n---\nb: 2\n--- c: 3\n---\nd: 4\n", "a: 1\n---\n--- b: 2\n",
    "a: {\n--- b: 2\n", "a: 1\n---\nb: \"\n---\nc: 3\n", "a: 1\n---#\nb: 2\n", "a: 1\n---# x\n",
    "a: 1\n---\t# x\nb: 2\n",
    // a digit in the header of a block text, behind a tag or an anchor
    "a: !!str |2\n   b\n  c\n", "a: &x |2\n   b\nc: *x\n", "a: &x !!str |1-\n  b\n c\n", "- !!str >2\n    b\n   c\n",
    "- &x |1\n   b\n- *x\n", "a:\n  b: !!str |2+\n     c\n    d\n\n", "a:\n- b: &x >1\n    c\n   d\n",
    "!!str |2\n   a\n", "a: !!str\n  |2\n   b\n", "a: &x\n |1\n  b\n",
    // byte order marks behind a separator
    "---\n\xEF\xBB\xBF"
    "a: 1\n",
    "\xEF\xBB\xBF---\n\xEF\xBB\xBF"
    "a: 1\n",
    "a: 1\n---\n\xEF\xBB\xBF---\nb: 2\n", "a: 1\n---\n\xEF\xBB\xBF{\"b\": 2}\n", "a: 1\n---\n\xEF\xBB\xBF# x\nb: 2\n",
    "a: 1\n---\n# x\n\xEF\xBB\xBF"
    "b: 2\n",
    "a: 1\n---\xEF\xBB\xBF\nb: 2\n",
    "\xEF\xBB\xBF\xEF\xBB\xBF"
    "a: 1\n",
    // templates and what is half written
    "a: {{ .Values.x }}\n", "{{- if .Values.x }}\na: 1\n{{- end }}\n", "a: ${x}\n", "a: \"{{ x }}\"\n", "a: <%= x %>\n",
    "a: $(x)\n", "{{ x }}: a\n", "a:\n  {{- toYaml .Values.x | nindent 2 }}\n", "a: 1\nb", "a: 1\nb:", "a: 1\nb: \"c",
    "a: 1\nb: [c, d", "a: 1\nb: {c: d", "a: 1\n  b: 2", "a: |", "a: &", "a: *", "a: !", "a: !!", "- ", "-",
    "a: 'it's'\n", "a: %b\n", "a: @b\n", "a: `b`\n", "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n"};

}  // namespace

std::vector<std::string> files() {
  std::vector<std::string> list(std::begin(kTexts), std::end(kTexts));
  for (const std::string& scalar : scalars()) {
    list.push_back("a: " + scalar + "\n");
    list.push_back("- " + scalar + "\n- b\n");
    list.push_back("a: [" + scalar + ", b]\n");
    list.push_back("a: {b: " + scalar + "}\n");
    list.push_back(scalar + ": a\n");
    list.push_back("{" + scalar + ": a}\n");
    list.push_back("a: &a " + scalar + "\nb: *a\n");
    list.push_back(scalar + "\n");
  }
  return list;
}

}  // namespace reading_cases
