// The limit on steps: it stops whatever is asked, in as much work, whether that is many small pivots or few with long
// numbers. No clock is looked at: what a question took is counted by the solver itself.
#include "checker/solver/solver.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using gpol::testing::Dice;

namespace {

constexpr std::uint64_t kLimit = 100'000;
constexpr std::uint64_t kToAsk = 100'000;  // what it takes to hand over the largest of these

Term sum_of(const std::vector<Term>& terms) {
  Term sum = integer(0);
  for (const Term& term : terms) sum = sum + term;
  return sum;
}

// Where the facts stand: each by itself, or all in the goal.
enum class In : std::uint8_t { Facts, Goal };

Formula asked(std::vector<Term> facts, In in) {
  Formula formula{"hard", "nothing", {}, boolean(true)};
  if (in == In::Goal) {
    formula.negated_goal = all_of(std::move(facts));
    return formula;
  }
  for (std::size_t i = 0; i < facts.size(); ++i) formula.facts.push_back({std::to_string(i), std::move(facts[i])});
  return formula;
}

// So many numbers in fewer places, all different; numbered from `low` on.
Formula pigeons(int count, std::int64_t low, In in) {
  std::vector<Term> at, facts;
  for (int i = 0; i < count; ++i) at.push_back(int_symbol("p" + std::to_string(i)));
  for (std::size_t i = 0; i < at.size(); ++i) {
    facts.push_back(at[i] >= integer(low) && at[i] < integer(low + count - 1));
    for (std::size_t j = 0; j < i; ++j) facts.push_back(!equal(at[i], at[j]));
  }
  return asked(std::move(facts), in);
}

// A knapsack of many dimensions: some of each thing, so many in all, and of every dimension no more than a share of
// what they would take on the average. `exactly`: all of that share.
Formula knapsack(int things, int dimensions, std::int64_t largest, double share, bool exactly, In in) {
  Dice dice(static_cast<std::uint64_t>(things));
  std::vector<Term> count, facts;
  for (int i = 0; i < things; ++i) {
    count.push_back(int_symbol("n" + std::to_string(i)));
    facts.push_back(count.back() >= integer(0));
    if (exactly) facts.push_back(count.back() <= integer(1));
  }
  for (int d = 0; d < dimensions; ++d) {
    std::vector<Term> use;
    std::int64_t all = 0;
    for (const Term& one : count) {
      const std::int64_t each = dice.one_in(3) && !exactly ? 0 : 1 + dice.upto(largest - 1);
      use.push_back(each * one);
      all += each;
    }
    const Term most = integer(static_cast<std::int64_t>(share * static_cast<double>(all)));
    facts.push_back(exactly ? equal(sum_of(use), most) : sum_of(use) <= most);
  }
  if (!exactly) facts.push_back(sum_of(count) >= integer(things / 10));
  return asked(std::move(facts), in);
}

std::vector<std::pair<std::string, Formula>> hard_questions() {
  std::vector<std::pair<std::string, Formula>> all;
  for (const In in : {In::Facts, In::Goal}) {
    const std::string where = in == In::Facts ? ", as facts" : ", as the goal";
    all.emplace_back("pigeons" + where, pigeons(12, 1, in));
    all.emplace_back("pigeons far out" + where, pigeons(12, std::int64_t{1} << 58U, in));
    all.emplace_back("small amounts" + where, knapsack(120, 24, 50, 0.04, false, in));
    all.emplace_back("amounts of bytes" + where, knapsack(250, 24, std::int64_t{1} << 41U, 0.02, false, in));
    all.emplace_back("halves" + where, knapsack(50, 6, std::int64_t{1} << 40U, 0.5, true, in));
  }
  return all;
}

}  // namespace

TEST_CASE("a hard question is given up once its steps are spent, and so is the next one") {
  Solver solver({.steps = kLimit, .seed = 0});
  for (const auto& [name, formula] : hard_questions()) {
    INFO(name);
    const Answer answer = solver.check(formula);
    INFO(answer.steps << " steps");
    CHECK(answer.kind == Answer::Kind::Unknown);
    CHECK_FALSE(answer.why.empty());
    CHECK(answer.steps >= kLimit);
    CHECK(answer.steps <= kLimit + kToAsk);
  }
  const Term x = int_symbol("x");
  CHECK(solver.check({"easy", "s", {{"low", x <= integer(4)}}, x > integer(4)}).kind == Answer::Kind::Unsat);
}

// A solver that counted pivots would take fewer steps for the second: its numbers are longer, its rows as many.
TEST_CASE("a step is an amount of work: long numbers take more of them") {
  Solver solver;
  const auto steps = [&](std::int64_t largest) {
    const Answer answer = solver.check(knapsack(40, 12, largest, 0.001, false, In::Facts));
    CHECK(answer.kind == Answer::Kind::Unsat);
    return answer.steps;
  };
  const std::uint64_t small = steps(8), large = steps(std::int64_t{1} << 41U);
  INFO(small << " and " << large << " steps");
  CHECK(large > 2 * small);
}

TEST_CASE("the same question takes the same steps") {
  const auto steps = [] { return Solver().check(knapsack(20, 4, 50, 0.001, false, In::Facts)).steps; };
  const std::uint64_t first = steps();
  CHECK(first > 0);
  CHECK(steps() == first);
}
