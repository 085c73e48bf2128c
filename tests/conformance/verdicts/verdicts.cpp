// Verdicts against runs: random clusters as YAML, what gpol proves of them, and histories that attack every proof and
// replay every refutation, for the judge to play in the real Kueue code.
//
//   verdicts show SEED                      the manifests of one cluster and what is proven of them
//   verdicts random FIRST COUNT ATTACKS     the histories of these seeds; what was counted on standard error at the
//   end.
//                                           Of the attacks on a proof every second one is judged, and all that break a
//                                           proof (an escape, named on standard error)
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "checker/families/families.h"
#include "checker/observe/observe.h"
#include "checker/story/hold.h"
#include "checker/story/stories.h"
#include "compiler/cluster/roles.h"
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

std::uint32_t index_of(const Bundle& bundle, std::string_view queue) {
  std::uint32_t q = 0;
  while (bundle.cluster.queues[q].name != queue) ++q;
  return q;
}

bool serves(const Bundle& bundle, std::uint32_t queue) {
  return bundle.intent.roles[queue].kind == QueueRole::Kind::Serving;
}

// One verdict of reclaim per serving queue (all its pairs share it).
std::map<std::uint32_t, const Obligation*> reclaims(const Bundle& bundle) {
  std::map<std::uint32_t, const Obligation*> found;
  for (const Obligation& o : bundle.report.obligations)
    if (const auto queue = index_of(bundle, o.subject.name); o.family == Family::Reclaim && serves(bundle, queue))
      found.emplace(queue, &o);
  return found;
}

class Run {
 public:
  void seed(std::uint64_t seed, std::int64_t attacks) {
    const Bundle bundle = bundle_of(seed);
    ++clusters_;
    for (const Obligation& o : bundle.report.obligations) {
      ++obligations_;
      if (o.verdict != Verdict::Undecided) continue;
      ++undecided_;
      ++causes_[fmt::format("{}: {}", family_name(o.family), o.detail->reason)];
    }
    judge_claims(bundle);
    judge_reclaims(seed, bundle, attacks);
  }

  void counts() const {
    const auto say = [](const std::string& line) { std::cerr << "verdicts: " << line << '\n'; };
    say(fmt::format("{} clusters, {} obligations of claim and reclaim", clusters_, obligations_));
    say(fmt::format("claims: {} figures reached and not passed, {} of them above 0", claims_, claimable_));
    for (const auto& [verdict, count] : reclaims_)
      say(fmt::format("reclaim of a serving queue {}: {}", verdict, count));
    say(fmt::format("attacks on proofs: {}; replayed refutations: {}", attacks_, replays_));
    say(fmt::format("queues not proven that no attack broke: {} of {}", spared_unproven_, spared_));
    say(fmt::format("undecided: {} obligations, {:.2f} %", undecided_,
                    100.0 * static_cast<double>(undecided_) / static_cast<double>(obligations_)));
    for (const auto& [cause, count] : causes_) say(fmt::format("  {} {}", count, cause));
    say(fmt::format("escapes: {}", escapes_));
  }
  bool good() const { return escapes_ == 0; }

 private:
  // Others hold what the closed form says, and the owner could then have its reserve less the figure: no more, no less.
  void judge_claims(const Bundle& bundle) {
    for (const Obligation& o : bundle.report.obligations) {
      const std::uint32_t queue = index_of(bundle, o.subject.name);
      if (o.family != Family::Claim || !serves(bundle, queue) || !o.figures.claimable || *o.figures.reserve == 0 ||
          bundle.cluster.queues[queue].stop != StopPolicy::None)
        continue;
      const Stage stage(bundle.cluster);
      const std::uint32_t flavor = named(bundle.cluster.flavors, o.subject.flavor);
      const std::uint32_t resource = static_cast<std::uint32_t>(
          std::find(bundle.cluster.resources.begin(), bundle.cluster.resources.end(), o.subject.resource) -
          bundle.cluster.resources.begin());
      const auto history = holding_history(stage, bundle.intent, queue, flavor, resource,
                                           *o.figures.reserve - *o.figures.claimable, *o.figures.claimable == 0);
      if (!history) continue;  // the figure speaks of one resource alone: the pods for it are not to be had
      ++claims_;
      if (*o.figures.claimable > 0) ++claimable_;
      print(bundle, *history);
    }
  }

  void judge_reclaims(std::uint64_t seed, const Bundle& bundle, std::int64_t attacks) {
    const auto verdicts = reclaims(bundle);
    std::set<std::uint32_t> broken;
    for (std::int64_t i = 0; i < attacks; ++i) {
      Attack attack = random_attack(bundle.cluster, bundle.intent, seed * 1'000 + static_cast<std::uint64_t>(i));
      bool aimed = false, escaped = false;
      for (const auto& [queue, o] : verdicts) {
        const bool met = attack.met.contains(queue);
        if (!met) broken.insert(queue);
        if (o->verdict != Verdict::Proven) continue;
        aimed = true;
        if (!met) {
          escaped = true;
          ++escapes_;
          std::cerr << fmt::format("verdicts: escape: seed {} attack {}: reclaim of {} is proven\n", seed, i,
                                   bundle.cluster.queues[queue].name);
        }
        differential::Op expect;
        expect.kind = differential::Op::Kind::Expect;
        expect.admitted = true;
        expect.workloads = attack.asks.at(queue);
        attack.history.ops.push_back(std::move(expect));
      }
      if (aimed) ++attacks_;
      if (aimed && (escaped || i % 2 == 0)) print(bundle, std::move(attack.history));
    }
    const Stage stage(bundle.cluster);
    for (const auto& [queue, o] : verdicts) {
      ++reclaims_[std::string(verdict_name(o->verdict))];
      if (!broken.contains(queue) && o->verdict != Verdict::Refuted) {
        ++spared_;
        if (o->verdict != Verdict::Proven) ++spared_unproven_;
      }
      if (o->verdict != Verdict::Refuted) continue;
      const auto story = tell_reclaim(stage, bundle.intent, queue);
      if (!story) throw InternalError(fmt::format("seed {}: a refutation without its story", seed));
      ++replays_;
      print(bundle, history_of(bundle.cluster, story->script, queue));
    }
  }

  template <class T>
  static std::uint32_t named(const std::vector<T>& objects, std::string_view name) {
    std::uint32_t at = 0;
    while (objects[at].name != name) ++at;
    return at;
  }

  static void print(const Bundle& bundle, History history) {
    history.yaml = bundle.yaml;
    std::cout << to_json(history).dump() << '\n';
  }

  std::int64_t clusters_ = 0, obligations_ = 0, undecided_ = 0, claims_ = 0, claimable_ = 0, attacks_ = 0, replays_ = 0,
               escapes_ = 0, spared_ = 0, spared_unproven_ = 0;
  std::map<std::string, std::int64_t> reclaims_, causes_;
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
      return run.good() ? 0 : 1;
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
