// Mistakes in allows, proofs and trusts; modules; order of declarations; size.
#include <algorithm>
#include <random>

#include "compiler/source/codes.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

using test::accepts;
using test::kTenants;
using test::refuses;

const std::string kNight = "window night = 22:00..06:00 Europe/Zurich daily\n";
std::string rest(const std::string& text) { return kTenants + text; }

TEST_CASE("only batch borrows and only class B lends") {
  accepts(rest("allow train to borrow up to 8 gpus of shared from search"));
  refuses(rest("allow search to borrow up to 8 gpus of shared from search"),
          "GP0305 3:7 [search] tenant `search` is of class B and cannot borrow", "only class C borrows",
          {"class standard: its class"});
  refuses(rest("allow train to borrow up to 8 gpus of live from chat"),
          "GP0305 3:49 [chat] tenant `chat` is of class A and cannot lend", "only class B lends",
          {"class realtime: its class"});
  refuses(rest("allow train to borrow up to 8 gpus of burst from train"),
          {"GP0305 3:50 [train] tenant `train` is of class C and cannot lend"});
}

TEST_CASE("an allow lends what the lender reserves") {
  refuses(rest("allow train to borrow up to 8 gpus of live from search"),
          "GP0305 3:39 [live] tenant `search` has no reserve of `live` to lend", "name a pool that it reserves",
          {"search: the lender"});
  refuses(rest("allow train to borrow up to 9 gpus of shared from search"),
          "GP0305 3:29 [9 gpus] 9 GPUs to borrow, and tenant `search` reserves 8 GPUs", "lend at most the reserve",
          {"reserve 8 gpus of shared: the reserve"});
  refuses(rest("allow train to borrow up to 1 gpus, 185 cpu of shared from search"),
          {"GP0305 3:29 [1 gpus, 185 cpu] 185 cpu to borrow, and tenant `search` reserves 184 cpu"});
  refuses(rest("allow train to borrow up to 0 gpus of shared from search"),
          {"GP0207 3:29 [0 gpus] `borrow up to` of 0 gpus"});
  refuses(rest("allow train to borrow up to 4 cpu of shared from search"),
          {"GP0205 3:29 [4 cpu] `borrow up to` states no gpus"});
  refuses(rest("allow train to borrow up to 8 gpus of shared from search, back within 0s"),
          {"GP0207 3:71 [0s] `back within` of no time at all"});
  const test::Resolved tight(
      test::kCluster +
      "tenant search { namespace search class standard reserve 8 gpus, 100 cpu of shared } "
      "tenant train { namespace train class batch } allow train to borrow up to 8 gpus of shared from search");
  CHECK(tight.policy().allows[0].amount[Resource::Cpu] == 100000);
  CHECK(tight.policy().allows[0].window == kNone);
}

TEST_CASE("the names of an allow are declared") {
  refuses(rest("allow trian to borrow up to 8 gpus of shraed from saerch during nihgt, back within 5 gpus"),
          {"GP0201 3:7 [trian] tenant `trian` is not declared", "GP0201 3:39 [shraed] pool `shraed` is not declared",
           "GP0201 3:51 [saerch] tenant `saerch` is not declared", "GP0201 3:65 [nihgt] window `nihgt` is not declared",
           "GP0203 3:84 [5 gpus] expected a duration such as `60s`, found `5 gpus`"});
}

TEST_CASE("an allow is said once") {
  const std::string allow = "allow train to borrow up to 4 gpus of shared from search";
  accepts(rest(kNight + allow + "\n" + allow + " during night"));
  refuses(
      rest(allow + "\n" + allow),
      "GP0202 4:1 [" + allow + "] tenant `train` is allowed twice to borrow `shared` from `search` in the same window",
      "make them one", {allow + ": first allowed here"});
  const std::string overridden = test::kCluster +
                                 "tenant search { namespace search class standard reserve 8 gpus of shared queue { "
                                 "lend at most 1 gpus of shared } }\n"
                                 "tenant train { namespace train class batch queue { borrow without limit } }\n";
  refuses(overridden + allow,
          {"GP0305 4:7 [train] this allow and the queue of tenant `train` both say how much it borrows",
           "GP0305 4:51 [search] this allow and the queue of tenant `search` both say how much it lends"});
}

TEST_CASE("proofs are about classes that can be proven of") {
  accepts(rest("prove batch never holds realtime prove batch never holds standard prove standard ready within 1min"));
  refuses(rest("prove standard never holds realtime"),
          "GP0302 3:7 [standard] class `standard` is B: only batch is kept from holding", "name a class C",
          {"standard: declared here"});
  refuses(rest("prove batch never holds batch"),
          "GP0302 3:25 [batch] class `batch` is C: only a reserve is kept from being held", "name a class A or B",
          {"batch: declared here"});
  refuses(rest("prove realtime ready within 1min"),
          {"GP0302 3:7 [realtime] class `realtime` is A: only class B has a deadline to be ready within"});
  refuses(rest("prove batch ready within 1min"),
          {"GP0302 3:7 [batch] class `batch` is C: only class B has a deadline to be ready within"});
  refuses(rest("prove bacth never holds relatime"), {"GP0201 3:7 [bacth] class `bacth` is not declared",
                                                     "GP0201 3:25 [relatime] class `relatime` is not declared"});
  refuses(rest("prove standard ready within 8 gpus"),
          {"GP0203 3:29 [8 gpus] expected a duration such as `60s`, found `8 gpus`"});
}

