// Kueue's MutatingWebhookConfiguration: admissionregistration.k8s.io/v1. What its webhooks do not see is neither
// suspended nor gated (config/components/webhook; the default leaves out kube-system and Kueue's own namespace).
#include <algorithm>
#include <set>

#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

// What is not as Kueue is shipped: a pod that the webhook is not asked about runs without being admitted.
void look_for_gaps(const View& hook) {
  for (const char* some : {"objectSelector", "matchConditions"})
    if (const Node* value = field(hook.node(), some);
        value != nullptr && (!value->entries.empty() || !value->items.empty()))
      hook.not_modelled(some, "leaves objects out, and which is not modelled");
  // Of kinds whose framework is off the Helm chart writes Ignore; Jobs are always looked after.
  if (hook.text("name") == "mjob.kb.io" && hook.text("failurePolicy") == "Ignore")
    hook.not_modelled("failurePolicy",
                      "lets Jobs in while Kueue does not answer, and what runs without being "
                      "admitted is not modelled");
  hook.each_map("rules", [&](const View& rule) {
    const auto operations = rule.texts("operations");
    if (std::ranges::none_of(operations, [](const auto& one) { return one == "CREATE" || one == "*"; }))
      rule.not_modelled("operations", "leaves CREATE out, and what runs without being admitted is not modelled");
    if (rule.text("scope") == "Cluster") rule.not_modelled("scope", "leaves out what is in a namespace");
  });
}

}  // namespace

void read_webhooks(const View& object, Draft& draft) {
  const auto list = object.list("webhooks");
  const auto metadata = object.map("metadata");
  bool kueues = metadata && metadata->text("name").value_or("").find("kueue") != std::string::npos;
  std::set<std::string> named;
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    const View hook = list->at(i);
    if (hook.kind() != Node::Kind::Map || !hook.text("name").value_or("").ends_with(".kb.io")) continue;
    const auto client = hook.map("clientConfig");
    const auto service = client ? client->map("service") : std::nullopt;
    if (!service || service->text("name").value_or("").find("kueue") == std::string::npos) continue;
    kueues = true;
    named.insert(hook.text("name").value_or(""));
    look_for_gaps(hook);
    Selector selector = read_selector(hook, "namespaceSelector");
    if (!selector.present) continue;
    draft.note_selector(selector);
    draft.cluster.config.webhook_namespaces.push_back(std::move(selector));
  }
  for (const char* one : {"mjob.kb.io", "mpod.kb.io"})
    if (kueues && !named.contains(one))
      object.not_modelled("webhooks",
                          "has no " + shown(one) + ", and what runs without being admitted is not modelled");
}

}  // namespace gpol::manifest
