#include "checker/observe/volcano_objects.h"

#include "checker/observe/documents.h"
#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/spans.h"
#include "compiler/source/edit_distance.h"

namespace gpol::manifest {

namespace {

const Node* configuration_in(const Node& object) {
  const Node* data = text_at(object, "kind") == "ConfigMap" ? field(object, "data") : nullptr;
  return at(data, volcano::kSchedulerKey);
}

const Node& name_node(const Node& object) {
  const Node* name = at(field(object, "metadata"), "name");
  return name == nullptr ? object : *name;
}

}  // namespace

bool VolcanoReader::read(const Node& object, const Place& place) {
  const std::string api = text_at(object, "apiVersion"), kind = text_at(object, "kind");
  if (const Node* text = configuration_in(object)) {
    if (is_first(object, kind, place)) read_configuration(object, *text, place);
    return true;
  }
  const bool job = api == kVolcanoJobApi && kind == "Job";
  if (!job && (api != kVolcanoApi || (kind != "Queue" && kind != "PodGroup"))) return false;
  if (!is_first(object, kind, place)) return true;
  if (kind == "Queue")
    read_queue(object, place);
  else
    read_asker(object, kind, place);
  return kind == "Queue";  // the others have pods, or stand for some
}

// The scheduler reads one ConfigMap, whatever it is called.
bool VolcanoReader::is_first(const Node& object, const std::string& kind, const Place& place) {
  const std::string ns = text_at(field(object, "metadata"), "namespace"), name = name_of(object);
  const std::string key = kind == "ConfigMap" ? kind : kind + "/" + (kind == "Queue" ? "" : ns) + "/" + name;
  const Known here{meaning_of(object), place.span(name_node(object))};
  const auto [before, fresh] = known_.try_emplace(key, here);
  if (!fresh && before->second.meaning != here.meaning)
    facts().rejections.push_back(
        {here.at, "metadata.name", "input:duplicate",
         kind == "ConfigMap"
             ? "a second configuration of Volcano's scheduler, after that of " + line_in(files_, before->second.at)
             : kind + " " + shown(name) + " is there twice, first at " + line_in(files_, before->second.at),
         "leave one of them out, as `exclude` of gpol.yaml does"});
  return fresh;
}

void VolcanoReader::read_queue(const Node& object, const Place& place) {
  Draft draft{Scale::Part};
  draft.problems.enter(place);
  const View view(object, draft.problems);
  view.ignore("apiVersion"), view.ignore("kind");
  read_volcano_queue(view, draft);
  for (NotUnderstood& one : draft.problems.take())
    facts().unmodelled.push_back({one.span, std::move(one.field), std::move(one.what), "Queue", name_of(object)});
  if (!draft.cluster.volcano) return;
  volcano::Queue& queue = draft.cluster.volcano->queues.front();
  VolcanoFacts::At at;
  at.name = place.span(name_node(object));
  const Node* spec = field(object, "spec");
  const auto span_of = [&](std::string_view key) {
    const Node* found = spec == nullptr ? nullptr : field(*spec, key);
    return place.span(found != nullptr ? *found : spec != nullptr ? *spec : object);
  };
  at.parent = span_of("parent");
  at.capability = span_of("capability");
  at.deserved = span_of("deserved");
  at.guarantee = span_of("guarantee");
  const auto note = [&](const Node* amounts, std::map<std::string, Span>& into) {
    if (amounts != nullptr)
      for (const Entry& entry : amounts->entries) into.emplace(entry.key, place.span(entry.value));
  };
  const Node* guarantee = manifest::at(spec, "guarantee");
  note(manifest::at(spec, "capability"), at.limits);
  note(manifest::at(guarantee, "resource"), at.owned);
  note(manifest::at(spec, "deserved"), at.owned);
  tell_silence(queue, at.name);
  facts().setup.queues.push_back(std::move(queue));
  facts().at.push_back(std::move(at));
}

// pkg/scheduler/plugins/nodegroup/nodegroup.go: a node's group must be among those of an affinity.
void VolcanoReader::tell_silence(const volcano::Queue& queue, Span at) {
  const auto none = [](const volcano::NodeGroups& groups) {
    return groups.required.empty() && groups.preferred.empty();
  };
  if (none(queue.affinity) && !none(queue.anti_affinity) && queue.anti_affinity.preferred.empty())
    facts().silent.push_back({at,
                              "the Queue " + shown(queue.name) +
                                  " has an anti-affinity alone: with the plugin `nodegroup` its pods fit no node",
                              "name the node groups that it may use in `nodeGroupAffinity`, too"});
}

// A PodGroup without a queue is of `default`, as a Job is.
void VolcanoReader::read_asker(const Node& object, const std::string& kind, const Place& place) {
  const Node* spec = field(object, "spec");
  const Node* queue = at(spec, "queue");
  const std::string ns = text_at(field(object, "metadata"), "namespace"), named = text_at(spec, "queue");
  facts().asks.push_back({kind, ns.empty() ? name_of(object) : ns + "/" + name_of(object),
                          named.empty() ? volcano::kDefaultQueue : named,
                          place.span(queue == nullptr ? name_node(object) : *queue)});
}

void VolcanoReader::read_configuration(const Node& object, const Node& text, const Place& place) {
  const Span at = place.span(text);
  facts().configuration = at;
  const std::string where = "data[" + std::string(volcano::kSchedulerKey) + "]";
  const Tree tree = parse_document(text.text);
  if (!tree.root) {
    facts().rejections.push_back({at, where, "volcano:configuration",
                                  tree.refused + ": Volcano's scheduler keeps the configuration that it had",
                                  "write `actions` and `tiers` as YAML"});
    return;
  }
  Problems inside;  // whose places are those of a text within the text
  inside.enter(place);
  facts().setup.scheduler = read_volcano_scheduler(View(*tree.root, inside));
  for (NotUnderstood& one : inside.take()) {
    if (one.what != kNotUnderstood) {
      facts().unmodelled.push_back({at, where + " " + one.field, std::move(one.what), "ConfigMap", name_of(object)});
      continue;
    }
    const auto near = nearest(one.field.substr(one.field.rfind('.') + 1), volcano_flags());
    facts().silent.push_back({at,
                              "`" + one.field + "` of " + std::string(volcano::kSchedulerKey) +
                                  " is no key that Volcano's scheduler knows: it passes over it in silence",
                              near ? "did you mean `" + std::string(*near) + "`?" : "take it out"});
  }
}

}  // namespace gpol::manifest
