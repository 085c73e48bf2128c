// The table of proven formulas (checker/families/lemma_book.h) is what these policies ask, and small ones that are made
// here: those of an example, or of two policies.
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

// One tenant that serves and one of batch on a pool of some nodes, with reserve, quota, loan and shape in every order:
// in general few formulas are left of them.
std::map<std::string, std::string> small_policies() {
  std::map<std::string, std::string> all;
  for (int nodes = 1; nodes <= 9; ++nodes)
    for (int reserve = 1; reserve <= nodes; ++reserve)
      for (int quota = 0; quota <= std::min(3, nodes); ++quota)
        for (int loan = 0; loan <= 2; ++loan)
          for (const int shape : {2, 8}) {
            std::string text = fmt::format(
                "language 1\ncluster small {{\n  scheduler kueue 0.19.2 {{ round within 5s; release within 5s }}\n"
                "  nodes h100 {{ count {}; each 8 gpus, 96 cpu, 1 TiB, 110 pods }}\n  pool main on h100\n"
                "  writers user \"system:serviceaccount:flux-system:kustomize-controller\"\n}}\n"
                "class standard : B {{ ready within 4min }}\nclass batch : C {{ runs Job; grace 60s; kill margin 5s "
                "}}\n"
                "tenant chat {{\n  namespace chat; class standard; reserve {} gpus of main; replica 8 gpus\n"
                "  start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (declared \"a guess\")\n}}\n"
                "tenant train {{ namespace train; class batch; quota {} gpus of main; shape {} gpus of main }}\n",
                nodes, 8 * reserve, 8 * quota, shape);
            if (loan > 0) text += fmt::format("allow train to borrow up to {} gpus of main from chat\n", 8 * loan);
            all.emplace(fmt::format("small {} {} {} {} {}", nodes, reserve, quota, loan, shape), std::move(text));
          }
  return all;
}

}  // namespace

TEST_CASE("the table of proven formulas is what these policies ask") {
  std::map<std::string, Asked> general, all;
  std::map<std::string, std::string> policies = small_policies();
  for (const std::string& file : policies_of_tests()) policies.emplace(file, test::read_text(file));
  for (const auto& [file, text] : policies) {
    const auto session = planned(file, text);
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
      if (!file.starts_with("small")) keep(all, std::move(formula));
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
