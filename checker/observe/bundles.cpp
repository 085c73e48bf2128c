#include "checker/observe/bundles.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <string_view>

#include "checker/observe/left_out.h"
#include "compiler/cluster/folders.h"

namespace gpol {
namespace {

// Its documents are objects; in these folders else are only kustomizations, and patches.
bool holds_objects(std::string_view path) {
  const FolderRow* folder = folder_of(path);
  if (path == "kustomization.yaml" || path.ends_with("/kustomization.yaml")) return false;
  return folder == nullptr || folder->holds == Holds::Applied || folder->holds == Holds::Objects;
}

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

// Flux has a kind of that name, too, in files that are often called so. One that is not recognised is a kustomization
// that cannot be built, and told.
bool is_kustomization(const YamlFile& file) {
  return manifest::is_kustomization_file(name_of(file.path)) &&
         !file.bytes.starts_with("apiVersion: kustomize.toolkit.fluxcd.io/") &&
         file.bytes.find("\napiVersion: kustomize.toolkit.fluxcd.io/") == std::string::npos;
}

bool is_template(const YamlFile& file) {
  return (file.bytes.find("{%") != std::string::npos || file.bytes.find("{{") != std::string::npos) &&
         !manifest::parse_document(file.bytes, manifest::Reading::Kubernetes).root;
}

// The directories at or below which a file names Kueue.
std::set<std::string> directories_of_kueue(const std::vector<YamlFile>& files) {
  std::set<std::string> directories;
  for (const YamlFile& file : files) {
    if (!manifest::names_kueue(file.bytes)) continue;
    std::string at = directory_of(file.path);
    while (directories.insert(at).second && at != "." && at != "/") at = directory_of(at);
  }
  return directories;
}

// What is built from the files that were given, and those that are read beside them.
class Builder {
 public:
  Builder(const std::vector<YamlFile>& given, const ReadMore& more) : more_(more) {
    for (const YamlFile& file : given) {
      given_.emplace(file.path, &file);
      for (std::string at = directory_of(file.path); directories_.insert(at).second && at != "." && at != "/";)
        at = directory_of(at);
    }
  }

  Bundle build(const std::string& directory, std::set<std::string>& used) {
    std::deque<YamlFile> read;  // texts stay where they are
    std::map<std::string, FileId> ids;
    const manifest::FileTree tree{
        [&](const std::string& path) -> std::optional<manifest::FileText> {
          if (const auto known = ids.find(path); known != ids.end())
            return manifest::FileText{known->second, read[known->second].bytes};
          const auto given = given_.find(path);
          std::optional<std::string> text = given != given_.end() ? given->second->bytes : more_.read(path);
          if (!text) return std::nullopt;
          const auto id = static_cast<FileId>(read.size());
          read.push_back({path, std::move(*text)});
          ids.emplace(path, id);
          return manifest::FileText{id, read.back().bytes};
        },
        [&](const std::string& path) {
          if (directories_.contains(path)) return true;
          constexpr const char* kNames[] = {"/kustomization.yaml", "/kustomization.yml", "/Kustomization"};
          return std::ranges::any_of(kNames, [&](const char* name) { return more_.read(path + name).has_value(); });
        },
        more_.is_outside};
    manifest::Built built = manifest::build_kustomization(tree, directory);
    Bundle bundle;
    bundle.path = directory;
    bundle.built = true;
    bundle.objects = std::move(built.objects);
    bundle.says_nothing = built.says_nothing;
    bundle.errors = std::move(built.errors);
    bundle.not_built = std::move(built.not_built);
    bundle.not_read = std::move(built.not_read);
    for (YamlFile& file : read) bundle.files.push_back(std::move(file));
    used = std::move(built.used);
    return bundle;
  }

