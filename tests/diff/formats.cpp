// What gpol diff prints for a pull request and for a review board: names of users stay text, nothing is loaded, cuts
// are said.
#include "tests/support/catch.h"
#include "tests/support/manifests.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Sides {
  Scratch dir;
  Sides(const std::string& before, const std::string& after, const std::string& config) {
    for (const auto& [side, text] : {std::pair{"old", &before}, std::pair{"new", &after}}) {
      write_text(dir / side / "queues.yaml", *text);
      write_text(dir / side / "gpol.yaml", config);
    }
  }
  Ran in(const std::string& format) const {
    return run_gpol({"diff", (dir / "old").string(), (dir / "new").string(), "--format", format});
  }
};

const std::string kServes = "queues: {chat: {role: serving}}\n";

}  // namespace

TEST_CASE("diff: one page and one comment say what the terminal says") {
  const std::string train = cluster_queue("train", "nominalQuota: 8");
  const Sides sides(cluster_queue("chat", "nominalQuota: 8, lendingLimit: 0") + train,
                    cluster_queue("chat", "nominalQuota: 8, lendingLimit: 3") + train, kServes);
  const Ran page = sides.in("html"), comment = sides.in("markdown");
  CHECK(page.code == 1);
  CHECK(comment.code == 1);
  CHECK(page.out.starts_with("<!doctype html>"));
  CHECK(has(page.out, "chat keeps 8 GPUs"));
  CHECK(has(page.out, "chat keeps 5 GPUs"));
  CHECK(has(page.out, "others can hold 3 GPUs of chat"));
  CHECK(has(page.out, "train asks for 11 GPUs of <code>h100</code> and is admitted"));
  const std::size_t at = page.out.find("<h3>Changed lines</h3>");
  REQUIRE(at != std::string::npos);
  const std::string changed = page.out.substr(at);
  CHECK(has(changed, "new/queues.yaml:"));
  CHECK(has(changed, "<del>- "));
  CHECK(has(changed, "lendingLimit: 0"));
  CHECK(has(changed, "<ins>+ "));
  CHECK(has(changed, "lendingLimit: 3"));
  CHECK_FALSE(has(changed, "nominalQuota: 8}"));  // a line that did not change
  for (const char* loads : {"<script", "http:", "https:", "url(", "<img", "<link"}) CHECK_FALSE(has(page.out, loads));
  CHECK(has(comment.out, "### gpol: LOST"));
  CHECK(has(comment.out, "| chat | h100 | nvidia.com/gpu | A | 8 GPUs | 0 GPUs -\\> 3 GPUs |"));
  CHECK(has(comment.out, "<details>"));
}

TEST_CASE("diff: what a stranger wrote is text in every format") {
  const std::string config = "queues: {chat: {role: serving}}\nexclude: [\"<img src=x>|@security **now**\"]\n";
  const std::string queue = cluster_queue("chat", "nominalQuota: 8, lendingLimit: 0");
  const Sides sides(queue, queue, config);
  write_text(sides.dir / "old/gpol.yaml", kServes);
  const Ran page = sides.in("html"), comment = sides.in("markdown"), terminal = sides.in("human");
  CHECK(page.code == 1);
  CHECK_FALSE(has(page.out, "<img"));
  CHECK(has(page.out, "&lt;img src=x&gt;"));
  CHECK(has(comment.out, "`<img src=x>|@security **now**`"));  // between backticks nobody is called
  CHECK(has(terminal.out, "gpol.yaml leaves out `<img src=x>|@security **now**` now"));
}

TEST_CASE("diff: a comment is cut below what GitHub takes, and says so") {
  std::string before = cluster_queue("train", "nominalQuota: 8"), after = before, config = "queues:\n";
  for (int i = 0; i < 400; ++i) {
    const std::string name = "a-tenant-with-a-rather-long-name-of-its-own-" + std::to_string(i);
    before += cluster_queue(name, "nominalQuota: 8, lendingLimit: 0");
    after += cluster_queue(name, "nominalQuota: 8, lendingLimit: 1");
    config += "  " + name + ": {role: serving}\n";
  }
  const Sides sides(before, after, config);
  const Ran comment = sides.in("markdown");
  CHECK(comment.out.size() < 60'000);
  CHECK(has(comment.out, "Cut here: "));
  const Ran terminal = sides.in("human");
  CHECK(std::count(terminal.out.begin(), terminal.out.end(), '\n') < 60);
  CHECK(terminal.out.find('\n') < 2000);  // the headline, too
}

TEST_CASE("diff: of two ConfigMaps with a key of one name each counts") {
  const auto shares = [](const char* map, const char* replicas) {
    return std::string("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ") + map +
           "}\ndata:\n  any: |\n    version: v1\n    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, "
           "replicas: " +
           replicas + "}]}}\n---\n";
  };
  const std::string queue = cluster_queue("chat", "nominalQuota: 8, lendingLimit: 0");
  const Sides sides(queue + shares("one", "2") + shares("two", "4"), queue + shares("one", "2") + shares("two", "8"),
                    kServes);
  const Ran said = sides.in("human");
  CHECK(has(said.out, "8 shares of each GPU"));
  CHECK_FALSE(has(said.out, "means the same"));
  CHECK_FALSE(said.out.starts_with("SAME"));
}
