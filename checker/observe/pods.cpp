#include "checker/observe/pods.h"

#include <algorithm>
#include <charconv>

#include "checker/observe/borrowed.h"
#include "checker/observe/fields.h"
#include "checker/observe/pod_counts.h"
#include "checker/observe/pod_places.h"
#include "checker/observe/pod_room.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

constexpr std::string_view kQueueName = "kueue.x-k8s.io/queue-name";
constexpr std::string_view kPriorityClass = "kueue.x-k8s.io/priority-class";
constexpr std::string_view kElastic = "kueue.x-k8s.io/elastic-job";

std::string group_of(const Node& object) { return manifest::group_of(text_at(object, "apiVersion")); }

std::string namespace_of(const Node* metadata) {
  const std::string said = text_at(metadata, "namespace");
  return said.empty() ? "default" : said;
}

// Kept for others to make something of, or a memory of what was: no controller runs pods of it. Of a WorkflowTemplate
// whoever may submit Workflows does.
bool runs_nothing(const Node& object) {
  const std::string kind = text_at(&object, "kind");
  if (kind.ends_with("WorkflowTemplate") && group_of(object) == "argoproj.io") return false;
  return kind.ends_with("Template") || kind.ends_with("Runtime") || kind.ends_with("Revision") ||
         kind == "CustomResourceDefinition" || kind == "LLMInferenceServiceConfig";
}

// A Pod that has ended, a Workflow, or a Job.
bool finished(const Node& object) {
  const Node* status = field(object, "status");
  if (const std::string phase = text_at(status, "phase"); phase == "Succeeded" || phase == "Failed") return true;
  const std::string kind = text_at(&object, "kind"), group = group_of(object);
  const bool job = (kind == "Job" && group == "batch") || (kind == "TrainJob" && group == "trainer.kubeflow.org");
  return job && (is_true(status, "Complete") || is_true(status, "Failed"));
}

// The label of a queue; of a Pod that Kueue made or let in, what it puts there.
bool queues(const Node* metadata) {
  const Node* labels = at(metadata, "labels");
  return labels != nullptr &&
         (!text_at(labels, kQueueName).empty() || field(*labels, "kueue.x-k8s.io/podset") != nullptr);
}

// It puts its own labels on the pods that it makes.
bool hands_labels_on(const PodFacts& facts) {
  return (facts.group == "serving.kserve.io" && facts.kind == "InferenceService") ||
         (facts.group == "kubeflow.org" && facts.kind == "Notebook");
}

// Below these, what a template's metadata says is said of the pod (Argo's templates have no `spec`).
bool of_template(std::string_view key) {
  constexpr std::string_view keys[] = {"spec", "container", "script", "containerSet", "sidecars"};
  return contains(keys, key);
}

bool device(std::string_view resource) { return resource.find('/') != std::string_view::npos; }