TEST_CASE("a premise is trusted once, for a reason") {
  accepts("trust a because \"x\" by @me trust b because \"x\" by @me");
  refuses("trust a because \"x\" by @me\ntrust a because \"y\" by @you", "GP0202 2:7 [a] premise `a` is trusted twice",
          "keep one of them", {"a: first trusted here"});
  refuses("trust a because \" \" by @me",
          "GP0205 1:1 [trust a because \" \" by @me] premise `a` is trusted for no reason",
          "say why, for whoever reviews this: `because \"...\"`", {});
}

TEST_CASE("files without a cluster are a module: nothing of pools is looked at") {
  const test::Resolved module(
      "class standard : B { ready within 4min } class batch : C { } cohort top { quota 1 gpus of p }\n"
      "tenant a { namespace a class standard reserve 8 gpus of p replica 16 gpus }\n"
      "tenant b { namespace b class batch quota 8 gpus of q queue { lend at most 1 gpus of p } }\n"
      "allow b to borrow up to 9 gpus of p from a");
  CHECK(module.policy().cluster.empty());
  CHECK(module.policy().classes.size() == 2);
  CHECK(module.policy().tenants.size() == 2);
  CHECK(module.policy().allows.empty());
  refuses("class batch : C { } tenant b { namespace b class batch quota 8s of q }",
          {"GP0203 1:62 [8s] expected an amount such as `8 gpus, 128 cpu, 960 GiB`, found `8s`"});
  CHECK(test::Resolved(std::vector<std::string>{}).outcome.value.has_value());
}

TEST_CASE("the files of a policy are one text to names, and diagnostics come file by file") {
  const test::Resolved both(std::vector<std::string>{
      "tenant t { namespace t class batch quota 8 gpus of burst }\nclass batch : C { }", test::kCluster});
  REQUIRE(both.lines().size() == 1);
  CHECK(both.lines()[0] == "GP0202 1:369 [batch] class `batch` is declared twice");
  const test::Resolved split(std::vector<std::string>{
      "language 1 tenant t { namespace t class batch quota 8 gpus of burst }", "language 1\n" + test::kCluster});
  CHECK(split.policy().tenants[0].quotas[0].pool == 2);
  const test::Resolved sorted(std::vector<std::string>{"prove a never holds b\ntenant t { }", "prove c never holds b"});
  CHECK(sorted.lines() == std::vector<std::string>{"GP0201 1:7 [a] class `a` is not declared",
                                                   "GP0201 1:21 [b] class `b` is not declared",
                                                   "GP0205 2:8 [t] tenant `t` has no `class`",
                                                   "GP0205 2:8 [t] tenant `t` has no `namespace`",
                                                   "GP0201 1:7 [c] class `c` is not declared"});
}

