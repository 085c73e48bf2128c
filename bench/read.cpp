// Prints what reading takes for each byte: bench/read.sh runs it. In: files. Out: for each policy its text to a tree
// (parse), from there to a Policy (resolve), and its text to the one style (format, which parses twice); for each .yaml
// file its text to trees (Kubernetes' reading, libyaml) and to the nodes of yaml-cpp. Processor time of this process,
// the best of ROUNDS.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

#include "checker/observe/documents.h"
#include "compiler/format/format.h"
#include "compiler/policy/resolve.h"
#include "compiler/syntax/parse.h"

namespace {

using gpol::manifest::parse_document, gpol::manifest::split_documents, gpol::manifest::Reading;

constexpr int kRounds = 5;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

template <class Body>
void print(const std::string& path, const char* stage, std::size_t bytes, Body body) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double began = now();
    body();
    const double took = now() - began;
    best = round == 0 ? took : std::min(best, took);
  }
  std::cout << fmt::format("{:<24} {:<8} {:>9} bytes {:>8.1f} ms {:>7.1f} ns a byte {:>6.1f} MB/s\n",
                           path.substr(path.rfind('/') + 1), stage, bytes, best / 1e6,
                           best / static_cast<double>(bytes), static_cast<double>(bytes) * 1e3 / best);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i], text = text_of(path);
    if (path.ends_with(".yaml")) {
      print(path, "libyaml", text.size(), [&] {
        for (const auto& document : split_documents(text, Reading::Kubernetes).list)
          if (!parse_document(document, Reading::Kubernetes).root) std::abort();
      });
      print(path, "yaml-cpp", text.size(), [&] {
        if (YAML::LoadAll(text).empty()) std::abort();
      });
      continue;
    }
    gpol::SourceSet sources;
    const gpol::FileId file = sources.add(path, text);
    print(path, "parse", text.size(), [&] {
      if (!gpol::parse(sources, file).ok()) std::abort();
    });
    const auto tree = gpol::parse(sources, file);
    print(path, "resolve", text.size(), [&] {
      if (!gpol::resolve({&tree.value, 1}).ok()) std::abort();
    });
    print(path, "format", text.size(), [&] {
      if (!gpol::formatted(sources, file).ok()) std::abort();
    });
  }
  return 0;
}