class Finder {
 public:
  // `ns`: of an object that says none. `lends`: what others make pods of is found, whatever it asks for.
  Finder(const Node& object, const Place& place, std::vector<PodFacts>& out, std::vector<PodFacts>& rooms,
         const std::string& ns = "default", bool lends = false)
      : place_(place), out_(out), rooms_(rooms), lends_(lends) {
    const Node* metadata = field(object, "metadata");
    about_.group = group_of(object);
    about_.kind = text_at(&object, "kind");
    about_.ns = text_at(metadata, "namespace");
    if (about_.ns.empty()) about_.ns = ns;
    const Node *name = at(metadata, "name"), *prefix = at(metadata, "generateName");
    about_.generated = name == nullptr || name->text.empty();
    if (about_.generated) name = prefix;
    about_.name = about_.ns + "/" + (name == nullptr ? "" : name->text);
    Owner owner = owner_of(object);
    about_.owner = std::move(owner.name), about_.owner_uid = std::move(owner.uid);
    if (name != nullptr) about_.span = place.span(*name);
    const Node* spec = field(object, "spec");
    if (about_.kind == "Pod" && about_.group.empty()) {
      const Node* said = at(metadata, "annotations");
      const std::string restarts = text_at(spec, "restartPolicy");
      about_.pod_group = text_at(at(metadata, "labels"), "kueue.x-k8s.io/pod-group-name");
      about_.group_pods = whole_at(said, "kueue.x-k8s.io/pod-group-total-count").value_or(0);
      about_.ends = about_.owner.empty() && !restarts.empty() && restarts != "Always" &&
                    text_at(said, "kueue.x-k8s.io/pod-group-serving") != "true";
    }
    about_.idle = text_at(spec, "replicas") == "0" || text_at(spec, "parallelism") == "0";
    count_workloads(spec, about_);
    const auto parallelism = whole_at(spec, "parallelism"), completions = whole_at(spec, "completions");
    if (parallelism && completions && *parallelism > *completions)
      about_.beyond = {"spec.parallelism", place.span(*field(*spec, "parallelism"))};
    // What a CronJob makes is labelled as its template says, and as nothing else.
    const bool cron = about_.kind == "CronJob" && about_.group == "batch";
    const Beside from = cron ? Beside{at(at(spec, "jobTemplate"), "metadata"), "spec.jobTemplate.metadata"}
                             : Beside{metadata, "metadata"};
    const Node* annotations = at(from.metadata, "annotations");
    fewest_ = whole_at(annotations, "kueue.x-k8s.io/job-min-parallelism");
    if (const Node* elastic = at(annotations, kElastic); elastic != nullptr && elastic->text == "true") {
      about_.elastic = {from.path + ".annotations", place.span(*elastic)};
      append_key(about_.elastic.field, kElastic);
    }
    if (about_.group == "kubeflow.org") {  // pkg/controller/jobs/kubeflow, mpijob: PriorityClass()
      const Node* named = at(at(at(spec, "runPolicy"), "schedulingPolicy"), "priorityClass");
      if (named != nullptr) about_.job_class = named->text;
      if (named != nullptr)
        about_.names_job_class = {"spec.runPolicy.schedulingPolicy.priorityClass", place.span(*named)};
    }
    about_.queue_of_object = queues(from.metadata);
    about_.of_object = labels_of(from);
    const bool pod = (about_.kind == "Pod" && about_.group.empty()) || hands_labels_on(about_);
    if (hands_labels_on(about_)) everywhere_ = from;
    const bool serving_runtime =
        lends && about_.kind.ends_with("ServingRuntime");  // its labels are beside its containers
    if (spec == nullptr) return;
    find_tolerations(*spec);
    descend(*spec, "spec", pod ? from : serving_runtime ? Beside{spec, "spec"} : Beside{});
  }
  bool found() const { return found_; }

 private:
  struct Beside {
    const Node* metadata = nullptr;
    std::string path;
  };

  PodFacts::Labels labels_of(const Beside& from) const {
    PodFacts::Labels found;
    const Node* labels = at(from.metadata, "labels");
    found.queue = text_at(labels, kQueueName);
    const Node* priority = at(labels, kPriorityClass);
    if (priority == nullptr || priority->text.empty()) return found;
    found.priority = priority->text;
    found.names_priority = {from.path + ".labels", place_.span(*priority)};
    append_key(found.names_priority.field, kPriorityClass);
    return found;
  }

  void label(const Beside& above, PodFacts& facts) const {
    const Beside& from = queues(above.metadata) ? above : everywhere_;
    facts.queue_of_pods = queues(from.metadata);
    facts.of_pods = labels_of(facts.queue_of_pods ? from : above);
  }

