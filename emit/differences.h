// Whether a directory holds exactly what would be written. In: rendered files and a directory, which is only read. Out:
// what differs, sorted by path, and at the end the first file that gpol does not own.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "emit/emit.h"

namespace gpol {

struct Difference {
  std::string path;
  enum class How : std::uint8_t { Missing, Differs, NotOfPolicy } how = How::Differs;
};

// `of`: the cluster, as for write(). `error`: something of the directory cannot be read.
std::vector<Difference> differences(const std::filesystem::path& directory, std::span<const RenderedFile> files,
                                    std::string_view of, std::error_code& error);

}  // namespace gpol
