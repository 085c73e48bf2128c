// One policy on its way through the pipeline, and all that its report points into: a Report's names are views into the
// planned cluster and its spans point into the texts, so a Session stays where it was made. In: a policy's text. Out:
// every stage that was reached; a stage with errors is the last one.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/families/families.h"
#include "checker/observe/observe.h"
#include "cli/commands/inputs.h"
#include "cli/commands/options.h"
#include "cli/render/run_report.h"
#include "compiler/cluster/intent.h"
#include "compiler/cluster/retired.h"
#include "compiler/lint/lint.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/ast.h"

namespace gpol {

enum class Phase { Parsed, Resolved, Planned, Proven };

struct Timing {
  const char* stage;
  std::chrono::steady_clock::duration took;
};

struct Session {
  SourceSet sources;
  std::vector<ast::File> files;    // the policy's own first, then what it imports; without references. Once it is to be
                                   // proven they hold no declarations: of a large policy these are most of the memory
  Definitions definitions;         // what was replaced in them
  std::string expanded;            // the policy in full; where kept
  std::optional<Policy> policy;    // nothing found was an error
  std::optional<Planned> planned;  // and it declares a cluster
  Report report;
  std::map<std::string, std::string> beside;  // of Volcano's Queues: what is there beside them and no figure shows, by
                                              // what it is; for diff
  std::map<std::string, std::string> nodes;   // where Volcano's Queues are: what the Nodes of a group have, by its name
  std::vector<Formula> formulas;              // where kept
  std::vector<Timing> timings;
  Phase reached = Phase::Parsed;

  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

// Runs one stage and keeps what it took.
template <class Body>
auto timed(Session& session, const char* stage, Body body) {
  struct Running {
    Session& session;
    const char* stage;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    ~Running() { session.timings.push_back({stage, std::chrono::steady_clock::now() - began}); }
  };
  const Running clock{session, stage};
  return body();
}

// Runs a family (RunFamily of table.h) and keeps what it took.
std::function<void(const char*, const std::function<void()>&)> family_timer(Session& session);

struct SessionOptions {
  Phase until = Phase::Proven;
  bool keep_formulas = false;  // for --dump=smt
  bool keep_expanded = false;  // for --dump=expanded
  bool lint = false;           // say what could be left out
  bool quotas_alone = false;   // ask whether claim and reclaim are proven, and nothing else; no stories are told
  std::string as_of = {};      // the day on which trusts are looked at; empty: they have no end
  SolverLimits solver = {};
  SolverEar ear = {};                        // hears every question to the solver; for tests
  const FileTree* tree = &disk();            // where imports are read
  const Earlier* earlier = nullptr;          // what an earlier build had, and the plan keeps
  const YamlFile* mig_config = nullptr;      // configurations of mig-parted that stay
  const YamlFile* volcano_config = nullptr;  // the configuration of Volcano's scheduler that is there
};

// An ear that keeps every distinct formula in the session.
SolverEar formula_keeper(Session& session);

std::unique_ptr<Session> check_policy(PolicyText text, const SessionOptions& options = {});

// The session as the renderers see it.
PolicyReport report_of(const Session& session);

}  // namespace gpol
