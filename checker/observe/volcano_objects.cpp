#include "checker/observe/volcano_objects.h"

#include <algorithm>
#include <limits>

#include "checker/observe/documents.h"
#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/pod_counts.h"
#include "checker/observe/pod_room.h"
#include "checker/observe/pods.h"
#include "checker/observe/rests.h"
#include "checker/observe/spans.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {

namespace {

const Node* configuration_in(const Node& object) {
  const Node* data = text_at(object, "kind") == "ConfigMap" ? field(object, "data") : nullptr;
  return at(data, volcano::kSchedulerKey);
}

std::string full_name(const Node& object) {
  const std::string ns = text_at(field(object, "metadata"), "namespace");
  return ns.empty() ? name_of(object) : ns + "/" + name_of(object);
}

// Sums are the largest number where they are larger than that.
void add_pods(const Node* pod, std::int64_t times, volcano::Amounts& amounts) {
  if (pod == nullptr) return;
  for (const auto& [resource, amount] : room_of_pod(*pod)) {
    const std::int64_t more = times_of(amount, times);
    std::int64_t& all = amounts[resource];
    all = all > std::numeric_limits<std::int64_t>::max() - more ? std::numeric_limits<std::int64_t>::max() : all + more;
  }
}

bool has_device(const volcano::Amounts& amounts) {
  return std::ranges::any_of(
      amounts, [](const auto& amount) { return amount.first.find('/') != std::string::npos && amount.second > 0; });
}

bool is_placed(const Node* pod) {
  return text_at(pod, "schedulerName") == "volcano" && text_at(pod, "nodeName").empty();
}

// The templates of pods in an object of an operator, wherever it has them.
struct Operated {
  volcano::Amounts amounts;
  bool any = false;             // it has a template
  bool placed = true;           // each template says so
  bool differ = false;          // it names several queues
  const Node* queue = nullptr;  // that it names

  void look(const Node& node, std::int64_t times) {
    const std::int64_t here = times_of(times, times_here(node));
    for (const char* key : {"scheduling.volcano.sh/queue-name", "volcano.sh/queue-name"}) name(field(node, key));
    name(at(field(node, "schedulingPolicy"), "queue"));
    if (const Node* containers = field(node, "containers"); containers != nullptr && !containers->items.empty()) {
      add_pods(&node, here, amounts);
      any = true;
      placed = placed && is_placed(&node);
      return;
    }
    for (const Node& item : node.items) look(item, here);
    for (const Entry& entry : node.entries) look(entry.value, times_of(here, times_below(node, entry.key)));
  }

 private:
  void name(const Node* named) {
    if (named == nullptr) return;
    differ = differ || (queue != nullptr && queue->text != named->text);
    queue = named;
  }
};

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
  const bool queue = kind == "Queue" && api.starts_with("scheduling.volcano.sh/");
  if (queue && api != kVolcanoApi)
    facts_.rejections.push_back({place.span(*field(object, "apiVersion")), "apiVersion", "api:version",
                                 "no Queue is served as " + shown(api), "write `" + std::string(kVolcanoApi) + "`"});
  if (queue && api == kVolcanoApi && is_first(object, kind, place)) read_queue(object, place);
  if (kind == "Command" && text_at(object, "action") == "CloseQueue")
    closed_.insert(text_at(field(object, "target"), "name"));
  const bool asks =
      (kind == "PodGroup" && api == kVolcanoApi) || ((kind == "Job" || kind == "CronJob") && api == kVolcanoJobApi);
  // webhooks/admission/podgroups/mutate: of a PodGroup that names no queue, its Namespace's.
  const Node* annotation = at(field(object, "metadata"), "annotations");
  if (const Node* named = at(annotation, "scheduling.volcano.sh/queue-name"); named != nullptr && kind == "Namespace")
    add_asker(object, {kind, name_of(object), named->text, place.span(*named)});
  if (!asks)
    read_pods(object, kind, place);
  else if (is_first(object, kind, place))
    read_asker(object, kind, place);
  return queue;  // the others have pods, or stand for some
}

void VolcanoReader::settle() {
  for (std::size_t q = 0; q < facts_.at.size(); ++q)
    if (closed_.contains(facts_.setup.queues[q].name)) facts_.at[q].closed = "a Command closes it";
  close_below();
  note_owned();
  if (!mounted_.empty() && !configured_.empty() && !mounted_.contains(configured_))
    facts_.unmodelled.push_back({facts_.configuration, "",
                                 "is not what the scheduler's Deployment mounts, which is " + shown(*mounted_.begin()),
                                 "ConfigMap", configured_});
}

