#include "checker/observe/classes_file.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

std::string mistakes_of(const std::string& text) {
  std::string all;
  for (const std::string& problem : read_classes_file(text).problems) all += problem + "\n";
  return all;
}

}  // namespace

TEST_CASE("a file of classes says role, class and deadline of queues") {
  const ClassesFile file = read_classes_file(
      "chat: {role: serving}\n"
      "search: {role: serving, class: B, deadline: 1h30min}\n"
      "train: {role: batch}\n");
  CHECK(file.problems.empty());
  REQUIRE(file.roles.size() == 3);
  CHECK(file.roles.at("chat").kind == QueueRole::Kind::Serving);
  CHECK(file.roles.at("train").kind == QueueRole::Kind::Batch);
  const NamedRole& search = file.roles.at("search");
  CHECK(search.isolation == Isolation::B);
  REQUIRE(search.deadline);
  CHECK(search.deadline->value == 5'400'000);
}

TEST_CASE("a mistake in a file of classes is told once, with its line") {
  CHECK(mistakes_of("a: {role: serving, clas: B, deadline: 4min}\n") ==
        "line 1: a.clas is not a field that is understood\n");
  CHECK(mistakes_of("b: {role: batch}\na: {role: serving, deadline: 4min}\n") ==
        "line 2: a.deadline is for class B: nobody waits for A, and C is promised nothing\n");
  CHECK(mistakes_of("a: {role: serving, class: B, deadline: 4 weeks}\n") ==
        "line 1: a.deadline `4 weeks` is not a duration such as 4min\n");
  CHECK(mistakes_of("a: {role: serving, class: B, deadline: \"\"}\n") ==
        "line 1: a.deadline `` is not a duration such as 4min\n");
  CHECK(mistakes_of("a: {class: A}\n") == "line 1: a.role is required\n");
  CHECK(mistakes_of("a: {role: server}\n") == "line 1: a.role `server` is none of serving, batch, bounded\n");
  CHECK(mistakes_of("a: {role: serving, class: D}\n") == "line 1: a.class `D` is none of A, B, C\n");
  CHECK(mistakes_of("a: serving\n") == "line 1: a must be a mapping, is text\n");
  CHECK(mistakes_of("- a\n") == "line 1: it must be a mapping, is a list\n");
  CHECK(mistakes_of("") == "it must hold one document\n");
  CHECK(mistakes_of("a: {role: serving}\n---\nb: {role: batch}\n") == "it must hold one document\n");
  CHECK(mistakes_of("a: {role: serving\n").starts_with("line "));
}
