// Random expressions, objects, requests and policies, small enough to meet each other's corners: few names, few values.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "checker/guards/guard.h"

namespace gpol::random_guards {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  const std::string& of(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

// A boolean one. `wild`: of any shape, ill-typed and failing ones among them; else of the shapes that guards have.
std::string expression(Dice& dice, int depth, bool wild);
cel::Value pod(Dice& dice);
cel::Value request(Dice& dice);  // of a pod, or of its status
struct Set {
  std::vector<AdmissionPolicy> policies;
  std::vector<AdmissionBinding> bindings;
};
Set policies(Dice& dice, bool wild);

}  // namespace gpol::random_guards
