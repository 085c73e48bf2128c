// What the fuzz targets demand of every text, asked of the texts that are known: the examples, the goldens, the slips,
// the YAML of bundles and examples, and what fuzzing found and learned (corpus, corpus-yaml). A target ends the program
// where a text breaks a demand; the name of the text is printed before. run.sh looks for new texts, with sanitizers.
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

// The targets' LLVMFuzzerTestOneInput, each under a name of its own (tests/CMakeLists.txt).
extern "C" {
int fuzz_parse(const std::uint8_t* data, std::size_t size);
int fuzz_format(const std::uint8_t* data, std::size_t size);
int fuzz_resolve(const std::uint8_t* data, std::size_t size);
int fuzz_yaml(const std::uint8_t* data, std::size_t size);
}

namespace gpol::test {
namespace {

namespace fs = std::filesystem;
using Target = int (*)(const std::uint8_t*, std::size_t);

constexpr std::size_t kLargest = 16384;  // as run.sh: larger texts are the business of tests/hostile

std::vector<fs::path> files(const std::string& folder, const std::string& extension) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GPOL_ROOT) / folder))
    if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension))
      found.push_back(entry.path());
  return found;
}

void play(const fs::path& path, std::initializer_list<Target> targets) {
  const std::string text = read_text(path);
  if (text.size() > kLargest) return;
  std::cerr << path.string() << std::endl;  // the last line names the text, should a target end the program
  for (const Target target : targets)
    CHECK(target(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()) == 0);
}

TEST_CASE("fuzz: every policy that is known, and what fuzzing found, meets the demands of the targets") {
  std::size_t played = 0;
  for (const char* folder : {"examples", "tests/golden", "policies"})
    for (const auto& path : files(folder, ".gpol")) play(path, {fuzz_parse, fuzz_format, fuzz_resolve}), ++played;
  for (const auto& path : files("tests/golden", ".table"))
    play(path, {fuzz_parse, fuzz_format, fuzz_resolve}), ++played;
  for (const auto& path : files("tests/fuzz/corpus", "")) play(path, {fuzz_parse, fuzz_format, fuzz_resolve}), ++played;
  CHECK(played > 250);
}

TEST_CASE("fuzz: every YAML that is known, and what fuzzing found, meets the demands of the target") {
  std::size_t played = 0;
  for (const char* folder : {"examples", "tests/bundles", "tests/golden", "tests/conformance"})
    for (const auto& path : files(folder, ".yaml")) play(path, {fuzz_yaml}), ++played;
  for (const auto& path : files("tests/fuzz/corpus-yaml", "")) play(path, {fuzz_yaml}), ++played;
  CHECK(played > 500);
}

}  // namespace
}  // namespace gpol::test
