// A change of a field as an edit of the text it stands in: block and flow style, JSON, Lists, what is absent.
#include "checker/repair/write.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

// The text after the change, and the field as the file spells it; "-" where there is none.
std::pair<std::string, std::string> changed(const std::string& text, const std::string& object,
                                            const std::vector<FieldStep>& path, const std::string& value) {
  SourceSet sources;
  sources.add("in.yaml", text);
  manifest::Fields fields(sources);
  const auto at = static_cast<std::uint32_t>(text.find(object));
  const auto written = write_change(sources, fields, {0, at, at + 1}, path, value);
  if (!written) return {"-", "-"};
  if (written->edits.empty()) return {"no edit", written->field};
  std::string after = text;
  const Edit& edit = written->edits.front();
  after.replace(edit.replace.begin, edit.replace.end - edit.replace.begin, edit.with);
  return {after, written->field};
}

}  // namespace

TEST_CASE("write: a field that is there gets its new value") {
  const auto [after, field] =
      changed("kind: A\nspec:\n  stopPolicy: Hold  # for now\n", "A", {"spec", "stopPolicy"}, "None");
  CHECK(after == "kind: A\nspec:\n  stopPolicy: None  # for now\n");
  CHECK(field == "spec.stopPolicy");
  CHECK(changed("{\"kind\": \"A\", \"spec\": {\"x\": \"y\"}}", "\"A\"", {"spec", "x"}, "None").first ==
        "{\"kind\": \"A\", \"spec\": {\"x\": \"None\"}}");
}

TEST_CASE("write: an absent field goes behind the last one of its parent, in its style") {
  CHECK(changed("kind: A\nspec:\n  a: 1  # one\n  b: 2\n---\nkind: B\n", "A", {"spec", "c"}, "Any").first ==
        "kind: A\nspec:\n  a: 1  # one\n  b: 2\n  c: Any\n---\nkind: B\n");
  CHECK(changed("kind: A\nspec: {a: 1}\n", "A", {"spec", "c"}, "Any").first == "kind: A\nspec: {a: 1, c: Any}\n");
  CHECK(changed("kind: A\nspec: {}\n", "A", {"spec", "c"}, "Any").first == "kind: A\nspec: {c: Any}\n");
  CHECK(changed("{\"kind\": \"A\", \"spec\": {\"a\": 1}}", "\"A\"", {"spec", "c"}, "Any").first ==
        "{\"kind\": \"A\", \"spec\": {\"a\": 1, \"c\": \"Any\"}}");
  CHECK(changed("kind: A\r\nspec:\r\n  a: 1\r\n", "A", {"spec", "c"}, "0").first ==
        "kind: A\r\nspec:\r\n  a: 1\r\n  c: 0\r\n");
}

TEST_CASE("write: no two mappings are added to at one place, so that the order of edits says nothing") {
  const std::string text = "kind: A\nspec:\n  a: 1  # one\n  # more\n  groups:\n  - name: x\n    q: 1\n";
  CHECK(changed(text, "A", {"spec", "p", "r"}, "Any").first ==
        "kind: A\nspec:\n  a: 1  # one\n  p:\n    r: Any\n  # more\n  groups:\n  - name: x\n    q: 1\n");
  CHECK(changed(text, "A", {"spec", "groups", std::size_t{0}, "l"}, "0").first == text + "    l: 0\n");
  CHECK(changed("kind: A\r\nspec:\r\n  groups:\r\n  - q: 1\r\n", "A", {"spec", "p", "r"}, "Any").first ==
        "kind: A\r\nspec:\r\n  p:\r\n    r: Any\r\n  groups:\r\n  - q: 1\r\n");
  CHECK(changed("kind: A\nspec:\n  groups:\n  - q: |\n      1\n", "A", {"spec", "groups", std::size_t{0}, "l"}, "0")
            .first == "kind: A\nspec:\n  groups:\n  - l: 0\n    q: |\n      1\n");
}

TEST_CASE("write: what is put into JSON is JSON") {
  const auto whole = [](const std::string& text) {
    SourceSet sources;
    sources.add("in.json", text);
    manifest::Fields fields(sources);
    const auto at = static_cast<std::uint32_t>(text.find("\"A\""));
    const auto written = write_whole(sources, fields, {0, at, at + 1}, {"spec", "s"}, "{a: {b.c/d: e-f}, g: [h, i]}");
    REQUIRE(written);
    REQUIRE(written->edits.size() == 1);
    std::string after = text;
    const Edit& edit = written->edits.front();
    return after.replace(edit.replace.begin, edit.replace.end - edit.replace.begin, edit.with);
  };
  const std::string value = "{\"a\": {\"b.c/d\": \"e-f\"}, \"g\": [\"h\", \"i\"]}";
  CHECK(whole("{\"kind\": \"A\", \"spec\": {\"s\": null}}") == "{\"kind\": \"A\", \"spec\": {\"s\": " + value + "}}");
  CHECK(whole("{\"kind\": \"A\", \"spec\": {\"s\": {}}}") == "{\"kind\": \"A\", \"spec\": {\"s\": " + value + "}}");
  CHECK(whole("{\"kind\": \"A\", \"spec\": {}}") == "{\"kind\": \"A\", \"spec\": {\"s\": " + value + "}}");
  CHECK(changed("{\"kind\": \"A\", \"spec\": {\"p\": {}}}", "\"A\"", {"spec", "p", "r"}, "Any").first ==
        "{\"kind\": \"A\", \"spec\": {\"p\": {\"r\": \"Any\"}}}");
}

