// Every mutant of the examples that is proven again, besieged. Clusters that Kueue decides alike in count once.
//
//   mutants random FIRST COUNT [WORD]   so many histories of every distinct cluster (whose name has the word), for the
//                                       judge; counts on standard error
//   mutants list                        the distinct clusters, with the first mutant of each
#include <cstdlib>
#include <iostream>
#include <set>

#include <fmt/format.h>

#include "checker/families/families.h"
#include "checker/families/turns.h"
#include "checker/story/hold.h"
#include "tests/conformance/mutation/siege.h"
#include "tests/mutation/align.h"
#include "tests/mutation/doors.h"
#include "tests/mutation/judge.h"
#include "tests/mutation/mutant.h"

using namespace gpol;
using namespace gpol::mutation;

namespace {

struct Besieged {
  std::string name;  // "morning-ramp: ClusterQueue spec.stopPolicy, delete (search)"
  Cluster cluster;
  Intent intent;
  bool pinned = true;
};

// Who serves and what it may ask for, as far as a history tells clusters apart by it.
std::string asks_of(const Cluster& cluster, const Intent& intent) {
  std::string text;
  for (std::size_t q = 0; q < intent.roles.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    text += fmt::format("{} ", priority_of(cluster, intent, static_cast<std::uint32_t>(q)));
    text += fmt::format("{} {} {} of", cluster.queues[q].name, static_cast<int>(role.kind),
                        role.victims_in_turn.value_or(-1));
    for (const auto amount : role.reserve) text += fmt::format(" {}", amount);
    for (const auto amount : role.replica) text += fmt::format(" {}", amount);
    for (const auto& [flavor, shape] : role.pod_shapes) text += fmt::format(" {}:{}", flavor, shape.amount);
    text += '\n';
  }
  return text;
}

bool proven(const Report& report) {
  for (const Obligation& o : report.obligations)
    if (o.required && o.verdict != Verdict::Proven) return false;
  return true;
}

// A serving queue whose reclaim needs that batch's priorities are pinned, as `premises.cpp` has it.
bool rests_on_priorities(const Cluster& cluster, const Intent& intent) {
  Origins origins;
  origins.queue.resize(cluster.queues.size());
  origins.cohort.resize(cluster.cohorts.size());
  Solver solver;
  const auto owners = lending_owners({cluster, intent, origins, solver, nullptr}, kueue::shape_of(cluster));
  return std::find(owners.begin(), owners.end(), true) != owners.end();
}

class Collection {
 public:
  std::vector<Besieged> list;
  std::size_t mutants = 0;

  void add(const std::string& name, const Cluster& cluster, const Intent& intent) {
    ++mutants;
    if (!seen_.insert(kueue_key(cluster) + asks_of(cluster, intent)).second) return;
    if (!proven(prove_all(cluster, intent)) || !shut_door(cluster, intent).empty()) return;
    list.push_back({name, cluster, intent, rests_on_priorities(cluster, intent)});
  }

 private:
  std::set<std::string> seen_;
};

Collection collect() {
  Collection collection;
  const auto name_of = [](const Example& example, const Mutant& m) {
    return fmt::format("{}: {}, {} ({})", example.name, m.field, m.change, m.where);
  };
  for (const char* name : kExamples) {
    const Example example = read_example(name);
    collection.add(example.name, example.planned().cluster, example.planned().intent);
    for (const Mutant& mutant : policy_mutants(example))
      if (const auto session = plan_text(example.name, mutant.text); session->planned)
        collection.add(name_of(example, mutant), session->planned->cluster, session->planned->intent);
    for (const Mutant& mutant : yaml_mutants(example)) {
      if (mutant.field.starts_with("ValidatingAdmissionPolicy")) continue;  // nothing of Kueue is another one
      const Observed observed = observe(with(example, mutant));
      if (!observed.problems.empty()) continue;
      const Aligned aligned = align(example.planned(), observed.cluster);
      if (aligned.lost.empty()) collection.add(name_of(example, mutant), aligned.cluster, aligned.intent);
    }
  }
  return collection;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  try {
    if ((how == "random" && (argc == 4 || argc == 5)) || (how == "list" && argc == 2)) {
      const Collection collection = collect();
      if (how == "list")
        for (const Besieged& b : collection.list) std::cout << b.name << '\n';
      std::int64_t histories = 0, escapes = 0;
      const std::uint64_t first = argc > 3 ? std::strtoull(argv[2], nullptr, 10) : 0,
                          count = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
      const std::string word = argc == 5 ? argv[4] : "";
      for (const Besieged& b : collection.list) {
        if (b.name.find(word) == std::string::npos) continue;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
          const Siege made = siege(b.cluster, b.intent, b.pinned, seed);
          ++histories;
          if (!made.met) {
            ++escapes;
            std::cerr << fmt::format("mutants: escape: seed {} of {}\n", seed, b.name);
          }
          std::cout << to_json(made.history).dump() << '\n';
        }
      }
      std::cerr << fmt::format("mutants: {} plans and sets of manifests, {} distinct clusters that are proven\n",
                               collection.mutants, collection.list.size());
      std::cerr << fmt::format("mutants: {} histories; escapes: {}\n", histories, escapes);
      return escapes == 0 ? 0 : 1;
    }
  } catch (const std::exception& broken) {
    std::cerr << "mutants: " << broken.what() << '\n';
    return 1;
  }
  std::cerr << "usage: mutants random FIRST COUNT [WORD] | mutants list\n";
  return 2;
}
