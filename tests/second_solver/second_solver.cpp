// A second solver on every distinct question. In: every policy of the examples and of the goldens, 1,000 random trees
// (claim, and claim as one formula over the whole tree) and 300 random clusters with reclaim. What Z3 was asked
// meanwhile is printed as `--dump=smt` prints it and given to one cvc5 process, question after question between push
// and pop. Out: 0 when both always agree; 1 when they do not, when cvc5 leaves too much open, or when too little was
// asked to say anything; 77 where cvc5 is not installed, which under CI counts as a failure. GPOL_TREES sets how many
// trees, GPOL_CVC5 the program.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include "checker/families/families.h"
#include "checker/kueue/walk.h"
#include "checker/observe/observe.h"
#include "checker/story/hold.h"
#include "cli/commands/session.h"
#include "compiler/cluster/roles.h"
#include "tests/conformance/verdicts/bundle.h"
#include "tests/second_solver/cvc5.h"
#include "tests/second_solver/questions.h"
#include "tests/support/run_gpol.h"
#include "tests/support/tree_questions.h"

using namespace gpol;
using gpol::second::ask_cvc5, gpol::second::cvc5, gpol::second::Questions;
using Kind = Answer::Kind;
namespace fs = std::filesystem;

namespace {

// Questions that cvc5 may leave open. It leaves none today.
constexpr std::size_t kMostUnknown = 0;

Origins no_origins(const Cluster& cluster) {
  Origins origins;
  origins.queue.resize(cluster.queues.size());
  origins.cohort.resize(cluster.cohorts.size());
  return origins;
}

int ask_policies(Questions& questions) {
  std::vector<fs::path> paths;
  for (const char* directory : {"examples", "tests/golden"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GPOL_ROOT) / directory))
      if (entry.path().extension() == ".gpol" && entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  int proved = 0;
  SessionOptions options;
  options.ear = questions.ear();
  for (const fs::path& path : paths)
    proved += check_policy({path.string(), test::read_text(path)}, options)->reached == Phase::Proven ? 1 : 0;
  return proved;
}

// The claims of every tree by their lemmas; of every second tree the first that is exposed, of the others the first
// that is not, by the whole tree.
void ask_tree(std::uint64_t seed, Solver& solver) {
  const auto tree = testing::claim_tree(seed);
  const Cluster& cluster = tree.cluster;
  const Intent intent = testing::intent_of(tree);
  Report report;
  const Origins origins = no_origins(cluster);
  prove_claim({cluster, intent, origins, solver, nullptr}, report);
  const kueue::Shape shape = kueue::shape_of(cluster);
  bool told = false;
  std::size_t at = 0;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const auto& group : cluster.queues[q].groups)
      for (const auto& flavor : group.flavors)
        for (const auto resource : group.covered) {
          const auto& figures = report.obligations.at(at++).figures;
          const std::int64_t reserve = figures.reserve.value_or(0), claimable = figures.claimable.value_or(0);
          if (told || reserve == 0 || (claimable > 0) != (seed % 2 == 0)) continue;
          told = true;
          const auto limits = kueue::limits_of(cluster, shape, flavor.flavor, resource, nullptr);
          const auto behaviour = behaviour_of(cluster, intent, flavor.flavor, resource);
          solver.check(testing::whole_tree(shape, limits, behaviour, q, reserve - claimable));
          if (claimable > 0) solver.check(testing::whole_tree(shape, limits, behaviour, q, reserve - claimable + 1));
        }
}

void ask_cluster(std::uint64_t seed, Solver& solver) {
  const std::string yaml = verdicts::random_bundle(seed);
  const YamlFile file{"bundle.yaml", yaml};
  const Cluster cluster = observe({&file, 1}).cluster;
  const Intent intent = intent_from_labels(cluster);
  const Origins origins = no_origins(cluster);
  Report report;
  prove_claim({cluster, intent, origins, solver, nullptr}, report);
  prove_reclaim({cluster, intent, origins, solver, nullptr}, report);
}

struct Comparison {
  std::size_t agreed = 0, open = 0, open_before = 0;
  std::vector<std::string> disagreed;
};

