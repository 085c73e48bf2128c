// The proof is about the Configuration that was planned: two feature gates, perhaps a longer time for pods to get
// ready, and for the rest Kueue's defaults. Of each other field there is one answer here:
//   - it may say anything: which kinds of jobs Kueue takes beside those that tenants have, which namespaces beside
//     theirs, what is not of a tenant and names no queue (guards keep what is not queued from devices and nodes, and
//     refuse tenants' Workloads of other kinds), a longer time for pods, ports, certificates, feature gates of no
//     consequence (compiler/cluster/feature_gates.h);
//   - it must say what it says where it is absent: all else, and all that nobody modelled.
#include "cli/config/kueue_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "checker/families/given.h"
#include "checker/kueue/gates.h"
#include "checker/observe/fields.h"
#include "cli/codes.h"
#include "compiler/cluster/feature_gates.h"
#include "compiler/cluster/kueue_version.h"
#include "compiler/source/duration.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"
#include "compiler/source/text.h"
#include "emit/reasons.h"

namespace gpol {

namespace {

using manifest::Entry;
using manifest::Node;

constexpr std::string_view kOwnNamespace = "kueue-system";
constexpr const char* kOnOff[] = {"off", "on"};

std::string quoted_list(const std::set<std::string>& names) {
  constexpr std::size_t kMost = 3;
  return listed_up_to(kMost, names, [](const std::string& name) { return fmt::format("`{}`", name); });
}

class Conflicts {
 public:
  Conflicts(const GivenConfiguration& given, const Planned& planned)
      : given_(given), says_(given.says), planned_(planned) {}

  std::vector<Diagnostic> find() {
    fair_sharing();
    pods_ready();
    resources();
    gates();
    frameworks();
    namespaces();
    for (const auto& one : given_.not_understood) not_understood(one);
    std::ranges::stable_sort(out_, {}, [](const Diagnostic& d) { return d.span.begin; });
    return std::move(out_);
  }

 private:
  // The value of a field, or the key of the nearest that is there; of nothing, the word `Configuration`.
  Span at(std::string_view path) const {
    const Node* map = &given_.root;
    Span span = given_.place(*manifest::field(given_.root, "kind"));
    for (const std::string_view key : split(path, '.')) {
      const Entry* entry = find_by(map->entries, key, &Entry::key);
      if (entry == nullptr) break;
      map = &entry->value;
      const bool scalar = map->items.empty() && map->entries.empty() && map->begin < map->end;
      span = scalar ? given_.place(*map) : given_.place(entry->begin, entry->end);
    }
    return span;
  }

  void say(Span span, std::string_view path, std::string_view does, std::string hint) {
    if (hint.empty()) hint = fmt::format("leave `{}` out", path.substr(path.rfind('.') + 1));
    out_.push_back(error_at(code::ConfigurationContradicts, span, fmt::format("`{}` {}", path, does), std::move(hint)));
  }

  // `hint`: empty: to leave the field out.
  void say_if(bool wrong, std::string_view path, std::string_view does, std::string hint = "") {
    if (wrong) say(at(path), path, does, std::move(hint));
  }

  void fair_sharing() {
    say_if(says_.fair_sharing, "fairSharing",
           "lets shares decide who is evicted, and the proof is about Kueue without it");
  }

  void pods_ready() {
    const auto& wait = says_.wait_for_pods_ready;
    const Node* given = manifest::field(given_.root, "waitForPodsReady");
    if (given == nullptr || given->kind == Node::Kind::Null) return;
    // v1beta1 alone can say so, and then Kueue v0.19 takes its own default (apis/config/v1beta1 conversion).
    if (!wait && planned_.cluster.config.wait_for_pods_ready)
      say(at("waitForPodsReady.enable"), "waitForPodsReady",
          fmt::format("is off, and Kueue v0.19 then evicts what is not ready after 30m: the proof needs at least {}",
                      pods_ready_time(planned_)),
          "leave `waitForPodsReady` out: the lines that it needs are then added");
    if (!wait) return;
    say_if(wait->block_admission, "waitForPodsReady.blockAdmission",
           fmt::format("is {}: serving would wait until the pods of all others are ready",
                       manifest::field(*given, "blockAdmission") == nullptr ? "not given, and on in v1beta1" : "on"),
           "write `blockAdmission: false`");
    ready_in("timeout", wait->timeout.empty() && given_.older ? "5m" : wait->timeout, true);
    ready_in("recoveryTimeout", wait->recovery_timeout, false);  // absent: the timeout
    say_if(wait->requeue_at_creation, "waitForPodsReady.requeuingStrategy.timestamp",
           "is Creation: what was evicted goes before what waited, and the proof is about Eviction",
           "write `timestamp: Eviction`");
    say_if(wait->gives_up, "waitForPodsReady.requeuingStrategy.backoffLimitCount",
           "ends workloads that were not ready in time: those of serving would not come back");
  }

  // `time`: empty where it is absent. `zero_is_default`: 0s is half an hour, too (apis/config/v1beta2/defaults.go).
  void ready_in(std::string_view key, const std::string& time, bool zero_is_default) {
    const std::string_view need = pods_ready_time(planned_);
    const auto given = go_duration(time == "0s" && zero_is_default ? "30m" : time);
    say_if(given && *given < *go_duration(need), fmt::format("waitForPodsReady.{}", key),
           fmt::format("is {}: what takes longer to start is evicted, and the proof needs at least {}", time, need),
           fmt::format("write `{}: {}`, or more", key, need));
  }

