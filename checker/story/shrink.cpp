#include "checker/story/replay.h"

#include <algorithm>

namespace gpol {

namespace {

constexpr std::size_t kLong = 32;               // steps: of many tenants
constexpr std::int64_t kMostWork = 15'000'000;  // a few seconds

class Shrinker {
 public:
  Shrinker(const Stage& stage, const Keeps& keeps, int budget)
      : stage_(stage), keeps_(keeps), budget_(budget), first_(stage.worked()) {}

  bool drop_steps(Script& script) {
    bool dropped = drop_many(script);
    for (std::size_t i = 0; i < script.steps.size() && !spent();) {
      Script shorter = script;
      shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(i));
      if (holds(shorter)) {
        script = std::move(shorter);
        dropped = true;
      } else {
        ++i;
      }
    }
    return dropped;
  }

  // The ask first, then what others hold: so a story keeps everything that others hold and the smallest ask that fails.
  bool lower_numbers(Script& script) {
    bool lowered = false;
    for (const bool ask : {true, false})
      for (std::size_t i = 0; i < script.steps.size() && !spent(); ++i) {
        const auto* submit = std::get_if<Submit>(&script.steps[i]);
        if (submit == nullptr || submit->ask != ask || submit->fixed) continue;
        for (std::size_t n = 0; n < numbers(script, i).size(); ++n) lowered = lower(script, i, n) || lowered;
      }
    return lowered;
  }

  bool spent() const { return budget_ <= 0 || stage_.worked() - first_ > kMostWork; }

 private:
  // Of long scripts whole runs of steps at once, halves first: most of what hundreds of tenants do is not needed.
  bool drop_many(Script& script) {
    bool dropped = false;
    if (script.steps.size() < kLong) return dropped;
    for (std::size_t run = script.steps.size() / 2; run > 1; run /= 2)
      for (std::size_t i = 0; i < script.steps.size() && !spent();) {
        Script shorter = script;
        const auto first = shorter.steps.begin() + static_cast<std::ptrdiff_t>(i);
        shorter.steps.erase(first, first + static_cast<std::ptrdiff_t>(std::min(run, script.steps.size() - i)));
        if (holds(shorter)) {
          script = std::move(shorter);
          dropped = true;
        } else {
          i += run;
        }
      }
    return dropped;
  }

  bool holds(const Script& script) {
    if (spent()) return false;
    --budget_;
    return keeps_(script, stage_.play(script));
  }

  // What the step asks for, of all its podsets.
  static std::vector<std::int64_t*> numbers(Script& script, std::size_t step) {
    std::vector<std::int64_t*> all;
    auto& workload = std::get<Submit>(script.steps[step]).workload;
    for (auto& request : workload.requests) all.push_back(&request.amount);
    for (auto& podset : workload.more)
      for (auto& request : podset.requests) all.push_back(&request.amount);
    return all;
  }
  static std::int64_t& number(Script& script, std::size_t step, std::size_t which) {
    return *numbers(script, step)[which];
  }

  // The smallest value that still keeps the property, down to dropping the request (0 of it is not asked for); in
  // whole pods.
  bool lower(Script& script, std::size_t step, std::size_t which) {
    const std::int64_t pod = std::get<Submit>(script.steps[step]).pod, before = number(script, step, which) / pod;
    std::int64_t fails = -1, works = before;
    if (script.steps.size() >= kLong) {  // most numbers of a long script stay as they are: one play says so
      Script smaller = script;
      number(smaller, step, which) = (before - 1) * pod;
      if (before == 0 || !holds(smaller)) return false;
      works = before - 1;
    }
    while (works - fails > 1) {
      const std::int64_t middle = fails + (works - fails) / 2;
      Script smaller = script;
      number(smaller, step, which) = middle * pod;
      if (holds(smaller))
        works = middle;
      else
        fails = middle;
    }
    number(script, step, which) = works * pod;
    return works != before;
  }

  const Stage& stage_;
  const Keeps& keeps_;
  int budget_;
  std::int64_t first_;
};

void forget_zeros(Script& script) {
  for (auto& step : script.steps)
    if (auto* submit = std::get_if<Submit>(&step)) {
      const auto nothing = [](const auto& r) { return r.amount == 0; };
      std::erase_if(submit->workload.requests, nothing);
      for (auto& podset : submit->workload.more) std::erase_if(podset.requests, nothing);
    }
}

}  // namespace

std::optional<Script> shrink(const Stage& stage, Script script, const Keeps& keeps, int budget) {
  Shrinker shrinker(stage, keeps, budget);
  // Lowering one number may let another step go, and the other way round: until neither moves.
  for (bool moved = true; moved && !shrinker.spent();) {
    const bool dropped = shrinker.drop_steps(script);
    moved = shrinker.lower_numbers(script) || dropped;
  }
  if (shrinker.spent()) return std::nullopt;
  forget_zeros(script);
  if (!keeps(script, stage.play(script))) return std::nullopt;
  return script;
}

}  // namespace gpol