  // `above`: the metadata beside this node.
  void descend(const Node& node, const std::string& path, const Beside& above) {
    const Beside everywhere = everywhere_;
    const std::int64_t before = about_.count;
    if (path != "spec" || !counts_by_workloads(about_)) count(times_of(before, times_here(node)));
    // Of all pods of an Argo Workflow.
    if (const Node* of_pods = field(node, "podMetadata")) everywhere_ = {of_pods, path + ".podMetadata"};
    const Beside beside{field(node, "metadata"), path + ".metadata"};
    const Beside& own = beside.metadata == nullptr ? above : beside;
    const Node* containers = field(node, "containers");
    if (containers != nullptr && !containers->items.empty())
      take(node, path, above);
    else
      for (const char* key : {"resources", "resourcesPerNode", "computeResources"})
        if (field(node, key) != nullptr) take_alone(node, key, path, above);
    if (containers == nullptr) take_rank(node, path, own);
    if (const Node* gpu = field(node, "gpu"); gpu != nullptr && about_.group == "sparkoperator.k8s.io")
      take_spark(node, *gpu, path + ".gpu", above);
    for (PodFacts::Unread& unread : borrowed_at(about_, node, path, place_)) take_unread(std::move(unread), &node, own);
    for (const PodText& text : texts_at(about_, node, path)) take_text(text, own);
    for (const Entry& entry : node.entries) {
      const bool of_pod = entry.key == "containers" || entry.key == "initContainers";
      if (of_pod || (entry.value.entries.empty() && entry.value.items.empty())) continue;
      std::string inner = path;
      append_key(inner, entry.key);
      const std::int64_t here = about_.count;
      count(times_of(here, times_below(node, entry.key)));
      descend(entry.value, inner, of_template(entry.key) ? beside : Beside{});
      count(here);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
      descend(node.items[i], path + "[" + std::to_string(i) + "]", above);
    everywhere_ = everywhere;
    count(before);
  }

  void count(std::int64_t pods) {
    about_.count = pods;
    about_.fewest = std::min(pods, fewest_.value_or(pods));
  }

  // Of a single container, and of what a runtime says, it is not known which of these are for its pod.
  void find_tolerations(const Node& node) {
    if (const Node* list = field(node, "tolerations")) add_tolerations(*list, tolerations_);
    for (const Node& item : node.items) find_tolerations(item);
    for (const Entry& entry : node.entries) find_tolerations(entry.value);
  }

  // Of pods that are no template with a specification of its own.
  PodFacts facts_at(const std::string& path, const Beside& above) const {
    PodFacts facts = about_;
    facts.path = path;
    facts.tolerations = tolerations_;
    label(above, facts);
    return facts;
  }

  // `pod`: what the object says of the pod itself.
  void take_unread(PodFacts::Unread unread, const Node* pod, const Beside& above) {
    PodFacts facts = facts_at(unread.at.field, above);
    if (const Node* selector = pod == nullptr ? nullptr : field(*pod, "nodeSelector"))
      for (const Entry& entry : selector->entries) facts.node_selector.emplace(entry.key, entry.value.text);
    facts.unread = std::move(unread);
    // What is made for one that queues is counted with it.
    found_ = found_ || facts.queue_of_object || facts.queue_of_pods;
    rooms_.push_back(facts);
    out_.push_back(std::move(facts));
  }

  void take_text(const PodText& text, const Beside& above) {
    if (!text.says)
      take_unread(unread_text(text, place_), nullptr, above);
    else if (!text.object)
      descend(*text.says, text.path, above);
    else if (!runs_nothing(*text.says))
      Finder(*text.says, place_, out_, rooms_, about_.ns);
  }

  // What a controller makes a container of (KServe's model, Argo's container, TrainJob's trainer, a step of Tekton).
  void take_alone(const Node& node, const char* key, const std::string& path, const Beside& above) {
    PodFacts facts = facts_at(path, above);
    ask(*field(node, key), path + "." + key, facts);
    facts.room = room_of_container(*field(node, key));
    if (facts.asks.empty() && facts.room.empty()) return;
    if (!facts.room.empty()) rooms_.push_back(facts);
    if (facts.asks.empty()) return;
    found_ = true;
    out_.push_back(std::move(facts));
  }

  // What says it of pods beside a single container (KServe's predictor, Argo's template, Spark's driver).
  void take_rank(const Node& node, const std::string& path, const Beside& above) {
    const Node* rank = field(node, "priorityClassName");
    if (rank == nullptr || rank->text.empty()) return;
    PodFacts facts = about_;
    facts.path = path + ".priorityClassName";
    facts.count = facts.fewest = 0;  // they are counted elsewhere
    facts.priority_class = rank->text;
    facts.names_class = {facts.path, place_.span(*rank)};
    label(above, facts);
    out_.push_back(std::move(facts));
  }

  // Of the driver or the executors of a SparkApplication: a device's name, and how many.
  void take_spark(const Node& role, const Node& gpu, const std::string& path, const Beside& above) {
    const Node* quantity = field(gpu, "quantity");
    if (quantity == nullptr || quantity->text == "0") return;
    PodFacts facts = facts_at(path, above);
    facts.asks.emplace(text_at(&gpu, "name"), PodFacts::Ask{path + ".quantity", place_.span(*quantity)});
    facts.room.emplace(text_at(&gpu, "name"), whole_at(&gpu, "quantity").value_or(1));
    facts.count = facts.fewest = whole_at(&role, "instances").value_or(1);
    found_ = true;
    out_.push_back(std::move(facts));
  }

  void take(const Node& pod, const std::string& path, const Beside& above) {
    found_ = true;
    PodFacts facts = about_;
    facts.path = path;
    label(above, facts);
    for (const char* list : {"containers", "initContainers"})
      if (const Node* containers = field(pod, list))
        for (std::size_t i = 0; i < containers->items.size(); ++i)
          if (const Node* resources = field(containers->items[i], "resources"))
            ask(*resources, path + "." + list + "[" + std::to_string(i) + "].resources", facts);
    if (const Node* own = field(pod, "resources")) ask(*own, path + ".resources", facts);
    facts.room = room_of_pod(pod);
    facts.grace_s = whole_at(&pod, "terminationGracePeriodSeconds").value_or(facts.grace_s);
    if (const Node* claims = field(pod, "resourceClaims"); claims != nullptr && !claims->items.empty())
      facts.asks.try_emplace("", PodFacts::Ask{path + ".resourceClaims", place_.span(*claims)});
    if (const Node* rank = field(pod, "priorityClassName"); rank != nullptr && !rank->text.empty()) {
      facts.priority_class = rank->text;
      facts.names_class = {path + ".priorityClassName", place_.span(*rank)};
    }
    const bool queued = facts.queue_of_object || facts.queue_of_pods;
    const bool of_consequence = lends_ || !facts.asks.empty() || !facts.priority_class.empty() || queued;
    read_places(pod, facts);
    // A pod on every node takes a place there, whatever it requests, and one that repels others keeps them off its own.
    const bool everywhere = facts.kind == "DaemonSet" || facts.owner.find("/DaemonSet/") != std::string::npos ||
                            facts.owner.starts_with("/Node/") || facts.repels;
    if (!of_consequence && !everywhere && facts.room.empty()) return;
    if (everywhere || !facts.room.empty()) rooms_.push_back(facts);
    if (of_consequence) out_.push_back(std::move(facts));
  }

  void ask(const Node& resources, const std::string& path, PodFacts& facts) {
    for (const char* key : {"limits", "requests"})
      if (const Node* amounts = field(resources, key))
        for (const Entry& entry : amounts->entries) {
          if (entry.value.text == "0") continue;
          std::string where = path + "." + key;
          append_key(where, entry.key);
          facts.needs.try_emplace(entry.key, PodFacts::Ask{where, place_.span(entry.value)});
          // Kueue takes a limit for the request that is not there.
          if (entry.value.text.starts_with('-') &&
              (*key == 'r' || at(field(resources, "requests"), entry.key) == nullptr))
            facts.negative = {where, place_.span(entry.value)};
          if (device(entry.key))
            facts.asks.try_emplace(entry.key, PodFacts::Ask{std::move(where), place_.span(entry.value)});
        }
  }

  const Place& place_;
  std::vector<PodFacts>&out_, &rooms_;
  PodFacts about_;
  const bool lends_;
  std::vector<Toleration> tolerations_;  // all that the object says
  Beside everywhere_;                    // what all pods here are labelled with
  std::optional<std::int64_t> fewest_;   // of the annotation of partial admission
  bool found_ = false;
};

}  // namespace