 private:
  const ReadMore& more_;
  std::map<std::string, const YamlFile*> given_;
  std::set<std::string> directories_;
};

void move_files(manifest::Node& node, FileId by) {
  if (node.file != kNoFile) node.file += by;
  for (manifest::Node& item : node.items) move_files(item, by);
  for (manifest::Entry& entry : node.entries) {
    if (entry.file != kNoFile) entry.file += by;
    move_files(entry.value, by);
  }
}

}  // namespace

OwnLayout own_layout(std::span<const YamlFile> files) {
  const std::string in_base = std::string(folder_name(Folder::Base)) + "/kustomization.yaml";
  for (const YamlFile& base : files) {
    if (base.path != in_base && !base.path.ends_with("/" + in_base)) continue;
    const std::string prefix = base.path.substr(0, base.path.size() - in_base.size());
    OwnLayout layout;
    layout.prefix = prefix;
    std::vector<YamlFile> own;
    bool marked = false;  // as every object that gpol writes is
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!files[i].path.starts_with(prefix)) continue;
      const std::string rest = files[i].path.substr(prefix.size());
      // Kueue's Configuration may be one that was given to `build`, in any form, and has no say in the modes.
      const FolderRow* folder = folder_of(rest);
      if (folder == nullptr || folder->folder != Folder::Controller) own.push_back({rest, files[i].bytes});
      marked = marked || files[i].bytes.find("app.kubernetes.io/managed-by: gpol\n") != std::string::npos;
      if (!holds_objects(rest)) layout.beside.insert(static_cast<FileId>(i));
    }
    if (!marked) continue;
    Observed observed = observe(own);
    if (!observed.problems.empty()) continue;
    layout.modes = std::move(observed.cluster.modes);
    return layout;
  }
  return {};
}

std::vector<Bundle> bundles_of(std::vector<YamlFile> files, const ReadMore& more) {
  std::vector<Bundle> bundles;
  std::set<std::string> kustomized;
  const auto own = own_layout(files).prefix;
  bool others = false;  // kustomizations beside what gpol wrote
  const std::set<std::string> of_kueue = directories_of_kueue(files);
  std::set<std::string> templates;  // kustomizations of other applications: left out as other templates are
  for (const YamlFile& file : files)
    if (is_kustomization(file)) {
      if (!of_kueue.contains(directory_of(file.path)) && is_template(file)) {
        templates.insert(file.path);
        continue;
      }
      kustomized.insert(directory_of(file.path));
      others = others || (own && !file.path.starts_with(*own));
    }
  if (kustomized.empty() || (own && !others)) {
    bundles.emplace_back().path = ".";
    bundles.back().files = std::move(files);
    return bundles;
  }
  if (own) {
    const auto theirs = std::stable_partition(files.begin(), files.end(),
                                              [&](const YamlFile& file) { return file.path.starts_with(*own); });
    Bundle written;
    written.path = own->empty() ? "." : own->substr(0, own->size() - 1);
    std::move(files.begin(), theirs, std::back_inserter(written.files));
    bundles = bundles_of({std::make_move_iterator(theirs), std::make_move_iterator(files.end())}, more);
    bundles.push_back(std::move(written));
    return bundles;
  }
  Builder builder(files, more);
  std::set<std::string> covered, included;  // files and directories; directories that another one includes
  std::vector<Bundle> all;
  std::vector<std::set<std::string>> uses;  // parallel
  for (const std::string& directory : kustomized) {
    std::set<std::string>& used = uses.emplace_back();
    all.push_back(builder.build(directory, used));
    for (const std::string& path : used) {
      covered.insert(path);
      if (path != directory && kustomized.contains(path)) included.insert(path);
    }
  }
  // Those that include each other in a circle are nobody's: the first of them is told, with its mistake.
  std::set<std::string> reached;
  for (const bool circles : {false, true})
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string& path = all[i].path;
      if (circles ? reached.contains(path) : included.contains(path)) continue;
      included.erase(path);
      reached.insert(path);
      reached.insert(uses[i].begin(), uses[i].end());
    }
  Bundle rest;
  std::vector<std::string> not_named;
  for (YamlFile& file : files) {
    const std::string directory = directory_of(file.path);
    if (covered.contains(file.path) || (is_kustomization(file) && !templates.contains(file.path))) continue;
    if (kustomized.contains(directory))
      not_named.push_back(file.path);
    else
      rest.files.push_back(std::move(file));
  }
  for (Bundle& bundle : all) {
    if (included.contains(bundle.path)) continue;
    const auto names = [](const YamlFile& file) { return manifest::names_kueue(file.bytes); };
    // One that is empty is not about what lies in folders below it.
    const auto beside = [&](const YamlFile& file) { return directory_of(file.path) == bundle.path && names(file); };
    const bool below = of_kueue.contains(bundle.path) && (!bundle.says_nothing || std::ranges::any_of(files, beside));
    bundle.of_kueue = below || std::ranges::any_of(bundle.files, names);
    bundles.push_back(std::move(bundle));
  }
  if (!rest.files.empty()) {
    rest.path = ".";
    bundles.push_back(std::move(rest));
  }
  if (!bundles.empty()) bundles.front().not_named = std::move(not_named);
  return bundles;
}

