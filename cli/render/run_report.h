// What a renderer prints: the reports of one run, with the texts that their spans point into. In: commands/ fills it.
// Out: the verdict and the exit code of README.md, Commands, the same for every format. Owns nothing but its lists.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "checker/report/report.h"
#include "checker/report/waiver.h"
#include "compiler/cluster/intent.h"
#include "compiler/source/source_set.h"

namespace gpol {

struct PolicyReport {
  const SourceSet* sources = nullptr;   // never null
  const Report* report = nullptr;       // never null
  const Planned* planned = nullptr;     // null: the policy has errors or is a module
  bool module = false;                  // no cluster is declared: nothing to prove
  bool verified = false;                // manifests without a policy
  bool nodes = false;                   // some were given
  bool built = false;                   // by kustomize: its objects are in no file as they are
  std::string bundle = {};              // its directory, of manifests; its file, of a policy
  std::vector<std::string> notes = {};  // of the bundle, as those of a run
  std::string assumed = {};             // as of the run (below), of this bundle alone
};

// --fail-on: what of a verdict fails the run.
enum class FailOn : std::uint8_t { Undecided, Refuted, Never };

struct RunReport {
  std::vector<PolicyReport> policies;
  std::vector<Diagnostic>
      diagnostics;                   // of the run itself: files that cannot be read or written; their spans are unknown
  std::vector<Family> allowed_gaps;  // sorted
  bool unwritten = false;            // all is proven, and what was to be written could not be
  std::optional<std::size_t> fixed = {};  // edits that were made first, where that was asked for
  std::vector<std::string> notes;         // what was done, a line each ("wrote 24 files to `out`")
  std::string version;
  Waivers waivers = {};  // of gpol.yaml
  FailOn fail_on = FailOn::Undecided;
  std::string diff = {};     // what stands in the JSON beside the report, `"diff": {...}`; empty: nothing
  std::string assumed = {};  // of manifests without a policy: "Kueue v0.19.2, untimed"
};

// The run as if it had read this policy or bundle alone; mistakes of the run itself left out.
RunReport of_bundle(const RunReport& run, const PolicyReport& policy);

// Of one policy, the allowed gaps taken into account. A module is proven.
Overall judged(const PolicyReport& policy, const std::vector<Family>& allowed_gaps);
// A mistake of the run itself, beside those of its policies and bundles.
bool has_errors(const RunReport& run);
// Of the run: error, refuted, undecided, proven, the worst first.
Overall judged(const RunReport& run);
std::string_view overall_name(Overall overall);

// 4, 2, 1, 3, 0: the worst in this order; what is waived, or fails nothing by --fail-on, does not count.
int exit_code(const RunReport& run);
// The waivers of the run, a line each: which are in use, have ended, or match nothing.
std::vector<std::string> waiver_texts(const RunReport& run);

// Required and neither proven nor covered by an allowed gap.
bool stands_in_the_way(const Obligation& obligation, const std::vector<Family>& allowed_gaps);

// What makes a mistake one, however many policies import the file that it is in: code, file, offset, message.
using Mistake = std::tuple<Code, std::string, std::uint32_t, std::string>;
Mistake mistake_of(const PolicyReport& policy, const Diagnostic& diagnostic);

// The queues that serve, of whichever scheduler, in the cluster's order. Empty without a plan.
struct ServingQueue {
  std::string_view kind, name, tenant;  // "ClusterQueue" or "Queue", as the subject of an obligation
  Isolation isolation = Isolation::A;
};
std::vector<ServingQueue> serving_queues(const PolicyReport& policy);
// All queues, of whichever scheduler.
std::size_t count_queues(const PolicyReport& policy);

// The last line of every report: "proven under 5 trusted assumptions: 2 serving queues, quota level only".
std::string headline(const RunReport& run);

}  // namespace gpol
