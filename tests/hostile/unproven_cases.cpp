// Large policies that are not proven: ten thousand tenants, and the same wrong with half of them.
#include <fmt/format.h>

#include "tests/hostile/cases.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

constexpr int kTenants = 10'000;

struct Made {
  int nodes = kTenants;              // of 8 GPUs, all in one pool
  const char* serving = "standard";  // its class
  const char* batch = "";            // clauses of each tenant of batch
  const char* lends = "";            // clauses of each serving tenant
  bool different = false, borrows = false, trusted = true;
};

std::string policy(const Made& made) {
  std::string text = fmt::format(
      "cluster demo {{\n"
      "  scheduler kueue 0.19.2 {{ round within 5s; release within 5s }}\n"
      "  nodes h100 {{ count {}; each 8 gpus, 16 cpu, 4 GiB, 20 pods }}\n"
      "  pool main on h100\n"
      "  writers user \"x\"\n"
      "}}\n"
      "cohort everyone\n"
      "window night = 22:00..06:00 Europe/Zurich daily\n"
      "class realtime : A {{ }}\n"
      "class standard : B {{ ready within 100h; grace 30s; kill margin 5s }}\n"
      "class batch : C {{ runs Job; grace 60s; kill margin 5s }}\n",
      made.nodes);
  const std::string start = std::string(made.serving) == "standard"
                                ? "start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (measured 2026-10)"
                                : "";
  for (int i = 0; i < kTenants / 2; ++i) {
    text += fmt::format(
        "tenant s{0} {{ namespace s{0}; class {1}; reserve {2} gpus of main; replica {3} gpus; {4} {5} }}\n", i,
        made.serving, made.different ? i + 1 : 8, made.different ? 1 : 8, start, made.lends);
    text += fmt::format("tenant b{0} {{ namespace b{0}; class batch; quota {1} gpus of main; {2} }}\n", i,
                        made.borrows ? 0 : 8, made.batch);
    if (made.borrows) text += fmt::format("allow b{0} to borrow up to 8 gpus of main from s{0} during night\n", i);
  }
  if (made.trusted)
    for (const char* key :
         {"nodes-as-declared", "controller-as-emitted", "times-hold", "batch-runs-on", "requests-as-declared"})
      text += fmt::format("trust {} because \"x\" by @platform\n", key);
  return text;
}

Case holds(const char* name, const Made& made, std::string phrase) {
  return {name, [made](const auto& dir) { write_text(dir / "p.gpol", policy(made)); }, "p.gpol", 1, std::move(phrase)};
}

}  // namespace

std::vector<Case> cases_of_unproven() {
  constexpr const char* kShape = "shape 8 gpus of main";
  constexpr const char* kBorrows = "shape 8 gpus of main; queue { cohort everyone; borrow without limit }";
  constexpr const char* kLends = "queue { cohort everyone; lend without limit }";
  const int sum_of_different = 2'000'000;  // nodes: 12,502,500 GPUs and the quotas of batch
  return {
      holds("premises are open", {.batch = kShape, .trusted = false}, "deletes the ValidatingAdmissionPolicyBinding"),
      holds("premises are open, and a window lends", {.batch = kShape, .borrows = true, .trusted = false},
            "5 premises are open"),
      holds("premises are open, every reserve is another",
            {.nodes = sum_of_different, .batch = kShape, .different = true, .trusted = false}, "5 premises are open"),
      holds("quotas beyond the nodes", {.nodes = kTenants / 4, .batch = kShape}, "more like these"),
      holds("quotas beyond the nodes, of class A", {.nodes = kTenants / 4, .serving = "realtime", .batch = kShape},
            "error[GP1201]"),
      holds("quotas beyond the nodes, and a window lends", {.nodes = kTenants / 4, .batch = kShape, .borrows = true},
            "error[GP1201]"),
      holds("everybody of class A lends to everybody", {.serving = "realtime", .batch = kBorrows, .lends = kLends},
            "5000 serving queues are not protected"),
      holds("everybody lends to everybody, every reserve is another",
            {.nodes = sum_of_different, .batch = kBorrows, .lends = kLends, .different = true},
            "5000 serving queues are not protected"),
      holds("batch of any shape", {.borrows = true}, "error[GP1411]"),
  };
}

}  // namespace gpol::test