  void resources() {
    const auto refuse = [&](bool there, std::string_view key, std::string_view does) {
      say_if(there, fmt::format("resources.{}", key),
             fmt::format("{}, and the proof counts all that pods ask for", does));
    };
    refuse(!says_.transformations.empty(), "transformations", "counts something else than what pods ask for");
    refuse(!says_.excluded_prefixes.empty(), "excludeResourcePrefixes", "leaves resources uncounted");
    refuse(says_.quota_check_strategy == "IgnoreUndeclared", "quotaCheckStrategy",
           "leaves uncounted what no queue covers");
  }

  void gates() {
    const KueueConfig& planned = planned_.cluster.config;
    const auto refuse = [&](bool wrong, std::string_view gate, std::string_view does, std::string hint = "") {
      say_if(wrong, fmt::format("featureGates.{}", gate), does, std::move(hint));
    };
    const auto differs = [&](std::string_view gate, bool expected) {
      refuse(value_or(says_.gates, std::string(gate), expected) != expected, gate,
             fmt::format("is {}, and the proof is about Kueue with it {}", kOnOff[!expected], kOnOff[expected]));
    };
    for (const auto& gate : kueue::kGates)
      differs(gate.name, gate_default(gate.name, planned.version).value_or(gate.by_default));
    for (const std::string_view gate : kueue::kGatesLeftOut) differs(gate, false);
    for (const auto& [gate, on] : says_.gates)
      refuse(gate_came_later(gate, planned.version), gate,
             fmt::format("is no feature gate of Kueue v{}, which does not start with it", planned.version));
    for (const auto& [gate, on] : planned.gates)
      refuse(value_or(says_.gates, gate, on) != on, gate,
             fmt::format("is {}, and the proof needs it {}: {}", kOnOff[!on], kOnOff[on],
                         reason_of(gate).substr(0, reason_of(gate).size() - 1)),
             fmt::format("write `{}: {}`", gate, on));
    const auto is_on = [&](std::string_view gate) {
      for (const auto* list : {&planned.gates, &says_.gates})
        if (const auto found = list->find(std::string(gate)); found != list->end()) return found->second;
      return is_on_by_default(gate);
    };
    for (const GateNeed& broken : gates_without_need(is_on))
      refuse(true, broken.gate,
             fmt::format("is on and needs `{}`, which the proof needs off: Kueue would not start", broken.needed));
  }

  // Those of what docs/pods.md shows of tenants: guards refuse what Kueue does not queue.
  void frameworks() {
    if (planned_.cluster.local_queues.empty()) return;
    std::string names;  // of those that are missing
    for (const char* name : {"batch/job", "pod", "deployment", "statefulset"})
      if (!contains(says_.frameworks, name)) add_to_list(names, fmt::format("`{}`", name));
    say_if(!names.empty(), "integrations.frameworks",
           says_.frameworks.empty()
               ? "is not given, and Kueue then queues Jobs alone: guards refuse other pods of tenants"
               : fmt::format("is without {}: Kueue does not queue them, and guards refuse them", names),
           fmt::format("list them in `integrations.frameworks`: {}", names));
  }

  bool managed(const std::string& ns, bool if_not_known) const {
    const Selector& selector = says_.managed_namespaces;  // absent: all but Kueue's own and kube-system
    return !selector.present || lets_in(planned_.cluster, selector, ns).value_or(if_not_known);
  }

  void namespaces() {
    for (const auto& own : given_.namespaces)
      if (own.what != kOwnNamespace)
        say(own.span, own.field,
            fmt::format("is `{}`: guards know Kueue as a service account of `{}`, and refuse what it writes from "
                        "elsewhere",
                        own.what, kOwnNamespace),
            fmt::format("run Kueue in `{}`", kOwnNamespace));
    std::set<std::string> out;
    for (const LocalQueue& local : planned_.cluster.local_queues)
      if (!managed(local.ns, false)) out.insert(local.ns);
    say_if(!out.empty(), "managedJobsNamespaceSelector",
           fmt::format("leaves out {} of tenants: Kueue queues nothing there, and guards refuse what is not queued",
                       quoted_list(out)),
           fmt::format("let the selector take in {}, too", quoted_list(out)));
    if (!says_.manage_jobs_without_queue_name) return;
    for (const OutsideReserve& tenant : planned_.intent.outside)
      for (const std::string& ns : tenant.namespaces)
        say_if(
            managed(ns, true), "manageJobsWithoutQueueName",
            fmt::format("holds back what names no queue, and `{}` serves outside the queue in `{}`", tenant.tenant, ns),
            "write `manageJobsWithoutQueueName: false`");
  }

  void not_understood(const GivenConfiguration::Finding& one) {
    if (contains(out_, one.span, &Diagnostic::span)) return;
    const bool unknown = one.what.ends_with("is not a field that is understood");
    out_.push_back(
        error_at(code::ConfigurationContradicts, one.span,
                 fmt::format("`{}` {}", one.field,
                             unknown ? "is not modelled: what Kueue does with it may contradict the proof" : one.what),
                 fmt::format("leave `{}` out", one.field)));
  }

  const GivenConfiguration& given_;
  const KueueConfig& says_;
  const Planned& planned_;
  std::vector<Diagnostic> out_;
};

}  // namespace

std::vector<Diagnostic> conflicts(const GivenConfiguration& given, const Planned& planned) {
  return Conflicts(given, planned).find();
}

std::string_view pods_ready_time(const Planned& planned) {
  const auto& wait = planned.cluster.config.wait_for_pods_ready;
  return wait ? std::string_view(wait->timeout) : "30m";
}

}  // namespace gpol
