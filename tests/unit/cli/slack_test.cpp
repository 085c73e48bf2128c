// Slack is true: raised by it everything is proven still, and by one more not. Tried on the examples, by the edit
// itself.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
using nlohmann::json;

namespace {

json checked(const std::string& text) { return json::parse(run_gpol({"check", "-", "--format", "json"}, text).out); }

bool all_proven(const json& report) {
  for (const json& o : report["obligations"])
    if (o["verdict"] != "proven") return false;
  return report["verdict"] == "proven";
}

}  // namespace

TEST_CASE("slack: quotas of a pool raised by it are proven still, and by one more GPU not", "[slow]") {
  const struct {
    const char *example, *pool;
    int quota;
  } table[] = {{"morning-ramp", "burst", 40}, {"three-tiers", "shared", 16}, {"three-tiers", "scratch", 4}};
  for (const auto& one : table) {
    INFO(one.example << " " << one.pool);
    const std::string text = read_text(fmt::format("{}/examples/{}/{}.gpol", GPOL_ROOT, one.example, one.example));
    std::int64_t slack = -1;
    const json report = checked(text);
    for (const json& o : report["obligations"]) {
      if (o["family"] == "claim" || o["family"] == "reclaim") CHECK(o["figures"]["slack"].is_null());
      if (o["family"] == "capacity" && o["subject"]["name"] == one.pool && o["subject"]["resource"] == "nvidia.com/gpu")
        slack = o["figures"]["slack"].get<std::int64_t>();
    }
    REQUIRE(slack > 0);
    const auto raised = [&](std::int64_t by) {
      const std::string was = fmt::format("quota {} gpus of {}", one.quota, one.pool);
      std::string edited = text;
      edited.replace(edited.find(was), was.size(), fmt::format("quota {} gpus of {}", one.quota + by, one.pool));
      return checked(edited);
    };
    CHECK(all_proven(raised(slack)));
    CHECK_FALSE(all_proven(raised(slack + 1)));
  }
}
