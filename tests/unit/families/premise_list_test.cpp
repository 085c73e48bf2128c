// The closed list of premises: a row says all that is said of a premise, at both doors.
#include <set>

#include "checker/families/given_words.h"
#include "checker/families/premises.h"
#include "tests/support/catch.h"

namespace gpol {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

TEST_CASE("every premise has a key of its own and words for both doors") {
  std::set<std::string_view> keys;
  KueueConfig config;
  config.version = "1.2.3";
  for (const Premise& premise : premises()) {
    INFO(premise.key);
    CHECK(!premise.key.empty());
    CHECK(keys.insert(premise.key).second);
    CHECK(!premise.text.empty());
    CHECK(!premise.enforceable_by.empty());
    const std::string text = text_of(premise, config);
    CHECK(!text.empty());
    CHECK(!has(text, "{"));
    CHECK(has(text, config.version) == has(premise.text_of_manifests, "{version}"));
    const std::string remedy = remedy_of(premise);
    CHECK(has(remedy, "`gpol explain " + std::string(premise.key) + "`"));
    CHECK(has(remedy, "leave out --strict"));
    CHECK(!has(remedy, "{"));
  }
}

// What all rests on is told to everybody: a new premise that nothing rests on yet must change no report.
TEST_CASE("every premise has a ground; no new one is asked for always") {
  const std::set<std::string_view> always = {"admission-only", "objects-unchanged", "others-keep-off",
                                             "controller-as-emitted", "own-namespaces"};
  for (const Premise& premise : premises()) {
    INFO(premise.key);
    REQUIRE(premise.ground != nullptr);
    CHECK(!premise.ground->asked_by.empty());
    CHECK(!premise.ground->asks({}));  // nothing is proven
    CHECK((premise.ground == &ground::kAlways) == (always.count(premise.key) > 0));
  }
}

TEST_CASE("every premise is listed, with who asks for it") {
  const std::string list = premise_list();
  for (const Premise& premise : premises()) {
    INFO(premise.key);
    CHECK(has(list, "| `" + std::string(premise.key) + "` | " + std::string(premise.text) + " | " +
                        std::string(premise.ground->asked_by) + " | "));
    CHECK(has(premise_page(premise.key), premise.ground->asked_by));
  }
}

}  // namespace
}  // namespace gpol
