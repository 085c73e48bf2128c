#include "emit/temporary.h"

#include <sys/stat.h>

#include <vector>

#include "compiler/source/text.h"
#include "emit/owned_index.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

// The index last: whatever ends the run on the way, the rest is still known for gpol's.
void remove_set(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (it->path().filename() != kIndexName) entries.push_back(it->path());
  for (const fs::path& entry : entries) fs::remove_all(entry, error);
  fs::remove(directory / kIndexName, error);
  fs::remove(directory, error);
}

bool is_number(std::string_view text) { return !text.empty() && only_digits(text); }

// ".gpol-tmp-PID-N": what the constructor below makes.
bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(kTemporaryPrefix)) return false;
  name.remove_prefix(kTemporaryPrefix.size());
  const auto dash = name.find('-');
  return dash != std::string_view::npos && is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

// A run that died before its index was complete has written nothing else.
bool hardly_begun(const fs::path& directory) {
  if (!is_temporary_name(directory.filename().native())) return false;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (it->path().filename() != kIndexName || it->symlink_status(error).type() != fs::file_type::regular || error)
      return false;
  if (error) return false;
  if (!fs::exists(directory / kIndexName, error)) return !error;
  const auto index = read_index(directory);
  return index && begins_index(*index);
}

// Of what a killed run wrote, the file that it was at work on may be cut short; every other one is as it was listed.
bool is_leftover(const fs::path& directory) {
  std::error_code error;
  const Holdings held = holdings(directory, error);
  if (error) return false;
  if (!held.indexed) return hardly_begun(directory);
  return !held.foreign && held.changed.size() <= (is_temporary_name(directory.filename().native()) ? 1U : 0U);
}

}  // namespace

Temporary::Temporary(const fs::path& parent, std::error_code& error) {
  path_ = with_fresh_name(parent, error, [this](const fs::path& path) {
    if (::mkdir(path.c_str(), 0777) != 0) return false;
    lock_.emplace(path);
    if (lock_->busy()) errno = EEXIST;  // another run took it for a leftover before it was locked
    return !lock_->busy();
  });
}

Temporary::~Temporary() {
  if (!path_.empty()) remove_set(path_);
}

void remove_leftovers(const fs::path& parent, const fs::path& except) {
  std::error_code error;
  std::vector<fs::path> candidates;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().native().starts_with(kTemporaryPrefix) && it->path() != except)
      candidates.push_back(it->path());
  for (const fs::path& candidate : candidates) {
    if (fs::symlink_status(candidate, error).type() != fs::file_type::directory) continue;
    const DirectoryLock lock(candidate);
    if (lock.held() && is_leftover(candidate)) remove_set(candidate);
  }
}

}  // namespace gpol
