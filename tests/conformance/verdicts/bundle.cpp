#include "tests/conformance/verdicts/bundle.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "tests/support/random_tree.h"

namespace gpol::verdicts {

namespace {

using testing::Dice;

template <class T>
T pick(Dice& dice, std::initializer_list<T> of) {
  return *(of.begin() + dice.upto(static_cast<std::int64_t>(of.size()) - 1));
}

class Writer {
 public:
  explicit Writer(std::uint64_t seed)
      : dice_(seed * 6007 + 5),
        uneven_dice_(seed * 104'729 + 11),
        apart_(Dice(seed * 7919 + 3).one_in(8)),
        uneven_(uneven_dice_.one_in(5)),
        weights_(Dice(seed * 15'485'863 + 7).one_in(3)) {}

  std::string write() {
    flavors_ = {"h100"};
    if (dice_.one_in(2)) flavors_.emplace_back("a100");
    covered_ = {"nvidia.com/gpu"};
    if (dice_.one_in(2)) covered_.emplace_back("cpu");
    if (dice_.one_in(8) || (uneven_ && !uneven_dice_.one_in(3))) covered_.emplace_back("pods");
    for (const auto& flavor : flavors_)
      object("ResourceFlavor", flavor, "", fmt::format("spec:\n  nodeLabels: {{pool: {}}}\n", flavor));
    apart_ = apart_ && covered_.size() == 2;
    if (apart_ || uneven_) object("ResourceFlavor", "cpus", "", "spec:\n  nodeLabels: {cpus: \"yes\"}\n");
    cohorts();
    const std::int64_t queues = 2 + dice_.upto(4);
    for (std::int64_t i = 0; i < queues; ++i) queue(i);
    priorities();
    if (dice_.one_in(6)) configuration();
    // The order of documents means nothing.
    for (std::size_t i = documents_.size(); i > 1; --i)
      std::swap(documents_[i - 1], documents_[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(i) - 1))]);
    std::string out;
    for (const auto& document : documents_) out += (out.empty() ? "" : "---\n") + document;
    return out;
  }

 private:
  void object(const std::string& kind, const std::string& name, const std::string& labels, const std::string& rest) {
    documents_.push_back(fmt::format("apiVersion: kueue.x-k8s.io/v1beta2\nkind: {}\nmetadata:\n  name: {}\n{}{}", kind,
                                     name, labels.empty() ? "" : "  labels: {" + labels + "}\n", rest));
  }

  // A root, perhaps one below it, perhaps one below that or beside it.
  void cohorts() {
    cohorts_ = {{"company", ""}};
    if (dice_.one_in(2)) cohorts_.push_back({"research", "company"});
    if (cohorts_.size() == 2 && dice_.one_in(2)) cohorts_.push_back({"lab", dice_.one_in(2) ? "research" : "company"});
    for (const auto& [name, parent] : cohorts_) {
      std::string spec;
      if (!parent.empty()) spec += fmt::format("  parentName: {}\n", parent);
      if (dice_.one_in(3)) spec += groups(flavors_, dice_.one_in(2) ? 0 : 3, !parent.empty(), false);
      if (!parent.empty()) spec += weight();
      // A cohort that is only named need not be there.
      if (!spec.empty()) object("Cohort", name, "", "spec:\n" + spec);
    }
  }

  std::string amount(const std::string& resource, std::int64_t units) {
    std::string text = resource == "cpu" && dice_.one_in(4) ? fmt::format("{}m", 1000 * units) : std::to_string(units);
    return dice_.one_in(3) ? '"' + text + '"' : text;
  }

  // GPUs and cpu may be of two groups, each with flavors of its own; and each queue may cover, and put apart, what it
  // will.
  std::string groups(const std::vector<std::string>& flavors, std::int64_t most, bool limits, bool queue) {
    if (uneven_ && queue) return uneven_groups(flavors, most, limits);
    if (!apart_) return "  resourceGroups:\n" + group(covered_, flavors, most, limits, queue);
    return "  resourceGroups:\n" + group({covered_.front()}, flavors, most, limits, queue) +
           group({covered_.back()}, {"cpus"}, most, limits, queue);
  }

  std::string uneven_groups(const std::vector<std::string>& flavors, std::int64_t most, bool limits) {
    std::vector<std::string> covered;
    for (const auto& resource : covered_)
      if (!uneven_dice_.one_in(4)) covered.push_back(resource);
    if (covered.empty()) covered = covered_;
    std::string rest;
    if (covered.size() > 1 && uneven_dice_.one_in(4)) {
      rest = group({covered.back()}, {"cpus"}, most, limits, true);
      covered.pop_back();
    }
    return "  resourceGroups:\n" + group(covered, flavors, most, limits, true) + rest;
  }

