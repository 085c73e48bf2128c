// The only file that knows Z3 (4.8.12 and later). Its plain SMT core (Z3_mk_simple_solver) is used: of the solver
// objects of 4.8.12 it answers the first question soonest (1.3 ms against 2 ms for the QF_LIA tactic and 9.5 ms for the
// combined solver; measured with ten lemmas), and it is incremental, so one object serves all questions.
#include <z3++.h>

#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "checker/solver/solver.h"

namespace gpol {

struct Solver::Impl {
  explicit Impl(const SolverLimits& limits) : context(plain(config)), solver(context, Z3_mk_simple_solver(context)) {
    z3::params params(context);
    params.set("random_seed", limits.seed);
    const auto most = std::numeric_limits<unsigned>::max();
    params.set("rlimit", limits.steps < most ? static_cast<unsigned>(limits.steps) : most);
    params.set("ctrl_c", false);  // SIGINT ends the program: it is no reason to be undecided
    // The older arithmetic, of which a step is a bounded amount of work: a pivot counts as the numbers that it touches,
    // and as long as they are; the newer one counts a pivot of seconds as 1. And no cuts, whose numbers grow without
    // end.
    params.set("arith.solver", 2U);
    params.set("arith.branch_cut_ratio", most);
    solver.set(params);
  }

  // No guessing at a strategy: the same search for the same question.
  static z3::config& plain(z3::config& config) {
    config.set("auto_config", false);
    return config;
  }

  z3::expr translate(const Term& term) {
    if (const auto found = known.find(term.get()); found != known.end()) return found->second;
    z3::expr made = build(*term);
    known.emplace(term.get(), made);
    return made;
  }

  z3::expr build(const TermNode& node) {
    z3::expr_vector args(context);
    for (const Term& arg : node.args) args.push_back(translate(arg));
    switch (node.op) {
      case Op::BoolConst:
        return context.bool_val(node.value != 0);
      case Op::IntConst:
        return context.int_val(node.value);
      case Op::NameConst: {
        const z3::expr made = context.constant(("name." + std::to_string(node.value)).c_str(), name_sort);
        names.emplace(node.value, made);
        return made;
      }
      case Op::Symbol:
        if (node.sort == Sort::Name) return context.constant(node.name.c_str(), name_sort);
        return node.sort == Sort::Bool ? context.bool_const(node.name.c_str()) : context.int_const(node.name.c_str());
      case Op::Not:
        return !args[0];
      case Op::And:
        return z3::mk_and(args);
      case Op::Or:
        return z3::mk_or(args);
      case Op::Implies:
        return z3::implies(args[0], args[1]);
      case Op::Equal:
        return args[0] == args[1];
      case Op::LessEqual:
        return args[0] <= args[1];
      case Op::Less:
        return args[0] < args[1];
      case Op::Add:
        return args[0] + args[1];
      case Op::Subtract:
        return args[0] - args[1];
      case Op::Multiply:
        return args[0] * args[1];
      case Op::Ite:
        return z3::ite(args[0], args[1], args[2]);
    }
    throw std::logic_error("z3: an operator is not known");
  }

  Answer ask(const Formula& formula) {
    // Facts, and the goal as one without a name, are switched on by one boolean each; their names may not meet those of
    // the formula's own constants. What is always on Z3 propagates with its limit suspended, however long that takes.
    std::map<std::string, std::string> name_of;
    z3::expr_vector assumptions(context);
    const auto assume = [&](const std::string& name, const Term& term) {
      const std::string label = "fact." + name;
      if (!name_of.emplace(label, name).second) throw std::logic_error("z3: two facts have one name: " + name);
      assumptions.push_back(context.bool_const(label.c_str()));
      solver.add(z3::implies(assumptions.back(), translate(term)));
    };
    for (const auto& fact : formula.facts) assume(fact.name, fact.term);
    assume("", formula.negated_goal);
    if (names.size() > 1) {
      z3::expr_vector all(context);
      for (const auto& [which, constant] : names) all.push_back(constant);
      solver.add(z3::distinct(all));
    }
    Answer answer;
    switch (solver.check(assumptions)) {
      case z3::unsat: {
        answer.kind = Answer::Kind::Unsat;
        std::map<std::string, bool> core;
        const z3::expr_vector used = solver.unsat_core();
        for (auto&& fact : used) core[name_of.at(fact.decl().name().str())] = true;
        core.erase("");
        for (const auto& [name, in] : core) answer.core.push_back(name);
        break;
      }
      case z3::sat:
        read_model(formula, answer);
        break;
      case z3::unknown:
        answer.why = solver.reason_unknown();
        break;
    }
    return answer;
  }

