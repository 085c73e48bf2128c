// Builds a kustomization as `kustomize build` of v5.8 does, in process: nothing is executed, downloaded, or read but
// through FileTree. In: a directory. Out: its objects in kustomize's order, the files that went into them, and why it
// cannot be built, here or by anybody. Nodes keep where they come from (Node::file); what no text stands for, a prefix
// or a namespace say, points to the text of the kustomization that asked for it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/observe/tree.h"
#include "compiler/source/span.h"

namespace gpol::manifest {

struct FileText {
  FileId file = kNoFile;   // what spans name
  std::string_view bytes;  // stay where they are as long as what was built is used
};

// What may be read. Paths are as gpol shows them, without `.` and without a `..` that could be resolved.
struct FileTree {
  std::function<std::optional<FileText>(const std::string& path)> read;
  std::function<bool(const std::string& path)> is_directory;
  // It is there, and may not be read.
  std::function<bool(const std::string& path)> is_outside = [](const std::string&) { return false; };
};

struct Built {
  struct Not {
    Span span;
    std::string what, hint;
    std::string directory = {};  // of the kustomization, where several were joined
  };
  // What is to be downloaded: the objects of it are not among those that are built, which are as they would be.
  struct NotRead {
    enum class What : std::uint8_t {
      KueueInstall,   // Kueue's own release: its controller, CRDs and default Configuration, and no queue
      KueueSettings,  // a chart of it, a patch for what was not read, or a text of a ConfigMap: the Configuration may
                      // be another one
      Component,      // what it does to the objects that were read is not known
      Anything
    } what = What::Anything;
    Span span;
    std::string name, hint;
    std::string directory = {};
  };
  bool says_nothing = false;   // its file is empty: an error, too
  std::vector<Node> objects;   // one mapping each; none where `errors` or `not_built` say anything
  std::set<std::string> used;  // every file that was read, and every directory of a kustomization
  std::vector<Not> errors;     // `kustomize build` would fail, too
  std::vector<NotRead> not_read;
  std::vector<Not> not_built;  // kustomize builds it (or another version of it does), and gpol does not
};

inline constexpr int kKustomizeDepth = 64;
inline constexpr std::size_t kKustomizeFiles = 10'000;  // reads, of one file several times too
inline constexpr std::size_t kKustomizeObjects = 100'000;
inline constexpr std::size_t kKustomizePatches = 10'000;
inline constexpr std::size_t kKustomizeBytes = 64U << 20U;  // of trees, what was replaced since included
inline constexpr std::size_t kKustomizeSteps = 50'000'000;  // comparisons of a selector with an object, roughly

bool is_kustomization_file(std::string_view name);  // kustomization.yaml, kustomization.yml, Kustomization
Built build_kustomization(const FileTree& files, const std::string& directory);

}  // namespace gpol::manifest
