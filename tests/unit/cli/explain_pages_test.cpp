// The examples on the pages of `gpol explain` are true: the wrong one gives the page's code, the right one is proven
// and does not.
#include <map>
#include <regex>

#include "checker/families/codes.h"
#include "checker/families/premises.h"
#include "cli/codes.h"
#include "compiler/cluster/codes.h"
#include "compiler/policy/codes.h"
#include "compiler/source/explain_pages.h"
#include "compiler/syntax/codes.h"
#include "emit/codes.h"
#include "tests/support/catch.h"
#include "tests/support/pages.h"

using namespace gpol;
using gpol::test::examples_on;
using gpol::test::read_text;
using gpol::test::run_gpol;

namespace {

// Codes that no text can provoke. The list is closed: the page of each says so, in these words.
constexpr const char* kSaysSo = "No policy is an example of it";
const std::map<Code, std::string> kNoExample = {
    {code::CannotRead, "about a PATH"},
    {code::NoPolicy, "about a directory"},
    {code::CannotWrite, "about what is written"},
    {code::ForeignOutput, "about the output directory"},
    {code::OutputDiffers, "about the output directory"},
    {code::NoEarlier, "about an earlier output"},
    {code::CannotKeep, "about a policy and an earlier output"},
    {code::NotRetired, "about a policy and an earlier output"},
    {code::VolcanoConfigGiven, "about a file that `gpol build` is given"},
    {code::NotWritten, "about `gpol build`"},
    {code::ConfigurationContradicts, "about a file that `gpol build` is given"},
    {code::ConfigurationUnreadable, "about a file that `gpol build` is given"},
    {code::MigConfigGiven, "about a file that `gpol build` is given"},
    {code::ReclaimShort, "plan makes the nominal quota equal to the reserve"},
    {code::PriorityInversion, "no policy leads there: plan gives batch -1"},
    {code::Artefact, "a mistake in gpol, not in a policy"},
};

std::string page_of(Code code) {
  return read_text(std::string(GPOL_ROOT) + "/docs/explain/" + to_string(code) + ".md");
}

// The manifests on a page about those of others.
std::vector<std::string> manifests_on(const std::string& page) {
  const std::string open = "```yaml\n";
  std::vector<std::string> found;
  for (auto at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    found.push_back(page.substr(at, page.find("```", at) - at));
  }
  return found;
}

bool gives(const std::string& report, Code code) {
  return report.find("[" + to_string(code) + "]") != std::string::npos;
}

}  // namespace

TEST_CASE("explain: the wrong example of each page gives its code, the right one is proven", "[slow]") {
  for (const CodeInfo& info : all_codes()) {
    INFO(to_string(info.code));
    if (info.code == code::BadConfig) continue;  // its examples are gpol.yaml's: config_test.cpp
    const auto manifests = kNoExample.count(info.code) ? std::vector<std::string>() : manifests_on(page_of(info.code));
    auto examples = manifests;
    for (const auto& example : examples_on(page_of(info.code))) examples.push_back(example.policy);
    std::vector<std::string> command{manifests.empty() ? "check" : "verify", "-"};
    if (!manifests.empty()) command.emplace_back("--full");
    if (kNoExample.count(info.code)) {
      CHECK(examples.empty());
      CHECK(page_of(info.code).find(kSaysSo) != std::string::npos);
      continue;
    }
    CHECK(examples.size() == 2);
    if (examples.size() != 2) continue;
    const auto wrong = run_gpol(command, examples[0]);
    CHECK(gives(wrong.out, info.code));
    const auto right = run_gpol(command, examples[1]);
    INFO(right.out);
    CHECK(!gives(right.out, info.code));
    if (manifests.empty()) CHECK(run_gpol({"fmt", "--check", "-"}, examples[1]).code == 0);
    CHECK(right.code == 0);
  }
}

TEST_CASE("explain: a page is printed as it is, however the code is spelled") {
  const std::string page = page_of(code::SyntaxError);
  for (const char* word : {"GP0101", "gp0101", "0101"}) CHECK(run_gpol({"explain", word}).out == page);
  const auto list = run_gpol({"explain"});
  CHECK(list.code == 0);
  for (const CodeInfo& info : all_codes())
    CHECK(list.out.find(to_string(info.code) + "  " + std::string(info.title) + "\n") != std::string::npos);
}

TEST_CASE("explain: what examples leave out is said, and shown on demand") {
  CHECK(run_gpol({"explain", "GP1001"}).out.find("# preamble: `gpol explain preamble` shows it") != std::string::npos);
  CHECK(run_gpol({"explain", "preamble"}).out == read_text(std::string(GPOL_ROOT) + "/docs/explain/preamble.gpol"));
}

TEST_CASE("explain: every premise has a page, and docs/language.md lists them as gpol does") {
  const std::string list = run_gpol({"explain", "premises"}).out;
  CHECK(read_text(GPOL_ROOT "/docs/language.md").find("<!-- premises -->\n" + list + "<!-- /premises -->") !=
        std::string::npos);
  const std::string promise = read_text(GPOL_ROOT "/docs/promise.md");
  CHECK(premises().size() == 29);
  for (const Premise& premise : premises()) {
    INFO(premise.key);
    const auto page = run_gpol({"explain", std::string(premise.key)});
    CHECK(page.code == 0);
    CHECK(page.out.find(std::string(premise.text)) != std::string::npos);
    CHECK(list.find("| `" + std::string(premise.key) + "` |") != std::string::npos);
    CHECK(promise.find("| `" + std::string(premise.key) + "` |") != std::string::npos);
  }
}

TEST_CASE("docs: the smallest policy of docs/language.md is proven", "[slow]") {
  const auto examples = examples_on(read_text(GPOL_ROOT "/docs/language.md"));
  REQUIRE(examples.size() == 1);
  const auto ran = run_gpol({"check", "-"}, examples[0].policy);
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK(ran.out.find("warning") == std::string::npos);
}
