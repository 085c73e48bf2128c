#include "checker/guards/fold.h"

#include "compiler/source/lookup.h"

namespace gpol::symbolic {

namespace {

constexpr std::size_t kParts = 12;  // beyond this a part is looked for no more

bool opposite(const Term& a, const Term& b) {
  return (a->op == Op::Not && a->args[0] == b) || (b->op == Op::Not && b->args[0] == a);
}

}  // namespace

Term joined(Op op, const Term& a, const Term& b) {
  if (a == b) return a;
  std::vector<Term> parts;
  bool more = false;  // than `a` has
  for (const Term& side : {a, b}) {
    const bool many = side->op == op;
    const std::size_t count = many ? side->args.size() : 1;
    if (parts.size() + count > kParts) return op == Op::And ? a && b : a || b;
    for (std::size_t i = 0; i < count; ++i) {
      const Term& part = many ? side->args[i] : side;
      if (contains(parts, part)) continue;
      for (const Term& other : parts)
        if (opposite(part, other)) return boolean(op == Op::Or);
      parts.push_back(part);
      more = more || side == b;
    }
  }
  if (!more) return a;
  return op == Op::And ? all_of(std::move(parts)) : any_of(std::move(parts));
}

}  // namespace gpol::symbolic
