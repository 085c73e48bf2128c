// A policy in another order: declarations of a file, and items of every block that has several, put into a random
// order. In: a text that parses, and dice. Out: a text of the same items; comments stay where they are. `language`
// stays first.
#pragma once

#include <string>

#include "tests/support/random_tree.h"

namespace gpol::test {

std::string shuffled(const std::string& policy, gpol::testing::Dice& dice);

template <class T>
void shuffle(std::vector<T>& items, gpol::testing::Dice& dice) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(dice.upto(static_cast<std::int64_t>(i) - 1))]);
}

}  // namespace gpol::test