  std::string group(const std::vector<std::string>& covered, const std::vector<std::string>& flavors, std::int64_t most,
                    bool limits, bool queue) {
    std::string out = "  - coveredResources: [";
    for (const auto& resource : covered) out += (resource == covered.front() ? "" : ", ") + resource;
    out += "]\n    flavors:\n";
    for (const auto& flavor : flavors) {
      out += fmt::format("    - name: {}\n      resources:\n", flavor);
      for (const auto& resource : covered) {
        const std::int64_t nominal = dice_.upto(most);
        out += fmt::format("      - name: {}\n        nominalQuota: {}\n", resource, amount(resource, nominal));
        if (limits && dice_.one_in(4))
          out += fmt::format("        borrowingLimit: {}\n", amount(resource, dice_.upto(3)));
        if (limits && dice_.one_in(4))
          out += fmt::format("        lendingLimit: {}\n", amount(resource, dice_.upto(queue ? nominal : 3)));
      }
    }
    return out;
  }

  std::string preemption() {
    const std::string within = pick(dice_, {"", "Never", "LowerPriority", "LowerOrNewerEqualPriority"});
    const std::string reclaim = pick(dice_, {"", "Never", "LowerPriority", "Any", "Any", "Any"});
    std::string out;
    if (!within.empty()) out += fmt::format("    withinClusterQueue: {}\n", within);
    if (!reclaim.empty()) out += fmt::format("    reclaimWithinCohort: {}\n", reclaim);
    if ((reclaim == "Any" || reclaim == "LowerPriority") && dice_.one_in(4)) {
      out += "    borrowWithinCohort:\n      policy: LowerPriority\n";
      if (dice_.one_in(2)) out += fmt::format("      maxPriorityThreshold: {}\n", dice_.upto(150));
    }
    return out.empty() ? "" : "  preemption:\n" + out;
  }

  std::string fungibility() {
    const std::string borrow = pick(dice_, {"", "", "MayStopSearch", "TryNextFlavor"});
    const std::string preempt = pick(dice_, {"", "", "MayStopSearch", "TryNextFlavor"});
    std::string out;
    if (!borrow.empty()) out += fmt::format("    whenCanBorrow: {}\n", borrow);
    if (!preempt.empty()) out += fmt::format("    whenCanPreempt: {}\n", preempt);
    if (borrow == "TryNextFlavor" && preempt == "TryNextFlavor" && dice_.one_in(2))
      out += fmt::format("    preference: {}\n", pick(dice_, {"BorrowingOverPreemption", "PreemptionOverBorrowing"}));
    return out.empty() ? "" : "  flavorFungibility:\n" + out;
  }

  void queue(std::int64_t i) {
    const std::string name = fmt::format("team-{}", static_cast<char>('a' + i));
    const bool serving = i == 0 || dice_.one_in(4);
    const bool batch = !serving && !dice_.one_in(6);
    std::string labels;
    if (serving) labels = fmt::format("gpol.dev/role: serving, gpol.dev/class: {}", pick(dice_, {"A", "B", "B"}));
    if (batch) labels = "gpol.dev/role: batch";
    if (!serving && !batch) labels = "gpol.dev/role: bounded";
    if (batch && dice_.one_in(4)) labels += ", gpol.dev/batch-priority: any";
    const bool alone = dice_.one_in(12);
    std::string spec = "  namespaceSelector: {}\n";
    if (!alone)
      spec += fmt::format(
          "  cohortName: {}\n",
          cohorts_[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(cohorts_.size()) - 1))].first);
    std::vector<std::string> flavors = flavors_;
    if (flavors.size() > 1 && dice_.one_in(3)) std::swap(flavors[0], flavors[1]);
    // Batch often takes what it finds; a service has its own kind of nodes, mostly.
    if (flavors.size() > 1 && !dice_.one_in(serving ? 12 : 2)) flavors.pop_back();
    spec += groups(flavors, 4, !alone, true);
    if (dice_.one_in(4)) spec += "  queueingStrategy: StrictFIFO\n";
    if (dice_.one_in(20)) spec += fmt::format("  stopPolicy: {}\n", pick(dice_, {"Hold", "HoldAndDrain", "None"}));
    spec += preemption() + fungibility() + weight();
    object("ClusterQueue", name, labels, "spec:\n" + spec);
  }

  std::string weight() {
    if (!weights_ || uneven_dice_.one_in(2)) return "";
    return fmt::format("  fairSharing:\n    weight: {}\n", pick(uneven_dice_, {"0", "500m", "2", "5"}));
  }

  void priorities() {
    if (!dice_.one_in(3)) object("WorkloadPriorityClass", "people", "gpol.dev/role: serving", "value: 100\n");
    if (!dice_.one_in(3))
      object("WorkloadPriorityClass", "jobs", "gpol.dev/role: batch",
             fmt::format("value: {}\n", pick(dice_, {10, 10, 10, 100, 200})));
  }

  void configuration() {
    documents_.push_back(fmt::format(
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfairSharing:\n  preemptionStrategies: [{}]\n",
        pick(dice_, {"LessThanOrEqualToFinalShare, LessThanInitialShare", "LessThanOrEqualToFinalShare",
                     "LessThanInitialShare"})));
  }

  Dice dice_, uneven_dice_;
  bool apart_, uneven_, weights_;
  std::vector<std::string> flavors_, covered_, documents_;
  std::vector<std::pair<std::string, std::string>> cohorts_;
};

}  // namespace

std::string random_bundle(std::uint64_t seed) { return Writer(seed).write(); }

}  // namespace gpol::verdicts