Bundle joined(std::vector<Bundle> bundles) {
  // Files that are read come last.
  std::ranges::stable_sort(bundles, std::greater{}, &Bundle::built);
  Bundle all;
  for (Bundle& one : bundles) {
    const auto by = static_cast<FileId>(all.files.size());
    all.built = all.built || one.built;
    if (!one.built) all.beside += one.files.size();
    std::move(one.files.begin(), one.files.end(), std::back_inserter(all.files));
    for (manifest::Node& object : one.objects) {
      move_files(object, by);
      all.objects.push_back(std::move(object));
    }
    const auto move_to = [&](auto& to, auto& from) {
      for (auto& what : from) {
        if (what.span.known()) what.span.file += by;
        what.directory = one.path;
        to.push_back(std::move(what));
      }
    };
    move_to(all.errors, one.errors), move_to(all.not_built, one.not_built), move_to(all.not_read, one.not_read);
    std::move(one.not_named.begin(), one.not_named.end(), std::back_inserter(all.not_named));
  }
  all.path = ".";
  return all;
}

std::vector<Bundle> parted(Bundle bundle, const std::vector<std::pair<FileId, FileId>>& conflicts) {
  const auto parts_of = [&](FileId file) {
    std::vector<std::string> parts;
    const std::string directory = directory_of(bundle.files[file].path);
    for (std::size_t at = 0; at <= directory.size();) {
      const std::size_t end = std::min(directory.find('/', at), directory.size());
      parts.push_back(directory.substr(0, end));
      at = end + 1;
    }
    return parts;
  };
  // The deepest directory that both files of every conflict share would part too much: the first conflict decides.
  std::vector<Bundle> out;
  std::optional<std::size_t> depth;  // how many directories are shared
  std::string shared;
  for (const auto& [one, other] : conflicts) {
    const auto a = parts_of(one), b = parts_of(other);
    const auto differs = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (differs.first == a.end() && differs.second == b.end()) continue;  // one directory
    depth = static_cast<std::size_t>(differs.first - a.begin());
    shared = *depth == 0 ? "" : a[*depth - 1];
    break;
  }
  if (!depth) {
    out.push_back(std::move(bundle));
    return out;
  }
  std::map<std::string, Bundle> parts;
  for (FileId file = 0; file < bundle.files.size(); ++file) {
    const auto path = parts_of(file);
    const bool below = *depth == 0 || (path.size() >= *depth && path[*depth - 1] == shared);
    const std::string key = below && path.size() > *depth ? path[*depth] : below ? shared : bundle.path;
    Bundle& part = parts[key];
    part.path = key.empty() ? "." : key;
    part.files.push_back(std::move(bundle.files[file]));
  }
  for (auto& [key, part] : parts) out.push_back(std::move(part));
  return out;
}

}  // namespace gpol
