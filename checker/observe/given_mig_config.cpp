#include "checker/observe/given_mig_config.h"

#include <fmt/format.h>

#include "checker/observe/kinds/kinds.h"
#include "checker/observe/partition_files.h"

namespace gpol {

using namespace manifest;

std::variant<MigConfigMap, UnreadFile> read_given_mig_config(const YamlFile& file, FileId id) {
  constexpr const char* kForms =
      "give a file of mig-parted (`version` and `mig-configs`), or the ConfigMap that holds one as `config.yaml`";
  auto found = only_document(file, id, kForms);
  if (auto* unread = std::get_if<UnreadFile>(&found)) return std::move(*unread);
  const GivenDocument& document = std::get<GivenDocument>(found);
  const Node& root = *document.tree.root;
  const Place place{file.path, 0, 1, id, document.offset};
  const Span whole{id, document.offset, document.offset + static_cast<std::uint32_t>(document.bytes.size())};
  GivenCuts cuts;
  const bool plain = read_partition_file(root, place, cuts);
  if (!plain) read_about_devices(root, file.bytes, place, cuts);
  if (!cuts.faults.empty()) {
    GivenFault& first = cuts.faults.front();
    return UnreadFile{first.span, std::move(first.message), std::move(first.fix)};
  }
  if (cuts.maps.size() != 1) return UnreadFile{whole, "the file holds no configuration of mig-parted", kForms};
  MigConfigMap map = std::move(cuts.maps.front());
  if (plain) map.name.clear();
  if (plain) return map;
  Draft draft{Scale::Part};
  draft.problems.enter(place);
  const View object(root, draft.problems);
  read_metadata(object, draft, "ConfigMap", Scope::Namespaced);
  if (const auto data = object.map("data")) {
    data->ignore(kMigConfigKey);
    data->finish();
  }
  object.ignore("apiVersion"), object.ignore("kind");
  object.finish();
  for (const NotUnderstood& one : draft.problems.take())
    return UnreadFile{one.span, "`" + one.field + "` " + one.what,
                      fmt::format("give a ConfigMap that holds `{}` and nothing else", kMigConfigKey)};
  return map;
}

}  // namespace gpol
