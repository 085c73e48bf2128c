// The only side effect of `build`: a directory replaced as a whole. In: rendered files and a directory. It writes a new
// directory beside the old one, fsyncs, and swaps the two (renameat2 RENAME_EXCHANGE where the file system has it, else
// rename in two steps), so a reader sees the old set or the new one. Files that gpol does not own (it owns what its
// index file .gpol-owned lists) are never removed: a directory that holds any is refused with GP0504, and so is
// one that was built for another cluster. Whatever fails,
// stops or kills the run, the target is the old set or the new one; what a killed run leaves beside it the next one
// removes (temporary.h).
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "compiler/source/diagnostic.h"
#include "emit/emit.h"

namespace gpol {

struct WriteSummary {
  int files = 0;
  bool changed = false;  // false: the directory already held exactly these bytes
};

// Asked again and again while the new set is written; once true, the set is thrown away and the old one stays.
using Stop = std::function<bool()>;

// `of`: the cluster whose files they are; empty: nobody's in particular.
Outcome<WriteSummary> write(const std::filesystem::path& directory, std::span<const RenderedFile> files,
                            const Stop& stop = {}, std::string_view of = {});

}  // namespace gpol
