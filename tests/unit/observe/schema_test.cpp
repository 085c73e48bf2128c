#include "checker/observe/schema/schema.h"

#include <map>
#include <random>
#include <set>

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/syntax.h"
#include "checker/observe/schema/tables.h"
#include "tests/support/catch.h"
#include "tests/support/rule_documents.h"

namespace gpol {
namespace {

using manifest::Entry;
using manifest::kMostViolations;
using manifest::Node;
using manifest::parse_document;
using manifest::Tree;
using manifest::Violation;
using manifest::violations;
using namespace manifest::schema;

const std::string kDocuments = std::string(GPOL_ROOT) + "/tests/conformance/schema/";

Node scalar(Node::Kind kind, std::string text) {
  Node node;
  node.kind = kind;
  node.text = std::move(text);
  return node;
}

Node map_with(std::string key, Node value) {
  Node map;
  map.kind = Node::Kind::Map;
  map.entries.push_back({std::move(key), std::move(value)});
  return map;
}

// An object of the kind in which `value` stands at the end of the steps; "[]" is the only item of a list.
Node object_with(const Kind& kind, const std::vector<std::string>& steps, Node value) {
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (*step != "[]") {
      value = map_with(*step, std::move(value));
      continue;
    }
    Node list;
    list.kind = Node::Kind::List;
    list.items.push_back(std::move(value));
    value = std::move(list);
  }
  std::vector<Entry> head = {{"apiVersion", scalar(Node::Kind::Text, std::string(kind.api))},
                             {"kind", scalar(Node::Kind::Text, std::string(kind.name))}};
  value.entries.insert(value.entries.begin(), head.begin(), head.end());
  return value;
}

std::string path_of(const std::vector<std::string>& steps) {
  std::string path;
  for (const auto& step : steps) path += step == "[]" ? "[0]" : (path.empty() ? "" : ".") + step;
  return path;
}

const Violation* at(const std::vector<Violation>& all, const std::string& field) {
  for (const auto& one : all)
    if (one.field == field) return &one;
  return nullptr;
}

template <class Visit>
void each_type(const Type& type, std::vector<std::string>& steps, Visit visit) {
  visit(type, steps);
  const auto below = [&](const std::string& step, const Type& next) {
    steps.push_back(step);
    each_type(next, steps, visit);
    steps.pop_back();
  };
  const bool list = type.is == Type::Is::List;
  if (type.item != nullptr) return below(list ? "[]" : "any-key", *type.item);
  if (list) steps.push_back("[]");
  for (const Field& field : type.all_fields()) below(std::string(field.name), field.type);
  if (list) steps.pop_back();
}

TEST_CASE("every field of every table refuses a value of another type, at its own path") {
  int fields = 0;
  for (const Kind& kind : kinds()) {
    std::vector<std::string> steps;
    each_type(kind.root, steps, [&](const Type& type, const std::vector<std::string>& to) {
      if (to.empty() || type.is == Type::Is::Any || to[0] == "apiVersion" || to[0] == "kind") return;
      ++fields;
      const bool takes_text = type.is == Type::Is::Text || type.is == Type::Is::Quantity;
      const Node wrong = takes_text ? scalar(Node::Kind::Bool, "true") : scalar(Node::Kind::Text, "word");
      const Node object = object_with(kind, to, wrong);
      const auto found = violations(object);
      const auto* here = at(found, path_of(to));
      INFO(kind.api << " " << kind.name << " " << path_of(to));
      REQUIRE(here != nullptr);
      CHECK(here->rule == "schema:type");
      CHECK(here->at->text == wrong.text);
    });
  }
  CHECK(fields > 500);
}

TEST_CASE("every object of every table refuses a field that it does not have") {
  for (const Kind& kind : kinds()) {
    std::vector<std::string> steps;
    each_type(kind.root, steps, [&](const Type& type, const std::vector<std::string>& to) {
      if (type.is != Type::Is::Object || type.open) return;
      auto below = to;
      below.emplace_back("surplus");
      const Node object = object_with(kind, below, scalar(Node::Kind::Null, ""));
      const auto found = violations(object);
      const auto* here = at(found, path_of(below));
      INFO(kind.name << " " << path_of(below));
      REQUIRE(here != nullptr);
      CHECK(here->rule == "schema:unknown-field");
    });
  }
}

TEST_CASE("every rule is broken by a document that breaks nothing else") {
  std::map<std::string, int> count;
  for (const auto& document : rule_documents_below(kDocuments + "invalid")) {
    const Tree tree = parse_document(document.text);
    INFO(document.file << ", document " << document.index << "\n" << document.text);
    REQUIRE(tree.root);
    const auto found = violations(*tree.root);
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == document.rule);
    CHECK(found[0].field == document.field);
    CHECK(found[0].at->line > 0);
    ++count[found[0].rule];
  }
  std::set<std::string_view> names;
  for (const auto name : rule_names()) {
    INFO(name);
    CHECK(names.insert(name).second);
    CHECK(count[std::string(name)] > 0);
  }
}

