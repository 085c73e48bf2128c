// gpol diff: policies that both sides have alike are judged once, or read for mistakes alone; what is said of the
// others is the same as where everything is proven on both sides.
#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/commands/diff_judge.h"
#include "cli/commands/session.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;

namespace {

std::string policy(const std::string& name, const std::string& ready, const std::string& import = "") {
  return "language 1\n" + import + "cluster " + name +
         " {\n  scheduler kueue 0.19.2 { round within 5s; release within 5s }\n"
         "  nodes h100 { count 2; each 8 gpus, 128 cpu, 1 TiB, 110 pods }\n  pool main on h100\n"
         "  writers user \"system:serviceaccount:flux-system:kustomize-controller\"\n}\n" +
         (import.empty() ? "class batch : C { runs Job; grace 60s; kill margin 5s }\n" : "") +
         "class standard : B { ready within " + ready +
         " }\ntenant chat {\n  namespace chat; class standard; reserve 8 gpus of main; replica 8 gpus\n"
         "  start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (declared \"a first guess\")\n}\n"
         "tenant train { namespace train; class batch; quota 8 gpus of main; shape 8 gpus of main }\n"
         "allow train to borrow up to 8 gpus of main from chat\n";
}

class Sides {
 public:
  void both(const std::string& name, const std::string& text) const {
    was(name, text);
    is(name, text);
  }
  void was(const std::string& name, const std::string& text) const { write_text(dir_ / "old" / name, text); }
  void is(const std::string& name, const std::string& text) const { write_text(dir_ / "new" / name, text); }
  Ran diff(std::vector<std::string> more) const {
    more.insert(more.begin(), {"diff", old(), fresh()});
    return run_gpol(more);
  }
  std::string old() const { return (dir_ / "old").string(); }
  std::string fresh() const { return (dir_ / "new").string(); }

 private:
  struct Folder {
    Scratch scratch;
    std::filesystem::path operator/(const std::string& name) const { return scratch / name; }
  } dir_;
};

// Counts of what the solver was asked differ, and nothing else.
std::string without_counts(const std::string& text) {
  auto all = nlohmann::json::parse(text);
  all["stats"].erase("solver_questions");
  return all.dump();
}

void many(const Sides& sides) {
  const std::string batch = "language 1\nclass batch : C { runs Job; grace 60s; kill margin 5s }\n";
  sides.both("same.gpol", policy("same", "4min"));
  sides.both("late.gpol", policy("late", "1min"));
  sides.both("imports.gpol", policy("imports", "4min", "import \"classes.gpol\"\n"));
  sides.was("classes.gpol", batch);
  sides.is("classes.gpol", batch + "# moved\n");
  sides.was("faster.gpol", policy("faster", "4min"));
  sides.is("faster.gpol", policy("faster", "1min"));
}

}  // namespace

TEST_CASE("diff: what is said is the same where unchanged policies are proven, too") {
  const Sides sides;
  many(sides);
  for (const char* format : {"human", "markdown", "sarif", "junit", "github", "html", "json"}) {
    INFO(format);
    const Ran quick = sides.diff({"--format", format}), whole = sides.diff({"--format", format, "--solve-all"});
    CHECK(quick.code == 1);
    CHECK(quick.code == whole.code);
    CHECK(quick.err == whole.err);
    if (std::string(format) == "json")
      CHECK(without_counts(quick.out) == without_counts(whole.out));
    else
      CHECK(quick.out == whole.out);
  }
}

TEST_CASE("diff: a policy that is alike on both sides, with its imports, is proven at most once") {
  const Sides sides;
  many(sides);
  DiffOptions options;
  options.words = {sides.old(), sides.fresh()};
  for (const Format format : {Format::Human, Format::Json}) {
    options.verify.format = format;
    auto found = find_sources(options);
    Progress progress(nullptr);
    std::istringstream nothing;
    const BothSides judged(std::get<DiffSources>(found), options, nothing, progress);
    std::map<std::string, Phase> after;
    for (const auto& session : judged.after.sessions)
      after[std::filesystem::path(session->sources.path(0)).filename()] = session->reached;
    CHECK(after.at("same.gpol") == (format == Format::Json ? Phase::Proven : Phase::Planned));
    CHECK(after.at("late.gpol") == after.at("same.gpol"));
    CHECK(after.at("imports.gpol") == Phase::Proven);  // what it imports differs
    CHECK(after.at("faster.gpol") == Phase::Proven);
    CHECK(judged.before.sessions.size() == 3);
    CHECK(judged.before.run.policies.size() == judged.after.run.policies.size());
  }
}

TEST_CASE("diff: mistakes of an unchanged policy are told, with what holds of the others") {
  const Sides sides;
  sides.both("broken.gpol", "language 1\ncluster broken {\n");
  sides.both("same.gpol", policy("same", "4min"));
  const Ran quick = sides.diff({}), whole = sides.diff({"--solve-all"});
  CHECK(quick.code == whole.code);
  CHECK(quick.code != 0);
  CHECK(quick.out == whole.out);
  CHECK(quick.err == whole.err);
  CHECK(quick.out.find("broken.gpol") != std::string::npos);
}

TEST_CASE("diff: policies below another gpol.yaml are not taken for the same") {
  const Sides sides;
  sides.both("same.gpol", policy("same", "1min"));
  sides.is("gpol.yaml", "exclude: [\"other\"]\n");
  const Ran quick = sides.diff({}), whole = sides.diff({"--solve-all"});
  CHECK(quick.code == whole.code);
  CHECK(quick.out == whole.out);
}

TEST_CASE("diff: nothing but policies that are alike means the same") {
  const Sides sides;
  sides.both("same.gpol", policy("same", "4min"));
  CHECK(sides.diff({}).out == "means the same\n");
  CHECK(sides.diff({}).code == 0);
}

TEST_CASE("diff: manifests that are alike and named as PATHs are no policies") {
  const Sides sides;
  sides.both("queues.yaml", read_text(GPOL_ROOT "/tests/diff/bases/queues/queues.yaml"));
  sides.both("same.gpol", policy("same", "4min"));
  const std::string was = sides.old() + "/queues.yaml", is = sides.fresh() + "/queues.yaml";
  const Ran quick = run_gpol({"diff", was, is}), whole = run_gpol({"diff", "--solve-all", was, is});
  CHECK(quick.code == 3);  // nobody says who serves
  CHECK(quick.code == whole.code);
  CHECK(quick.out == whole.out);
  CHECK(quick.err == whole.err);
}
