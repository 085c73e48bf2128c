// Where in the output directory an object's manifest stands. Names are Kubernetes names and mostly file names as they
// are; what could climb out of the directory, hide or be too long for a file system is made harmless, and no two names
// become one.
#pragma once

#include <string>
#include <string_view>

#include "compiler/cluster/folders.h"

namespace gpol {

// A name as one path component: bytes outside [A-Za-z0-9_+.-], a dot at the start and a dot after a dot become %XX; a
// result over 200 bytes is cut and gets a hash of the whole name.
std::string path_component(std::string_view name);

// The path of a file in one of the folders that `build` writes: "rbac/" and the file.
std::string path_in(Folder folder, std::string_view file);

}  // namespace gpol
