// What every part of the syntax tree is made of: names, quantities, times as they were written. See ast.h.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "compiler/source/span.h"

namespace gpol::ast {

struct Name {
  std::string text;
  Span span;
};

// A number with the unit as written: `8 gpus`, `60s`, `2 TiB`, `6`. `number` is decimal digits with an optional point.
struct Quantity {
  std::string number;
  std::string unit;  // empty: none was written
  Span span;
};

using Amounts = std::vector<Quantity>;  // `8 gpus, 128 cpu, 960 GiB`

struct TimeOfDay {
  int hour = 0, minute = 0;  // as written, 00 to 99 each; resolve refuses what is no time of day
  Span span;
};

// Of a block: one of its kinds of items, and where it stands.
template <class... Nodes>
struct Item {
  Span span;
  std::variant<Nodes...> node;
};

}  // namespace gpol::ast
