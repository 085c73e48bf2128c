#include "emit/owned_index.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "compiler/source/sha256.h"
#include "compiler/source/text.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

// The first line, and where a cluster is known a space and its name.
constexpr std::string_view kHeader = "gpol-owned 1";
constexpr std::size_t kDigits = 64;

using Paths = std::map<std::string, std::string, std::less<>>;  // to the hash of what was written

bool heads_index(std::string_view line) {
  if (!line.starts_with(kHeader)) return false;
  line.remove_prefix(kHeader.size());
  return line.empty() || (line.size() > 1 && line.front() == ' ');
}

// "<sha256>  <path>" per line. An index that is not exactly of this form owns nothing.
std::optional<Paths> parse_index(std::string_view text) {
  const std::size_t first = text.find('\n');
  if (first == std::string_view::npos || !heads_index(text.substr(0, first))) return std::nullopt;
  text.remove_prefix(first + 1);
  Paths paths;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || end < kDigits + 3) return std::nullopt;
    if (text.substr(kDigits, 2) != "  ") return std::nullopt;
    paths.emplace(text.substr(kDigits + 2, end - kDigits - 2), text.substr(0, kDigits));
    text.remove_prefix(end + 1);
  }
  return paths;
}

constexpr std::uintmax_t kLargestIndex = std::uintmax_t{256} << 20U;

struct Walk {
  const std::optional<Paths>& index;
  Holdings& found;
  std::error_code& error;

  bool ended() const { return found.foreign || error; }

  void look_into(const fs::path& directory, const std::string& prefix) {
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
      entries.push_back(*it);
    if (error) return;
    std::ranges::sort(entries, [](const auto& a, const auto& b) { return a.path().native() < b.path().native(); });
    for (const fs::directory_entry& entry : entries) {
      look_at(entry, prefix + entry.path().filename().string());
      if (ended()) return;
    }
  }

  void look_at(const fs::directory_entry& entry, std::string path) {
    const fs::file_type type = entry.symlink_status(error).type();
    if (error) return;
    if (type == fs::file_type::directory) return look_into(entry.path(), path + "/");
    if (index && type == fs::file_type::regular) {
      if (path == kIndexName) return;
      if (const auto listed = index->find(path); listed != index->end()) {
        const auto bytes = read_bytes(entry.path());
        if (!bytes || sha256(*bytes) != listed->second) found.changed.push_back(path);
        found.owned.push_back(std::move(path));
        return;
      }
    }
    found.foreign = std::move(path);
  }
};

}  // namespace

std::string_view cluster_of(std::string_view index) {
  const std::string_view line = index.substr(0, index.find('\n'));
  return heads_index(line) ? line.substr(std::min(line.size(), kHeader.size() + 1)) : std::string_view();
}

std::string index_text(std::span<const RenderedFile> files, std::string_view of) {
  std::vector<const RenderedFile*> sorted;
  for (const RenderedFile& file : files) sorted.push_back(&file);
  std::ranges::sort(sorted, [](const RenderedFile* a, const RenderedFile* b) { return a->path < b->path; });
  std::string text(kHeader);
  if (!of.empty()) text.append(" ").append(of);
  text += "\n";
  for (const RenderedFile* file : sorted) text += sha256(file->bytes) + "  " + file->path + "\n";
  return text;
}

std::optional<std::string> read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return std::nullopt;
  return bytes;
}

std::optional<std::string> read_index(const fs::path& directory) {
  const fs::path path = directory / kIndexName;
  std::error_code error;
  // A link in the index's place is somebody else's.
  if (fs::symlink_status(path, error).type() != fs::file_type::regular) return std::nullopt;
  if (fs::file_size(path, error) > kLargestIndex || error) return std::nullopt;
  return read_bytes(path);
}

bool begins_index(std::string_view text) {
  if (text.size() <= kHeader.size()) return kHeader.starts_with(text);
  if (text.find('\n') == std::string_view::npos) return text == std::string(kHeader) + " " || heads_index(text);
  const std::string_view last = text.substr(text.rfind('\n') + 1);
  const auto digit = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  return parse_index(text.substr(0, text.size() - last.size())) && std::ranges::all_of(last.substr(0, kDigits), digit);
}

Holdings holdings(const fs::path& directory, std::error_code& error) {
  error.clear();
  Holdings found;
  std::optional<Paths> index;
  if (const auto text = read_index(directory)) index = parse_index(*text);
  found.indexed = index.has_value();
  Walk{index, found, error}.look_into(directory, "");
  std::ranges::sort(found.owned);
  return found;
}

}  // namespace gpol
