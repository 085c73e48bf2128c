#include <algorithm>
#include <filesystem>
#include <string>

#include "emit/owned_index.h"
#include "tests/golden/golden.h"
#include "tests/support/by_hash.h"

namespace gpol::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kGuards = "base/guards.yaml";  // what they deny is read in guards.table

// What an index says of a file; empty: nothing.
std::string hash_in(const std::string& index, const std::string& name) {
  constexpr std::size_t kDigits = 64;
  const std::size_t at = index.find("  " + name + "\n");
  return at == std::string::npos || at < kDigits ? std::string() : index.substr(at - kDigits, kDigits);
}

const std::string* text_of(const Files& files, const std::string& name) {
  const auto at = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.first == name; });
  return at == files.end() ? nullptr : &at->second;
}

}  // namespace

bool Written::in_full(const std::string& name) const {
  return name == kIndexName || fs::exists(directory / name) || (of_example && name != kGuards);
}

int Written::update(const Files& found) const {
  int updated = 0;
  for (const auto& [name, text] : found) {
    if (in_full(name))
      updated += update_file(directory / name, text);
    else
      keep_text(text);
  }
  for (const auto& [name, text] : files_below(directory))
    if (text_of(found, name) == nullptr) updated += fs::remove(directory / name) ? 1 : 0;
  return updated;
}

std::string Written::difference(const Files& found) const {
  const Files expected = files_below(directory);
  const std::string* index = text_of(expected, std::string(kIndexName));
  std::string out;
  for (const auto& [name, text] : found) {
    const std::string* full = text_of(expected, name);
    if (full == nullptr && in_full(name)) {
      out += (directory / name).string() + " is not committed\n";
      continue;
    }
    const std::string how = full != nullptr ? test::difference(*full, text)
                                            : difference_of_hashes(index == nullptr ? "" : hash_in(*index, name), text);
    if (!how.empty()) out += (directory / name).string() + ": " + how + "\n";
  }
  for (const auto& [name, text] : expected)
    if (text_of(found, name) == nullptr) out += (directory / name).string() + " is no longer written\n";
  return out;
}

}  // namespace gpol::test
