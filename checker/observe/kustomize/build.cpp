#include "checker/observe/kustomize/build.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "checker/observe/kustomize/generators.h"
#include "checker/observe/kustomize/patches.h"
#include "checker/observe/kustomize/paths.h"
#include "checker/observe/kustomize/plan.h"
#include "checker/observe/kustomize/read.h"
#include "checker/observe/kustomize/references.h"
#include "checker/observe/kustomize/resource.h"
#include "checker/observe/kustomize/transforms.h"
#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"

namespace gpol::manifest {
namespace kustomize {
namespace {

// The order in which kustomize writes objects. In: objects and the root's `sortOptions`. Out: the objects in order.
using Ranks = std::map<std::string_view, int>;

constexpr std::string_view kFirst =
    "Namespace ResourceQuota StorageClass CustomResourceDefinition ServiceAccount PodSecurityPolicy Role ClusterRole "
    "RoleBinding ClusterRoleBinding ConfigMap Secret Endpoints Service LimitRange PriorityClass PersistentVolume "
    "PersistentVolumeClaim Deployment StatefulSet CronJob PodDisruptionBudget";
constexpr std::string_view kLast = "MutatingWebhookConfiguration ValidatingWebhookConfiguration";

Ranks ranks_of(const std::vector<std::string_view>& first, const std::vector<std::string_view>& last) {
  Ranks ranks;
  for (std::size_t i = 0; i < first.size(); ++i) ranks[first[i]] = static_cast<int>(i) - static_cast<int>(first.size());
  for (std::size_t i = 0; i < last.size(); ++i) ranks[last[i]] = static_cast<int>(i) + 1;
  return ranks;
}

std::string or_else(const std::string& text, const char* other) { return text.empty() ? other : text; }

struct Place {
  int rank = 0;
  std::string kind, name;
  bool backwards = false;  // namespaces
};

Place place_of(const Resource& resource, const Ranks& ranks) {
  const Kind kind = resource.kind();
  return {value_or(ranks, kind.kind, 0),
          or_else(kind.group, "~G") + "_" + or_else(kind.version, "~V") + "_" + or_else(kind.kind, "~K"),
          or_else(resource.ns(), "~X") + "|" + or_else(resource.name(), "~N"), kind.kind == "Namespace"};
}

void sort_by(const Ranks& ranks, std::vector<Resource>& resources) {
  std::vector<std::pair<Place, Resource>> sorted;
  for (Resource& resource : resources) sorted.emplace_back(place_of(resource, ranks), std::move(resource));
  std::ranges::stable_sort(sorted, [](const auto& one, const auto& other) {
    const Place &a = one.first, &b = other.first;
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.kind != b.kind) return a.backwards && b.backwards ? a.kind > b.kind : a.kind < b.kind;
    return a.name < b.name;
  });
  std::ranges::transform(sorted, resources.begin(), [](auto& one) { return std::move(one.second); });
}

// False: reported.
bool put_in_order(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  std::vector<std::string_view> first = split(kFirst, ' '), last = split(kLast, ' ');
  if (const Node* options = map_at(context, plan.root, "sortOptions"); options != nullptr) {
    only_keys(context, *options, " order legacySortOptions");
    const Node* legacy = map_at(context, *options, "legacySortOptions");
    const std::string order = text_at(*options, "order");
    if (order != "fifo" && order != "legacy") return context.fail(*options, "`order` must be fifo or legacy");
    if (legacy != nullptr) {
      only_keys(context, *legacy, " orderFirst orderLast");
      first.clear(), last.clear();
      for (const Node* kind : words_at(context, *legacy, "orderFirst")) first.push_back(kind->text);
      for (const Node* kind : words_at(context, *legacy, "orderLast")) last.push_back(kind->text);
    }
    if (order == "fifo") {
      if (legacy != nullptr) context.error(*legacy, "`legacySortOptions` are for the order legacy");
      return !context.failed();
    }
  }
  sort_by(ranks_of(first, last), resources);
  return !context.failed();
}

using Resources = std::vector<Resource>;

class Builder {
 public:
  explicit Builder(Context& context) : context_(context) {}

