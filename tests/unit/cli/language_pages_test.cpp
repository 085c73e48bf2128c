// The pages of docs/language: each concept has one, in one form, and what it says of its examples is what gpol does.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/pages.h"

using namespace gpol;
using gpol::test::examples_on;
using gpol::test::read_text;
using gpol::test::run_gpol;

namespace {

// What the language must be able to say, and the page that says how.
const std::map<std::string, std::string> kConcepts = {
    {"typed units", "units"},
    {"modules, imports, definitions", "modules"},
    {"hardware catalogue: models, MIG profiles, placements", "hardware"},
    {"node groups and pools", "nodes"},
    {"labels and taints that nodes carry already", "node-labels"},
    {"partition modes", "partitions"},
    {"time-slicing and MPS", "shares"},
    {"spot with notice", "spot"},
    {"provider ceilings and lead times", "ceilings"},
    {"loss tolerance", "loss"},
    {"latency classes: isolation, deadline", "classes"},
    {"latency classes: SLOs, burst, headroom, floors", "service-levels"},
    {"latency classes: checkpoint costs", "checkpoints"},
    {"latency classes: start-up costs", "start-up"},
    {"request classes inside a server", "requests"},
    {"tenants, namespaces, owners, budgets", "tenants"},
    {"services, slices per replica, throughput, variation, engine knobs", "services"},
    {"replicas and shapes", "replicas"},
    {"job kinds", "job-kinds"},
    {"quotas and reserves", "quotas"},
    {"lend and borrow rules", "lending"},
    {"queues and cohorts", "queues"},
    {"priorities and preemption", "priorities"},
    {"calendar windows with time zone", "windows"},
    {"gateway limits and overload behaviour", "gateways"},
    {"prices and who pays for an incident", "money"},
    {"properties to prove", "promises"},
    {"trusted premises, exceptions that expire", "trust"},
    {"approvals and emergency levers", "control"},
    {"scheduler, writers, guards", "scheduler"},
};

const std::vector<std::string> kParts = {"Syntax", "Types and units", "Scope", "Default", "Meaning"};

std::string path_of(const std::string& page) { return GPOL_ROOT "/docs/language/" + page + ".md"; }

// "**Proven, warning GP0402**: ..." says how `gpol check` ends and every code that it prints.
struct Said {
  int exit = -1;
  std::set<std::string> codes;
};

std::set<std::string> codes_in(const std::string& text, const std::regex& code) {
  std::set<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), code); it != std::sregex_iterator(); ++it)
    found.insert((*it)[1]);
  return found;
}

Said said(const std::string& paragraph) {
  static const std::map<std::string, int> kExits = {{"Proven", 0}, {"Refuted", 1}, {"Error", 1}, {"Undecided", 3}};
  std::smatch match;
  if (!std::regex_search(paragraph, match, std::regex("^\\*\\*((Proven|Refuted|Error|Undecided)[^*]*)\\*\\*: ")))
    return {};
  return {kExits.at(match[2]), codes_in(match[1], std::regex("(GP\\d{4})"))};
}

}  // namespace

TEST_CASE("language: every concept has its page, and docs/language.md leads to it") {
  const std::string all = read_text(GPOL_ROOT "/docs/language.md");
  std::set<std::string> pages;
  for (const auto& [concept_, page] : kConcepts) {
    INFO(concept_);
    CHECK(pages.insert(page).second);
    CHECK(std::filesystem::exists(path_of(page)));
    CHECK(all.find("](language/" + page + ".md)") != std::string::npos);
  }
  for (const auto& entry : std::filesystem::directory_iterator(GPOL_ROOT "/docs/language")) {
    INFO(entry.path());
    CHECK(pages.count(entry.path().stem().string()) == 1);
  }
}

TEST_CASE("language: every page says syntax, types, scope, default and meaning, and fits a few screens") {
  for (const auto& [concept_, page] : kConcepts) {
    INFO(page);
    const std::string text = read_text(path_of(page));
    std::size_t at = 0;
    for (const std::string& part : kParts) {
      INFO(part);
      at = text.find("\n- **" + part + "**: ", at);
      REQUIRE(at != std::string::npos);
    }
    CHECK(std::count(text.begin(), text.end(), '\n') <= 75);
  }
}

TEST_CASE("language: the examples do what their pages say, one at least well and one not, and are in the one style",
          "[slow]") {
  const std::regex printed("(?:^|\n)(?:error|warning|undecided)\\[(GP\\d{4})\\]");
  for (const auto& [concept_, page] : kConcepts) {
    INFO(page);
    std::set<bool> mistaken;
    for (const auto& example : examples_on(read_text(path_of(page)))) {
      INFO(example.before);
      const Said says = said(example.before);
      const auto ran = run_gpol({"check", "-"}, example.policy);
      INFO(ran.out);
      CHECK(ran.code == says.exit);
      CHECK(codes_in(ran.out, printed) == says.codes);
      CHECK(run_gpol({"fmt", "--check", "-"}, example.policy).code == 0);
      mistaken.insert(says.exit == 1);
    }
    CHECK(mistaken.size() == 2);
  }
}
