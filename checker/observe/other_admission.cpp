#include "checker/observe/other_admission.h"

#include <algorithm>
#include <set>

#include "checker/observe/fields.h"

namespace gpol::manifest {
namespace {

// Groups of what Kueue manages or is told by (kueue.md 1.6), and all.
const std::set<std::string_view> kGroups = {"*",
                                            "apps",
                                            "batch",
                                            "jobset.x-k8s.io",
                                            "kubeflow.org",
                                            "kueue.x-k8s.io",
                                            "leaderworkerset.x-k8s.io",
                                            "ray.io",
                                            "sparkoperator.k8s.io",
                                            "trainer.kubeflow.org",
                                            "workload.codeflare.dev"};

template <class Test>
bool any(const Node* list, Test&& test) {
  return list != nullptr && std::ranges::any_of(list->items, test);
}

bool concerns(const Node& rule) {
  const bool pods = any(at(&rule, "resources"), [](const Node& one) {
    return one.text == "*" || one.text == "*/*" || one.text.substr(0, one.text.find('/')) == "pods";
  });
  return any(at(&rule, "apiGroups"),
             [&](const Node& group) { return kGroups.contains(group.text) || (group.text.empty() && pods); });
}

bool kueues(const Node& hook) {
  return text_at(at(at(&hook, "clientConfig"), "service"), "name").find("kueue") != std::string::npos;
}

}  // namespace

std::optional<std::string> other_admission(const Node& object) {
  if (!text_at(object, "apiVersion").starts_with("admissionregistration.k8s.io/")) return std::nullopt;
  const std::string kind = text_at(object, "kind");
  const Node* rules = at(at(at(&object, "spec"), "matchConstraints"), "resourceRules");
  const bool asked = kind == "MutatingAdmissionPolicy"
                         ? any(rules, concerns)
                         : (kind == "MutatingWebhookConfiguration" || kind == "ValidatingWebhookConfiguration") &&
                               any(at(&object, "webhooks"),
                                   [](const Node& hook) { return !kueues(hook) && any(at(&hook, "rules"), concerns); });
  if (!asked) return std::nullopt;
  return kind + " `" + text_at(at(&object, "metadata"), "name") + "`";
}

}  // namespace gpol::manifest
