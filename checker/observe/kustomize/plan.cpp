#include "checker/observe/kustomize/plan.h"

#include <algorithm>

#include "checker/observe/kustomize/paths.h"
#include "checker/observe/kustomize/read.h"
#include "checker/observe/problems.h"
#include "compiler/source/split.h"
#include "compiler/source/text.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

constexpr std::string_view kBuilt =
    " apiVersion kind metadata resources bases components namespace namePrefix nameSuffix commonLabels labels"
    " commonAnnotations images imageTags replicas configMapGenerator secretGenerator generatorOptions patches"
    " patchesStrategicMerge patchesJson6902 sortOptions helmCharts";
constexpr std::string_view kNotBuilt =
    " openapi replacements vars crds helmGlobals helmChartInflationGenerator configurations generators"
    " transformers validators buildMetadata";

// The key is put as it is known here: kustomize takes it in any case.
bool known(std::string& key, std::string_view words) {
  for (const std::string_view word : split(words.substr(1), ' ')) {
    if (lowered(key) != lowered(word)) continue;
    key = word;
    return true;
  }
  return false;
}

bool says_nothing(const Node& value) {
  return value.kind == NodeKind::Null || (value.kind == NodeKind::List && value.items.empty()) ||
         (value.kind == NodeKind::Map && value.entries.empty());
}

bool check_fields(Context& context, Plan& plan) {
  bool empty = true;
  for (Entry& entry : plan.root.entries) {
    const Span at{entry.file, entry.begin, entry.end};
    if (known(entry.key, kNotBuilt)) {
      if (!says_nothing(entry.value)) context.not_built(at, shown(entry.key) + " of a kustomization is not built here");
    } else if (!known(entry.key, kBuilt)) {
      context.error(at, shown(entry.key) + " is no field of a kustomization");
    }
    empty = empty && (entry.key == "apiVersion" || entry.key == "kind" || entry.value.kind == NodeKind::Null);
  }
  if (const Node* charts = find(plan.root, "helmCharts"))
    for (const Node& chart : charts->items) {
      const Node* name = find(chart, "name");
      const bool kueue = name != nullptr && name->text == "kueue";
      context.not_read(chart, kueue ? Built::NotRead::What::KueueSettings : Built::NotRead::What::Anything,
                       "the Helm chart " + (name == nullptr ? "" : name->text));
    }
  if (empty) context.says_nothing(plan.file.file);
  const Node* kind = word_at(context, plan.root, "kind");
  plan.component = kind != nullptr && kind->text == "Component";
  if (kind != nullptr && kind->text != "Kustomization" && !plan.component)
    context.error(*kind, "must be Kustomization or Component");
  const std::string_view wanted =
      plan.component ? "kustomize.config.k8s.io/v1alpha1" : "kustomize.config.k8s.io/v1beta1";
  if (const Node* api = word_at(context, plan.root, "apiVersion"); api != nullptr && api->text != wanted)
    context.error(*api, "must be " + std::string(wanted));
  return !empty;
}

const Node* typed(Context& context, const Node& map, std::string_view key, NodeKind kind, const char* what) {
  const Node* node = find(map, key);
  if (is_null(node)) return nullptr;
  if (node->kind == kind) return node;
  context.error(*node, shown(key) + " must be " + what);
  return nullptr;
}

std::vector<const Node*> items_at(Context& context, const Node& map, std::string_view key, NodeKind kind,
                                  const char* what) {
  std::vector<const Node*> result;
  const Node* list = list_at(context, map, key);
  if (list == nullptr) return result;
  for (const Node& item : list->items) {
    if (item.kind == kind)
      result.push_back(&item);
    else
      context.error(item, "an item of " + shown(key) + " must be " + what);
  }
  return result;
}

}  // namespace

std::optional<Plan> read_plan(Context& context, const std::string& directory, const Node* asked_by) {
  Plan plan;
  plan.directory = directory;
  std::string found;
  for (const char* name : {"kustomization.yaml", "kustomization.yml", "Kustomization"}) {
    auto text = context.load(join_path(directory, name));
    if (!text) continue;
    if (!found.empty())
      context.error(Span{text->file, 0, 0}, "is a second kustomization of its directory, beside " + shown(found));
    found = name;
    plan.file = *text;
  }
  context.use(directory);
  if (found.empty()) {
    const Span at = asked_by == nullptr ? Span{} : span_of(*asked_by);
    if (!context.exhausted()) context.error(at, "there is no kustomization.yaml in " + shown(directory));
    return std::nullopt;
  }
  auto documents = read_documents(context, {plan.file, nullptr, true});
  if (!documents) return std::nullopt;
  if (documents->empty() || documents->front().kind == NodeKind::Null) {
    context.says_nothing(plan.file.file);
    return std::nullopt;
  }
  plan.root = std::move(documents->front());
  if (plan.root.kind != NodeKind::Map) {
    context.error(plan.root, "a kustomization must be a mapping");
    return std::nullopt;
  }
  if (!check_fields(context, plan)) return std::nullopt;
  return plan;
}

const Node* list_at(Context& context, const Node& map, std::string_view key) {
  return typed(context, map, key, NodeKind::List, "a list");
}
const Node* map_at(Context& context, const Node& map, std::string_view key) {
  return typed(context, map, key, NodeKind::Map, "a mapping");
}
const Node* word_at(Context& context, const Node& map, std::string_view key) {
  const Node* node = typed(context, map, key, NodeKind::Text, "text: quote it");
  return node == nullptr || node->text.empty() ? nullptr : node;
}
std::vector<const Node*> words_at(Context& context, const Node& map, std::string_view key) {
  return items_at(context, map, key, NodeKind::Text, "text: quote it");
}
std::vector<const Node*> maps_at(Context& context, const Node& map, std::string_view key) {
  return items_at(context, map, key, NodeKind::Map, "a mapping");
}
bool flag_at(Context& context, const Node& map, std::string_view key) {
  const Node* node = typed(context, map, key, NodeKind::Bool, "true or false");
  return node != nullptr && node->text == "true";
}

std::vector<const Entry*> texts_at(Context& context, const Node& map, std::string_view key) {
  std::vector<const Entry*> result;
  const Node* texts = map_at(context, map, key);
  if (texts == nullptr) return result;
  for (const Entry& entry : texts->entries) {
    if (entry.value.kind == NodeKind::Text || entry.value.kind == NodeKind::Null)
      result.push_back(&entry);
    else
      context.error(entry.value, shown(entry.key) + " must be text: quote it");
  }
  std::ranges::sort(result, [](const Entry* a, const Entry* b) { return a->key < b->key; });
  return result;
}

void only_keys(Context& context, const Node& map, std::string_view keys) {
  for (const Entry& entry : map.entries)
    if (std::string key = entry.key; !known(key, keys) || key != entry.key)
      context.error(Span{entry.file, entry.begin, entry.end},
                    shown(entry.key) + " is no field that kustomize knows here");
}

}  // namespace gpol::manifest::kustomize
