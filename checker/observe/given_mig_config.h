// `build --mig-config FILE`: configurations of mig-parted as somebody keeps them, in one file: mig-parted's own, or the
// ConfigMap that MIG Manager reads. In: the file. Out: the configurations, with the ConfigMap's name and namespace
// (empty for a file of mig-parted's own), or why they are not read: what mig-parted itself would refuse, too.
#pragma once

#include <variant>

#include "checker/observe/given_document.h"
#include "compiler/cluster/partition.h"

namespace gpol {

std::variant<MigConfigMap, UnreadFile> read_given_mig_config(const YamlFile& file, FileId id);

}  // namespace gpol
