#include "emit/layout.h"

#include <set>
#include <string>
#include <vector>

#include "emit/order.h"
#include "tests/support/catch.h"

using namespace gpol;

TEST_CASE("names that Kubernetes allows are file names as they are") {
  for (const std::string name : {"search", "team-a.prod", "h100", "night+business"})
    CHECK(path_component(name) == name);
}

TEST_CASE("no name can leave the directory, hide or become another") {
  CHECK(path_component("..") == "%2E.");
  CHECK(path_component("../../etc") == "%2E.%2F.%2E%2Fetc");
  CHECK(path_component(".hidden") == "%2Ehidden");
  CHECK(path_component("a b\n") == "a%20b%0A");
  CHECK(path_component("") == "%");
  std::set<std::string> components;
  std::size_t count = 0;
  const std::string alphabet = "a./%2E ";
  for (const char a : alphabet)
    for (const char b : alphabet)
      for (const char c : alphabet) {
        const std::string component = path_component(std::string{a, b, c});
        CHECK(component.find("..") == std::string::npos);
        CHECK(component.find('/') == std::string::npos);
        CHECK(component.front() != '.');
        components.insert(component);
        ++count;
      }
  CHECK(components.size() == count);
}

TEST_CASE("names too long for a file system are cut and stay different") {
  const std::string longest(253, 'a');  // a DNS subdomain's limit
  const std::string cut = path_component(longest);
  CHECK(cut.size() == 200);
  CHECK(path_component(std::string(252, 'a') + "b") != cut);
  CHECK(path_component(std::string(200, 'a')) == std::string(200, 'a'));
}

namespace {

std::vector<std::string> ordered_cohorts(std::vector<CohortNode> cohorts) {
  Cluster cluster;
  cluster.cohorts = std::move(cohorts);
  std::vector<std::string> names;
  for (const std::size_t i : cohort_order(cluster)) names.push_back(cluster.cohorts[i].name);
  return names;
}

}  // namespace

TEST_CASE("cohorts come level by level, parents first, then by name") {
  CHECK(ordered_cohorts(
            {{"c", "b", {}, ""}, {"a", "b", {}, ""}, {"b", "z", {}, ""}, {"z", "", {}, ""}, {"y", "", {}, ""}}) ==
        std::vector<std::string>{"y", "z", "b", "a", "c"});
  CHECK(ordered_cohorts({{"a", "without-object", {}, ""}, {"b", "a", {}, ""}}) == std::vector<std::string>{"a", "b"});
  CHECK(ordered_cohorts({{"a", "b", {}, ""}, {"b", "a", {}, ""}}).size() == 2);  // a cycle loses nothing
}

TEST_CASE("serving queues come before those without a role and batch comes last") {
  Cluster cluster;
  for (const char* name : {"batch", "none", "zebra", "apple"}) cluster.queues.emplace_back().name = name;
  Intent intent;
  intent.roles.resize(4);
  intent.roles[0].kind = QueueRole::Kind::Batch;
  intent.roles[2].kind = QueueRole::Kind::Serving;
  intent.roles[3].kind = QueueRole::Kind::Serving;
  CHECK(queue_order(cluster, intent) == std::vector<std::size_t>{3, 2, 1, 0});
  CHECK(queue_order(cluster, Intent{}) == std::vector<std::size_t>{3, 0, 1, 2});
}
