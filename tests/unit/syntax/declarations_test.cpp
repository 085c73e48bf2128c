// Every form of every declaration, and what the tree keeps of it.
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/unit/syntax/parsed.h"

using namespace gpol;
using gpol::test::Mistakes;
using gpol::test::parsed;

namespace {

std::string written(const ast::Quantity& q) { return q.number + "|" + q.unit; }
std::string written(const ast::Amounts& amounts) {
  std::string out;
  for (const auto& q : amounts) out += (out.empty() ? "" : ", ") + written(q);
  return out;
}

}  // namespace

TEST_CASE("the example parses without a diagnostic") {
  std::ifstream in(GPOL_ROOT "/examples/morning-ramp/morning-ramp.gpol", std::ios::binary);
  REQUIRE(in);
  std::ostringstream text;
  text << in.rdbuf();
  const auto p = parsed(text.str());
  CHECK(p.mistakes() == Mistakes{});
  REQUIRE(p.decls().size() == 15);
  CHECK(p.decl<ast::Cluster>(3).schedulers.at(0).version->text == "0.19.2");
  CHECK(p.decl<ast::Trust>(14).by.text == "@platform");
}

TEST_CASE("language") {
  const auto p = parsed("language 1");
  REQUIRE(p.mistakes() == Mistakes{});
  CHECK(written(p.decl<ast::Language>(0).version) == "1|");
  CHECK(p.text(p.decls()[0].span) == "language 1");
}

TEST_CASE("cluster") {
  const auto p = parsed(R"(cluster eu {
  scheduler kueue v0.19.2 { round within 5s; release within 10 s }
  scheduler volcano
  nodes h100 { count 2..10; each 8 gpus, 2 TiB; gpu H100-80GB; daemons take 8 cpu; tolerate 1 lost; spot notice 120s }
  nodes one { count 6 each 1 gpu, 8 cpu gpu A100 }
  pool live on h100 take 3 nodes
  pool spot on h100 take the rest
  pool rest on one
  pool both on h100 label node-role.kubernetes.io/gpu = H100 taint "sku=gpu:NoExecute" pool last on h100
    taint sku:NoExecute label gpus=8
  writers user "x"
})");
  REQUIRE(p.mistakes() == Mistakes{});
  const auto& c = p.decl<ast::Cluster>(0);
  CHECK(c.name.text == "eu");
  REQUIRE(c.schedulers.size() == 2);
  CHECK(c.schedulers[0].version->text == "v0.19.2");
  CHECK(written(c.schedulers[0].round) == "5|s");
  CHECK(written(c.schedulers[0].release) == "10|s");
  CHECK_FALSE(c.schedulers[1].version);
  REQUIRE(c.nodes.size() == 2);
  const auto& items = c.nodes[0].items;
  REQUIRE(items.size() == 6);
  CHECK(written(std::get<ast::NodesCount>(items[0].node).least) == "2|");
  CHECK(written(*std::get<ast::NodesCount>(items[0].node).most) == "10|");
  CHECK(p.text(items[0].span) == "count 2..10");
  CHECK(written(std::get<ast::NodesEach>(items[1].node).amounts) == "8|gpus, 2|TiB");
  CHECK(std::get<ast::NodesGpu>(items[2].node).model.text == "H100-80GB");
  CHECK(written(std::get<ast::NodesDaemons>(items[3].node).amounts) == "8|cpu");
  CHECK(written(std::get<ast::NodesTolerate>(items[4].node).lost) == "1|");
  CHECK(written(std::get<ast::NodesSpot>(items[5].node).notice) == "120|s");
  CHECK_FALSE(std::get<ast::NodesCount>(c.nodes[1].items[0].node).most);
  CHECK(written(std::get<ast::NodesEach>(c.nodes[1].items[1].node).amounts) == "1|gpu, 8|cpu");
  CHECK(std::get<ast::NodesGpu>(c.nodes[1].items[2].node).model.text == "A100");
  REQUIRE(c.pools.size() == 5);
  CHECK(written(*c.pools[0].take) == "3|");
  CHECK_FALSE(c.pools[0].rest);
  CHECK(c.pools[1].rest);
  CHECK_FALSE(c.pools[1].take);
  CHECK(c.pools[1].name.text == "spot");
  CHECK(c.pools[2].name.text == "rest");
  CHECK_FALSE(c.pools[2].rest);
  CHECK(p.text(c.pools[2].span) == "pool rest on one");
  CHECK_FALSE(c.pools[2].label);
  CHECK_FALSE(c.pools[2].taint);
  CHECK(c.pools[3].label->text == "node-role.kubernetes.io/gpu=H100");
  CHECK(p.text(c.pools[3].label->span) == "node-role.kubernetes.io/gpu = H100");
  CHECK(c.pools[3].taint->text == "sku=gpu:NoExecute");
  CHECK(c.pools[4].taint->text == "sku:NoExecute");
  CHECK(c.pools[4].label->text == "gpus=8");
  CHECK(c.writers.size() == 1);
}

