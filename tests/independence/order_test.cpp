// Verdicts do not depend on the order in which a policy is written. GPOL_ORDERS sets how many orders of each policy are
// tried (default 1).
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/independence/reports.h"
#include "tests/independence/shuffle.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;
using gpol::testing::Dice;

TEST_CASE("a policy in another order has the same verdicts, figures and premises") {
  const char* given = std::getenv("GPOL_ORDERS");
  const int orders = given != nullptr ? std::atoi(given) : 1;
  const auto policies = planned_policies();
  REQUIRE(policies.size() >= 40);
  int tried = 0, moved = 0;
  for (const auto& path : policies) {
    const std::string text = read_text(path);
    const auto as_written = facts_of(*check_policy({path.string(), text}));
    for (int order = 1; order <= orders; ++order, ++tried) {
      Dice dice(static_cast<std::uint64_t>(order));
      const std::string other = shuffled(text, dice);
      CHECK(other.size() == text.size());
      moved += other != text ? 1 : 0;
      INFO(path.string() << ", order " << order << ":\n" << other);
      CHECK(facts_of(*check_policy({path.string(), other})) == as_written);
    }
  }
  std::printf("order: %zu policies, %d orders of them, %d differ from what is written\n", policies.size(), tried,
              moved);
  CHECK(moved * 10 >= tried * 9);
}

TEST_CASE("a policy with mistakes has mistakes in every order") {
  int tried = 0;
  for (const auto& path : all_policies()) {
    const std::string text = read_text(path);
    const auto session = check_policy({path.string(), text}, {Phase::Planned});
    if (session->reached != Phase::Parsed || overall(session->report) != Overall::Error) continue;
    for (std::uint64_t order = 1; order <= 3; ++order) {
      Dice dice(order);
      std::string other;
      try {
        other = shuffled(text, dice);
      } catch (const std::invalid_argument&) {
        break;  // not even parsed: there is nothing to put into another order
      }
      INFO(path.string() << ":\n" << other);
      CHECK(overall(check_policy({path.string(), other})->report) == Overall::Error);
      ++tried;
    }
  }
  CHECK(tried >= 30);
}

TEST_CASE("the order of files on the command line changes no verdict and no exit code") {
  const auto policies = planned_policies();
  const auto said = [](std::vector<std::string> paths) {
    paths.insert(paths.begin(), {"check", "--format", "json"});
    const Ran ran = run_gpol(paths);
    auto json = nlohmann::json::parse(ran.out);
    std::vector<std::string> lines;
    for (const char* list : {"obligations", "assumptions", "diagnostics"})
      for (const auto& item : json.at(list)) lines.push_back(item.dump());
    std::sort(lines.begin(), lines.end());
    lines.push_back(json.at("verdict").dump() + json.at("headline").dump() + std::to_string(ran.code));
    return lines;
  };
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < policies.size(); i += 8) paths.push_back(policies[i].string());
  REQUIRE(paths.size() >= 5);
  const auto first = said(paths);
  Dice dice(1);
  for (int i = 0; i < 3; ++i) {
    shuffle(paths, dice);
    CHECK(said(paths) == first);
  }
}
