#include "checker/observe/externals.h"

#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {

void Externals::add(const Node& object, const Place& place) {
  if (text_at(object, "kind") == "Kueue" && text_at(object, "apiVersion").starts_with("kueue.openshift.io/")) {
    const Node* config = at(field(object, "spec"), "config");
    OpenShift& one = openshift_.emplace_back();
    one.span = place.span(object);
    one.name = name_of(object);
    one.preemption = text_at(at(config, "preemption"), "preemptionPolicy");
    one.gangs = text_at(at(config, "gangScheduling"), "policy");
    if (const Node* list = at(at(config, "integrations"), "frameworks"))
      for (const Node& framework : list->items) one.frameworks.push_back(framework.text);
  }
  const Node* queue = at(at(field(object, "metadata"), "labels"), "kueue.x-k8s.io/queue-name");
  const std::string api = text_at(object, "apiVersion"), kind = text_at(object, "kind");
  const auto slash = api.find('/');
  if (queue == nullptr || slash == std::string::npos) return;
  named_.push_back(
      {kind + "." + api.substr(slash + 1) + "." + api.substr(0, slash),
       {place.span(*queue), "metadata.labels[kueue.x-k8s.io/queue-name]",
        "asks for what a controller of its own says (`integrations.externalFrameworks`), which is not known", kind,
        name_of(object)}});
}

void Externals::settle(const std::vector<std::string>& frameworks, const std::vector<PodFacts>& pods,
                       std::vector<Unmodelled>& unmodelled) const {
  for (const OpenShift& one : openshift_) {
    std::string doubt;
    if (!one.preemption.empty() && one.preemption != "Classical")
      doubt = "preempts by the policy " + shown(one.preemption);
    // pkg/configmap of openshift/kueue-operator makes `waitForPodsReady` of it, which may block admission.
    if (doubt.empty() && !one.gangs.empty() && one.gangs != "None") doubt = "schedules gangs by " + shown(one.gangs);
    for (const PodFacts& pod : pods) {
      if (!doubt.empty()) break;
      // Of others, which only name a PriorityClass, it does not matter whether Kueue sees them.
      if (pod.asks.empty() && !pod.unread && pod.of_object.queue.empty() && pod.of_pods.queue.empty()) continue;
      const std::string framework = pod.kind == "Job" ? "BatchJob" : pod.kind;
      const bool on = contains(one.frameworks, framework);
      doubt = on ? "manages namespaces with the label kueue.openshift.io/managed, which is not looked for at "
                 : "has not " + framework + " among its frameworks, and so Kueue may not see ";
      doubt += pod.kind + " " + shown(pod.name);
    }
    if (!doubt.empty())
      unmodelled.push_back(
          {one.span, "", "is OpenShift's Configuration of Kueue, which is not read: it " + doubt, "Kueue", one.name});
  }
  for (const Named& one : named_)
    if (contains(frameworks, one.framework)) unmodelled.push_back(one.told);
}

}  // namespace gpol::manifest
