#include "checker/observe/given_volcano_config.h"

#include <fmt/format.h>

#include "checker/observe/kinds/kinds.h"

namespace gpol {

using namespace manifest;

std::variant<volcano::SchedulerConfig, UnreadFile> read_given_volcano_config(const YamlFile& file, FileId id) {
  const std::string forms = fmt::format(
      "give volcano-scheduler.conf (`actions` and `tiers`), or the ConfigMap that holds it as `{}`: `kubectl "
      "-n {} get configmap {} -o yaml`",
      volcano::kSchedulerKey, volcano::kSystemNamespace, volcano::kSchedulerConfigMap);
  auto found = only_document(file, id, forms);
  if (auto* unread = std::get_if<UnreadFile>(&found)) return std::move(*unread);
  const GivenDocument& document = std::get<GivenDocument>(found);
  const Span whole{id, document.offset, document.offset + static_cast<std::uint32_t>(document.bytes.size())};
  Problems problems;
  problems.enter({file.path, 0, 1, id, document.offset});
  const View root(*document.tree.root, problems);
  volcano::SchedulerConfig config;
  if (document.tree.root->kind == Node::Kind::Map && root.has("tiers")) {
    config = read_volcano_scheduler(root);
  } else {
    const auto data = document.tree.root->kind == Node::Kind::Map ? root.map("data") : std::nullopt;
    if (!data || !data->has(volcano::kSchedulerKey))
      return UnreadFile{whole, "the file holds no configuration of Volcano's scheduler", forms};
    const Tree tree = parse_document(data->required_text(volcano::kSchedulerKey));
    if (!tree.root) return UnreadFile{whole, std::string(volcano::kSchedulerKey) + " " + tree.refused, forms};
    Problems inside;  // whose places are those of a text within the text
    inside.enter({file.path, 0, 1, id, 0});
    config = read_volcano_scheduler(View(*tree.root, inside));
    for (const NotUnderstood& one : inside.take())
      return UnreadFile{whole, fmt::format("`{}` of {} {}", one.field, volcano::kSchedulerKey, one.what),
                        "take it out: what Volcano's scheduler does with it is not known here"};
  }
  for (const NotUnderstood& one : problems.take())
    if (root.has("tiers"))
      return UnreadFile{one.span, fmt::format("`{}` {}", one.field, one.what),
                        "take it out: what Volcano's scheduler does with it is not known here"};
  return config;
}

}  // namespace gpol
