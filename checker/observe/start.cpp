#include "checker/observe/start.h"

#include <algorithm>

#include "checker/observe/convert.h"
#include "checker/observe/embedded.h"
#include "checker/observe/fields.h"
#include "checker/observe/json.h"
#include "checker/observe/schema/configuration.h"
#include "compiler/cluster/cluster.h"
#include "compiler/cluster/kueue_version.h"

namespace gpol::manifest {
namespace {

std::string sentence(const Violation& violation) {
  if (violation.what.find("does not start") != std::string::npos) return violation.what;
  return violation.what + " (" + violation.rule + "): Kueue v0.19.2 does not start with it";
}

void read_mounted(MountedFile& file, std::string_view bytes, const Place& place) {
  const Node& value = *file.value;
  // Of a value that a kustomization put there, the text is that of another file.
  const std::string_view written =
      value.file != kNoFile ? "" : bytes.substr(place.offset + value.begin, value.end - value.begin);
  const auto origins = origins_of(written, value.text);
  file.tree = parse_document(value.text, Reading::Kubernetes);
  file.refused_at = place.span(value);
  const Node* kind = file.tree.root ? field(*file.tree.root, "kind") : nullptr;
  if (kind == nullptr || kind->text != "Configuration") {
    if (origins && file.tree.refused_at)
      file.refused_at.begin = file.refused_at.end =
          file.refused_at.begin + (*origins)[std::min(*file.tree.refused_at, value.text.size())];
    file.refused = file.tree.root ? "is no Configuration" : "cannot be read: it " + file.tree.refused;
    return;
  }
  file.inside = !origins;
  if (origins) move_to(*origins, value.begin, value.line, *file.tree.root);
  file.at_start = look_at_start(*file.tree.root, "", value.text, place);
}

}  // namespace

std::vector<Unmodelled> look_at_start(Node& configuration, const std::string& path, std::string_view file,
                                      const Place& place) {
  std::vector<Unmodelled> refused;
  const auto first = file.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && file[first] == '{' && !read_json(file))
    refused.push_back({place.span(configuration), "",
                       "begins with a brace and is not JSON: Kueue v0.19.2 does not start with it", "", ""});
  for (const Violation& violation : refused_at_start(configuration))
    // A gate of a later version is told where it is known which one runs (take_version).
    if (!gate_came_later(violation.field.substr(violation.field.rfind('.') + 1), KueueConfig().version))
      refused.push_back({place.span(*violation.at),
                         path + (path.empty() || violation.field.empty() ? "" : ".") + violation.field,
                         sentence(violation), "", ""});
  decode_nulls(configuration);
  return refused;
}

void add_start(std::vector<Unmodelled> refused, std::size_t from, const std::string& kind, const std::string& name,
               std::vector<Unmodelled>& found) {
  for (Unmodelled& one : refused) {
    one.kind = kind, one.name = name;
    const auto same = std::find_if(found.begin() + static_cast<std::ptrdiff_t>(from), found.end(),
                                   [&](const Unmodelled& other) { return other.field == one.field; });
    if (same == found.end())
      found.push_back(std::move(one));
    else
      *same = std::move(one);
  }
}

std::vector<MountedFile> mounted_files(const Node& config_map, std::string_view bytes, const Place& place) {
  std::vector<MountedFile> files;
  const Node* data = field(config_map, "data");
  if (data == nullptr || data->kind != Node::Kind::Map) return files;
  for (const Entry& entry : data->entries) {
    const bool meant = entry.key == "controller_manager_config.yaml" ||
                       entry.value.text.find("config.kueue.x-k8s.io") != std::string::npos;
    if (entry.value.kind != Node::Kind::Text || !meant) continue;
    files.push_back({&entry.value, "data[" + entry.key + "]", {}, false, {}, {}, {}});
    read_mounted(files.back(), bytes, place);
    // Every operator that is scaffolded so has a file of that name.
    const auto& root = files.back().tree.root;
    const std::string api = root ? text_at(*root, "apiVersion") : "";
    if (!api.empty() && !api.starts_with("config.kueue.x-k8s.io/")) files.pop_back();
  }
  return files;
}

}  // namespace gpol::manifest