TEST_CASE("what a cluster accepts has no violation, however unusual it looks") {
  const auto documents = rule_documents_below(kDocuments + "valid");
  CHECK(documents.size() >= 60);
  for (const auto& document : documents) {
    const Tree tree = parse_document(document.text);
    INFO(document.file << ", document " << document.index << "\n" << document.text);
    REQUIRE(tree.root);
    const auto found = violations(*tree.root);
    INFO((found.empty() ? "" : found[0].field + ": " + found[0].what));
    CHECK(found.empty());
  }
}

std::string said(const std::string& spec, const std::string& version = "v1beta2") {
  const Tree tree = parse_document("apiVersion: kueue.x-k8s.io/" + version +
                                   "\nkind: ClusterQueue\nmetadata: {name: a}\nspec: " + spec);
  std::string all;
  for (const auto& one : violations(*tree.root))
    all += one.field + ": " + one.what + " @" + std::to_string(one.at->line) + "\n";
  return all;
}

TEST_CASE("messages say what is wrong and what may be meant") {
  CHECK(said("\n  cohortNam: gpu") == "spec.cohortNam: is not a field here; did you mean `cohortName`? @5\n");
  CHECK(said("{cohort: gpu}") == "spec.cohort: is not a field here; did you mean `cohortName`? @4\n");
  CHECK(said("{cohortName: gpu}", "v1beta1") == "spec.cohortName: is not a field here; did you mean `cohort`? @4\n");
  CHECK(said("{pool: gpu}") == "spec.pool: is not a field here @4\n");
  CHECK(said("\n  fairSharing:\n    weight: 0.5") ==
        "spec.fairSharing.weight: must be a quantity, is a number with a fraction or an exponent: quote it @6\n");
  CHECK(said("{stopPolicy: hold}") == "spec.stopPolicy: `hold` is none of `None`, `Hold`, `HoldAndDrain` @4\n");
  CHECK(said("\n  resourceGroups:\n    - flavors: null\n      coveredResources: [cpu]") ==
        "spec.resourceGroups[0].flavors: is required @6\n");
}

TEST_CASE("other kinds, other versions and what is no object have no violations") {
  for (const auto* text : {"a: 1", "[]", "x", "null", "kind: ClusterQueue", "{apiVersion: kueue.x-k8s.io/v1beta2}",
                           "{apiVersion: kueue.x-k8s.io/v1alpha1, kind: Cohort, x: 1}", "{apiVersion: v1, kind: Pod}",
                           "{apiVersion: [kueue.x-k8s.io/v1beta2], kind: Cohort}"}) {
    const Tree tree = parse_document(text);
    REQUIRE(tree.root);
    CHECK(violations(*tree.root).empty());
  }
}

// A tree of anything, with the names of fields that the tables know.
Node random_tree(std::mt19937& random, const std::vector<std::string>& names, int depth) {
  constexpr Node::Kind kKinds[] = {Node::Kind::Null,      Node::Kind::Text, Node::Kind::Integer, Node::Kind::Bool,
                                   Node::Kind::Ambiguous, Node::Kind::List, Node::Kind::Map,     Node::Kind::Map};
  Node node = scalar(kKinds[random() % (depth > 0 ? 8 : 5)], "");
  const char* texts[] = {"", "1", "-1", "true", "cpu", "1n", "1e1.5", "99999999999999999999", "1.5", "\xFF\xFE", "a/b"};
  node.text = texts[random() % 11];
  for (auto left = random() % 6; left > 0 && node.kind == Node::Kind::List; --left)
    node.items.push_back(random_tree(random, names, depth - 1));
  for (auto left = random() % 8; left > 0 && node.kind == Node::Kind::Map; --left)
    node.entries.push_back({names[random() % names.size()], random_tree(random, names, depth - 1)});
  return node;
}

