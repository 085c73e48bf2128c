#include "emit/revision.h"

#include <deque>
#include <string_view>
#include <vector>

#include "compiler/source/sha256.h"

namespace gpol {

std::string revision(const SourceSet& sources, std::span<const FileId> files) {
  std::deque<std::string> headers;  // each text is preceded by its name and length, so that no two sets run together
  std::vector<std::string_view> parts;
  for (const FileId file : files) {
    const std::string& path = sources.path(file);
    const std::string& text = sources.text(file);
    headers.push_back(path.substr(path.rfind('/') + 1) + '\0' + std::to_string(text.size()) + '\0');
    parts.emplace_back(headers.back());
    parts.emplace_back(text);
  }
  return sha256(parts).substr(0, 16);
}

}  // namespace gpol
