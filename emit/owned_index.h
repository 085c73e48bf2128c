// The index by which gpol knows its own files: `.gpol-owned` in an output directory, whose cluster's they are, and one
// line per file with its SHA-256. A file is gpol's if and only if the index of its directory lists it and it is a plain
// file.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "emit/emit.h"

namespace gpol {

inline constexpr const char* kIndexName = ".gpol-owned";

// The bytes of the index of these files, sorted by path. `of`: the cluster; may be empty.
std::string index_text(std::span<const RenderedFile> files, std::string_view of = {});
// The cluster that an index names; empty: none.
std::string_view cluster_of(std::string_view index);

// The index of a directory; nothing if it has none or it cannot be one: not a plain file, or over 256 MiB.
std::optional<std::string> read_index(const std::filesystem::path& directory);

// Whether a run that was killed while it wrote an index may have left this.
bool begins_index(std::string_view text);

// What lies in a directory, at any depth. Directories themselves do not count.
struct Holdings {
  bool indexed = false;                // it carries an index that can be read
  std::vector<std::string> owned;      // relative paths, sorted, without the index itself
  std::vector<std::string> changed;    // of these, those of other bytes than the index says: who knows whose they are
  std::optional<std::string> foreign;  // the first path that is not gpol's; the search ends there
};

// Never follows a symbolic link. `error` is set when something cannot be read; the holdings are then not complete.
Holdings holdings(const std::filesystem::path& directory, std::error_code& error);

// A file's bytes; nothing if it is not there or cannot be read.
std::optional<std::string> read_bytes(const std::filesystem::path& path);

}  // namespace gpol
