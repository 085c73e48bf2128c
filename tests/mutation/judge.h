// What becomes of a mutant. In: a cluster and what is promised of it. Out: refuted, undecided or proven again, in one
// line. Families are asked once for each cluster in normal form without its guards, guards once for each demand.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "checker/report/report.h"
#include "compiler/cluster/intent.h"
#include "tests/mutation/guard_memory.h"

namespace gpol::mutation {

struct Outcome {
  enum class Kind { Error, Refuted, Undecided, Proven } kind = Kind::Error;
  std::string why;  // codes and causes
};
std::string words(const Outcome& outcome);
Outcome outcome_of(const Report& report);  // "refuted GP1001"

// What a policy plans stays where it is for as long as the judge lives.
class Judge {  // used by several threads
 public:
  // `intent_key`: the same for clusters that are promised the same; empty: this promise is of this cluster alone.
  Outcome judge(const Cluster& cluster, const Intent& intent, const std::string& intent_key);
  int families_asked() const { return families_asked_; }
  int guards_asked() const { return guards_.asked(); }

 private:
  struct Proven {
    Cluster cluster;  // the report's names point into it
    Intent intent;
    Report report;
  };
  std::shared_ptr<const Proven> families(const Cluster& cluster, const Intent& intent, const std::string& intent_key);

  Outcome judge_anew(const Cluster& cluster, const Intent& intent, const std::string& intent_key);

  std::mutex mutex_;
  std::map<std::string, Outcome> outcomes_;  // by what is promised, and the whole normal form
  std::map<std::string, std::shared_ptr<const Proven>> known_;
  GuardMemory guards_;
  int families_asked_ = 0;
};

// All families but premises, in the order of `check`. What points into the report: cluster and intent.
Report prove_all(const Cluster& cluster, const Intent& intent);

// What Kueue's scheduler decides by: the normal form of the cluster without guards, nodes, and who comes in where and
// with which priority.
std::string kueue_key(const Cluster& cluster);

}  // namespace gpol::mutation