  // Into `resources`: nothing yet, or for a component those of the kustomization that names it.
  void accumulate(Plan plan, Resources& resources) {
    plans_.push_back(std::move(plan));
    const Plan& here = plans_.back();
    roots_.push_back(here.directory);
    for (const char* key : {"resources", "bases"})
      for (const Node* name : words_at(context_, here.root, key)) add(here, *name, resources);
    // What is wrong with files is said of all files at once; what would be done to objects that are not all there is
    // not.
    if (!generate(context_, here, resources)) context_.failed();
    for (const Node* name : words_at(context_, here.root, "components")) {
      enter(here, *name, true, resources);
      check_ids(*name, resources);
    }
    check_transforms(context_, here);
    const Patches patches = load_patches(context_, here);
    // What is wrong with files is said of all of them at once; what would be done to objects that are not all there is
    // not.
    if (!context_.failed()) transform(here, patches, resources);
    roots_.pop_back();
  }

  const Plan& root() const { return plans_.front(); }

 private:
  bool transform(const Plan& plan, const Patches& patches, Resources& resources) {
    return apply_patches(context_, patches.merges, resources) && apply_patches(context_, patches.patches, resources) &&
           set_namespace(context_, plan, resources) && add_affixes(context_, plan, resources) &&
           add_labels(context_, plan, resources) && add_annotations(context_, plan, resources) &&
           apply_patches(context_, patches.operations, resources) && set_replicas(context_, plan, resources) &&
           set_images(context_, plan, resources);
  }

  void add(const Plan& plan, const Node& name, Resources& resources) {
    const std::string path = join_path(plan.directory, name.text);
    const std::size_t before = resources.size();
    const bool remote = name.text.starts_with("http://") || name.text.starts_with("https://");
    auto text = remote ? std::nullopt : context_.load(path);
    if (text && !lies_below(path, plan.directory))
      return context_.error(name, shown(name.text) + " is not in the directory of the kustomization or below it",
                            "put a kustomization.yaml beside it, and name its directory");
    if (!text) return enter(plan, name, false, resources);
    auto documents = read_documents(context_, {*text, nullptr, false});
    auto objects = documents ? read_objects(context_, std::move(*documents)) : std::nullopt;
    if (!objects) return;
    for (Node& object : *objects) resources.push_back({std::move(object), {}, {}, {}});
    if (context_.fits(resources.size()) && resources.size() > before) check_ids(name, resources);
  }

  void enter(const Plan& plan, const Node& name, bool component, Resources& resources) {
    const std::string path = join_path(plan.directory, name.text);
    if (context_.exhausted()) return;
    if (!context_.is_directory(path)) {
      using What = Built::NotRead::What;
      const What what = component ? What::Component : is_kueue_install(name.text) ? What::KueueInstall : What::Anything;
      if (is_remote(name.text)) return context_.not_read(name, what, name.text);
      if (context_.is_outside(path))
        return context_.not_read(name, component ? what : What::Anything,
                                 name.text + ", outside of what gpol may read");
      return context_.error(name, "there is no file or directory " + shown(name.text));
    }
    if (std::ranges::any_of(roots_, [&](const std::string& root) { return lies_below(root, path); }))
      return context_.error(name, shown(name.text) + " holds this kustomization, or one that leads to it");
    if (roots_.size() >= static_cast<std::size_t>(kKustomizeDepth))
      return context_.not_built(name, "is more than 64 kustomizations deep");
    auto inner = read_plan(context_, path, &name);
    if (!inner) return;
    if (inner->component != component)
      return context_.error(name, component ? shown(name.text) + " is no component"
                                            : shown(name.text) + " is a component: name it among `components`");
    if (component) return accumulate(std::move(*inner), resources);
    Resources more;
    accumulate(std::move(*inner), more);
    if (!context_.fits(resources.size() + more.size())) return;
    for (Resource& resource : more) resources.push_back(std::move(resource));
    check_ids(name, resources);
  }