// What a policy says, with every index replaced by the name it stands for.
std::vector<std::string> meaning(const Policy& p) {
  const auto words = [](const Resources& r) {
    return fmt::format("{}/{}/{}/{}", r[Resource::Cpu], r[Resource::Memory], r[Resource::Gpu], r[Resource::Pods]);
  };
  std::vector<std::string> all;
  for (const auto& pool : p.pools)
    all.push_back(
        fmt::format("pool {} {} {}..{}", pool.name, p.groups[pool.group].name, pool.nodes_min, pool.nodes_max));
  for (const auto& c : p.cohorts) {
    std::string text = fmt::format("cohort {} in {}", c.name, c.parent == kNone ? "" : p.cohorts[c.parent].name);
    for (const auto& e : c.entries) text += fmt::format(" {}:{}", p.pools[e.pool].name, words(e.quota));
    all.push_back(text);
  }
  for (const auto& t : p.tenants) {
    std::string text = fmt::format("tenant {} {}", t.name, p.classes[t.latency_class].name);
    for (const auto* amounts : {&t.reserves, &t.quotas})
      for (const auto& a : *amounts) text += fmt::format(" {}:{}", p.pools[a.pool].name, words(a.amount));
    if (t.queue.cohort != kNone) text += " in " + p.cohorts[t.queue.cohort].name;
    all.push_back(text);
  }
  for (const auto& a : p.allows)
    all.push_back(fmt::format("allow {} {} {} {} {}", p.tenants[a.borrower].name, p.tenants[a.lender].name,
                              p.pools[a.pool].name, words(a.amount),
                              a.window == kNone ? "" : p.windows[a.window].name));
  for (const auto& h : p.prove_holds)
    all.push_back(fmt::format("holds {} {}", p.classes[h.holder].name, p.classes[h.held].name));
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> messages(const test::Resolved& resolved) {
  std::vector<std::string> all;
  for (const auto& d : resolved.outcome.diagnostics)
    all.push_back(fmt::format("{} [{}] {} > {}", to_string(d.code), resolved.sources.slice(d.span), d.message, d.hint));
  std::sort(all.begin(), all.end());
  return all;
}

std::string joined(const std::vector<std::string>& declarations) {
  std::string text;
  for (const auto& declaration : declarations) text += declaration + "\n";
  return text;
}

TEST_CASE("the order of declarations means nothing") {
  std::vector<std::string> sound = {
      test::kCluster.substr(0, test::kCluster.find("class realtime")),
      "class realtime : A { }",
      "class standard : B { ready within 4min }",
      "class batch : C { }",
      kNight,
      "cohort top { quota 1 gpus of shared }",
      "cohort team in top { quota 2 gpus of burst quota 1 gpus of live lend at most 1 gpus of shared }",
      "tenant chat { reserve 8 gpus of live class realtime namespace chat }",
      "tenant search { namespace search class standard reserve 8 gpus of shared }",
      "tenant train { namespace train queue { cohort team } quota 8 gpus of burst class batch }",
      "allow train to borrow up to 8 gpus of shared from search during night",
      "prove batch never holds realtime",
  };
  std::vector<std::string> broken = sound;
  broken.insert(broken.end(), {"class odd : D { }", "tenant x { namespace y class odd reserve 8 gpus of nope }",
                               "allow chat to borrow up to 99 gpus of shared from search",
                               "prove odd never holds missing", "cohort a in b", "window w = 24:00..06:00 Zurich daily",
                               "tenant z { class standard quota 5s of live }"});
  const auto expected = meaning(test::Resolved(joined(sound)).policy());
  const auto expected_messages = messages(test::Resolved(joined(broken)));
  CHECK(expected_messages.size() >= 9);
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(sound.begin(), sound.end(), random);
    CHECK(meaning(test::Resolved(joined(sound)).policy()) == expected);
    std::shuffle(broken.begin(), broken.end(), random);
    CHECK(messages(test::Resolved(joined(broken))) == expected_messages);
  }
}

// Ten thousand tenants as trees: parsing is not what is measured here.
ast::File many_tenants(SourceSet& sources, int tenants, const std::string& pool) {
  const FileId file = sources.add("many.gpol", test::kCluster);
  ast::File tree = parse(sources, file).value;
  const Span here{file, 0, 1};
  for (int t = 0; t < tenants; ++t) {
    ast::Tenant tenant;
    tenant.name = {fmt::format("tenant-{}", t), here};
    tenant.items.push_back({here, ast::TenantNamespace{{{fmt::format("space-{}", t), here}}}});
    tenant.items.push_back({here, ast::TenantClass{{"batch", here}}});
    for (const std::string& of :
         {std::string("live"), std::string("shared"), std::string("burst"), pool + std::to_string(t)})
      tenant.items.push_back({here, ast::TenantQuota{{{{"1", "gpus", here}}, {of, here}, here}}});
    tree.decls.push_back({here, std::move(tenant)});
  }
  return tree;
}

TEST_CASE("ten thousand tenants resolve, their mistakes too") {
  SourceSet sources;
  const ast::File tree = many_tenants(sources, 10000, "unknown-");
  const auto outcome = resolve(std::span(&tree, 1));
  REQUIRE(outcome.diagnostics.size() == 201);  // kMostMistakes, and that there are more
  CHECK(outcome.diagnostics[199].code == code::UnknownName);
  CHECK(outcome.diagnostics[200].code == code::TooDeepOrLarge);
  CHECK(outcome.diagnostics[200].message == "this file has more than 200 mistakes, the rest is not shown");
}

TEST_CASE("beside a cluster there is a limit of classes, a module may have more") {
  std::string classes;
  for (int i = 0; i < 257; ++i) classes += fmt::format("class c{} : A {{ }}\n", i);
  SourceSet sources;
  const auto module_tree = parse(sources, sources.add("module.gpol", classes)).value;
  CHECK(resolve(std::span(&module_tree, 1)).ok());
  const auto tree = parse(sources, sources.add("policy.gpol", classes + test::kCluster)).value;
  const auto outcome = resolve(std::span(&tree, 1));
  REQUIRE_FALSE(outcome.ok());
  const auto& all = outcome.diagnostics;
  CHECK(std::count_if(all.begin(), all.end(), [](const auto& d) { return d.code == code::TooDeepOrLarge; }) == 1);
}

}  // namespace

}  // namespace gpol
