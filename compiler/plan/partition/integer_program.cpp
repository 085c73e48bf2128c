#include "compiler/plan/partition/integer_program.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gpol {

namespace {

__extension__ using Wide = __int128;

constexpr int kCutRounds = 12;           // of each node of the tree
constexpr std::size_t kMostDepth = 500;  // of the tree; a tableau is kept for each level

// Each basic variable is (constant + sum of factors times the variables outside the basis) / denominator; the cost is
// row 0. The costs' factors are never negative: what the tableau says is optimal once no constant is negative.
struct Tableau {
  std::vector<std::vector<std::int64_t>> rows;  // constant, then the factors
  std::vector<std::size_t> basic, outside;      // which variable a row (from 1) or a column (from 1) stands for
  std::int64_t denominator = 1;
  std::size_t variables = 0;  // those of the programme come first, then a slack for each row that was added
};

struct Search {
  std::size_t asked = 0;  // variables of the programme
  std::int64_t steps_left = 0;
  std::int64_t bound = 0;            // of the root
  std::optional<std::int64_t> best;  // cost of `values`
  std::vector<std::int64_t> values;
  bool gave_up = false;
};

std::int64_t floor_of(std::int64_t n, std::int64_t d) { return n / d - (n % d < 0 ? 1 : 0); }
std::int64_t ceiling_of(std::int64_t n, std::int64_t d) { return n / d + (n % d > 0 ? 1 : 0); }

// (a * p - b * c) / d, which is a whole number: entries are minors of the programme.
bool combined(std::int64_t a, std::int64_t p, std::int64_t b, std::int64_t c, std::int64_t d, std::int64_t& out) {
  std::int64_t one = 0, other = 0, difference = 0;
  if (!__builtin_mul_overflow(a, p, &one) && !__builtin_mul_overflow(b, c, &other) &&
      !__builtin_sub_overflow(one, other, &difference)) {
    out = d == 1 ? difference : difference / d;
    return out != INT64_MIN;  // what can be negated
  }
  const Wide exact = (Wide{a} * p - Wide{b} * c) / d;
  out = static_cast<std::int64_t>(exact);
  return exact == out && out != INT64_MIN;
}

// The variable of the column enters the basis for that of the row. False: a number is too large for 64 bits.
bool pivot(Tableau& t, std::size_t row, std::size_t column) {
  const std::int64_t p = t.rows[row][column];
  for (std::size_t i = 0; i < t.rows.size(); ++i) {
    if (i == row) continue;
    const std::int64_t factor = t.rows[i][column];
    if (factor == 0 && p == t.denominator) continue;
    for (std::size_t j = 0; j < t.rows[i].size(); ++j)
      if (j != column && !combined(t.rows[i][j], p, factor, t.rows[row][j], t.denominator, t.rows[i][j])) return false;
  }
  for (std::int64_t& entry : t.rows[row]) entry = -entry;
  t.rows[row][column] = t.denominator;
  t.denominator = p;
  std::swap(t.basic[row], t.outside[column]);
  return true;
}

// The row whose constant is the most negative; with `first` the first variable's (Bland), which cannot go in circles.
std::size_t leaving(const Tableau& t, bool first) {
  std::size_t out = 0;
  for (std::size_t i = 1; i < t.rows.size(); ++i) {
    if (t.rows[i][0] >= 0) continue;
    if (out == 0 || (first ? t.basic[i] < t.basic[out] : t.rows[i][0] < t.rows[out][0])) out = i;
  }
  return out;
}

// The column that keeps every factor of the cost from becoming negative; 0: the row can never reach 0.
std::size_t entering(const Tableau& t, std::size_t row) {
  std::size_t out = 0;
  for (std::size_t j = 1; j < t.outside.size(); ++j) {
    if (t.rows[row][j] <= 0) continue;
    if (out == 0) {
      out = j;
      continue;
    }
    const Wide one = Wide{t.rows[0][j]} * t.rows[row][out], other = Wide{t.rows[0][out]} * t.rows[row][j];
    if (one < other || (one == other && t.outside[j] < t.outside[out])) out = j;
  }
  return out;
}

enum class Found : std::uint8_t { Optimal, None, GaveUp };

// None also where the cost is no better than what is known.
Found optimised(Tableau& t, Search& search) {
  for (std::size_t turns = 0;; ++turns) {
    if (search.best && ceiling_of(t.rows[0][0], t.denominator) >= *search.best) return Found::None;
    const std::size_t row = leaving(t, turns > 2 * (t.rows.size() + t.outside.size()));
    if (row == 0) return Found::Optimal;
    const std::size_t column = entering(t, row);
    if (column == 0) return Found::None;
    search.steps_left -= static_cast<std::int64_t>(t.rows.size() * t.outside.size());
    if (search.steps_left < 0 || !pivot(t, row, column)) return Found::GaveUp;
  }
}

void add_row(Tableau& t, std::vector<std::int64_t> row) {
  t.rows.push_back(std::move(row));
  t.basic.push_back(t.variables++);
}

// The row whose value is furthest from a whole number; 0: there is none.
std::size_t most_fractional(const Tableau& t, std::size_t variables) {
  std::size_t out = 0;
  std::int64_t best = 0;
  for (std::size_t i = 1; i < t.rows.size(); ++i) {
    if (t.basic[i] >= variables) continue;
    const std::int64_t rest = t.rows[i][0] % t.denominator;
    const std::int64_t far = std::min(rest, t.denominator - rest);
    if (far > best || (far == best && far > 0 && t.basic[i] < t.basic[out])) out = i, best = far;
  }
  return out;
}

// What every whole solution satisfies and the values at hand do not: the fractions of the row sum up to at least that
// of its constant.
void add_cut(Tableau& t, std::size_t from) {
  std::vector<std::int64_t> row(t.outside.size());
  const auto fraction = [&](std::int64_t n) { return n - floor_of(n, t.denominator) * t.denominator; };
  row[0] = -fraction(t.rows[from][0]);
  for (std::size_t j = 1; j < row.size(); ++j) row[j] = fraction(-t.rows[from][j]);
  add_row(t, std::move(row));
}

// At most the whole number below its value, or at least the one above.
void add_branch(Tableau& t, std::size_t of, bool up) {
  std::vector<std::int64_t> row = t.rows[of];
  row[0] %= t.denominator;
  if (up)
    row[0] -= t.denominator;
  else
    for (std::int64_t& entry : row) entry = -entry;
  add_row(t, std::move(row));
}

void take(const Tableau& t, Search& search) {
  search.values.assign(search.asked, 0);
  for (std::size_t i = 1; i < t.rows.size(); ++i)
    if (t.basic[i] < search.asked) search.values[t.basic[i]] = t.rows[i][0] / t.denominator;
  search.best = t.rows[0][0] / t.denominator;
}

Tableau tableau_of(const IntegerProgram& program) {
  Tableau t;
  t.variables = program.costs.size();
  t.rows.push_back({0});
  t.rows[0].insert(t.rows[0].end(), program.costs.begin(), program.costs.end());
  t.basic.push_back(0);  // of the cost: never looked at
  t.outside.push_back(0);
  for (std::size_t j = 0; j < program.costs.size(); ++j) t.outside.push_back(j);
  for (const IntegerConstraint& constraint : program.constraints) {
    std::vector<std::int64_t> row{-constraint.least};
    row.insert(row.end(), constraint.factors.begin(), constraint.factors.end());
    add_row(t, std::move(row));
  }
  return t;
}

// The values where they are whole; else the row to branch on.
std::size_t looked_at(Tableau& t, Search& search, Found& found) {
  found = optimised(t, search);
  for (int round = 0; found == Found::Optimal; ++round) {
    const std::size_t row = most_fractional(t, search.asked);
    if (row == 0) {
      take(t, search);
      return 0;
    }
    if (round == kCutRounds) return row;
    add_cut(t, row);
    found = optimised(t, search);
  }
  return 0;
}

// The nearer side first; both are kept, the other below it on the stack.
void branch(const Tableau& t, std::size_t row, std::vector<Tableau>& open) {
  const std::int64_t rest = t.rows[row][0] % t.denominator;
  const bool up = rest >= t.denominator - rest;
  for (const bool side : {!up, up}) {
    open.push_back(t);
    add_branch(open.back(), row, side);
  }
}

std::int64_t cost_of(const IntegerProgram& program, const std::vector<std::int64_t>& values) {
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < values.size(); ++i) cost += program.costs[i] * values[i];
  return cost;
}

}  // namespace

