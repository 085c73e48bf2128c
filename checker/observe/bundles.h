// The files of a repository, parted as they are applied. In: the files that were given. Out: bundles, each with a
// verdict of its own: one for each kustomization that no other one includes, built as `kustomize build` does it, and
// one of all files that no kustomization covers. What `gpol build` wrote is one bundle as it is.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checker/observe/kustomize/build.h"
#include "checker/observe/observe.h"

namespace gpol {

// What `gpol build` wrote, among files that were given: it is read with its windows.
struct OwnLayout {
  std::set<FileId> beside;  // kustomizations, patches of nodes
  std::vector<Mode> modes;
  std::optional<std::string> prefix;  // of the paths of what is it, "out/"; nothing: none is
};
OwnLayout own_layout(std::span<const YamlFile> files);

struct Bundle {
  std::string path;             // the directory, as gpol shows it; "." where there is but one
  std::vector<YamlFile> files;  // what its spans name
  bool built = false;           // a kustomization: `objects` is all of it, and `files` are not read again
  bool says_nothing = false;    // built: its own file is empty
  bool of_kueue = false;        // built: a file of it names Kueue, or one below its directory: beside it, if empty
  std::size_t beside = 0;       // the last so many of `files`, which are read all the same
  std::vector<manifest::Node> objects;
  std::vector<manifest::Built::Not> errors, not_built;
  std::vector<manifest::Built::NotRead> not_read;
  std::vector<std::string> not_named;  // of the first: files beside kustomizations that none of them names
};

// Files beyond those that were given, which a kustomization names.
struct ReadMore {
  std::function<std::optional<std::string>(const std::string& path)> read;  // nothing: it may not or cannot be read
  std::function<bool(const std::string& path)> is_outside = [](const std::string&) { return false; };  // it may not
};

// All of them as one: what kustomizations build, and the files that none covers.
Bundle joined(std::vector<Bundle> bundles);

std::vector<Bundle> bundles_of(std::vector<YamlFile> files, const ReadMore& more);

// Parts of a bundle whose files say different things of one object: by the directories in which those files part.
// One, as it was: the files lie in one directory.
std::vector<Bundle> parted(Bundle bundle, const std::vector<std::pair<FileId, FileId>>& conflicts);

}  // namespace gpol
