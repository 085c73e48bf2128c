// One bundle of manifests, tests/bundles/NAME, and what `gpol verify` says of it in one run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpol::test {

struct Bundle {
  std::filesystem::path folder;   // relative to the root of the repository
  std::vector<std::string> args;  // NAME.args, which may be absent

  std::filesystem::path beside(const std::string& extension) const { return folder.string() + extension; }
  // The command line, with the manifests in `where`.
  std::vector<std::string> told(const std::filesystem::path& where, std::vector<std::string> more) const;
};

// Those of this process (shard.h), sorted. The current directory is the root of the repository.
std::vector<Bundle> bundles();

struct Played {
  int code = 0;
  std::string human, json, markdown;
  std::string rows;  // rows.h
};
// Verified once in this process, however often it is asked for.
const Played& played(const Bundle& bundle);

}  // namespace gpol::test
