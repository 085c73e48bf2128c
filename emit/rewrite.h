// One file's text. `create`: a new file in one step; out: why it was not done (GP0503: one is there already, ...).
//
// `rewrite`, the only side effect of `fmt` and of `check --fix`: one file's text put in the place of another in one
// step. In: the path, the text that was read there and the new one. It writes a new file beside the old one, with its
// mode, owner and group, and renames it over the old one, so a reader, or a run that is killed, sees the whole old text
// or the whole new one. A symbolic link stays, the file it leads to is replaced; other hard links keep the old text.
// Out: why it was not done (GP0503), the file is then as it was: it may not be written, its owner cannot be kept, the
// disk is full, or it does not hold the text that was read any more.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "compiler/source/diagnostic.h"

namespace gpol {

std::optional<Diagnostic> create(const std::filesystem::path& file, std::string_view text);
std::optional<Diagnostic> rewrite(const std::filesystem::path& file, std::string_view before, std::string_view after);

}  // namespace gpol
