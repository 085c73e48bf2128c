// Verdicts against runs: random clusters as YAML, what gpol proves of them, and histories that attack every proof and
// replay every refutation, for the judge to play in the real Kueue code.
//
//   verdicts show SEED                      the manifests of one cluster and what is proven of them
//   verdicts random FIRST COUNT ATTACKS     the histories of these seeds; counts on standard error at the end
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "checker/families/families.h"
#include "checker/observe/observe.h"
#include "compiler/cluster/roles.h"
#include "checker/story/stories.h"
#include "tests/conformance/verdicts/attack.h"
#include "tests/conformance/verdicts/bundle.h"

using namespace gpol;
using namespace gpol::verdicts;

namespace {

struct Bundle {
  std::string yaml;
  Cluster cluster;
  Intent intent;
  Report report;
};

Bundle bundle_of(std::uint64_t seed) {
  Bundle bundle{random_bundle(seed), {}, {}, {}};
  const YamlFile file{"bundle.yaml", bundle.yaml};
  Observed observed = observe({&file, 1});
  if (!observed.problems.empty())
    throw std::runtime_error(fmt::format("seed {}: line {}: {} {}", seed, observed.problems[0].line,
                                         observed.problems[0].field, observed.problems[0].what));
  bundle.cluster = std::move(observed.cluster);
  bundle.intent = intent_from_labels(bundle.cluster);
  Origins origins;
  origins.queue.resize(bundle.cluster.queues.size());
  origins.cohort.resize(bundle.cluster.cohorts.size());
  Solver solver;
  const Proof proof{bundle.cluster, bundle.intent, origins, solver, nullptr};
  prove_claim(proof, bundle.report);
  prove_reclaim(proof, bundle.report);
  return bundle;
}

// One verdict of reclaim per serving queue (all its pairs share it).
std::map<std::uint32_t, const Obligation*> reclaims(const Bundle& bundle) {
  std::map<std::uint32_t, const Obligation*> found;
  for (const Obligation& o : bundle.report.obligations) {
    if (o.family != Family::Reclaim) continue;
    for (std::uint32_t q = 0; q < bundle.cluster.queues.size(); ++q)
      if (bundle.intent.roles[q].kind == QueueRole::Kind::Serving && bundle.cluster.queues[q].name == o.subject.name)
        found.emplace(q, &o);
  }
  return found;
}

class Run {
 public:
  void seed(std::uint64_t seed, std::int64_t attacks) {
    const Bundle bundle = bundle_of(seed);
    ++clusters_;
    std::map<std::uint32_t, bool> broken;
    const auto verdicts = reclaims(bundle);
    for (std::int64_t i = 0; i < attacks; ++i) {
      Attack attack = random_attack(bundle.cluster, bundle.intent, seed * 1'000 + static_cast<std::uint64_t>(i));
      bool useful = false;
      for (const auto& [queue, o] : verdicts) {
        if (!attack.met.contains(queue)) broken[queue] = true;
        if (o->verdict != Verdict::Proven) continue;
        useful = true;
        if (!attack.met.contains(queue)) {
          ++escapes_;
          std::cerr << fmt::format("escape: seed {} attack {}: reclaim of {} is proven\n", seed, i,
                                   bundle.cluster.queues[queue].name);
        }
        differential::Op expect;
        expect.kind = differential::Op::Kind::Expect;
        expect.admitted = true;
        expect.workloads = attack.asks.at(queue);
        attack.history.ops.push_back(std::move(expect));
      }
      if (useful) print(bundle, std::move(attack.history));
    }
    const Stage stage(bundle.cluster);
    for (const auto& [queue, o] : verdicts) {
      ++count_[std::string(verdict_name(o->verdict))];
      if (o->verdict == Verdict::Undecided) {
        ++causes_[o->detail ? o->detail->reason : "?"];
        if (broken[queue]) ++breakable_;
        if (getenv("SHOW")) std::cerr << fmt::format("undecided: seed {} {} {}: {}\n", seed, bundle.cluster.queues[queue].name, broken[queue] ? "broken" : "unbroken", o->detail->reason);
      }
      if (!broken[queue] && o->verdict != Verdict::Proven) ++unbroken_unproven_;
      if (!broken[queue]) ++unbroken_;
      if (o->verdict != Verdict::Refuted) continue;
      const auto story = tell_reclaim(stage, bundle.intent, queue);
      if (!story) throw InternalError(fmt::format("seed {}: a refutation without its story", seed));
      print(bundle, history_of(bundle.cluster, story->script, queue));
    }
  }

  void counts() const {
    std::cerr << clusters_ << " clusters\n";
    for (const auto& [verdict, count] : count_) std::cerr << "reclaim " << verdict << ": " << count << '\n';
    for (const auto& [cause, count] : causes_) std::cerr << "  undecided " << count << ": " << cause << '\n';
    std::cerr << "undecided and broken by an attack: " << breakable_ << "; never broken: " << unbroken_ << ", of these not proven: " << unbroken_unproven_ << '\n';
    std::cerr << "escapes: " << escapes_ << '\n';
  }

 private:
  static void print(const Bundle& bundle, History history) {
    history.yaml = bundle.yaml;
    if (!getenv("QUIET")) std::cout << to_json(history).dump() << '\n';
  }

  std::int64_t clusters_ = 0, escapes_ = 0, breakable_ = 0, unbroken_ = 0, unbroken_unproven_ = 0;
  std::map<std::string, std::int64_t> count_, causes_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  try {
    if (how == "random" && argc == 5) {
      Run run;
      const std::uint64_t first = std::strtoull(argv[2], nullptr, 10), count = std::strtoull(argv[3], nullptr, 10);
      for (std::uint64_t seed = first; seed < first + count; ++seed) run.seed(seed, std::atoll(argv[4]));
      run.counts();
      return 0;
    }
    if (how == "show" && argc == 3) {
      const Bundle bundle = bundle_of(std::strtoull(argv[2], nullptr, 10));
      std::cout << bundle.yaml;
      for (const Obligation& o : bundle.report.obligations)
        std::cout << "# " << family_name(o.family) << ' ' << o.subject.name << ' ' << o.subject.flavor << ' '
                  << o.subject.resource << ": " << verdict_name(o.verdict)
                  << (o.detail ? "; " + o.detail->message : std::string()) << '\n';
      return 0;
    }
  } catch (const std::exception& broken) {
    std::cerr << "verdicts: " << broken.what() << '\n';
    return 1;
  }
  std::cerr << "usage: verdicts show SEED | verdicts random FIRST COUNT ATTACKS\n";
  return 2;
}
