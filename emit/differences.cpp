#include "emit/differences.h"

#include <algorithm>
#include <map>

#include "emit/owned_index.h"

namespace gpol {

namespace fs = std::filesystem;

std::vector<Difference> differences(const fs::path& directory, std::span<const RenderedFile> files, std::string_view of,
                                    std::error_code& error) {
  using How = Difference::How;
  std::map<std::string, How> found;
  const auto compare = [&](const std::string& path, std::string_view bytes) {
    std::error_code none;
    // A link is no file of gpol's, wherever it leads.
    if (fs::symlink_status(directory / path, none).type() != fs::file_type::regular)
      found.emplace(path, How::Missing);
    else if (fs::file_size(directory / path, none) != bytes.size() || read_bytes(directory / path) != bytes)
      found.emplace(path, How::Differs);
  };
  for (const RenderedFile& file : files) compare(file.path, file.bytes);
  std::error_code none;
  if (fs::exists(directory, none)) {
    const Holdings held = holdings(directory, error);
    for (const std::string& path : held.owned)
      if (std::ranges::none_of(files, [&](const RenderedFile& file) { return file.path == path; }))
        found.emplace(path, How::NotOfPolicy);
    if (held.foreign) found.emplace(*held.foreign, How::NotOfPolicy);
  }
  if (found.empty()) compare(kIndexName, index_text(files, of));  // it differs where anything does
  std::vector<Difference> sorted;
  for (const auto& [path, how] : found) sorted.push_back({path, how});
  return sorted;
}

}  // namespace gpol
