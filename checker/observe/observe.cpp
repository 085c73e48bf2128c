#include "checker/observe/observe.h"

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "checker/observe/documents.h"
#include "checker/observe/draft.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/patches.h"
#include "checker/observe/schema/schema.h"
#include "compiler/cluster/folders.h"

namespace gpol {
namespace manifest {
namespace {

// Which file is what. In: the files' paths. Out: whether this is a kustomize layout, and in it the base's
// kustomization, the one above it, the overlays' by mode, and the rest. Paths are made plain first ("a/./b" is "a/b").
// Nothing is read here.
struct Layout {
  std::map<std::string, std::size_t> files;  // plain path to index
  bool kustomize = false;
  std::string base;                             // directory; empty: there is none
  std::string root;                             // likewise: what is applied as it stands
  std::map<std::string, std::string> overlays;  // mode to directory
};

constexpr std::string_view kKustomizationFile = "kustomization.yaml";

std::string plain(const std::filesystem::path& path) { return path.lexically_normal().generic_string(); }

// Directory of a plain path, "" at the top; and `path` as seen from `directory`, made plain.
std::string directory_of(const std::string& path) { return std::filesystem::path(path).parent_path().generic_string(); }

std::string resolve_path(const std::string& directory, const std::string& path) {
  auto result = plain(std::filesystem::path(directory) / path);
  if (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

std::string last_word(const std::string& directory) { return std::filesystem::path(directory).filename().string(); }

bool is_manifest(const std::string& path) {
  return path == "-" || path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

// A kustomization in overlays/<mode>/ is an overlay, one in base/ the base, any other the one above that. There is one
// of each.
void place_kustomization(const std::string& path, Layout& layout, Problems& problems) {
  const auto directory = directory_of(path);
  layout.kustomize = true;
  if (last_word(directory_of(directory)) == folder_name(Folder::Overlays)) {
    const auto mode = last_word(directory);
    if (!layout.overlays.emplace(mode, directory).second) problems.add("", "is a second overlay " + shown(mode), 0);
    return;
  }
  const bool is_base = last_word(directory) == folder_name(Folder::Base);
  std::string& place = is_base ? layout.base : layout.root;
  if (!place.empty())
    problems.add("", std::string("is a second ") + (is_base ? "base" : "kustomization") + " besides " + shown(place),
                 0);
  else
    place = directory.empty() ? "." : directory;
}

bool lies_in(const std::string& path, const std::string& directory) {
  return directory == "." || (path.starts_with(directory) && path.substr(directory.size()).starts_with("/"));
}

Layout lay_out(std::span<const YamlFile> files, Problems& problems) {
  Layout layout;
  for (std::size_t i = 0; i < files.size(); ++i) {
    problems.enter({files[i].path, 0, 1});
    const auto path = plain(files[i].path);
    if (!layout.files.emplace(path, i).second) problems.add("", "is there twice", 0);
    if (!is_manifest(path)) problems.add("", "is not a manifest: its name does not end in .yaml, .yml or .json", 0);
  }
  for (const auto& [path, index] : layout.files) {
    problems.enter({files[index].path, 0, 1});
    if (std::filesystem::path(path).filename() == kKustomizationFile) place_kustomization(path, layout, problems);
  }
  return layout;
}

// Where a document stands: what may be there.
enum class Where : std::uint8_t { Flat, Base, Beside };

void read_object(const View& object, Draft& draft, Where where) {
  if (!object.expect(Node::Kind::Map)) return;
  const auto api = object.required_text("apiVersion");
  const auto kind = object.required_text("kind");
  if (api.empty() || kind.empty()) return;
  if (const KindRow* row = kind_row(api, kind); row != nullptr && row->read_back != nullptr) {
    if (where == Where::Base && row->beside)
      return object.problem("kind", "stands beside the base: who applies that need not be allowed to write this");
    if (where == Where::Beside && !row->beside)
      return object.problem("kind", "this object is never applied: no kustomization names its file");
    const auto refused = violations(object.node());
    for (const Violation& one : refused) draft.problems.add(one.field, one.what, *one.at);
    return refused.empty() ? row->read_back(object, draft) : void();
  }
  for (const KindRow& other : kKinds)
    if (other.kind == kind && other.read_back != nullptr)
      return object.problem("apiVersion", shown(api) + " is not " + std::string(other.api) + ", the one understood");
  object.problem("kind", shown(kind) + " of " + shown(api) + " is not a kind that is understood");
}

// A text with documents, and the line of its file that it begins in.
struct Text {
  const std::string& path;
  const std::string& bytes;
  int line = 1;

  Text(const YamlFile& file) : path(file.path), bytes(file.bytes) {}
  Text(const std::string& of, const std::string& inside, int from) : path(of), bytes(inside), line(from) {}
};

// Each document in turn; trees live one at a time. Returns how many there were.
int each_document(const Text& text, Draft& draft, const std::function<void(const View&)>& read) {
  draft.problems.enter({text.path, 0, text.line});
  const auto documents = split_documents(text.bytes);
  if (!documents.refused.empty()) draft.problems.add("", documents.refused, documents.refused_line);
  for (const auto& document : documents.list) {
    draft.problems.enter({text.path, document.index, text.line + document.line - 1});
    const auto tree = parse_document(document.bytes);
    if (!tree.root)
      draft.problems.add("", tree.refused, tree.refused_line);
    else if (tree.root->kind != Node::Kind::Null)  // `kubectl` passes over empty documents
      read(View(*tree.root, draft.problems));
  }
  return static_cast<int>(documents.list.size());
}

void read_objects(const YamlFile& file, Draft& draft, Where where) {
  each_document(file, draft, [&](const View& object) { read_object(object, draft, where); });
}

// The one document that a text must hold.
void only_document(const Text& text, Draft& draft, const std::function<void(const View&)>& read) {
  bool first = true;
  const int count = each_document(text, draft, [&](const View& object) {
    if (!std::exchange(first, false)) return object.problem("is a second document; one is allowed here");
    read(object);
  });
  if (count == 0) draft.problems.add("", "holds no document", 0);
}

// Reads what a kustomize layout applies, and reports every file that it does not.
class LayoutReader {
 public:
  LayoutReader(std::span<const YamlFile> files, const Layout& layout, Draft& draft)
      : files_(files), layout_(layout), draft_(draft) {}

  void read() {
    if (layout_.base.empty()) {
      draft_.problems.add("", "there is no base: no base/kustomization.yaml", 0);
    } else {
      read_base();
    }
    if (layout_.root.empty())
      draft_.problems.add("", "there is no kustomization.yaml above the base", 0);
    else
      read_root();
    for (const auto& [mode, directory] : layout_.overlays) read_overlay(mode, directory);
    for (const auto& [path, index] : layout_.files)
      if (!used_.contains(path)) read_rest(path, files_[index]);
  }

 private:
  // The file at a path that a kustomization names; null, with a problem, when it is not there or is named twice.
  const YamlFile* use(const std::string& path, const std::string& field, std::string_view written) {
    const auto found = layout_.files.find(path);
    if (found == layout_.files.end()) {
      draft_.problems.add(field, "there is no file " + shown(written), 0);
      return nullptr;
    }
    if (!used_.insert(path).second) {
      draft_.problems.add(field, "names the file " + shown(written) + " a second time", 0);
      return nullptr;
    }
    return &files_[found->second];
  }

  // Reads the kustomization of a directory and gives it to `then` while problems still belong to it.
  void with_kustomization(const std::string& directory, const std::function<void(const Kustomization&)>& then) {
    const auto path = resolve_path(directory, std::string(kKustomizationFile));
    used_.insert(path);
    only_document(files_[layout_.files.at(path)], draft_,
                  [&](const View& object) { then(read_kustomization(object)); });
  }

  void read_base() {
    std::vector<const YamlFile*> files;
    with_kustomization(layout_.base, [&](const Kustomization& kustomization) {
      if (!kustomization.patches.empty()) draft_.problems.add("patches", "patches of the base are not understood", 0);
      for (std::size_t i = 0; i < kustomization.resources.size(); ++i) {
        const auto& name = kustomization.resources[i];
        const auto path = resolve_path(layout_.base, name);
        const auto field = "resources[" + std::to_string(i) + "]";
        if (!lies_in(path, layout_.base))
          draft_.problems.add(field, shown(name) + " lies outside the base", 0);
        else if (const auto* file = use(path, field, name))
          files.push_back(file);
      }
    });
    for (const auto* file : files) read_objects(*file, draft_, Where::Base);
  }

  // For a pipeline that is given the directory: it applies the base as it is.
  void read_root() {
    with_kustomization(layout_.root, [&](const Kustomization& kustomization) {
      require_base(kustomization, layout_.root);
      if (!kustomization.patches.empty()) draft_.problems.add("patches", "patches of the base are not understood", 0);
    });
  }

  void require_base(const Kustomization& kustomization, const std::string& directory) {
    if (kustomization.resources.size() != 1 || resolve_path(directory, kustomization.resources[0]) != layout_.base)
      draft_.problems.add("resources", "must be the base and nothing else", 0);
  }

  void read_overlay(const std::string& name, const std::string& directory) {
    Mode mode;
    mode.name = name;
    std::vector<Kustomization::Patch> patches;
    with_kustomization(directory, [&](const Kustomization& kustomization) {
      require_base(kustomization, directory);
      std::set<std::string> queues;
      for (const auto& patch : kustomization.patches) {
        if (draft_.find_queue(patch.queue) == nullptr)
          draft_.problems.add(patch.field + ".target.name", "there is no ClusterQueue " + shown(patch.queue), 0);
        else if (!queues.insert(patch.queue).second)
          draft_.problems.add(patch.field + ".target.name", "patches " + shown(patch.queue) + " a second time", 0);
        else
          patches.push_back(patch);
      }
    });
    const std::string& path = files_[layout_.files.at(directory + "/" + std::string(kKustomizationFile))].path;
    for (const auto& patch : patches)
      only_document({path, patch.text, patch.line}, draft_, [&](const View& operations) {
        apply_patch(operations, draft_, *draft_.find_queue(patch.queue), mode);
      });
    draft_.problems.enter({path, 0, 1});
    finish_mode(draft_, mode);
    draft_.cluster.modes.push_back(std::move(mode));
  }

  void read_rest(const std::string& path, const YamlFile& file) {
    bool inside = lies_in(path, layout_.base);
    for (const auto& [mode, directory] : layout_.overlays) inside = inside || lies_in(path, directory);
    if (!inside) return read_beside(path, file);
    draft_.problems.enter({file.path, 0, 1});
    draft_.problems.add("", "is not applied: the kustomization beside it does not name it", 0);
  }

  // What no kustomization is about.
  void read_beside(const std::string& path, const YamlFile& file) {
    const FolderRow* folder = folder_of(path);
    if (folder == nullptr || directory_of(path) != folder->name) return read_objects(file, draft_, Where::Beside);
    if (folder->holds != Holds::NodePatches) return read_objects(file, draft_, Where::Beside);
    only_document(file, draft_, [&](const View& patch) {
      const std::size_t name = folder->name.size() + 1;
      read_node_patch(patch, path.substr(name, path.rfind('.') - name), draft_);
    });
  }

  std::span<const YamlFile> files_;
  const Layout& layout_;
  Draft& draft_;
  std::set<std::string> used_;
};

}  // namespace
}  // namespace manifest

Observed observe(std::span<const YamlFile> files) {
  manifest::Draft draft;
  const auto layout = manifest::lay_out(files, draft.problems);
  if (layout.kustomize) {
    manifest::LayoutReader(files, layout, draft).read();
  } else {
    for (const auto& file : files) manifest::read_objects(file, draft, manifest::Where::Flat);
  }
  if (draft.cluster.modes.empty()) draft.cluster.modes.push_back({"default", {}});
  draft.finish();
  return {std::move(draft.cluster), draft.problems.take()};
}

}  // namespace gpol