// pkg/controllers/queue/queue_controller_action.go: who closes a queue closes those below it.
void VolcanoReader::close_below() {
  const auto& queues = facts_.setup.queues;
  for (std::size_t q = 0; q < queues.size(); ++q) {
    std::size_t above = q;
    for (std::size_t steps = 0; steps < queues.size() && facts_.at[above].closed.empty(); ++steps) {
      const auto parent = std::ranges::find(queues, queues[above].parent, &volcano::Queue::name);
      if (parent == queues.end()) break;
      above = static_cast<std::size_t>(parent - queues.begin());
    }
    if (above != q && !facts_.at[above].closed.empty())
      facts_.at[q].closed = "`" + queues[above].name + "` above it is closed (" + facts_.at[above].closed + ")";
  }
}

void VolcanoReader::add_asker(const Node& object, VolcanoFacts::Asks one) {
  askers_.emplace_back(full_name_of(object), owner_of(object).name);
  facts_.asks.push_back(std::move(one));
}

// The pods of a Deployment, and its ReplicaSets, are not counted beside it.
void VolcanoReader::note_owned() {
  std::set<std::string> there;
  for (const auto& [object, owner] : askers_) there.insert(object);
  for (std::size_t a = 0; a < askers_.size(); ++a)
    facts_.asks[a].owned = facts_.asks[a].kind != "PodGroup" && there.contains(askers_[a].second);
}

// The scheduler reads one ConfigMap, whatever it is called.
bool VolcanoReader::is_first(const Node& object, const std::string& kind, const Place& place) {
  const std::string ns = text_at(field(object, "metadata"), "namespace"), name = name_of(object);
  const std::string key = kind == "ConfigMap" ? kind : kind + "/" + (kind == "Queue" ? "" : ns) + "/" + name;
  const Known here{meaning_of(object), place.span(name_node(object)), name};
  const auto [before, fresh] = known_.try_emplace(key, here);
  if (!fresh && before->second.meaning != here.meaning) {
    if (before->second.name == name) conflicts_.emplace_back(before->second.at.file, here.at.file);
    facts_.rejections.push_back(
        {here.at, "metadata.name", "input:duplicate",
         kind == "ConfigMap"
             ? "a second configuration of Volcano's scheduler, after that of " + line_in(files_, before->second.at)
             : kind + " " + shown(name) + " is there twice, first at " + line_in(files_, before->second.at),
         "leave one of them out, as `exclude` of gpol.yaml does"});
  }
  return fresh;
}

void VolcanoReader::read_queue(const Node& object, const Place& place) {
  Draft draft{Scale::Part};
  draft.problems.enter(place);
  const View view(object, draft.problems);
  view.ignore("apiVersion"), view.ignore("kind");
  read_volcano_queue(view, draft);
  for (NotUnderstood& one : draft.problems.take())
    facts_.unmodelled.push_back({one.span, std::move(one.field), std::move(one.what), "Queue", name_of(object)});
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
  if (const Node* deleted = manifest::at(field(object, "metadata"), "deletionTimestamp"))
    facts_.unmodelled.push_back({place.span(*deleted), "metadata.deletionTimestamp",
                                 "says that it is being deleted: nobody knows until when it is there", "Queue",
                                 name_of(object)});
  const Node* guarantee = manifest::at(spec, "guarantee");
  note(manifest::at(spec, "capability"), at.limits);
  note(manifest::at(guarantee, "resource"), at.owned);
  note(manifest::at(spec, "deserved"), at.owned);
  at.dumped = manifest::at(field(object, "metadata"), "uid") != nullptr;
  const Node* status = field(object, "status");
  if (const std::string state = text_at(status, "state"); !state.empty() && state != "Open")
    at.closed = "its status says " + state;
  if (status != nullptr) at.allocated = amounts_at(*status, "allocated");
  tell_silence(queue, at.name);
  facts_.setup.queues.push_back(std::move(queue));
  facts_.at.push_back(std::move(at));
}