std::string full_name_of(const Node& object) {
  const Node* metadata = field(object, "metadata");
  return group_of(object) + "/" + text_at(&object, "kind") + "/" + namespace_of(metadata) + "/" +
         text_at(metadata, "name");
}

Owner owner_of(const Node& object) {
  const Node* metadata = field(object, "metadata");
  const Node* list = at(metadata, "ownerReferences");
  const std::string own = text_at(metadata, "uid");
  if (list == nullptr) return {{}, {}, own};
  for (const Node& item : list->items)
    if (text_at(&item, "controller") == "true")
      return {
          group_of(item) + "/" + text_at(&item, "kind") + "/" + namespace_of(metadata) + "/" + text_at(&item, "name"),
          text_at(&item, "uid"), own};
  return {{}, {}, own};
}

bool find_pods(const Node& object, const Place& place, std::vector<PodFacts>& pods, std::vector<PodFacts>& rooms) {
  if (runs_nothing(object)) return false;
  const std::size_t before = pods.size(), rooms_before = rooms.size();
  const bool found = Finder(object, place, pods, rooms).found();
  if (finished(object)) pods.resize(before), rooms.resize(rooms_before);
  return found;
}

void find_lent(const Node& object, const Place& place, std::vector<PodFacts>& pods, std::vector<PodFacts>& rooms) {
  Finder(object, place, pods, rooms, "default", true);
}

void find_workload(const Node& object, const Place& place, std::vector<PodFacts>& pods) {
  if (group_of(object) != "kueue.x-k8s.io") return;
  if (is_true(field(object, "status"), "Finished")) return;
  const Node *metadata = field(object, "metadata"), *spec = field(object, "spec");
  PodFacts facts;
  facts.group = group_of(object), facts.kind = "Workload";
  facts.ns = namespace_of(metadata);
  facts.name = facts.ns + "/" + text_at(metadata, "name");
  if (const Node* name = at(metadata, "name")) facts.span = place.span(*name);
  facts.of_object.queue = text_at(spec, "queueName");
  facts.queue_of_object = !facts.of_object.queue.empty();
  facts.path = facts.of_object.names_priority.field = "spec.priority";
  const Node* priority = at(spec, "priority");
  facts.of_object.names_priority.span = priority == nullptr ? facts.span : place.span(*priority);
  const std::string text = priority == nullptr ? "0" : priority->text;  // absent: Kueue's default
  std::int64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) return;
  facts.priority = value;
  pods.push_back(std::move(facts));
}

}  // namespace gpol::manifest
