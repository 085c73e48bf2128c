#include "checker/families/mixed_roles.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/misranked.h"
#include "checker/families/pairs.h"
#include "checker/families/whose.h"
#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/replay.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

// Of a device that the queue owns, and that the workload asks for.
struct Held {
  std::uint32_t resource = 0;
  std::int64_t asked = 0, owned = 0;
  std::int64_t held() const { return std::min(asked, owned); }
};

class Mixed {
 public:
  Mixed(const Proof& proof, std::span<const PodFacts> pods)
      : cluster_(proof.cluster), intent_(proof.intent), pods_(pods), all_(asked_of_queues(proof, pods)) {}

  std::vector<MixedRole> judge() const {
    std::vector<MixedRole> found;
    for (const AskedOf& one : all_) {
      const QueueRole& role = intent_.roles[one.queue];
      if (!promised(role) || !is_batch(one)) continue;
      if (auto mixed = role.isolation == Isolation::A ? of_class_a(one) : of_class_b(one))
        found.push_back(std::move(*mixed));
    }
    return found;
  }

 private:
  std::optional<Held> device_of(const AskedOf& one) const {
    std::optional<Held> found;
    std::size_t at = 0;
    for (const Pair pair : pairs_of(cluster_.queues[one.queue])) {
      const std::int64_t owned = reserve_at(intent_.roles[one.queue], at++);
      const auto asked = one.each.find(cluster_.resources[pair.resource]);
      if (owned == 0 || asked == one.each.end() || asked->second == 0 ||
          !is_gpu_or_slice(cluster_.resources[pair.resource]) || (found && found->resource != pair.resource))
        continue;
      found = Held{pair.resource, times(one.most_workloads, asked->second), owned + (found ? found->owned : 0)};
    }
    return found;
  }

  bool labelled(const AskedOf& one) const { return labelled_batch(cluster_, one.first()); }
  bool is_batch(const AskedOf& one) const {
    return labelled(one) || (ends_by_itself(one.first()) && device_of(one).has_value());
  }

  // Whoever serves from the same queue, the first.
  const AskedOf* beside(const AskedOf& one) const {
    return find_where(all_, [&](const AskedOf& other) {
      return other.queue == one.queue && other.most_workloads > 0 && !ends_by_itself(other.first()) && !labelled(other);
    });
  }

  // "Job `team/train` stands in the serving queue `team` beside Deployment `team/chat`, ends by itself and can hold 8
  // of its 8 GPUs"
  std::string who(const AskedOf& one) const {
    const AskedOf* other = beside(one);
    const auto held = device_of(one);
    return fmt::format(
        "{} stands in the serving queue `{}`{}, {} and can hold {}", one.name(), cluster_.queues[one.queue].name,
        other == nullptr ? "" : " beside " + other->name(),
        labelled(one) ? "is batch by the label of its priority class" : "ends by itself",
        held ? fmt::format("{} of its {}", held->held(), amount_in_words(cluster_, held->resource, held->owned))
             : std::string("some of what it owns"));
  }

  static std::string own_queue(const AskedOf& one) {
    return fmt::format("give {} a ClusterQueue of its own, which is batch", one.name());
  }

  MixedRole found(const AskedOf& one, Verdict verdict, const std::string& why, std::string remedy) const {
    return {one, verdict, who(one) + ": " + why, std::move(remedy),
            verdict == Verdict::Refuted ? story(one) : std::vector<StoryStep>()};
  }

  // It holds what it can, and what the queue serves asks for one more than is left: played in the model.
  std::vector<StoryStep> story(const AskedOf& one) const {
    const auto held = device_of(one);
    const Stage stage(cluster_);
    if (!held || !stage.uncovered().empty()) return {};
    Submit batch, serving;
    for (Submit* step : {&batch, &serving}) {
      step->workload.queue = one.queue;
      step->workload.priority = priority_of(cluster_, intent_, one.queue);
    }
    const std::int64_t wants = held->owned - held->held() + 1;
    batch.workload.requests = {{held->resource, held->held()}};
    serving.workload.requests = {{held->resource, wants}};
    serving.ask = true;
    const Played played = stage.play({{batch, serving}, true});
    using State = kueue::WorkloadState;
    if (played.events[0].at_once != State::Admitted || played.events[1].at_once == State::Admitted) return {};
    return {{"", one.name(),
             fmt::format("asks for {} and is admitted", amount_in_words(cluster_, held->resource, held->held()))},
            {"", cluster_.queues[one.queue].name,
             fmt::format("asks for {} to serve from, and waits until that ends",
                         amount_in_words(cluster_, held->resource, wants))}};
  }

  std::optional<MixedRole> of_class_a(const AskedOf& one) const {
    if (beside(one) == nullptr && !labelled(one))
      return found(one, Verdict::Undecided, "whether it is what the queue serves, or batch, nothing says",
                   own_queue(one));
    return found(one, Verdict::Refuted, "class A waits for nobody, and waits for it", own_queue(one));
  }

  std::optional<MixedRole> of_class_b(const AskedOf& one) const {
    if (beside(one) == nullptr && !labelled(one)) return std::nullopt;  // the queue's own demand, which is promised all
    if (cluster_.queues[one.queue].preemption.within_cluster_queue == Within::Never)
      return found(one, Verdict::Refuted,
                   "it does not leave for what serves there, since `withinClusterQueue` is Never",
                   own_queue(one) + ", or let `withinClusterQueue` be LowerPriority and its priority the lowest there");
    const auto its = priority_in_kueue(cluster_, pods_, one.first());
    for (const AskedOf& other : all_) {
      if (other.queue != one.queue || is_batch(other)) continue;
      const auto theirs = priority_in_kueue(cluster_, pods_, other.first());
      if (!its || !theirs)
        return found(one, Verdict::Undecided,
                     fmt::format("whether its priority is below that of {} is not known", other.name()),
                     "give the priority classes that both name, too");
      if (*its >= *theirs)
        return found(one, Verdict::Refuted,
                     fmt::format("its priority in Kueue, {}, is not below that of {}, {}, so that it does not leave",
                                 *its, other.name(), *theirs),
                     own_queue(one) + ", or a priority class of a lower value");
    }
    return std::nullopt;
  }

  const Cluster& cluster_;
  const Intent& intent_;
  const std::span<const PodFacts> pods_;
  const std::vector<AskedOf> all_;
};

}  // namespace

bool ends_by_itself(const PodFacts& pods) {
  constexpr std::string_view kOthers[] = {"JobSet",  "SparkApplication", "Workflow",  "CronWorkflow",
                                          "TaskRun", "PipelineRun",      "AppWrapper"};
  return pods.ends || pods.kind.ends_with("Job") || contains(kOthers, pods.kind);
}

bool labelled_batch(const Cluster& cluster, const PodFacts& pods) {
  const auto batch = [](const auto& classes, const std::string& name) {
    return std::ranges::any_of(
        classes, [&](const auto& one) { return one.name == name && has_value(one.labels, "gpol.dev/role", "batch"); });
  };
  return batch(cluster.priority_classes, labels_of(pods).priority) ||
         batch(cluster.pod_priority_classes, pods.priority_class);
}

std::vector<MixedRole> mixed_roles(const Proof& proof, std::span<const PodFacts> pods) {
  return Mixed(proof, pods).judge();
}

}  // namespace gpol
