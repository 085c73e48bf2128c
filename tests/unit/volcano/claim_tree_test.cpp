// Who can eat a guarantee, on the worked cases of the reference: ten GPUs, of which `serving` is guaranteed four. The
// same cases are played in the real scheduler by tests/conformance/volcano/judge/examples.sh.
#include "checker/volcano/claim/claim_tree.h"

#include <algorithm>

#include "tests/support/catch.h"

namespace gpol::volcano {
namespace {

constexpr std::int64_t kTotal = 10, kGuarantee = 4;
const std::string kGpu = "nvidia.com/gpu";

Queue queue(const std::string& name, const std::string& parent, std::optional<std::int64_t> capability,
            std::int64_t guarantee = 0) {
  Queue made;
  made.name = name;
  made.parent = parent;
  if (capability) made.capability[kGpu] = *capability;
  if (guarantee > 0) made.guarantee[kGpu] = made.deserved[kGpu] = guarantee;
  return made;
}

// What all others can hold, at quota level and of the nodes, and what is then left to `serving`.
std::int64_t claimable(std::vector<Queue> queues, bool hierarchical) {
  Setup setup;
  setup.queues = std::move(queues);
  std::vector<QueueRole> roles(setup.queues.size());
  std::size_t owner = 0;
  for (std::size_t q = 0; q < roles.size(); ++q) {
    roles[q].kind = QueueRole::Kind::Batch;
    if (setup.queues[q].name != "serving") continue;
    owner = q;
    roles[q].kind = QueueRole::Kind::Serving;
    roles[q].reserve = {{kGpu, kGuarantee}};
  }
  const Limits limits = limits_of(setup, {{kGpu, kTotal}}, hierarchical);
  const ClaimTree tree = claim_tree(limits, setup, roles);
  const std::vector<std::int64_t> held = others(tree, owner, kGpu);
  std::int64_t all = 0;
  for (std::size_t q = 0; q < held.size(); ++q)
    if (limits.queues[q].path.size() == 1) all = held[q] == kNoLimit ? kTotal : std::min(kTotal, all + held[q]);
  const std::int64_t left = std::min(left_to(tree, owner, kGpu, held), kTotal - all);
  const std::int64_t found = kGuarantee - std::clamp<std::int64_t>(left, 0, kGuarantee);
  CHECK(meets_side_conditions(tree, owner, kGpu, kGuarantee, held,
                              kGuarantee - std::min(kGuarantee, left_to(tree, owner, kGpu, held))));
  return found;
}

TEST_CASE("flat: a guarantee caps each other queue, and their sum only where capabilities do") {
  const Queue serving = queue("serving", "root", {}, kGuarantee), root = queue("root", "", 0),
              none = queue("default", "root", 0);
  CHECK(claimable({serving, queue("b1", "root", {}), root, none}, false) == 0);
  CHECK(claimable({serving, queue("b1", "root", {}), queue("b2", "root", {}), root, none}, false) == 4);
  CHECK(claimable({serving, queue("b1", "root", {}), root}, false) == 4);  // `default` is the scheduler's own
  CHECK(claimable({serving, queue("b1", "root", 4), queue("b2", "root", 2), root, none}, false) == 0);
  CHECK(claimable({serving, queue("b1", "root", 4), queue("b2", "root", 3), root, none}, false) == 1);
}

TEST_CASE("a tree: below root nothing bounds a queue but its own capability, and siblings are not added up") {
  const Queue none = queue("default", "root", 0);
  CHECK(claimable({queue("serving", "root", {}, kGuarantee), queue("b1", "root", {}), none}, true) == 4);
  const Queue pool = queue("pool", "root", kTotal, kGuarantee), serving = queue("serving", "pool", {}, kGuarantee);
  CHECK(claimable({pool, serving, queue("b1", "pool", {}), none}, true) == 0);
  CHECK(claimable({pool, serving, queue("b1", "pool", {}), queue("b2", "pool", {}), none}, true) == 4);
  const Queue batch = queue("batch", "pool", 6), b1 = queue("b1", "batch", {}), b2 = queue("b2", "batch", {});
  CHECK(claimable({pool, serving, batch, b1, b2, none}, true) == 0);
  CHECK(claimable({pool, serving, batch, b1, b2}, true) == 4);  // `default` bounds nobody
  // A capability of 0 GPUs is none of them; that of a queue above counts where a queue has none of its own.
  CHECK(claimable({pool, serving, queue("batch", "pool", 0), b1, b2, none}, true) == 0);
  CHECK(claimable({pool, serving, queue("batch", "pool", 8), b1, b2, none}, true) == 0);  // 10 less the guarantee is 6
}

TEST_CASE("a bound that is too low meets no side condition") {
  Setup setup;
  setup.queues = {queue("pool", "root", kTotal, kGuarantee), queue("serving", "pool", {}, kGuarantee),
                  queue("b1", "pool", {})};
  std::vector<QueueRole> roles(3);
  roles[1].kind = QueueRole::Kind::Serving;
  roles[1].reserve = {{kGpu, kGuarantee}};
  const Limits limits = limits_of(setup, {{kGpu, kTotal}}, true);
  const ClaimTree tree = claim_tree(limits, setup, roles);
  std::vector<std::int64_t> held = others(tree, 1, kGpu);
  CHECK(meets_side_conditions(tree, 1, kGpu, kGuarantee, held, 0));
  CHECK_FALSE(meets_side_conditions(tree, 1, kGpu, kGuarantee, held, -1));
  CHECK_FALSE(meets_side_conditions(tree, 1, kGpu, kTotal + 1, held, 0));
  held[2] -= 1;
  CHECK_FALSE(meets_side_conditions(tree, 1, kGpu, kGuarantee, held, 0));
}

TEST_CASE("the lemmas of claim are proven, and not without their side conditions") {
  Solver solver;
  for (const ClaimLemma one : kClaimLemmas) {
    Formula formula = lemma(one);
    INFO(formula.name);
    CHECK(solver.check(formula).kind == Answer::Kind::Unsat);
    const auto side = std::erase_if(formula.facts, [](const Formula::Fact& f) { return f.name == "side-condition"; });
    if (side > 0) CHECK(solver.check(formula).kind == Answer::Kind::Sat);
  }
}

}  // namespace
}  // namespace gpol::volcano