  void check_ids(const Node& at, const Resources& resources) {
    if (context_.failed()) return;
    std::unordered_set<std::string> seen;
    for (const Resource& resource : resources)
      if (!seen.insert(resource.id().key()).second)
        return context_.error(at, "brings a second " + shown_id(resource.id()));
  }

  Context& context_;
  std::deque<Plan> plans_;  // kept: nodes made from them, and messages, point into them
  std::vector<std::string> roots_;
};

bool add_hashes(Context& context, Resources& resources) {
  for (Resource& resource : resources) {
    if (!resource.needs_hash) continue;
    const auto hash = name_hash(resource.node);
    if (!hash)
      return context.fail_to_build(resource.node, "holds data that are no text, and its name is to end in their hash");
    resource.remember();
    Node& name = *find(*find(resource.node, "metadata"), "name");
    name.text += "-" + *hash;
  }
  return true;
}

bool is_local(const Node& object) {
  const Node* metadata = find(object, "metadata");
  const Node* annotations = metadata == nullptr ? nullptr : find(*metadata, "annotations");
  const Node* local = annotations == nullptr ? nullptr : find(*annotations, "config.kubernetes.io/local-config");
  return local != nullptr && local->text != "false";
}

// kustomize keeps notes among the annotations, and writes all of them anew: as texts, and not at all where there are
// none. Notes of its own that somebody wrote down would steer it.
bool finish_annotations(Context& context, Node& object) {
  Node* metadata = find(object, "metadata");
  Node* annotations = metadata == nullptr ? nullptr : find(*metadata, "annotations");
  if (annotations == nullptr) return true;
  if (annotations->entries.empty()) return erase(*metadata, "annotations"), true;
  for (Entry& entry : annotations->entries) {
    if (entry.key.starts_with("internal.config.kubernetes.io/") || entry.key == "config.kubernetes.io/origin" ||
        entry.key == "alpha.config.kubernetes.io/transformations" || entry.key == "config.kubernetes.io/index" ||
        entry.key == "config.kubernetes.io/path" || entry.key == "config.k8s.io/id")
      return context.fail_to_build(Span{entry.file, entry.begin, entry.end},
                                   shown(entry.key) + " is a note of kustomize's own");
    entry.value = context.as_text(std::move(entry.value));
  }
  return true;
}

void finish(Context& context, const Plan& plan, Resources& resources, Built& built) {
  if (!add_hashes(context, resources) || !mend_references(context, resources)) return;
  std::erase_if(resources, [](const Resource& resource) { return resource.removed() || is_local(resource.node); });
  for (Resource& resource : resources) {
    if (const std::string why = no_object(resource.node); !why.empty()) return context.error(resource.node, why);
    fill_nothing(context, resource.node);
    if (!finish_annotations(context, resource.node)) return;
  }
  if (!put_in_order(context, plan, resources)) return;
  std::unordered_set<std::string> seen;
  for (Resource& resource : resources) {
    if (!seen.insert(resource.id().key()).second)
      return context.error(resource.node, "is a second " + shown_id(resource.id()) + " of what is built");
    built.objects.push_back(std::move(resource.node));
  }
}

}  // namespace
}  // namespace kustomize

bool is_kustomization_file(std::string_view name) {
  return name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization";
}

Built build_kustomization(const FileTree& files, const std::string& directory) {
  Built built;
  kustomize::Context context(files, built);
  const std::string root = kustomize::join_path("", directory);
  context.start_in(directory);
  auto plan = kustomize::read_plan(context, root.empty() ? "." : root, nullptr);
  if (plan) {
    kustomize::Builder builder(context);
    std::vector<kustomize::Resource> resources;
    builder.accumulate(std::move(*plan), resources);
    if (!context.failed()) kustomize::finish(context, builder.root(), resources, built);
  }
  if (context.failed()) built.objects.clear();
  built.says_nothing = built.says_nothing && !plan;  // its own file, and not one that it names
  return built;
}

}  // namespace gpol::manifest