TEST_CASE("write: absent parents come along") {
  const auto [after, field] =
      changed("kind: A\nspec:\n  a: 1\n", "A", {"spec", "preemption", "reclaimWithinCohort"}, "Any");
  CHECK(after == "kind: A\nspec:\n  a: 1\n  preemption:\n    reclaimWithinCohort: Any\n");
  CHECK(field == "spec.preemption.reclaimWithinCohort");
  CHECK(changed("kind: A\nspec: {a: 1}\n", "A", {"spec", "p", "r"}, "Any").first ==
        "kind: A\nspec: {a: 1, p: {r: Any}}\n");
}

TEST_CASE("write: items of lists, and objects in a List") {
  const std::string list = "kind: List\nitems:\n- kind: A\n  spec:\n    r:\n    - name: x\n      q: 1\n- kind: B\n";
  const auto [after, field] = changed(list, "A", {"spec", "r", std::size_t{0}, "lendingLimit"}, "0");
  CHECK(
      after ==
      "kind: List\nitems:\n- kind: A\n  spec:\n    r:\n    - name: x\n      q: 1\n      lendingLimit: 0\n- kind: B\n");
  CHECK(field == "items[0].spec.r[0].lendingLimit");
  CHECK(changed(list, "A", {"spec", "r", std::size_t{1}, "lendingLimit"}, "0").first == "-");
  CHECK(changed(list, "A", {"spec", "r"}, "0").first == "-");
}

TEST_CASE("write: what an alias shares is left alone, and an alias itself is replaced") {
  const std::string one = "kind: A\nspec:\n  a: &l 8\n  b: *l\n";
  CHECK(changed(one, "A", {"spec", "b"}, "0").first == "kind: A\nspec:\n  a: &l 8\n  b: 0\n");
  CHECK(changed(one, "A", {"spec", "a"}, "0") == std::pair<std::string, std::string>{"no edit", "spec.a"});
  CHECK(changed(one, "A", {"spec", "c"}, "0").first == "kind: A\nspec:\n  a: &l 8\n  b: *l\n  c: 0\n");
  CHECK(changed("kind: A\nspec: {a: &l 8, b: *l}\n", "A", {"spec", "c"}, "0").first ==
        "kind: A\nspec: {a: &l 8, b: *l, c: 0}\n");
  CHECK(changed("kind: A\nspec: {a: &l 8}\n", "A", {"spec", "a"}, "0").first == "kind: A\nspec: {a: &l 0}\n");

  const std::string shared = "kind: A\nspec:\n  p: &p\n    x: 1\n  q: *p\n  r:\n    <<: *p\n    z: 1\n";
  for (const char* parent : {"p", "q"})
    for (const char* key : {"x", "y"}) CHECK(changed(shared, "A", {"spec", parent, key}, "0").first == "no edit");
  CHECK(changed(shared, "A", {"spec", "r", "x"}, "0").first == "no edit");
  CHECK(changed(shared, "A", {"spec", "r", "z"}, "0").first ==
        "kind: A\nspec:\n  p: &p\n    x: 1\n  q: *p\n  r:\n    <<: *p\n    z: 0\n");
}

TEST_CASE("write: a parent that is null becomes a mapping") {
  const std::vector<FieldStep> path{"spec", "p", "r"};
  CHECK(changed("kind: A\nspec:\n  p:\n    # later\n  q: 1\n", "A", path, "Any").first ==
        "kind: A\nspec:\n  p: {r: Any}\n    # later\n  q: 1\n");
  CHECK(changed("kind: A\nspec:\n  p: null # none\n", "A", path, "Any").first ==
        "kind: A\nspec:\n  p: {r: Any} # none\n");
  CHECK(changed("kind: A\nspec: {p: ~, q: 1}\n", "A", path, "Any").first == "kind: A\nspec: {p: {r: Any}, q: 1}\n");
  CHECK(changed("{\"kind\": \"A\", \"spec\": {\"p\": null}}", "\"A\"", path, "Any").first ==
        "{\"kind\": \"A\", \"spec\": {\"p\": {\"r\": \"Any\"}}}");
}