IntegerSolution solved(const IntegerProgram& program, std::int64_t most_steps) {
  Search search;
  search.asked = program.costs.size();
  search.steps_left = most_steps;
  if (!program.known.empty()) {
    search.values = program.known;
    search.best = cost_of(program, program.known);
  }
  std::vector<Tableau> open{tableau_of(program)};
  for (bool root = true; !open.empty() && !search.gave_up; root = false) {
    Tableau t = std::move(open.back());
    open.pop_back();
    Found found = Found::None;
    const std::size_t row = looked_at(t, search, found);
    if (root && found != Found::None) search.bound = ceiling_of(t.rows[0][0], t.denominator);
    if (found == Found::GaveUp || open.size() > kMostDepth) search.gave_up = true;
    if (found == Found::Optimal && row != 0) branch(t, row, open);
    if (search.best && *search.best <= search.bound) break;
  }
  IntegerSolution out;
  out.steps = most_steps - search.steps_left;
  out.at_least = search.bound;
  out.values = std::move(search.values);
  out.cost = search.best.value_or(0);
  if (search.gave_up && !(search.best && *search.best <= search.bound)) return out;
  out.state = search.best ? IntegerSolution::State::Optimal : IntegerSolution::State::None;
  if (search.best) out.at_least = out.cost;
  return out;
}

}  // namespace gpol
