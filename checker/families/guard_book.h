// Which premises the cluster's own guards keep. In: what the premises demand of admission (demands.h). Out: per
// premise, whether every such request is denied, and by which policies; else a request that gets in, replayed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/families/demands.h"
#include "checker/guards/answered.h"
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

AdmissionTarget target_of(const Demand& demand);

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

// What the guards of one cluster answered. A policy can only deny: what some policies deny is denied as well where
// another one, that it does not take, is left out.
class GuardAnswers {
 public:
  // Asks, and keeps the answer.
  AnswerGuards keep();
  // Of what is denied without `policy` the kept answer; asks the rest.
  AnswerGuards without(std::string_view policy) const;
  bool any() const { return !kept_.empty(); }
  // Whether a kept answer takes the policy.
  bool takes(std::string_view policy) const;

 private:
  std::map<std::string, Reach> kept_;  // by question
};

class GuardBook {
 public:
  // For a proof, or for one story of how a guard that is missing lets something in.
  enum class For : std::uint8_t { Proof, Story };
  GuardBook(const Cluster& cluster, const Intent& intent, Solver& solver, AnswerGuards answer = {},
            For purpose = For::Proof);
  GuardBook(const GuardBook&) = delete;  // its parts refer to one another
  // A premise of which the demands say nothing is not kept. `way`: of its demands those about that way round quota.
  Kept look(std::string_view premise, std::string_view way = {});

 private:
  Reach ask(const AdmissionTarget& target, bool in_listed, const std::string& bad);
  std::optional<Reach> admitted_with_fewer(const AdmissionTarget& target, const std::string& bad);

  const Cluster& cluster_;
  Solver& solver_;
  AnswerGuards answer_;
  For purpose_;
  Demands demands_;
  std::vector<PreparedPolicy> policies_;
  // The same policies without the namespaces that others stand for: for demands about listed ones.
  Cluster fewer_;
  std::vector<PreparedPolicy> of_fewer_;
  AnsweredGuards answered_{policies_}, fewer_answered_{of_fewer_};
};

}  // namespace gpol