TEST_CASE("any tree is judged, within the bound") {
  std::vector<std::string> names = {"", "x", "a.b"};
  for (const Kind& kind : kinds()) {
    std::vector<std::string> steps;
    each_type(kind.root, steps, [&](const Type&, const std::vector<std::string>& to) {
      if (!to.empty()) names.push_back(to.back());
    });
  }
  std::mt19937 random(1);
  std::size_t most = 0;
  for (int i = 0; i < 20000; ++i) {
    const Kind& kind = kinds()[random() % kinds().size()];
    const Field& top = kind.root.all_fields()[random() % kind.root.all_fields().size()];
    const Node object = object_with(kind, {std::string(top.name)}, random_tree(random, names, 7));
    const auto found = violations(object);
    for (const auto& one : found) {
      CHECK(one.at != nullptr);
      CHECK(!one.rule.empty());
    }
    most = std::max(most, found.size());
  }
  CHECK(most <= kMostViolations);
  Node wide = scalar(Node::Kind::Map, "");
  for (int i = 0; i < 100000; ++i) wide.entries.push_back({"k" + std::to_string(i), Node()});
  const auto found = violations(object_with(kinds()[0], {"spec"}, wide));
  CHECK(found.size() == kMostViolations);
}

TEST_CASE("quantities compare as resource.Quantity does") {
  const char* ascending[] = {"-1Ki", "-1",  "-1n", "0",  "1n",  "500m", "0.6",
                             "1",    "1.5", "2",   "1k", "1Ki", "1e9",  "10Ei"};
  for (std::size_t i = 0; i < std::size(ascending); ++i)
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      INFO(ascending[i] << " and " << ascending[j]);
      const int order = compare_quantities(ascending[i], ascending[j]);
      // 10Ei is more than the most that a binary suffix can say, and stands for that.
      CHECK((i < j ? order < 0 : i > j ? order > 0 : order == 0));
    }
  CHECK(compare_quantities("10Ei", "16Ei") == 0);
  CHECK(compare_quantities("0.1n", "1n") == 0);
  CHECK(compare_quantities("1000m", "1.0") == 0);
}

TEST_CASE("syntaxes") {
  const auto both = [](Syntax syntax, std::vector<const char*> good, std::vector<const char*> bad) {
    for (const auto* text : good) {
      INFO(text);
      CHECK(is_of(syntax, text));
    }
    for (const auto* text : bad) {
      INFO(text);
      CHECK_FALSE(is_of(syntax, text));
    }
  };
  both(Syntax::Subdomain, {"a", "1", "a-b.c", "a.b.c"}, {"", ".", "a.", ".a", "a..b", "A", "a_b", "-a", "a-", "a-.b"});
  both(Syntax::Label, {"a", "a-b", "0"}, {"", "a.b", "A", "-"});
  both(Syntax::LabelKey, {"a", "A_b.c", "a.b/C"}, {"", "/a", "a/", "A/b", "a/b/c", "-a"});
  both(Syntax::KindWord, {"Kind", "k8s"}, {"", "8k", "a_b", "a-"});
  both(Syntax::Quantity, {"1", "+1", ".5", "5.", "1Ki", "1e3", "1E-3", "1e1.5", "1n"},
       {"", "-", ".", "1 ", "1Kib", "1ki", "1K", "e3", "1e", "1e+", "0x1"});
  both(Syntax::DateTime, {"2024-02-29T00:00:00Z", "2026-01-31T23:59:59.5+14:00"},
       {"", "2026-02-29T00:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1:00", "2026-01-01t00:00:00Z", "2026-01-01T00:00:0"});
}

}  // namespace
}  // namespace gpol
