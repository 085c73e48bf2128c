// What lies beyond quotas, resolved: base units, names, and what is noted as planned. Mistakes are in the goldens of
// tests/golden/vocabulary.
#include "compiler/policy/constructs.h"
#include "compiler/policy/zones.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

using test::kTenants;
using test::refuses;
using test::Resolved;

std::vector<std::string> planned(const std::string& text) {
  const Resolved resolved(text);
  std::vector<std::string> out;
  for (const PlannedUse& use : resolved.policy().planned) out.push_back(use.construct + " " + use.text);
  return out;
}

TEST_CASE("service levels are kept in milliseconds, thousandths and hundredths of a percent") {
  const Resolved resolved(
      "window day = 08:00..20:00 UTC daily "
      "class fast : A { slo ttft p99.9 < 1.5s during day; burst 2.5x within 1min; headroom at least 12.5% } "
      "class slow : C { floor 1.2k tokens/min; preemptible }");
  const Policy& p = resolved.policy();
  REQUIRE(p.classes[0].slos.size() == 1);
  CHECK(p.classes[0].slos[0].below_ms == 1500);
  CHECK(p.classes[0].slos[0].window == 0);
  CHECK(p.classes[0].burst->factor == 2500);
  CHECK(p.classes[0].headroom == 1250);
  CHECK(p.classes[1].preemptible);
  CHECK(p.classes[1].floor->of == "tokens");
}

TEST_CASE("a multiple of a rate is `k`, `M` or `G`, and its number is whole") {
  const auto floor = [](const std::string& rate) {
    return *Resolved("class c : C { floor " + rate + " }").policy().classes[0].floor;
  };
  CHECK(floor("2M tokens/min").thousandths == 2'000'000'000);
  CHECK(floor("2M tokens/min").window_ms == 60'000);
  CHECK(floor("3G samples/h").thousandths == 3'000'000'000'000);
  CHECK(floor("3G samples/h").window_ms == 3'600'000);
  CHECK(floor("0.5 req/s").thousandths == 500);  // 30 req/min may come at once
  CHECK(floor("30 req/min").thousandths == 30'000);
  refuses("class c : C { floor 2m tokens/min }", "GP0204 1:21 [2m tokens/min] `m` is no multiple of a rate",
          "write `k`, `M` or `G` after the number, or nothing", {});
}

TEST_CASE("the same service level is stated once for one window") {
  test::accepts("class c : A { slo ttft p99 < 1s slo ttft p99 < 2s during w } window w = 08:00..20:00 UTC daily");
  refuses("class c : A { slo ttft p99 < 1s slo ttft p99 < 2s }",
          {"GP0206 1:33 [slo ttft p99 < 2s] `slo ttft p99` is given twice"});
}

TEST_CASE("every use of what is planned is noted, in the order of the text, and nothing else") {
  CHECK(planned(kTenants).empty());
  CHECK(planned(kTenants + "approve changes to chat by @x\nlever l { no allow; hold train; by @x }\n") ==
        std::vector<std::string>{"leverNoAllow no allow", "leverHold hold train"});
  CHECK(planned(kTenants +
                "service s of chat { replicas 1; each 1 gpu; throughput 1 req/s, 5 tokens/s; variation 1.2 }\n"
                "limit chat at gateway g { at most 1 req/s, 5 tokens/s; queue 5 per proxy }\n") ==
        std::vector<std::string>{"serviceThroughput throughput 5 tokens/s", "serviceVariation variation 1.2",
                                 "gatewayAtMost at most 5 tokens/s"});
  CHECK(planned(kTenants + "price 1 EUR per gpu h of live paid by @x incident paid by @x calendar c { 2026-12-25 }")
            .empty());
}

TEST_CASE("a kind of job that proofs do not treat leaves open what batch runs") {
  const Resolved mixed("class c : C { runs Job, RayJob }");
  CHECK(mixed.policy().classes[0].runs.empty());
  CHECK(mixed.policy().classes[0].other_kinds == std::vector<std::string>{"RayJob"});
  CHECK(mixed.policy().planned.size() == 1);
  CHECK(planned("class c : C { runs Job, Pod }").empty());
}

TEST_CASE("new words are still names") {
  test::accepts(
      "window time = 08:00..20:00 UTC daily class burst : A { } class service : B { ready within 4min } "
      "class x : C { } cohort memory { } cohort price in memory { }");
}

TEST_CASE("every planned construct has a family, and every row says something") {
  for (const Construct& row : constructs()) {
    INFO(row.rule);
    CHECK(row.words.empty() == !row.part.empty());
    CHECK((!row.part.empty() || !row.proven.empty() || !row.emitted.empty() || !row.planned.empty() ||
           !row.told.empty()));
    CHECK(construct(row.rule) == &row);  // each once
  }
}

TEST_CASE("a time zone is one of tzdata") {
  REQUIRE(find_zone("Europe/Zurich") == ZoneFound::Yes);
  CHECK(find_zone("Mars/Olympus") == ZoneFound::No);
}

TEST_CASE("a date is a day that exists") {
  for (const char* day : {"2026-12-25", "2028-02-29", "1999-01-01"}) CHECK(is_date(day));
  for (const char* none :
       {"2026-02-29", "2026-13-01", "2026-12", "2026-12-5", "today", "2026-12-25x", "0000-01-01", ""})
    CHECK_FALSE(is_date(none));
}

}  // namespace

}  // namespace gpol
