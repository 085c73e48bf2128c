// Paths as text. In: a directory and what a kustomization names. Out: a path without `.`, `..` and doubled slashes, as
// far as that can be said without a disk.
#pragma once

#include <string>
#include <string_view>

namespace gpol::manifest::kustomize {

std::string join_path(std::string_view directory, std::string_view name);  // "" and "." are the same directory
bool lies_below(std::string_view path, std::string_view directory);        // or is it
bool is_remote(std::string_view name);  // what kustomize would fetch, where no such file or directory is there
// A remote name under which Kueue publishes what installs it, and no queue (its docs/installation).
bool is_kueue_install(std::string_view name);
// "0.17.3" of ".../releases/download/v0.17.3/manifests.yaml" and of "...?ref=v0.17.3"; empty: it names none.
std::string version_in_address(std::string_view name);

}  // namespace gpol::manifest::kustomize