TEST_CASE("cohort") {
  const auto p = parsed(R"(cohort all
cohort team in all {
  quota 8 gpus, 64 cpu of shared
  lend at most 2 gpus of shared; borrow without limit
})");
  REQUIRE(p.mistakes() == Mistakes{});
  CHECK_FALSE(p.decl<ast::Cohort>(0).parent);
  const auto& c = p.decl<ast::Cohort>(1);
  CHECK(c.parent->text == "all");
  REQUIRE(c.quotas.size() == 1);
  CHECK(written(c.quotas[0].amounts) == "8|gpus, 64|cpu");
  CHECK(c.quotas[0].pool.text == "shared");
  REQUIRE(c.limits.size() == 2);
  CHECK(c.limits[0].kind == ast::Limit::Kind::Lend);
  CHECK(written(c.limits[0].at_most->amounts) == "2|gpus");
  CHECK(c.limits[1].kind == ast::Limit::Kind::Borrow);
  CHECK_FALSE(c.limits[1].at_most);
  CHECK(p.text(c.limits[1].span) == "borrow without limit");
}

TEST_CASE("window") {
  const auto p = parsed("window night = 22:00..06:30 Europe/Zurich daily");
  REQUIRE(p.mistakes() == Mistakes{});
  const auto& w = p.decl<ast::Window>(0);
  CHECK(w.name.text == "night");
  CHECK(w.from.hour == 22);
  CHECK(w.to.minute == 30);
  CHECK(p.text(w.to.span) == "06:30");
  CHECK(w.zone.text == "Europe/Zurich");
  CHECK(w.days.text == "daily");
}

TEST_CASE("class") {
  const auto p = parsed(
      "class batch : C { runs Job, Pod checkpoint every 10min grace 60s (saved in 45s) kill margin 5s ready within "
      "4min }"
      "class other : C { grace 30 s }");
  REQUIRE(p.mistakes() == Mistakes{});
  const auto& c = p.decl<ast::Class>(0);
  CHECK(c.letter.text == "C");
  REQUIRE(c.items.size() == 5);
  CHECK(std::get<ast::ClassRuns>(c.items[0].node).kinds.at(1).text == "Pod");
  CHECK(written(std::get<ast::ClassCheckpoint>(c.items[1].node).every) == "10|min");
  CHECK(written(std::get<ast::ClassGrace>(c.items[2].node).grace) == "60|s");
  CHECK(written(*std::get<ast::ClassGrace>(c.items[2].node).saved_in) == "45|s");
  CHECK(written(std::get<ast::ClassKillMargin>(c.items[3].node).margin) == "5|s");
  CHECK(written(std::get<ast::ClassReady>(c.items[4].node).within) == "4|min");
  CHECK_FALSE(std::get<ast::ClassGrace>(p.decl<ast::Class>(1).items.at(0).node).saved_in);
}

TEST_CASE("tenant") {
  const auto p = parsed(R"(tenant search {
  namespace search-prod, search-canary
  owner @search/team-1
  class standard
  reserve 16 gpus of shared
  quota 40 gpus of burst
  replica 8 gpus, 960 GiB
  start schedule 5s, ready 20.5s (measured 2026-10)
  start image 1 s (derived "state size / bandwidth")
  start warm 2s
  asks at 09:30
  queue { cohort all; lend at most 8 gpus of shared; borrow without limit; queueingStrategy StrictFIFO }
})");
  REQUIRE(p.mistakes() == Mistakes{});
  const auto& t = p.decl<ast::Tenant>(0);
  REQUIRE(t.items.size() == 11);
  CHECK(std::get<ast::TenantNamespace>(t.items[0].node).names.at(1).text == "search-canary");
  CHECK(std::get<ast::TenantOwner>(t.items[1].node).handle.text == "@search/team-1");
  CHECK(std::get<ast::TenantClass>(t.items[2].node).name.text == "standard");
  CHECK(written(std::get<ast::TenantReserve>(t.items[3].node).amounts.amounts) == "16|gpus");
  CHECK(std::get<ast::TenantQuota>(t.items[4].node).amounts.pool.text == "burst");
  CHECK(p.text(std::get<ast::TenantQuota>(t.items[4].node).amounts.span) == "quota 40 gpus of burst");
  CHECK(written(std::get<ast::TenantReplica>(t.items[5].node).amounts) == "8|gpus, 960|GiB");
  const auto& start = std::get<ast::TenantStart>(t.items[6].node);
  CHECK(start.terms.at(1).name.text == "ready");
  CHECK(written(start.terms.at(1).time) == "20.5|s");
  CHECK(start.source->kind == ast::Source::Kind::Measured);
  CHECK(start.source->detail == "2026-10");
  const auto& derived = std::get<ast::TenantStart>(t.items[7].node);
  CHECK(derived.source->kind == ast::Source::Kind::Derived);
  CHECK(derived.source->detail == "state size / bandwidth");
  CHECK_FALSE(std::get<ast::TenantStart>(t.items[8].node).source);
  CHECK(std::get<ast::TenantAsks>(t.items[9].node).at.minute == 30);
  const auto& queue = std::get<ast::TenantQueue>(t.items[10].node);
  CHECK(queue.cohorts.at(0).text == "all");
  REQUIRE(queue.limits.size() == 2);
  CHECK(queue.settings.at(0).field.text == "queueingStrategy");
  CHECK(queue.settings.at(0).value.text == "StrictFIFO");
}

