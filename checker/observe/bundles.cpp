#include "checker/observe/bundles.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "checker/observe/own_layout.h"

namespace gpol {
namespace {

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
          std::optional<std::string> text = given != given_.end() ? given->second->bytes : more_(path);
          if (!text) return std::nullopt;
          const auto id = static_cast<FileId>(read.size());
          read.push_back({path, std::move(*text)});
          ids.emplace(path, id);
          return manifest::FileText{id, read.back().bytes};
        },
        [&](const std::string& path) {
          if (directories_.contains(path)) return true;
          constexpr const char* kNames[] = {"/kustomization.yaml", "/kustomization.yml", "/Kustomization"};
          return std::any_of(std::begin(kNames), std::end(kNames),
                             [&](const char* name) { return more_(path + name).has_value(); });
        }};
    manifest::Built built = manifest::build_kustomization(tree, directory);
    Bundle bundle;
    bundle.path = directory;
    bundle.built = true;
    bundle.objects = std::move(built.objects);
    bundle.errors = std::move(built.errors);
    bundle.not_built = std::move(built.not_built);
    for (YamlFile& file : read) bundle.files.push_back(std::move(file));
    used = std::move(built.used);
    return bundle;
  }

 private:
  const ReadMore& more_;
  std::map<std::string, const YamlFile*> given_;
  std::set<std::string> directories_;
};

}  // namespace

std::vector<Bundle> bundles_of(std::vector<YamlFile> files, const ReadMore& more) {
  std::vector<Bundle> bundles;
  std::set<std::string> kustomized;
  for (const YamlFile& file : files)
    if (is_kustomization(file)) kustomized.insert(directory_of(file.path));
  if (kustomized.empty() || !own_layout(files).beside.empty()) {
    bundles.emplace_back().path = ".";
    bundles.back().files = std::move(files);
    return bundles;
  }
  Builder builder(files, more);
  std::set<std::string> covered, included;  // files and directories; directories that another one includes
  std::vector<Bundle> all;
  for (const std::string& directory : kustomized) {
    std::set<std::string> used;
    all.push_back(builder.build(directory, used));
    for (const std::string& path : used) {
      covered.insert(path);
      if (path != directory && kustomized.contains(path)) included.insert(path);
    }
  }
  Bundle rest;
  std::vector<std::string> not_named;
  for (YamlFile& file : files) {
    const std::string directory = directory_of(file.path);
    if (covered.contains(file.path) || is_kustomization(file)) continue;
    if (kustomized.contains(directory))
      not_named.push_back(file.path);
    else
      rest.files.push_back(std::move(file));
  }
  for (Bundle& bundle : all) {
    if (included.contains(bundle.path)) continue;
    bundles.push_back(std::move(bundle));
  }
  if (!rest.files.empty()) {
    rest.path = ".";
    bundles.push_back(std::move(rest));
  }
  if (!bundles.empty()) bundles.front().not_named = std::move(not_named);
  return bundles;
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
