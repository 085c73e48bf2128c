// The part of the goldens and bundles that this process looks at, so that several processes share them: GPOL_SHARD=I/N
// takes each N-th from the I-th on (0 to N-1); not set: all of them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpol::test {

struct Shard {
  std::size_t index = 0, count = 1;
  bool has(std::size_t item) const { return item % count == index; }
  // So many items that there is an edit to follow among them.
  bool is_large() const { return count <= 4; }
};

inline Shard shard() {
  const char* value = std::getenv("GPOL_SHARD");
  if (value == nullptr || *value == '\0') return {};
  const std::string text = value;
  const auto slash = text.find('/');
  const Shard shard{std::stoul(text), slash == std::string::npos ? 0 : std::stoul(text.substr(slash + 1))};
  if (shard.index >= shard.count) throw std::runtime_error("GPOL_SHARD=" + text + " is no I/N with I below N");
  return shard;
}

// Those of `all` that are in this process's part.
template <class Item>
std::vector<Item> of_shard(std::vector<Item> all) {
  const Shard part = shard();
  std::vector<Item> mine;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (part.has(i)) mine.push_back(std::move(all[i]));
  return mine;
}

}  // namespace gpol::test
