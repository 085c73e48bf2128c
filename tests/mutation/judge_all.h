// All mutants of one kind, judged on threads. The outcomes do not depend on how many.
#pragma once

#include <vector>

#include "tests/mutation/judge.h"
#include "tests/mutation/mutant.h"

namespace gpol::mutation {

std::vector<Outcome> judge_policies(const Example& example, const std::vector<Mutant>& mutants, Judge& judge);
// What now ships, by the intent of the unmutated policy.
std::vector<Outcome> judge_yaml(const Example& example, const std::vector<Mutant>& mutants, Judge& judge);
// What `build` says of it, which reads back what it wrote.
// Of what is written for Volcano: by the one judge, with the policy's intent, but for guards and premises.
std::vector<Outcome> judge_volcano(const Example& example, const std::vector<Mutant>& mutants);
// Of Queues that are there, and the scheduler's configuration, as `verify` judges them.
std::vector<Outcome> judge_verified(const Example& example, const std::vector<Mutant>& mutants);
std::vector<Outcome> judge_read_back(const Example& example, const std::vector<Mutant>& mutants);

}  // namespace gpol::mutation