  // Of all questions so far.
  unsigned steps() const {
    const z3::stats all = solver.statistics();
    for (unsigned i = 0; i < all.size(); ++i)
      if (all.key(i) == "rlimit count") return all.uint_value(i);
    return 0;
  }

  // A model is believed only once the formula, evaluated in it, is true.
  void read_model(const Formula& formula, Answer& answer) {
    const z3::model model = solver.get_model();
    std::map<unsigned, std::int64_t> numbers;  // of names, by the solver's own number of a value
    z3::expr_vector values(context);           // which are kept, so that no other gets their number
    const auto id_of = [&](const z3::expr& name) {
      values.push_back(model.eval(name));
      return Z3_get_ast_id(context, values.back());
    };
    for (const auto& [which, constant] : names) numbers.emplace(id_of(constant), which);
    std::int64_t next = kOtherNames;
    for (const Term& s : symbols_of(formula)) {
      if (s->sort == Sort::Name) {
        // One that the solver left open is another than all: it is its own value then.
        const auto [found, added] = numbers.emplace(id_of(translate(s)), next);
        if (added) ++next;
        answer.model[s->name] = found->second;
        continue;
      }
      const z3::expr value = model.eval(translate(s), true);
      std::int64_t number = 0;
      if (s->sort == Sort::Bool)
        number = value.is_true() ? 1 : 0;
      else if (!value.is_numeral_i64(number))
        throw std::out_of_range("a value of the model leaves 64 bits");
      answer.model[s->name] = number;
    }
    if (satisfies(formula, answer.model))
      answer.kind = Answer::Kind::Sat;
    else
      answer = {Answer::Kind::Unknown, {}, {}, "the solver's model does not satisfy the formula"};
  }

  z3::config config;
  z3::context context;
  z3::solver solver;
  z3::sort name_sort = context.uninterpreted_sort("Name");
  std::map<std::int64_t, z3::expr> names;               // of one question: the constants
  std::unordered_map<const TermNode*, z3::expr> known;  // of one question: terms of the next may reuse an address
};

Solver::Solver(SolverLimits limits, SolverEar ear) : limits_(limits), ear_(std::move(ear)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

Answer Solver::check(const Formula& formula) {
  ++questions_;
  return check_uncounted(formula);
}

Answer Solver::check_uncounted(const Formula& formula) {
  Answer answer = memory_ ? remembered(formula) : ask(formula);
  if (ear_) ear_(formula, answer);
  return answer;
}

const Answer& Solver::remembered(const Formula& formula) {
  std::string text = smtlib(formula);
  if (const auto known = memory_->find(text); known != memory_->end()) return known->second;
  return memory_->emplace(std::move(text), ask(formula)).first->second;
}

void Solver::remember() {
  if (!memory_) memory_.emplace();
}

Answer Solver::ask(const Formula& formula) {
  try {
    if (!impl_) impl_ = std::make_unique<Impl>(limits_);
    impl_->known.clear();
    impl_->names.clear();
    impl_->solver.push();
    const unsigned before = impl_->steps();
    Answer answer = impl_->ask(formula);
    answer.steps = impl_->steps() - before;
    impl_->solver.pop();
    return answer;
  } catch (const z3::exception& error) {
    impl_.reset();  // its stack of assertions is no longer known
    return {Answer::Kind::Unknown, {}, {}, error.msg()};
  } catch (const std::out_of_range& error) {
    impl_.reset();
    return {Answer::Kind::Unknown, {}, {}, error.what()};
  }
}

}  // namespace gpol
