// The table of proven formulas (checker/families/lemma_book.h) is what these policies ask: those of an example, or of
// two policies.
#include <map>

#include <fmt/format.h>

#include "checker/families/lemma_book.h"
#include "checker/proof/prove.h"
#include "tests/answered/policies.h"

using namespace gpol;
using namespace gpol::answered;

namespace {

struct Asked {
  Formula formula;
  std::set<std::string> files;
  bool example = false;
};

// The numbers of the facts that it needs, by a solver that was asked nothing before; nothing: it does not hold.
std::optional<std::string> core_of(const Formula& formula) {
  Solver solver;
  const Answer answer = solver.check(formula);
  if (answer.kind != Answer::Kind::Unsat) return std::nullopt;
  std::string numbers;
  for (std::size_t i = 0; i < formula.facts.size(); ++i)
    if (std::ranges::binary_search(answer.core, formula.facts[i].name)) numbers += std::to_string(i) + " ";
  return numbers;
}

}  // namespace

TEST_CASE("the table of proven formulas is what these policies ask") {
  std::map<std::string, Asked> general, all;
  for (const std::string& file : policies_of_tests()) {
    const auto session = planned(file);
    if (!session->planned) continue;
    std::vector<Formula> asked;
    prove(*session->planned, {}, {}, {.dump = &asked});
    const auto keep = [&](std::map<std::string, Asked>& in, Formula formula) {
      Asked& one = in[digest_of(formula)];
      one.files.insert(file);
      one.example = one.example || is_example(file);
      one.formula = std::move(formula);
    };
    for (Formula& formula : asked) {
      keep(general, in_general(formula));
      keep(all, std::move(formula));
    }
  }
  std::set<std::string> lines, rows;
  std::vector<Formula> proven;
  // In general where that holds, else as it is.
  for (const auto* formulas : {&general, &all})
    for (const auto& [digest, asked] : *formulas) {
      if (!asked.example && asked.files.size() < 2) continue;
      if (formulas == &all && rows.contains(digest_of(in_general(asked.formula)))) continue;
      const auto core = core_of(asked.formula);
      if (!core) continue;
      rows.insert(digest);
      lines.insert(digest + " " + *core + "# " + asked.formula.name);
      proven.push_back(asked.formula);
    }
  std::cout << all.size() << " formulas, " << lines.size() << " rows\n";
  compare_table("checker/families/lemmas.table",
                "# Formulas of lemma books that were proven (lemma_book.h). The test `answered` makes them anew.",
                lines);
  check_by_cvc5(proven);
}
