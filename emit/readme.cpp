// Sources: Flux, kustomize-controller's Kustomization (`spec.path`, `spec.prune`, `spec.suspend`, drift); Argo CD,
// Application (`spec.source.path`, `syncPolicy.automated`: `selfHeal`, `prune`).
#include "emit/readme.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "compiler/source/lookup.h"
#include "compiler/source/text.h"
#include "emit/layout.h"
#include "emit/volcano/readme.h"

namespace gpol {

namespace {

constexpr std::string_view kQueues = "base/queues.yaml",
                           kVolcanoQueues = "Queues of Volcano, each behind the one above it: who owns what";

struct FileRow {
  std::string_view path, text;
};
constexpr FileRow kRows[] = {
    {"kustomization.yaml",
     "what a pipeline applies that is given this directory: `base/`. `gpol.dev/revision` in it is a hash of the "
     "policy's "
     "texts"},
    {"base/namespaces.yaml", "Namespaces of the tenants"},
    {"base/flavors.yaml", "ResourceFlavors: a pool of nodes each"},
    {"base/priorities.yaml", "WorkloadPriorityClasses and PriorityClasses"},
    {"base/gateway-limits.yaml",
     "BackendTrafficPolicies of Envoy Gateway: what each proxy lets in of a route (below: Before the limits of a "
     "gateway)"},
    {"base/gateway-routes.yaml",
     "HTTPRoutes of the hosts that the policy gives (below: Before the limits of a gateway)"},
    {"base/service-callers.yaml",
     "NetworkPolicies: who may open connections to the pods of a service (below: Before the callers of a service)"},
    {"base/job-quotas.yaml", "ResourceQuotas: how many Jobs a namespace may hold"},
    {"base/guards.yaml",
     "ValidatingAdmissionPolicies, each with its binding behind it: what the API server refuses, or only reports where "
     "the binding says Warn or Audit"},
    {kQueues, "Cohorts, ClusterQueues and LocalQueues: who owns what, and who may borrow it"},
};

// In the order in which the files are applied.
std::string files_table(std::span<const RenderedFile> files, const Planned& planned, ConfigurationFile configuration) {
  std::string table = "| file | what it holds |\n|---|---|\n";
  const auto row = [&](std::string_view path, std::string_view text) {
    table += fmt::format("| `{}` | {} |\n", path, text);
  };
  for (const FileRow& known : kRows)
    if (contains(files, known.path, &RenderedFile::path))
      row(known.path, planned.cluster.volcano && known.path == kQueues ? kVolcanoQueues : known.text);
  row("base/kustomization.yaml", "these files, in order of application");
  const bool volcano = planned.cluster.volcano.has_value();
  for (const Mode& mode : volcano ? std::vector<Mode>{} : planned.cluster.modes)
    row(path_in(Folder::Overlays, path_component(mode.name)) + "/kustomization.yaml",
        fmt::format(
            "{}{}",
            mode.changed.empty() ? "`base/` as it is" : "`base/`, and the limits that are others in this window",
            mode.name.starts_with("windows.") ? " (the numbers: windows of the policy in their order, from 1)" : ""));
  if (volcano)
    row(path_in(Folder::Scheduler, ""),
        "the configuration of Volcano's scheduler, a proposal: no kustomization names it");
  else
    row(path_in(Folder::Controller, ""),
        configuration == ConfigurationFile::Lines
            ? "Kueue's own Configuration, no object of the API: no kustomization names it"
            : "Kueue's own Configuration, as it was given, with the lines that the proof needs; no kustomization names "
              "it");
  if (!planned.cluster.node_pools.empty())
    row(path_in(Folder::Nodes, ""),
        "labels and taints of the pools' nodes: commands, and the same for those who make "
        "nodes; no kustomization names them");
  if (!planned.cluster.mig_config_maps.empty())
    row(path_in(Folder::Partition, ""),
        "how the GPUs are cut: configurations for MIG Manager, what the GPU Operator must say, and the commands that "
        "give nodes their configuration, for whoever runs the nodes; no kustomization names them");
  row(path_in(Folder::Rbac, ""),
      "roles of the pipeline and of tenants, for an administrator; no kustomization names them");
  if (contains(files, "gpol.yaml", &RenderedFile::path))
    row("gpol.yaml",
        "what `gpol verify` of this directory takes for granted, since no manifest shows it: reserves, shapes, times, "
        "nodes; no object of the API");
  row(".gpol-owned", "the files of the last build and their hashes: the next build replaces these, and no others");
  return table + "\nAbove each object stands the clause of the policy that it comes from (`# from:`).\n";
}

// Whether every guard is bound, and refuses what it is about.
bool all_deny(const Cluster& cluster) {
  if (cluster.admission_bindings.size() != cluster.admission_policies.size()) return false;
  return std::ranges::all_of(cluster.admission_bindings, [](const AdmissionBinding& binding) {
    return binding.actions == std::vector<std::string>{"Deny"};
  });
}

std::string writers_text(const Planned& planned) {
  std::vector<std::string> names;
  for (const Writer& writer : planned.intent.writers)
    names.push_back(fmt::format("{} `{}`", writer.group ? "group" : "user", writer.name));
  if (names.empty())
    return "The policy names no `writers`: whoever has the rights can write what this directory holds.\n";
  return fmt::format(
      "Only the `writers` of the policy may write {}: {}. A guard {} "
      "everybody else, an administrator too. Who must do it by hand does it in a writer's name (`kubectl --as=WRITER "
      "...`).\n",
      planned.cluster.volcano ? "its Queues, and any below them" : "queues, cohorts, flavors and priority classes",
      listed(names), all_deny(planned.cluster) ? "refuses" : "refuses, once all guards deny,");
}

// Sources: pkg/apis/networking/v1 NetworkPolicySpec (pods that a policy selects are closed to whom none lets in).
std::string callers_text(const Planned& planned) {
  if (planned.cluster.ingress_policies.empty()) return {};
  std::string looks;
  for (const IngressPolicy& policy : planned.cluster.ingress_policies) {
    std::string labels;
    for (const auto& [key, value] : policy.pods) add_to_list(labels, fmt::format("{}={}", key, value), ",");
    looks += fmt::format("    kubectl -n {0} get pods -l '{1}'\n    kubectl -n {0} get networkpolicies\n", policy.ns,
                         labels);
  }
  return fmt::format(
      "## Before the callers of a service\n\n"
      "Once `base/service-callers.yaml` is applied, these pods are closed to everybody whom it does not name, on all "
      "their ports: whoever else calls them or reads their metrics must stand in `from` first. Other NetworkPolicies "
      "of "
      "the same pods let in more:\n\n{}\n",
      looks);
}

// Sources: Gateway API v1.6.1, apis/v1/{gateway,httproute}_types.go (`allowedRoutes`; of two routes with one host and
// path the older takes all requests).
std::string routes_text(const Planned& planned) {
  if (planned.cluster.http_routes.empty()) return {};
  std::string hosts, gateways;
  for (const HttpRoute& route : planned.cluster.http_routes) {
    hosts += fmt::format("- `{}{}`, to the Service `{}` of `{}`, port {}\n", route.host, route.path, route.service,
                         route.ns, route.port);
    const std::string look =
        fmt::format("    kubectl -n {} get gateway {} -o jsonpath='{{.spec.listeners[*].allowedRoutes}}'\n",
                    route.gateway_ns, route.gateway);
    if (gateways.find(look) == std::string::npos) gateways += look;
  }
  return fmt::format(
      "`base/gateway-routes.yaml` has HTTPRoutes for these hosts and paths. If another HTTPRoute of the Gateway has "
      "one "
      "of them already, the older of the two gets all requests:\n\n{}\n    kubectl get httproutes -A\n\n"
      "The Gateway must let in HTTPRoutes of these namespaces (`from: Same`, the default, lets in those of its own "
      "alone):\n\n{}\n",
      hosts, gateways);
}

// Sources: internal/gatewayapi/backendtrafficpolicy.go of envoyproxy/gateway (an older policy of the same route wins;
// one of the route takes the place of the Gateway's; one that is not accepted makes its routes answer 500).
std::string limits_text(const Planned& planned) {
  if (planned.cluster.traffic_policies.empty()) return callers_text(planned);
  std::string targets, curls;
  for (const TrafficPolicy& policy : planned.cluster.traffic_policies) {
    const bool written = std::ranges::any_of(planned.cluster.http_routes, [&](const HttpRoute& route) {
      return route.ns == policy.ns && route.name == policy.route;
    });
    if (!written) targets += fmt::format("    kubectl -n {} get httproute {}\n", policy.ns, policy.route);
    curls +=
        fmt::format("    kubectl -n {} get backendtrafficpolicy {} -o jsonpath='{{.status.ancestors[*].conditions}}'\n",
                    policy.ns, policy.name);
  }
  const bool counted_for_all = std::ranges::any_of(
      planned.cluster.traffic_policies, [](const TrafficPolicy& policy) { return policy.shared.has_value(); });
  constexpr std::string_view kCounter =
      "`rateLimit.global` needs `rateLimit` in EnvoyGateway's own configuration, with `failClosed: true`: without it "
      "the "
      "policy is not accepted, and without `failClosed` every request passes while the rate-limit service is away:\n\n"
      "    kubectl -n envoy-gateway-system get configmap envoy-gateway-config -o yaml\n\n";
  if (!targets.empty())
    targets = fmt::format(
        " and these HTTPRoutes, each with one rule, one match, one backend of the service (others must lead "
        "elsewhere), no "
        "`retry`, no `timeouts`, no mirror, at most one hostname and one listener:\n\n{}",
        targets);
  return fmt::format(
      "## Before the limits of a gateway\n\n"
      "`base/gateway-limits.yaml` needs Envoy Gateway (v1.9; its CRDs){}\n{}"
      "Look whether others limit the same routes or their Gateway: of two policies of one route the newer is void, and "
      "one of "
      "the route takes the place of the Gateway's on it, timeouts and all:\n\n"
      "    kubectl get backendtrafficpolicies -A\n\n"
      "Afterwards each must be Accepted, and not Overridden; a policy that is not accepted makes its route answer "
      "500:\n\n{}\n"
      "To see a limit, ask more often than all proxies let in (HOST is the route's; a larger limit needs more than "
      "10000); "
      "the answers are counted by status:\n\n"
      "    seq 10000 | xargs -P 200 -I{{}} curl -s -o /dev/null -w '%{{http_code}}\\n' https://HOST/ | sort | uniq "
      "-c\n\n"
      "What an older build had and this one has not is to be deleted (below) among these:\n\n"
      "    kubectl get backendtrafficpolicies,httproutes,networkpolicies -A -l app.kubernetes.io/managed-by=gpol\n\n{}",
      targets.empty() ? ".\n" : targets, routes_text(planned) + std::string(counted_for_all ? kCounter : ""), curls,
      callers_text(planned));
}

// How Kueue gets it. Sources: config/components/manager (the ConfigMap and its key), charts/kueue of v0.19.2
// (`managerConfig`; the Deployment carries a checksum of it).
std::string configuration_text(ConfigurationFile configuration) {
  constexpr std::string_view kRestart =
      "    kubectl -n kueue-system rollout restart deployment kueue-controller-manager\n\n";
  constexpr std::string_view kWhole = "is the one that was given, with the lines that the proof needs";
  switch (configuration) {
    case ConfigurationFile::Lines:
      return "merge the lines of `controller/controller_manager_config.yaml` into the one that the "
             "controller reads (its comments say what each is for), and restart the controller, which reads it when "
             "it starts.\n";
    case ConfigurationFile::Itself:
      return fmt::format(
          "`controller/controller_manager_config.yaml` {}. It goes into Kueue's ConfigMap as a whole, and the "
          "controller reads it when it starts:\n\n"
          "    kubectl -n kueue-system create configmap kueue-manager-config "
          "--from-file=controller/controller_manager_config.yaml --dry-run=client -o yaml | kubectl apply "
          "--server-side --force-conflicts -f -\n{}",
          kWhole, kRestart);
    case ConfigurationFile::ConfigMap:
      return fmt::format(
          "`controller/controller_manager_config.yaml` {}. It is applied as it is, and the controller reads it when it "
          "starts:\n\n"
          "    kubectl -n kueue-system apply --server-side --force-conflicts -f "
          "controller/controller_manager_config.yaml\n{}",
          kWhole, kRestart);
    case ConfigurationFile::Values:
      return fmt::format(
          "`controller/controller_manager_config.yaml` {}: values of Kueue's Helm chart. Give it to Helm in the stead "
          "of the file that it was made from (`helm upgrade ... -f controller/controller_manager_config.yaml`); the "
          "chart restarts the controller by itself.\n",
          kWhole);
  }
  return {};
}

std::string order_text(const Planned& planned, ConfigurationFile configuration) {
  std::string text = fmt::format(
      "1. Roles, once, as an administrator: `kubectl apply -f rbac`.\n"
      "2. {}",
      planned.cluster.volcano ? volcano::configuration_text()
                              : "Kueue's Configuration: " + configuration_text(configuration));
  if (!planned.cluster.node_pools.empty())
    text +=
        "3. Nodes: first the tolerations in `nodes/README.md`, then `sh nodes/POOL.sh NODE...`. What runs stays; new "
        "pods without the toleration go elsewhere.\n";
  int step = planned.cluster.node_pools.empty() ? 3 : 4;
  text += fmt::format(
      "{}. The first time: `kubectl get -k . --ignore-not-found` lists what has one of these names already. What is "
      "somebody else's would be overwritten: give the {} another name in the policy.\n",
      step++, planned.cluster.volcano ? "cluster or tenant" : "pool, class, cohort or tenant");
  if (all_deny(planned.cluster) && !planned.cluster.admission_policies.empty())
    text += fmt::format(
        "{}. Where these guards are new: build with `guard all warn` in the policy first, apply that, and see what "
        "they "
        "would refuse; then without it. Pods and Jobs that are there before a guard run on, and the proof counts on "
        "none "
        "being left.\n",
        step++);
  else if (!all_deny(planned.cluster))
    text += fmt::format(
        "{}. **Not all guards deny yet**: the policy says `guard ... warn`, `audit` or `unbound`. What they report is "
        "to "
        "be looked at; nothing is proven until the policy is built without these lines and applied.\n",
        step++);
  text += fmt::format(
      "{}. The objects: `kubectl apply --server-side -k .`, or a pipeline that is given this directory. Argo CD and "
      "Flux "
      "take it as it is (`spec.source.path` of an Application, `spec.path` of a Kustomization).\n\n"
      "{}'s CRDs must be there before; they are no part of this. What was proven holds once all of it is "
      "applied.\n\n",
      step, planned.cluster.volcano ? "Volcano" : "Kueue");
  return text + writers_text(planned);
}

std::string windows_text(const Planned& planned) {
  const auto& modes = planned.cluster.modes;
  const auto changes = std::ranges::find_if(modes, [](const Mode& m) { return !m.changed.empty(); });
  if (changes == modes.end())
    return "No window changes a limit: the overlays are the base, and nobody needs to switch anything.\n";
  const std::string path = path_in(Folder::Overlays, path_component(changes->name));
  return fmt::format(
      "gpol has no controller and Kueue knows no windows: **somebody's clock switches them**, by applying the overlay "
      "of the "
      "window when it begins, and that of the time behind it when it ends:\n\n"
      "    kubectl apply --server-side -k {0}\n\n"
      "Every overlay is safe at every time, and so is each switch: whoever forgets one lends longer, or not at all. "
      "In `base/` nobody borrows under a window.\n\n"
      "**A pipeline that heals itself undoes a switch by hand.** Flux applies its path again at each interval, Argo CD "
      "with "
      "`selfHeal` at once, and without it at the next sync. So switch in one place only:\n\n"
      "- in Git: a commit that sets the path of the pipeline to `{0}`, and another one back; or\n"
      "- by hand or a CronJob: the pipeline does not apply the queues itself, or is suspended (`flux suspend "
      "kustomization "
      "NAME`, `argocd app set NAME --sync-policy none`). Whoever switches must be among the `writers`.\n",
      path);
}

constexpr std::string_view kBack =
    "The same policy gives the same bytes: revert the commit of this directory, or build the policy of before, and "
    "apply as "
    "above. Then delete what only the newer build had (below). The Configuration goes back with the file and a "
    "restart; "
    "labels and taints of nodes stay until somebody takes them off. Running workloads are not evicted by a change of "
    "quotas: "
    "Kueue takes back what is lent when its owner asks.\n\n"
    "In an emergency all guards are off with one command, until they are applied again; so long nothing is proven:\n\n"
    "    kubectl delete validatingadmissionpolicybindings -l app.kubernetes.io/managed-by=gpol\n";

constexpr std::string_view kDelete =
    "Applying deletes nothing. What an older build had and this one has not stays in the cluster until somebody "
    "deletes it, "
    "and a guard or queue that stays goes on working: `git diff` of this directory shows what went. A pipeline that "
    "prunes (`spec.prune` of Flux, `prune` of Argo CD) deletes it by itself, but for Namespaces, Cohorts and "
    "ClusterQueues: these carry Argo CD's `Prune=false` and Flux's `prune: disabled`, since what runs there would go, "
    "or would hold quota that Kueue no longer takes back.\n\n"
    "**A tenant that leaves the policy** may still run work on what serving lends. `gpol build POLICY -o DIR --from "
    "DIR` "
    "keeps its ClusterQueues as they were, its namespaces and its guards, with its LocalQueues on Hold: nothing new "
    "starts, and Kueue takes back what it borrowed. The proof counts them. Once `kubectl get workloads -n NAMESPACE` "
    "shows none of it that is admitted, and nobody borrows from it, `--from DIR --retired TENANT` lets go of them.\n\n"
    "By hand, in the name of one of the `writers` (`kubectl --as=WRITER`; guards refuse everybody else): first "
    "LocalQueues, then ClusterQueues (`spec.stopPolicy: HoldAndDrain` empties one; Kueue keeps it until "
    "its "
    "workloads are gone), Cohorts, ResourceFlavors, bindings of guards, guards. **A Namespace that went is not to be "
    "deleted but by its owner**: everything in it goes with it. What gpol wrote carries the label "
    "`app.kubernetes.io/managed-by: gpol`:\n\n"
    "    kubectl get clusterqueues,cohorts,localqueues,resourceflavors,workloadpriorityclasses -A -l "
    "app.kubernetes.io/managed-by=gpol\n"
    "    kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings,priorityclasses,resourcequotas -A "
    "-l "
    "app.kubernetes.io/managed-by=gpol\n";

}  // namespace

RenderedFile readme(const Planned& planned, const std::string& cluster, std::span<const RenderedFile> files,
                    ConfigurationFile configuration) {
  return {
      "README.md",
      fmt::format("# Manifests for cluster {}\n\n"
                  "`gpol build` wrote this directory from a policy, after it proved it. Edit the policy, not these "
                  "files: the next build writes them anew. `gpol build POLICY -o DIR --check`, with the options that "
                  "it was built with, says whether they are still what the policy gives.\n\n"
                  "## What each file is\n\n{}\n"
                  "## Order of applying\n\n{}\n"
                  "{}{}"
                  "## How to go back\n\n{}\n"
                  "## What to delete after the next build\n\n{}",
                  cluster, files_table(files, planned, configuration), order_text(planned, configuration),
                  limits_text(planned),
                  planned.cluster.volcano ? volcano::pods_text(planned)
                                          : fmt::format("## Who switches windows\n\n{}\n", windows_text(planned)),
                  planned.cluster.volcano ? volcano::back_text() : std::string(kBack),
                  planned.cluster.volcano ? volcano::delete_text() : std::string(kDelete))};
}

}  // namespace gpol
