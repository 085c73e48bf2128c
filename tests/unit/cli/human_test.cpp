// The human report: excerpts, folding, tables, safety for terminals.
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "checker/families/codes.h"
#include "cli/render/excerpt.h"
#include "cli/render/findings.h"
#include "cli/render/render.h"
#include "cli/render/text.h"

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"
#include "tests/unit/cli/made_report.h"

using namespace gpol;
using gpol::test::MadeReport;
using gpol::test::Ran;
using gpol::test::run_gpol;

namespace {

std::string rendered(const RunReport& run, bool colour = false) {
  std::ostringstream out;
  render_human(run, colour, out);
  return out.str();
}

std::string shown(const std::string& text, std::vector<Label> marks) {
  SourceSet sources;
  sources.add("p.gpol", text);
  return excerpt(sources, marks, Style{});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

}  // namespace

TEST_CASE("excerpt: carets stand under the span, columns are code points") {
  CHECK(shown("class größe : A\n", {{{0, 6, 13}, "here"}}) ==
        " --> p.gpol:1:7\n"
        "  |\n"
        "1 | class größe : A\n"
        "  |       ^^^^^ here\n");
}

TEST_CASE("excerpt: a tab is four columns, wide characters are two") {
  CHECK(shown("\t日本 x\n", {{{0, 8, 9}, ""}}) ==
        " --> p.gpol:1:5\n"
        "  |\n"
        "1 |     日本 x\n"
        "  |          ^\n");
}

TEST_CASE("excerpt: a second place is marked with dashes, a gap with dots") {
  CHECK(shown("one\ntwo\nthree\nfour\n", {{{0, 14, 18}, "again"}, {{0, 0, 3}, "first"}}) ==
        " --> p.gpol:4:1\n"
        "  |\n"
        "1 | one\n"
        "  | --- first\n"
        "...\n"
        "4 | four\n"
        "  | ^^^^ again\n");
}

TEST_CASE("excerpt: the end of a file and an empty span still have a caret") {
  CHECK(shown("ab", {{{0, 2, 2}, ""}}) == " --> p.gpol:1:3\n  |\n1 | ab\n  |   ^\n");
  CHECK(shown("", {{{0, 0, 0}, ""}}) == " --> p.gpol:1:1\n  |\n1 | \n  | ^\n");
}

TEST_CASE("excerpt: a span over several lines is shown on its first line, a long line is cut around it") {
  CHECK(contains(shown("abc {\n}\n", {{{0, 0, 7}, ""}}), "1 | abc {\n  | ^^^^^\n"));
  const std::string text = shown(std::string(5000, 'x') + "HERE" + std::string(5000, 'y'), {{{0, 5000, 5004}, ""}});
  CHECK(text.size() < 600);
  CHECK(contains(text, "xHEREy"));
}

TEST_CASE("printable: nothing that steers a terminal goes through") {
  CHECK(printable("a\x1b[31mb") == "a\\u001b[31mb");
  CHECK(printable("a\u202eb") == "a\\u202eb");                   // right-to-left override
  CHECK(printable("cha\u200bt\ufeff") == "cha\\u200bt\\ufeff");  // without width
  CHECK(printable("\xff\xc3") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(printable("größe 日本") == "größe 日本");
}

TEST_CASE("human: a proof is a table, its premises and the headline") {
  const MadeReport made;
  CHECK(rendered(made.run()) ==
        "serving queue  tenant  class  reserve           others can hold  back within    ready in  verdict  "
        "written at\n"
        "chat           chat    A      8 GPUs of live    0 GPUs           never gone     -         proven   1-2\n"
        "search         search  B      8 GPUs of shared  0 GPUs           2min 5s 500ms  -         proven   1-2\n"
        "\n"
        "premise   key                by         what is taken for granted\n"
        "trusted   nodes-as-declared  @platform  nodes are as declared\n"
        "enforced  admission-only     -          no pod holds a GPU without admission\n"
        "\n"
        "proven under 1 trusted assumption: 2 serving queues, quota level only\n");
}

TEST_CASE("human: a refutation is a claim, a place, a story, a cause and an edit; resources are folded") {
  MadeReport made;
  made.refute(Family::Claim, "chat", code::Claim);
  const std::string text = rendered(made.run());
  CHECK(text.substr(0, text.find("serving queue")) ==
        "error[GP1001]: `train` can hold 8 of the 8 GPUs of `live` that `chat` reserves\n"
        " --> p.gpol:2:2\n"
        "  |\n"
        "2 |     reserve 8 gpus of live  # größe\n"
        "  |     ^^^^^^^^^^^^^^^^^^^^^^^\n"
        "   = [02:00] train  is admitted with 8 GPUs\n"
        "   = [09:30] chat   asks for 8 GPUs and waits\n"
        "   = the same holds of its cpu\n"
        "   = because: p.gpol:1-2\n"
        "   = help: write `lend at most 0 gpus of live`\n"
        "   = run `gpol explain GP1001`\n"
        "\n");
}

TEST_CASE("human: the GPUs are told, whatever the order") {
  MadeReport made;
  made.refute(Family::Reclaim, "search", code::ReclaimNever);
  std::swap(made.report.obligations[3], made.report.obligations[7]);
  const auto found = findings(made.run().policies[0], {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].told->subject.resource == "nvidia.com/gpu");
  CHECK(found[0].also == std::vector<std::string_view>{"cpu"});
}

TEST_CASE("human: at most twenty findings are told in full") {
  MadeReport made;
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back("q" + std::to_string(i));
  for (const std::string& name : names) made.add(Family::Claim, code::Claim, name, "live", "nvidia.com/gpu", true);
  for (const std::string& name : names) made.refute(Family::Claim, name, code::Claim);
  const std::string text = rendered(made.run());
  CHECK(count(text, "error[GP1001]") == 20);
  CHECK(contains(text, "and 10 more findings"));
}

TEST_CASE("human: without a clock the steps of a story are numbered") {
  MadeReport made;
  auto detail = std::make_shared<Detail>();
  detail->message = "m";
  detail->story = {{"", "a", "x"}, {"", "b", "y"}};
  made.report.obligations[0].verdict = Verdict::Refuted;
  made.report.obligations[0].detail = detail;
  CHECK(contains(rendered(made.run()), "   = [1] a  x\n   = [2] b  y\n"));
}

TEST_CASE("human: colour only where asked for, and the words stay the same") {
  MadeReport made;
  made.refute(Family::Claim, "chat", code::Claim);
  const std::string plain = rendered(made.run(), false);
  const std::string colour = rendered(made.run(), true);
  CHECK(!contains(plain, "\x1b"));
  CHECK(contains(colour, "\x1b[1;31merror[GP1001]\x1b[0m"));
  CHECK(std::regex_replace(colour, std::regex("\x1b\\[[0-9;]*m"), "") == plain);
}

TEST_CASE("of thousands of mistakes the first are told and the rest are counted") {
  std::string input;
  for (int i = 0; i < 1200; ++i)
    input += "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q" + std::to_string(i) +
             "}\nspec: {queueingStrategy: Nope}\n";
  const Ran human = run_gpol({"verify", "-"}, input);
  CHECK(human.code == 1);
  CHECK(human.out.find("\nand 1100 more mistakes, by code: GP0602 1100\n") != std::string::npos);
  CHECK(human.out.find("error: 1200 mistakes") != std::string::npos);
  std::size_t told = 0;
  for (std::size_t at = human.out.find("error[GP0602]"); at != std::string::npos;
       at = human.out.find("error[GP0602]", at + 1))
    ++told;
  CHECK(told == 100);
  const auto report = nlohmann::json::parse(run_gpol({"verify", "-", "--format", "json"}, input).out);
  CHECK(report["diagnostics"].size() == 1000);
  CHECK(report["stats"]["diagnostics_left_out"] == 200);
}
