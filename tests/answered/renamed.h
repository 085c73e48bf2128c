// A question about guards with other names and integers in it, and its formula for all integers in this order: what a
// row of the table is proven by (checker/guards/answered.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/guards/answered.h"
#include "checker/solver/terms.h"
#include "compiler/cluster/cluster.h"

namespace gpol::answered {

struct Renaming {
  struct Texts {
    std::string stands;               // for the name in the form: what the elements of lists are sorted by
    std::vector<std::string> others;  // in its place; several, of a group
  };
  std::map<std::string, Texts> names;
  std::map<std::int64_t, std::string> numbers;  // "#1": any integer
};
// So many made-up names in the place of a group, the first of this length beside what stands for it. `longer` 0: other
// names stay.
Renaming renaming_of(const Form& form, std::size_t members, std::size_t longer);

// Of what forms call names and integers: operands of comparisons, elements of lists behind `in`, what ?: chooses,
// values of selectors, names in rules.
cel::ExprPtr renamed(const cel::ExprPtr& expr, const Renaming& how);

// Policies with one validation each, and all that they point to.
struct RenamedPolicies {
  RenamedPolicies(const std::vector<OneValidation>& those, const Renaming& how);
  std::vector<const PreparedPolicy*> policies() const;

 private:
  struct One {
    AdmissionPolicy policy;
    std::vector<AdmissionBinding> bindings;
    PreparedPolicy prepared;
  };
  std::vector<std::unique_ptr<One>> all_;
};

// The formula with a symbol in the place of each of these integers, and the fact that they are in this order; "0" is 0.
Formula with_symbols(const Formula& formula, const std::map<std::int64_t, std::string>& symbols,
                     const std::vector<std::string>& order);

}  // namespace gpol::answered
