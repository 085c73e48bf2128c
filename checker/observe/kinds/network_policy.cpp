#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

IngressPolicy::Labels read_labels(const View& map, std::string_view key) {
  IngressPolicy::Labels labels;
  const auto selector = map.map(key);
  if (!selector) return labels;
  labels = selector->text_map("matchLabels");
  selector->finish();
  if (labels.empty()) map.problem(key, "selects by no label");
  return labels;
}

IngressPolicy::Peer read_peer(const View& view) {
  IngressPolicy::Peer peer;
  if (const auto of_namespace = read_labels(view, "namespaceSelector"); !of_namespace.empty()) {
    const auto& [key, value] = *of_namespace.begin();
    if (of_namespace.size() != 1 || key != "kubernetes.io/metadata.name")
      view.problem("namespaceSelector", "does not select one namespace by its name");
    peer.ns = value;
  }
  peer.pods = read_labels(view, "podSelector");
  if (peer.ns.empty() && peer.pods.empty()) view.problem("podSelector", "is missing");
  view.finish();
  return peer;
}

}  // namespace

// Fields: k8s.io/api networking/v1 NetworkPolicySpec. Only what `build` writes is understood: one rule of ingress,
// without ports, whose peers are pods by label and namespaces by name.
void read_network_policy(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "NetworkPolicy", Scope::Namespaced);
  IngressPolicy policy;
  if (const auto spec = object.required_map("spec")) {
    policy.pods = read_labels(*spec, "podSelector");
    if (policy.pods.empty()) spec->problem("podSelector", "is missing");
    if (spec->texts("policyTypes") != std::vector<std::string>{"Ingress"})
      spec->problem("policyTypes", "is not Ingress alone");
    if (const auto rules = spec->required_list("ingress")) {
      if (rules->size() != 1) spec->problem("ingress", "does not hold exactly one");
      rules->each_map([&](const View& rule) {
        if (const auto from = rule.required_list("from"))
          from->each_map([&](const View& peer) { policy.from.push_back(read_peer(peer)); });
        rule.finish();
      });
    }
    spec->finish();
  }
  keep(object, metadata, policy, draft.cluster.ingress_policies);
}

}  // namespace gpol::manifest
