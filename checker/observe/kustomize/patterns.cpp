#include "checker/observe/kustomize/patterns.h"

#include <bitset>
#include <utility>
#include <vector>

#include "checker/observe/kustomize/pattern_parts.h"

namespace gpol::manifest::kustomize {
namespace {

constexpr std::size_t kMostSteps = 4096;  // of a program: repetitions are written out

}  // namespace

// A state either takes one byte of a set, or leads on to up to two others.
struct Pattern::Program {
  enum class Step { Take, Split, Begin, End, Done };
  struct State {
    Step step = Step::Done;
    std::bitset<256> set = {};
    std::size_t next = 0, other = 0;
  };
  std::vector<State> states;
  std::size_t compiled = 0;  // parts, those that need no state included
};

namespace {

// From the end to the beginning: each part is told where it leads.
template <class Program>
std::size_t compile(Program& program, const PatternPart& part, std::size_t next) {
  using Step = typename Program::Step;
  if (++program.compiled > 4 * kMostSteps) throw UnknownPattern{};
  const auto add = [&](Step step, std::bitset<256> set, std::size_t to, std::size_t other) {
    if (program.states.size() >= kMostSteps) throw UnknownPattern{};
    program.states.push_back({step, set, to, other});
    return program.states.size() - 1;
  };
  switch (part.is) {
    case PatternPart::Is::Nothing:
      return next;
    case PatternPart::Is::Set:
      return add(Step::Take, part.set, next, 0);
    case PatternPart::Is::Begin:
      return add(Step::Begin, {}, next, 0);
    case PatternPart::Is::End:
      return add(Step::End, {}, next, 0);
    case PatternPart::Is::Sequence:
      for (auto it = part.parts.rbegin(); it != part.parts.rend(); ++it) next = compile(program, *it, next);
      return next;
    case PatternPart::Is::Choice: {
      std::size_t start = compile(program, part.parts.back(), next);
      for (std::size_t i = part.parts.size() - 1; i-- > 0;)
        start = add(Step::Split, {}, compile(program, part.parts[i], next), start);
      return start;
    }
    case PatternPart::Is::Repeat: {
      if (part.most < 0) {
        const std::size_t loop = add(Step::Split, {}, next, next);
        const std::size_t body = compile(program, part.parts[0], loop);
        program.states[loop].next = body;
        next = loop;
      }
      for (int i = part.least; i < part.most; ++i) {
        const std::size_t body = compile(program, part.parts[0], next);
        next = add(Step::Split, {}, body, next);
      }
      for (int i = 0; i < part.least; ++i) next = compile(program, part.parts[0], next);
      return next;
    }
  }
  return next;
}

}  // namespace

Pattern::Pattern(std::string_view text) : plain_(text) {
  if (text.find_first_of("\\.+*?()|[]{}^$") == std::string_view::npos) return;
  if (text.size() > kPatternLimit) {
    fault_ = Fault::NotKnown;
    return;
  }
  try {
    auto program = std::make_shared<Program>();
    program->states.push_back({});
    const std::size_t start = compile(*program, parse_pattern(text), 0);
    program->states.push_back({Program::Step::Split, {}, start, start});  // the last one is where it begins
    program_ = std::move(program);
  } catch (const WrongPattern&) {
    fault_ = Fault::Wrong;
  } catch (const UnknownPattern&) {
    fault_ = Fault::NotKnown;
  }
}

std::size_t Pattern::cost() const { return program_ ? 8 + program_->states.size() : 1; }

bool Pattern::matches(std::string_view text) const {
  if (!program_) return fault_ == Fault::None && text == plain_;
  if (text.size() > kTextLimit) return false;
  const auto& states = program_->states;
  std::vector<std::size_t> now, later, open{states.size() - 1};
  std::vector<std::size_t> seen(states.size(), text.size() + 1);
  bool done = false;
  const auto follow = [&](std::size_t at, std::vector<std::size_t>& into) {
    done = false;
    while (!open.empty()) {
      const std::size_t index = open.back();
      open.pop_back();
      if (std::exchange(seen[index], at) == at) continue;
      const auto& state = states[index];
      switch (state.step) {
        case Program::Step::Take:
          into.push_back(index);
          break;
        case Program::Step::Split:
          open.push_back(state.next);
          open.push_back(state.other);
          break;
        case Program::Step::Begin:
          if (at == 0) open.push_back(state.next);
          break;
        case Program::Step::End:
          if (at == text.size()) open.push_back(state.next);
          break;
        case Program::Step::Done:
          done = true;
          break;
      }
    }
  };
  follow(0, now);
  for (std::size_t at = 0; at < text.size(); ++at, now.swap(later)) {
    for (const std::size_t index : now)
      if (states[index].set.test(static_cast<unsigned char>(text[at]))) open.push_back(states[index].next);
    later.clear();
    follow(at + 1, later);
  }
  return done;
}

}  // namespace gpol::manifest::kustomize
