// gpol why, on every example and tenant that it can be asked of: what it leaves out is not needed, and of what it names
// each clause is. Taken out here by the places that it prints, and judged by `gpol check`.
#include <nlohmann/json.hpp>

#include <set>

#include "compiler/lint/clauses.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;
using nlohmann::json;

namespace {

// GPUs of the tenant's reserve of which claim and reclaim, as far as they are required, are proven; -1: they are not.
std::int64_t guaranteed(const std::string& text, const std::string& tenant) {
  const json report = json::parse(run_gpol({"check", "-", "--format", "json"}, text).out);
  if (report["verdict"] == "error") return -1;
  std::int64_t gpus = -1;
  for (const json& o : report["obligations"]) {
    if (o["subject"]["tenant"] != tenant || !o["required"].get<bool>()) continue;
    if (o["family"] != "claim" && o["family"] != "reclaim") continue;
    if (o["verdict"] != "proven") return -1;
    if (o["subject"]["resource"] == "nvidia.com/gpu") gpus = o["figures"]["reserve"].get<std::int64_t>();
  }
  return gpus;
}

void take_out(const std::vector<Clause>& clauses, std::size_t clause, std::vector<bool>& out) {
  out[clause] = true;
  for (std::size_t i = 0; i < clauses.size(); ++i)
    if (clauses[i].within == clause) take_out(clauses, i, out);
}

}  // namespace

TEST_CASE("why: all clauses outside can go together, and none inside, in every example", "[slow]") {
  const struct {
    const char *example, *tenant;
    std::int64_t gpus;
  } table[] = {{"morning-ramp", "chat", 16},
               {"morning-ramp", "search", 16},
               {"three-tiers", "assistant", 16},
               {"three-tiers", "coder", 16},
               {"three-tiers", "web", 8}};
  for (const auto& one : table) {
    INFO(one.example << " " << one.tenant);
    const std::string path = std::string(GPOL_ROOT "/examples/") + one.example + "/" + one.example + ".gpol";
    const Ran ran = run_gpol({"why", one.tenant, path, "--format", "json"});
    REQUIRE(ran.code == 0);
    const json told = json::parse(ran.out);
    std::set<std::pair<int, int>> needed;
    for (const json& clause : told["clauses"]) needed.emplace(clause["line"].get<int>(), clause["column"].get<int>());
    SourceSet sources;
    sources.add(path, read_text(path));
    const auto clauses = clauses_of(sources);
    CHECK(told["clauses_in_all"] == clauses.size());
    std::vector<bool> out(clauses.size());
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      const LineColumn at = sources.position(0, clauses[i].whole.begin);
      out[i] = !needed.contains({at.line, at.column});
      if (!out[i]) inside.push_back(i);
    }
    CHECK(inside.size() == needed.size());
    CHECK(guaranteed(read_text(path), one.tenant) == one.gpus);
    CHECK(guaranteed(text_without(sources, 0, clauses, out), one.tenant) == one.gpus);
    for (const std::size_t clause : inside) {
      INFO(sources.slice(clauses[clause].shown));
      std::vector<bool> more = out;
      take_out(clauses, clause, more);
      CHECK(guaranteed(text_without(sources, 0, clauses, more), one.tenant) < one.gpus);
    }
  }
}

TEST_CASE("why: whom and what it cannot be asked of", "[slow]") {
  const std::string path = GPOL_ROOT "/examples/morning-ramp/morning-ramp.gpol";
  const Ran nobody = run_gpol({"why", "chta", path});
  CHECK(nobody.code == 2);
  CHECK(nobody.err.find("did you mean `chat`?") != std::string::npos);
  CHECK(run_gpol({"why", "finetune", path}).err.find("its class promises nothing") != std::string::npos);
  CHECK(run_gpol({"why", "chat"}).code == 2);
  CHECK(run_gpol({"why", "chat", "/nowhere.gpol"}).code == 2);
  CHECK(run_gpol({"why", "chat", "-"}, "tenant").code == 1);
  const Ran refuted = run_gpol({"why", "search", GPOL_ROOT "/examples/morning-ramp/unsafe-slow-start.gpol"});
  CHECK(refuted.code == 1);
  CHECK(refuted.err.find("is refuted") != std::string::npos);
  const Ran same = run_gpol({"why", "chat", path});
  CHECK(same.out == run_gpol({"why", "chat", path}).out);
  CHECK(same.out.find("nobody else can hold its 16 GPUs of `live`; it needs 12 of 53 clauses") != std::string::npos);
}
