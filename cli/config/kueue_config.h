// `build --kueue-config FILE`: Kueue's Configuration as somebody keeps it, with the lines that the proof needs. In: the
// file and what is proven. Out: the file, every byte of it kept, with those lines and the reason above each; or what is
// in the way (GP0507, GP0508), with its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/observe/given_configuration.h"
#include "compiler/cluster/intent.h"
#include "compiler/source/diagnostic.h"

namespace gpol {

struct MergedConfiguration {
  std::string bytes;
  GivenConfiguration::Form form = GivenConfiguration::Form::Itself;
};
// `id`: of the file, in what is found.
std::optional<MergedConfiguration> merge_configuration(const YamlFile& file, FileId id, const Planned& planned,
                                                       std::vector<Diagnostic>& out);

}  // namespace gpol