// pkg/scheduler/plugins/nodegroup/nodegroup.go: a node's group must be among those of an affinity.
void VolcanoReader::tell_silence(const volcano::Queue& queue, Span at) {
  const auto none = [](const volcano::NodeGroups& groups) {
    return groups.required.empty() && groups.preferred.empty();
  };
  if (none(queue.affinity) && !none(queue.anti_affinity) && queue.anti_affinity.preferred.empty())
    facts_.silent.push_back({at,
                             "the Queue " + shown(queue.name) +
                                 " has an anti-affinity alone: with the plugin `nodegroup` its pods fit no node",
                             "name the node groups that it may use in `nodeGroupAffinity`, too"});
}

// A PodGroup without a queue is of `default`, as a Job is.
void VolcanoReader::read_asker(const Node& object, const std::string& kind, const Place& place) {
  const Node* spec = field(object, "spec");
  if (kind == "CronJob") spec = at(at(spec, "jobTemplate"), "spec");
  const Node* queue = at(spec, "queue");
  VolcanoFacts::Asks one{kind, full_name(object), text_at(spec, "queue"),
                         place.span(queue == nullptr ? name_node(object) : *queue)};
  if (one.queue.empty()) one.queue = volcano::kDefaultQueue;
  one.ends = kind != "PodGroup";
  const std::string scheduler = text_at(spec, "schedulerName");
  one.placed = scheduler.empty() || scheduler == "volcano";
  if (spec != nullptr) one.amounts = amounts_at(*spec, "minResources");
  if (const Node* tasks = at(spec, "tasks"))
    for (const Node& task : tasks->items) {
      const Node* pod = at(at(&task, "template"), "spec");
      one.placed = one.placed && text_at(pod, "nodeName").empty();
      add_pods(pod, whole_at(&task, "replicas").value_or(1), one.amounts);
    }
  add_asker(object, std::move(one));
}

// Pods of a controller, which makes one PodGroup for them: its queue is named by their template.
void VolcanoReader::read_pods(const Node& object, const std::string& kind, const Place& place) {
  const Node* owner = field(object, "spec");
  if (kind == "CronJob") owner = at(at(owner, "jobTemplate"), "spec");
  const Node* whole = kind == "Pod" ? &object : at(owner, "template");
  const Node* pod = at(whole, "spec");
  const Node* containers = at(pod, "containers");
  if (containers == nullptr) return read_operated(object, kind, place);
  for (const Node& container : containers->items) read_scheduler(object, container, place);
  const Node* annotation = at(at(at(whole, "metadata"), "annotations"), "scheduling.volcano.sh/queue-name");
  VolcanoFacts::Asks one{kind, full_name(object), annotation == nullptr ? volcano::kDefaultQueue : annotation->text,
                         place.span(annotation == nullptr ? name_node(object) : *annotation)};
  one.placed = is_placed(pod);
  one.ends = kind == "Job" || kind == "CronJob";
  add_pods(pod, whole_at(owner, kind == "Job" ? "parallelism" : "replicas").value_or(1), one.amounts);
  if (has_device(one.amounts) || (annotation != nullptr && one.placed)) add_asker(object, std::move(one));
}

// Whatever else has templates of pods in it: its operator makes the pods, and may change them.
void VolcanoReader::read_operated(const Node& object, const std::string& kind, const Place& place) {
  Operated found;
  found.look(object, 1);
  if (!found.any) return;
  if (found.placed && found.queue != nullptr && !found.differ)
    add_asker(object, {kind, full_name(object), found.queue->text, place.span(*found.queue), std::move(found.amounts)});
  else if (has_device(found.amounts) || (found.placed && found.differ))
    facts_.unmodelled.push_back(
        {place.span(name_node(object)), "",
         "has pods of which it does not say, alike for all, that Volcano places them, and of which Queue they are",
         kind, name_of(object)});
}

