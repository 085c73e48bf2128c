// Kueue's MutatingWebhookConfiguration: admissionregistration.k8s.io/v1. What its webhooks do not see is neither
// suspended nor gated (config/components/webhook; the default leaves out kube-system and Kueue's own namespace).
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_webhooks(const View& object, Draft& draft) {
  const auto list = object.list("webhooks");
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    const View hook = list->at(i);
    if (hook.kind() != Node::Kind::Map || !hook.text("name").value_or("").ends_with(".kb.io")) continue;
    const auto client = hook.map("clientConfig");
    const auto service = client ? client->map("service") : std::nullopt;
    if (!service || service->text("name").value_or("").find("kueue") == std::string::npos) continue;
    Selector selector = read_selector(hook, "namespaceSelector");
    if (!selector.present) continue;
    draft.note_selector(selector);
    draft.cluster.config.webhook_namespaces.push_back(std::move(selector));
  }
}

}  // namespace gpol::manifest