Comparison compare(const Questions& questions, const std::vector<Kind>& theirs) {
  if (theirs.size() != questions.distinct().size())
    throw std::runtime_error(fmt::format("{} answers to {} questions", theirs.size(), questions.distinct().size()));
  Comparison out;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const Kind ours = questions.answers()[i];
    if (ours == Kind::Unknown)
      ++out.open_before;
    else if (theirs[i] == Kind::Unknown)
      ++out.open;
    else if (theirs[i] == ours)
      ++out.agreed;
    else
      out.disagreed.push_back(smtlib(questions.distinct()[i]));
  }
  return out;
}

// The comparison itself: of two wrong answers of ours, one each way, both must be noticed.
bool notices_lies(const std::string& program) {
  Questions lies;
  const Term x = int_symbol("x"), y = int_symbol("y");
  const Formula never{"test/never", "", {{"less", x < y}, {"more", y < x}}, boolean(true)};
  const Formula ever{"test/ever", "", {{"less", x < y}}, x + y <= integer(0)};
  const Formula same{"test/renamed", "", {{"a", y < x}}, y + x <= integer(0)};
  Answer unsat, sat;
  unsat.kind = Kind::Unsat;
  sat.kind = Kind::Sat;
  lies.add(never, sat);
  lies.add(ever, unsat);
  lies.add(same, sat);
  const bool counted = lies.distinct().size() == 2 && lies.asked() == 3 && lies.fickle().size() == 1;
  return counted && compare(lies, ask_cvc5(program, lies.distinct())).disagreed.size() == 2;
}

int run() {
  const std::optional<std::string> program = cvc5();
  if (!program) {
    const bool must = std::getenv("CI") != nullptr;
    fmt::print("second solver: cvc5 is not installed: {}\n", must ? "nothing was compared" : "skipped");
    return must ? 1 : 77;
  }
  if (!notices_lies(*program)) {
    fmt::print("second solver: a planted disagreement was not noticed\n");
    return 1;
  }
  const char* wanted = std::getenv("GPOL_TREES");
  const int trees = wanted != nullptr ? std::atoi(wanted) : 1000;
  Questions questions;
  const int policies = ask_policies(questions);
  const std::size_t of_policies = questions.distinct().size();
  Solver solver({}, questions.ear());
  for (int seed = 1; seed <= trees; ++seed) ask_tree(static_cast<std::uint64_t>(seed), solver);
  const std::size_t with_trees = questions.distinct().size();
  for (int seed = 1; seed <= 300; ++seed) ask_cluster(static_cast<std::uint64_t>(seed), solver);
  const std::size_t all = questions.distinct().size();

  const Comparison found = compare(questions, ask_cvc5(*program, questions.distinct()));
  const auto sat =
      static_cast<std::size_t>(std::count(questions.answers().begin(), questions.answers().end(), Kind::Sat));
  fmt::print(
      "second solver: {} policies, {} trees, 300 clusters; asked {}, distinct {} ({} of policies, {} of trees, {} of "
      "clusters; {} sat)\nsecond solver: agreed {}, disagreed {}, unknown {}, unknown to the first solver {}\n",
      policies, trees, questions.asked(), all, of_policies, with_trees - of_policies, all - with_trees, sat,
      found.agreed, found.disagreed.size(), found.open, found.open_before);
  for (const std::string& text : found.disagreed) fmt::print("second solver: disagreed on\n{}\n", text);
  for (const std::string& name : questions.fickle()) fmt::print("second solver: {} was answered both ways\n", name);
  std::map<std::string, int> families;
  for (const Formula& formula : questions.distinct()) ++families[formula.name.substr(0, formula.name.find('/'))];
  for (const auto& [family, count] : families) fmt::print("  {} {}\n", family, count);

  bool good = found.disagreed.empty() && questions.fickle().empty();
  const auto need = [&](bool held, const char* what) {
    if (!held) fmt::print("second solver: {}\n", what);
    good = good && held;
  };
  need(found.open <= kMostUnknown && found.open_before == 0, "too much is left open");
  need(policies >= 45 && of_policies >= 200, "too few policies, or too few questions about them");
  need(trees < 1000 || with_trees - of_policies >= 900, "too few questions about trees");
  need(all - with_trees >= 30, "too few questions about clusters");
  need(sat >= 100 && all - sat >= 500, "too few of one kind of answer");
  for (const char* family : {"bypass", "capacity", "claim", "fragmentation", "placement", "reclaim"})
    need(families[family] > 0, family);
  return good ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& broken) {
    fmt::print("second solver: {}\n", broken.what());
    return 1;
  }
}
