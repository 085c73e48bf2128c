// Which premises the cluster's own guards keep. In: what the premises demand of admission (demands.h). Out: per
// premise, whether every such request is denied, and by which policies; else a request that gets in, replayed.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/families/demands.h"
#include "checker/guards/reach.h"
#include "checker/report/report.h"

namespace gpol {

struct Kept {
  bool kept = false;
  std::vector<std::string> policies;  // kept: those that it takes, sorted
  std::optional<Demand> broken;       // not kept: the first demand that is not met
  std::optional<cel::Value> request;  // a request that is bad and gets in; none where only nothing could be proven
  std::string why;
};

// How it breaks, step by step; empty where no request is known that gets in.
std::vector<StoryStep> story_of(const Kept& kept);

// One question about the guards; `left_out` as in Demands.
struct GuardQuestion {
  const AdmissionTarget& target;
  bool in_listed;
  const std::string& bad;
  const std::set<std::string>& left_out;
};
// Answers it, by `ask` or from memory: for whoever judges many clusters with nearly the same guards.
using AnswerGuards = std::function<Reach(const GuardQuestion&, const std::function<Reach()>& ask)>;

class GuardBook {
 public:
  GuardBook(const Cluster& cluster, const Intent& intent, Solver& solver, AnswerGuards answer = {});
  // A premise of which the demands say nothing is not kept.
  Kept look(std::string_view premise);

 private:
  Reach ask(const AdmissionTarget& target, bool in_listed, const std::string& bad);

  const Cluster& cluster_;
  Solver& solver_;
  AnswerGuards answer_;
  Demands demands_;
  std::vector<PreparedPolicy> policies_;
  // The same policies without the namespaces that others stand for: for demands about listed ones.
  Cluster fewer_;
  std::vector<PreparedPolicy> of_fewer_;
};

}  // namespace gpol
