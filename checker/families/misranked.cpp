#include "checker/families/misranked.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/mixed_roles.h"
#include "checker/families/whose.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

using Kind = QueueRole::Kind;

template <class Class>
const Class* named(const std::vector<Class>& classes, const std::string& name) {
  return find_by(classes, name, &Class::name);
}

struct Ranked {
  const PodFacts* pods = nullptr;
  const QueueRole* role = nullptr;
  std::optional<std::int64_t> value;  // nothing: its class is not among the manifests
  std::string says;                   // "is labelled with WorkloadPriorityClass `b`, of value 4"
  std::string absent;                 // "WorkloadPriorityClass `b`"
  PodFacts::Ask at;
  bool unread = false;  // its class, if it has one, is named where nothing was read
};

class Ranks {
 public:
  Ranks(const Cluster& cluster, std::span<const PodFacts> pods) : cluster_(cluster), pods_(pods) {
    for (const PriorityClass& c : cluster_.pod_priority_classes)
      if (c.global_default) default_ = c.value;
  }

  // pkg/util/priority: the label, else the PriorityClass of the job, else the first that its pods name, else the
  // cluster's default, else 0.
  Ranked of(const PodFacts& pods, const QueueRole* role = nullptr) const {
    Ranked found{&pods, role, {}, {}, {}, {"metadata.name", pods.span}};
    const PodFacts::Labels labels = labels_of(pods);
    if (pods.priority) {
      found.value = pods.priority, found.at = labels.names_priority;
      found.says = "says its priority itself";
    } else if (!labels.priority.empty()) {
      found.at = labels.names_priority;
      found.absent = fmt::format("WorkloadPriorityClass `{}`", labels.priority);
      found.says = fmt::format("is labelled with the {}", found.absent);
      if (const auto* c = named(cluster_.priority_classes, labels.priority)) found.value = c->value;
    } else if (!pods.job_class.empty()) {
      found.at = pods.names_job_class;
      takes(pods.job_class, "its scheduling policy names", found);
    } else if (const PodFacts* first = names_class(pods); first != nullptr) {
      found.at = first->names_class;
      takes(first->priority_class, "its pods name", found);
    } else if (pods.unread && pods.unread->ranks) {
      found.unread = true;
    } else {
      found.value = default_;
      found.says = "names no WorkloadPriorityClass";
    }
    return found;
  }

 private:
  void takes(const std::string& name, std::string_view who, Ranked& found) const {
    found.absent = fmt::format("PriorityClass `{}`", name);
    found.says = fmt::format("names no WorkloadPriorityClass, and {} the {}", who, found.absent);
    if (const auto* c = named(cluster_.pod_priority_classes, name)) found.value = c->value;
    // Those two are in every cluster.
    if (name == "system-cluster-critical") found.value = 2'000'000'000;
    if (name == "system-node-critical") found.value = 2'000'001'000;
  }

  const PodFacts* names_class(const PodFacts& pods) const {
    if (!pods.priority_class.empty()) return &pods;
    return find_where(pods_, [&](const PodFacts& other) {
      return other.kind == pods.kind && other.group == pods.group && other.name == pods.name &&
             !other.priority_class.empty();
    });
  }

  const Cluster& cluster_;
  std::span<const PodFacts> pods_;
  std::int64_t default_ = 0;
};

class Ranking {
 public:
  Ranking(const Proof& proof, std::span<const PodFacts> pods) : cluster_(proof.cluster) {
    const Ranks ranks(proof.cluster, pods);
    const Whose whose(proof);
    for (const PodFacts& one : pods)
      if (const QueueRole* role = whose.role(one); role != nullptr && role->priority)
        if (role->kind == Kind::Batch ||
            (role->isolation != Isolation::C && !ends_by_itself(one) && !labelled_batch(cluster_, one)))
          ranked_.push_back(ranks.of(one, role));
    for (const QueueRole& role : proof.intent.roles) {
      if (!role.priority) continue;
      if (role.kind == Kind::Batch) highest_ = std::max(highest_.value_or(*role.priority), *role.priority);
      if (role.kind == Kind::Serving) lowest_ = std::min(lowest_.value_or(*role.priority), *role.priority);
    }
    for (const Ranked& one : ranked_) {
      if (!one.value) continue;
      if (one.role->kind == Kind::Batch && highest_) highest_ = std::max(*highest_, *one.value);
      if (one.role->kind == Kind::Serving && lowest_) lowest_ = std::min(*lowest_, *one.value);
    }
  }

  std::vector<Misranked> judge() const {
    std::vector<Misranked> out;
    for (const Ranked& one : ranked_) {
      const bool batch = one.role->kind == Kind::Batch;
      const std::int64_t taken = *one.role->priority;
      Outranking found{one.pods->kind, one.pods->name, one.at.field, one.at.span, {}, {}};
      const std::string_view role = batch ? "batch" : "serving";
      const std::string than =
          fmt::format("what is proven takes workloads of {} queues to have priority {}", role, taken);
      if (!one.value) {
        if (batch ? !lowest_ && !threshold(taken, INT64_MAX) : !highest_) continue;
        found.known = false;
        found.message =
            fmt::format("{} `{}` names the {}, which is not among the manifests: {}, and its own is not known",
                        one.pods->kind, one.pods->name, one.absent, than);
        found.remedy = fmt::format("give {}, too", one.absent);
        if (one.unread) {
          found.unread = one.pods;
          found.message = "and its priority in Kueue is not known";
          found.remedy = one.pods->unread->remedy + ", or label it with a WorkloadPriorityClass";
        }
      } else if (batch ? *one.value > taken && ((lowest_ && *one.value >= *lowest_) || threshold(taken, *one.value))
                       : *one.value < taken && highest_ && *one.value <= *highest_) {
        found.message = fmt::format("{} `{}` {}: its priority in Kueue is {}, and {}", one.pods->kind, one.pods->name,
                                    one.says, *one.value, than);
        found.remedy =
            fmt::format("label it `kueue.x-k8s.io/priority-class` with a WorkloadPriorityClass of value {}", taken);
        if (one.pods->priority) found.remedy = fmt::format("delete it, or give it the priority {}", taken);
      } else {
        continue;
      }
      out.push_back({one.role->kind, std::move(found)});
    }
    return out;
  }

 private:
  // Whoever borrows evicts up to it, and no further (borrowWithinCohort.maxPriorityThreshold).
  bool threshold(std::int64_t taken, std::int64_t value) const {
    return std::ranges::any_of(cluster_.queues, [&](const Queue& queue) {
      return queue.preemption.max_priority_threshold && taken <= *queue.preemption.max_priority_threshold &&
             value > *queue.preemption.max_priority_threshold;
    });
  }

  const Cluster& cluster_;
  std::vector<Ranked> ranked_;
  std::optional<std::int64_t> highest_, lowest_;  // of batch and of serving, stated or here; nothing: any
};

}  // namespace

std::vector<Misranked> misranked(const Proof& proof, std::span<const PodFacts> pods) {
  return Ranking(proof, pods).judge();
}

std::optional<std::int64_t> priority_in_kueue(const Cluster& cluster, std::span<const PodFacts> all,
                                              const PodFacts& pods) {
  return Ranks(cluster, all).of(pods).value;
}

}  // namespace gpol
