// The outcomes of many mutants as a table, one row for each field and outcome with its changes and whom they are about;
// and as what people review of it, how many ended in which way. In: mutants, their outcomes, the rules that say why a
// proof that is made again is harmless. Out: text.
#pragma once

#include <string>
#include <vector>

#include "tests/mutation/judge.h"
#include "tests/mutation/mutant.h"

namespace gpol::mutation {

// Lines "FIELD PATTERN | CHANGE PATTERN | WHERE PATTERN | REASON." of harmless.txt; `*` stands for any text.
struct Rule {
  std::string key, field, change, where, reason;
  int used = 0;
};
std::vector<Rule> read_rules(const std::string& path);
bool matches(std::string_view pattern, std::string_view text);
// The first that fits, or null.
Rule* rule_for(std::vector<Rule>& rules, const Mutant& mutant);

std::string table_of(const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
                     std::vector<Rule>& rules);

// "12 refuted GP1001", "5 proven: loan", a line for each. Of what is undecided the cause, of an error and of what is
// refuted the codes alone.
std::string summary_of(const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
                       std::vector<Rule>& rules);

}  // namespace gpol::mutation
