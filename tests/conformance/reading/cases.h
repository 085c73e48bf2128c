// The cases of this folder: texts chosen by hand, and random ones that are the same for the same seed everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reading_cases {

// What files() holds as a value, a key, an item, in flow and with each tag.
std::vector<std::string> scalars();
std::vector<std::string> files();  // chosen: scalars, keys, tags, aliases, merges, documents, JSON
// Small YAML texts, mostly well-formed, of everything that files() holds, and those with a few characters changed.
std::vector<std::string> random_files(std::uint32_t seed, int count);
std::vector<std::string> quantities();
std::vector<std::string> pods(std::uint32_t seed, int count);  // specs, as JSON

}  // namespace reading_cases
