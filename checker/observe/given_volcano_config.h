// `build --volcano-config FILE`: the configuration of Volcano's scheduler as somebody keeps it, in one file:
// volcano-scheduler.conf itself, or the ConfigMap that holds it. In: the file. Out: the configuration, or why it is not
// read; Volcano passes over what it does not know, and so what is not known here is refused.
#pragma once

#include <variant>

#include "checker/observe/given_document.h"
#include "compiler/model/volcano/setup.h"

namespace gpol {

std::variant<volcano::SchedulerConfig, UnreadFile> read_given_volcano_config(const YamlFile& file, FileId id);

}  // namespace gpol
