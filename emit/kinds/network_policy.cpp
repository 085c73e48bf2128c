#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Value labelled(const IngressPolicy::Labels& labels) {
  yaml::Map match;
  for (const auto& [key, value] : labels) match.emplace_back(key, value);
  return yaml::Map{{"matchLabels", std::move(match)}};
}

}  // namespace

// A namespace and its pods in one entry of the list: in two they would mean either.
yaml::Value network_policy(const IngressPolicy& policy) {
  yaml::List from;
  for (const IngressPolicy::Peer& peer : policy.from) {
    yaml::Map entry;
    if (!peer.ns.empty()) entry.emplace_back("namespaceSelector", labelled({{"kubernetes.io/metadata.name", peer.ns}}));
    if (!peer.pods.empty()) entry.emplace_back("podSelector", labelled(peer.pods));
    from.emplace_back(std::move(entry));
  }
  yaml::Map spec{{"podSelector", labelled(policy.pods)},
                 {"policyTypes", yaml::List{"Ingress"}},
                 {"ingress", yaml::List{yaml::Map{{"from", std::move(from)}}}}};
  return with(
      object({.api_version = "networking.k8s.io/v1", .kind = "NetworkPolicy", .name = policy.name, .ns = policy.ns}),
      "spec", std::move(spec));
}

}  // namespace gpol::kinds
