#include "cli/commands/earlier.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "checker/observe/observe.h"
#include "cli/codes.h"
#include "cli/config/config.h"
#include "compiler/policy/codes.h"
#include "emit/layout.h"
#include "emit/owned_index.h"

namespace gpol {

namespace {

namespace fs = std::filesystem;

Diagnostic mistake(Code code, std::string message, std::string hint) {
  return error_at(code, {}, std::move(message), std::move(hint));
}

const char* const kHint = "give a directory that `gpol build` wrote, as it wrote it";

}  // namespace

Outcome<Earlier> read_earlier(const std::string& directory) {
  Outcome<Earlier> out;
  const auto refuse = [&](Code code, std::string message, std::string hint = kHint) {
    out.diagnostics.push_back(mistake(code, std::move(message), std::move(hint)));
  };
  std::error_code error;
  if (!fs::exists(directory, error)) {
    refuse(code::CannotRead, fmt::format("`{}` is not there", directory),
           "`--from` names the directory of an earlier build");
    return out;
  }
  const auto index = read_index(directory);
  if (!index) {
    refuse(code::NoEarlier, fmt::format("`{}` is no directory that gpol wrote: it has no {}", directory, kIndexName));
    return out;
  }
  const Holdings held = holdings(directory, error);
  if (error) {
    refuse(code::CannotRead, fmt::format("`{}` cannot be read: {}", directory, error.message()), "");
  } else if (!held.indexed) {
    refuse(code::NoEarlier, fmt::format("`{}` is not as gpol writes it", (fs::path(directory) / kIndexName).string()));
  } else if (held.foreign || !held.changed.empty()) {
    const std::string& file = held.foreign ? *held.foreign : held.changed.front();
    refuse(code::NoEarlier, fmt::format("`{}` is not what gpol wrote", (fs::path(directory) / file).string()));
  }
  if (!out.diagnostics.empty()) return out;

  std::vector<YamlFile> files;
  for (const std::string& path : held.owned)
    if (path.ends_with(".yaml") && path != kConfigName)
      files.push_back({path, read_bytes(fs::path(directory) / path).value_or("")});
  Observed observed = observe(files);
  if (!observed.problems.empty()) {
    const NotUnderstood& first = observed.problems.front();
    refuse(code::NoEarlier, fmt::format("`{}`, document {}{}{}: {}", (fs::path(directory) / first.file).string(),
                                        first.document, first.field.empty() ? "" : ", ", first.field, first.what));
  }
  out.value.of = cluster_of(*index);
  out.value.cluster = std::move(observed.cluster);
  return out;
}

std::vector<std::string> queues_that_leave(const std::string& directory, const std::vector<RenderedFile>& files) {
  const std::string path = path_in(Folder::Base, "queues.yaml");
  const auto now = std::ranges::find(files, path, &RenderedFile::path);
  const auto before = read_index(directory) ? read_bytes(fs::path(directory) / path) : std::nullopt;
  if (!before || (now != files.end() && now->bytes == *before)) return {};
  const auto queues = [&](const std::string& bytes) {
    const std::vector<YamlFile> one{{path, bytes}};
    std::set<std::string> names;
    for (const Queue& queue : observe(one).cluster.queues) names.insert(queue.name);
    return names;
  };
  std::vector<std::string> leave;
  const auto after = now == files.end() ? std::set<std::string>() : queues(now->bytes);
  for (const std::string& name : queues(*before))
    if (!after.contains(name)) leave.push_back(name);
  return leave;
}

}  // namespace gpol
