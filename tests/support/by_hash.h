// Expected output that nobody reads in full: what is committed of it is its SHA-256. Each such text that a test makes
// is kept under its hash in `texts/`, beside the test's program, and tests/compare/texts.py shows what became of it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "compiler/source/sha256.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

inline std::filesystem::path kept_texts() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "texts";
}

// Its hash. The file appears as a whole: several tests may keep the same text at once.
inline std::string keep_text(const std::string& text) {
  const std::string hash = sha256(text);
  const std::filesystem::path path = kept_texts() / hash;
  if (!std::filesystem::exists(path)) {
    const std::filesystem::path part = path.string() + "." + std::to_string(getpid());
    write_text(part, text);
    std::filesystem::rename(part, path);
  }
  return hash;
}

// Empty where the text has the hash that is committed.
inline std::string difference_of_hashes(const std::string& expected, const std::string& text) {
  const std::string found = keep_text(text);
  if (found == expected) return {};
  const bool known = std::filesystem::exists(kept_texts() / expected);
  return "expected " + (expected.empty() ? "no such text" : expected) + "\n  found    " + found + " in " +
         kept_texts().string() +
         (known ? ", which has both: diff -u them" : "; the old one: tests/compare/texts.py --help");
}

}  // namespace gpol::test