TEST_CASE("allow, prove and trust") {
  const auto p = parsed(R"(allow finetune to borrow up to 8 gpus of shared from search during night, back within 2min
allow finetune to borrow up to 8 gpus of shared from search
allow finetune to borrow up to 8 gpus of shared from search back within 2min
prove batch never holds realtime
prove standard ready within 4min
trust times-hold because "measured; \ is no escape" by @platform
)");
  REQUIRE(p.mistakes() == Mistakes{});
  const auto& a = p.decl<ast::Allow>(0);
  CHECK(a.borrower.text == "finetune");
  CHECK(written(a.amounts) == "8|gpus");
  CHECK(a.pool.text == "shared");
  CHECK(a.lender.text == "search");
  CHECK(a.window->text == "night");
  CHECK(written(*a.back_within) == "2|min");
  CHECK_FALSE(p.decl<ast::Allow>(1).window);
  CHECK_FALSE(p.decl<ast::Allow>(1).back_within);
  CHECK_FALSE(p.decl<ast::Allow>(2).window);
  CHECK(p.decl<ast::Allow>(2).back_within);
  const auto& holds = std::get<ast::ProveHolds>(p.decl<ast::Prove>(3).node);
  CHECK(holds.holder.text == "batch");
  CHECK(holds.held.text == "realtime");
  const auto& ready = std::get<ast::ProveReady>(p.decl<ast::Prove>(4).node);
  CHECK(ready.name.text == "standard");
  CHECK(written(ready.within) == "4|min");
  const auto& t = p.decl<ast::Trust>(5);
  CHECK(t.premise.text == "times-hold");
  CHECK(t.reason == R"(measured; \ is no escape)");
  CHECK(t.by.text == "@platform");
}

TEST_CASE("words of the language are names where a name stands") {
  const auto p = parsed(
      "tenant language { class spot } cohort queue in language\nallow rest to borrow up to 1 gpu of\nlanguage from "
      "back");
  REQUIRE(p.mistakes() == Mistakes{});
  REQUIRE(p.decls().size() == 3);
  CHECK(p.decl<ast::Tenant>(0).name.text == "language");
  CHECK(p.decl<ast::Cohort>(1).parent->text == "language");
  CHECK(p.decl<ast::Allow>(2).pool.text == "language");
}

TEST_CASE("line breaks, semicolons and columns mean nothing") {
  const auto p = parsed("tenant\na\n{\n;;class\nb;;owner @x\n}\n;\nlanguage 1;tenant b{class x}tenant c{\nclass y\n}");
  CHECK(p.mistakes() == Mistakes{});
  CHECK(p.decls().size() == 4);
}

TEST_CASE("spans are byte offsets") {
  const auto p = parsed(
      "\xEF\xBB\xBF# caf\xC3\xA9 \xE2\x82\xAC\r\ntrust a because \"\xC3\xA9t\xC3\xA9\" by @x\r\ntenant b {\r\n  owner "
      "@y\r\n}\r\n");
  REQUIRE(p.mistakes() == Mistakes{});
  REQUIRE(p.decls().size() == 2);
  CHECK(p.decl<ast::Trust>(0).reason == "\xC3\xA9t\xC3\xA9");
  CHECK(p.text(p.decl<ast::Trust>(0).by.span) == "@x");
  CHECK(p.text(p.decl<ast::Tenant>(1).items.at(0).span) == "owner @y");
  CHECK(p.text(p.decls()[1].span) == "tenant b {\r\n  owner @y\r\n}");
}
