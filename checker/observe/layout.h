// Which file is what. In: the files' paths. Out: whether this is a kustomize layout, and in it the base's
// kustomization, the one above it, the overlays' by mode, and the rest. Paths are made plain first ("a/./b" is "a/b").
// Nothing is read here.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "checker/observe/observe.h"
#include "checker/observe/problems.h"

namespace gpol::manifest {

struct Layout {
  std::map<std::string, std::size_t> files;  // plain path to index
  bool kustomize = false;
  std::string base;                             // directory; empty: there is none
  std::string root;                             // likewise: what is applied as it stands
  std::map<std::string, std::string> overlays;  // mode to directory
};

Layout lay_out(std::span<const YamlFile> files, Problems& problems);

// Directory of a plain path, "" at the top; and `path` as seen from `directory`, made plain.
std::string directory_of(const std::string& path);
std::string resolve_path(const std::string& directory, const std::string& path);
bool lies_in(const std::string& path, const std::string& directory);

inline constexpr std::string_view kKustomizationFile = "kustomization.yaml";

}  // namespace gpol::manifest