// installer/helm/chart/volcano/templates/scheduler.yaml, cmd/scheduler/app/options: what takes the configuration from
// elsewhere, or counts other nodes.
void VolcanoReader::read_scheduler(const Node& object, const Node& container, const Place& place) {
  const std::string image = text_at(container, "image");
  const auto name = image.find("vc-scheduler");
  if (name == std::string::npos) return;
  const Node* spec = field(object, "spec");
  const auto doubt = [&](const Node& node, std::string what) {
    facts_.unmodelled.push_back({place.span(node), "", std::move(what), "Deployment", name_of(object)});
  };
  const auto tag = image.find_first_of(":@", name);
  const std::string version =
      tag == std::string::npos ? "" : image.substr(tag + (image.compare(tag, 2, ":v") == 0 ? 2 : 1));
  if (version.empty() || version.find_first_not_of("0123456789.") != std::string::npos)
    doubt(*field(container, "image"), "runs " + shown(image) + ", of which the version is not known");
  else
    facts_.setup.version = version;
  if (std::exchange(scheduler_, true)) doubt(name_node(object), "is a second scheduler of Volcano");
  if (whole_at(spec, "replicas") == 0) doubt(*field(*spec, "replicas"), "runs no scheduler: it has no replicas");
  if (const Node* volumes = at(at(at(spec, "template"), "spec"), "volumes"))
    for (const Node& volume : volumes->items)
      if (const std::string map = text_at(field(volume, "configMap"), "name"); !map.empty()) mounted_.insert(map);
  constexpr std::string_view kFlags[] = {"--scheduler-conf",         "--default-queue",
                                         "--node-selector",          "--plugins-dir",
                                         "--scheduler-name",         "--disable-default-scheduler-config",
                                         "--scheduler-sharding-mode"};
  constexpr std::string_view kUsual[] = {"--default-queue=default", "--plugins-dir=", "--scheduler-name=volcano",
                                         "--scheduler-sharding-mode=none"};
  bool configured = false, says = false;
  for (const char* list : {"args", "command"})
    if (const Node* words = field(container, list))
      for (const Node& word : words->items) {
        says = true;
        const std::string_view text = word.text;
        const bool usual = text.starts_with("--scheduler-conf=") && text.ends_with("/volcano-scheduler.conf");
        configured = configured || usual;
        const bool known = usual || contains(kUsual, word.text);
        const bool flag = std::ranges::any_of(kFlags, [&](std::string_view one) { return text.starts_with(one); });
        if (!known && (flag || text.find(' ') != std::string_view::npos))
          doubt(word, "gives the scheduler " + shown(word.text) + ", which is not modelled");
      }
  if (says && !configured) doubt(name_node(object), "gives the scheduler no configuration by `--scheduler-conf=`");
}

void VolcanoReader::read_configuration(const Node& object, const Node& text, const Place& place) {
  const Span at = place.span(text);
  facts_.configuration = at;
  configured_ = name_of(object);
  const std::string where = "data[" + std::string(volcano::kSchedulerKey) + "]";
  const Documents documents = split_documents(text.text, Reading::Kubernetes);  // of which Volcano reads the first
  const Tree tree = documents.list.empty() ? Tree{} : parse_document(documents.list.front(), Reading::Kubernetes);
  if (!tree.root && tree.kubectl_reads_on) {  // what Volcano makes of it is not known
    facts_.unmodelled.push_back({at, where, tree.refused + ", and is not read here", "ConfigMap", name_of(object)});
    return;
  }
  if (!tree.root) {
    facts_.rejections.push_back({at, where, "volcano:configuration",
                                 tree.refused + ": Volcano's scheduler keeps the configuration that it had",
                                 "write `actions` and `tiers` as YAML"});
    return;
  }
  Problems inside;  // whose places are those of a text within the text
  inside.enter(place);
  facts_.setup.scheduler = read_volcano_scheduler(View(*tree.root, inside));
  for (NotUnderstood& one : inside.take()) {
    if (one.what != kNotUnderstood) {
      facts_.unmodelled.push_back({at, where + " " + one.field, std::move(one.what), "ConfigMap", name_of(object)});
      continue;
    }
    const auto near = nearest(one.field.substr(one.field.rfind('.') + 1), volcano_flags());
    facts_.silent.push_back({at,
                             "`" + one.field + "` of " + std::string(volcano::kSchedulerKey) +
                                 " is no key that Volcano's scheduler knows: it passes over it in silence",
                             near ? "did you mean `" + std::string(*near) + "`?" : "take it out"});
  }
}

void part_volcano(std::span<const YamlFile> files, Existing& out) {
  std::map<FileId, bool> known;
  const auto move = [&](auto& from, auto& to) {
    std::erase_if(from, [&](auto& one) {
      if (!one.span.known() || one.span.file >= files.size()) return false;
      const auto [at, fresh] = known.try_emplace(one.span.file, false);
      if (fresh) at->second = rests_on_volcano(files[one.span.file].bytes);
      if (at->second) to.push_back(std::move(one));
      return at->second;
    });
  };
  move(out.rejections, out.volcano.rejections);
  move(out.unmodelled, out.volcano.unmodelled);
}

}  // namespace gpol::manifest
