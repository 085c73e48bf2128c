#include "checker/families/outranked.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "checker/families/given.h"
#include "checker/families/whose.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

bool is(const PriorityClass& priority, std::string_view role) {
  return has_value(priority.labels, "gpol.dev/role", role);
}

class Ranks {
 public:
  Ranks(const Proof& proof, std::span<const PodFacts> pods, std::span<const Span> places)
      : cluster_(proof.cluster),
        intent_(proof.intent),
        places_(places),
        batch_(namespaces_of_batch(proof.cluster, proof.intent)),
        whose_(proof) {
    std::optional<std::int64_t> lowest;
    for (const PriorityClass& c : cluster_.pod_priority_classes) {
      if (is(c, "serving")) lowest = std::min(lowest.value_or(c.value), c.value);
      labelled_ = labelled_ || is(c, "batch");
      if (c.global_default) default_ = c.value, default_preempts_ = c.preempts;  // of pods that name none
    }
    serving_ = lowest.value_or(default_);
    for (const PodFacts& one : pods) {
      if (!serves(one) || (one.unread && one.unread->asks)) continue;
      const PriorityClass* c = named(one.priority_class);
      if (one.priority_class.empty())
        serving_ = std::min(serving_, default_);
      else if (c != nullptr)
        serving_ = std::min(serving_, c->value);
    }
  }

  // What a class says by itself: of every pod that names none, or of batch.
  void classes(std::vector<Outranking>& out) const {
    for (std::size_t i = 0; i < cluster_.pod_priority_classes.size(); ++i) {
      const PriorityClass& c = cluster_.pod_priority_classes[i];
      Outranking found{"PriorityClass", c.name, "value", i < places_.size() ? places_[i] : Span{}, {}, {}};
      if (c.global_default && c.value != 0) {
        found.message = fmt::format(
            "PriorityClass `{}` gives every pod that names none the priority {}: kube-scheduler may evict pods of "
            "serving queues for others",
            c.name, c.value);
        found.remedy = "give it the value 0, or take `globalDefault` out";
      } else if (is(c, "batch") && above(c)) {
        found.message =
            fmt::format("{}: kube-scheduler evicts pods of serving queues for those of batch", above_in_words(c));
        found.remedy = fmt::format("give it a value of at most {}", serving_);
      } else if (is(c, "serving") && below(c)) {
        found.message = below_in_words(c);
        found.remedy = fmt::format("give it a value of at least {}", default_);
      } else {
        continue;
      }
      out.push_back(std::move(found));
    }
  }

  void pods(std::span<const PodFacts> pods, std::vector<Outranking>& out) const {
    for (const PodFacts& one : pods) {
      if (one.unread && one.unread->asks) {
        unread(one, out);
        continue;
      }
      if (serves(one)) {
        if (!one.priority_class.empty()) of_serving(one, out);
        continue;
      }
      if (!tenant(one)) continue;
      Outranking found{one.kind, one.name, one.names_class.field, one.names_class.span, {}, {}};
      if (one.priority_class.empty()) {
        // Where no class is labelled for batch, serving's own is told.
        if (!labelled_ || !default_preempts_ || default_ <= serving_) continue;
        found.field = "metadata.name", found.span = one.span;
        found.message = fmt::format(
            "{} `{}` names no PriorityClass: the priority of its pods, {}, is above that of serving's pods, {}, and "
            "kube-scheduler evicts pods of serving queues for them",
            one.kind, one.name, default_, serving_);
        found.remedy = fmt::format("name a PriorityClass of a value of at most {}", serving_);
        out.push_back(std::move(found));
        continue;
      }
      const PriorityClass* c = named(one.priority_class);
      if (c == nullptr && !system(one)) {
        found.known = false;
        found.message = fmt::format(
            "{} `{}` names the PriorityClass `{}`, which is not among the manifests: whether "
            "kube-scheduler evicts pods of serving queues for its pods is not known",
            one.kind, one.name, one.priority_class);
        found.remedy = fmt::format("give PriorityClass `{}`, too", one.priority_class);
      } else if (c == nullptr || above(*c)) {
        found.message =
            fmt::format("{}, and {} `{}` names it: kube-scheduler evicts pods of serving queues for its pods",
                        c == nullptr ? fmt::format("PriorityClass `{}` is above all others", one.priority_class)
                                     : above_in_words(*c),
                        one.kind, one.name);
        found.remedy = fmt::format("name a PriorityClass of a value of at most {}, or none", serving_);
      } else {
        continue;
      }
      out.push_back(std::move(found));
    }
  }

 private:
  const PriorityClass* named(const std::string& name) const {
    return find_by(cluster_.pod_priority_classes, name, &PriorityClass::name);
  }

  // Those two are in every cluster.
  static bool system(const PodFacts& one) {
    return one.priority_class == "system-node-critical" || one.priority_class == "system-cluster-critical";
  }

  bool serves(const PodFacts& one) const {
    const QueueRole* role = whose_.role(one);
    return role != nullptr && promised(*role);
  }

  // Of batch that names no class. A class that is labelled for batch is told where it stands.
  bool below(const PriorityClass& c) const { return !labelled_ && default_preempts_ && c.value < default_; }
  std::string below_in_words(const PriorityClass& c) const {
    return fmt::format(
        "the value of PriorityClass `{}`, {}, is below that of batch's pods, {}: kube-scheduler may evict pods of "
        "serving queues for those",
        c.name, c.value, default_);
  }

  // A class of serving's own that is below those of others.
  void of_serving(const PodFacts& one, std::vector<Outranking>& out) const {
    const PriorityClass* c = named(one.priority_class);
    if (system(one) || (c != nullptr && (!below(*c) || is(*c, "serving")))) return;
    Outranking found{one.kind, one.name, one.names_class.field, one.names_class.span, {}, {}};
    found.known = c != nullptr;
    if (c == nullptr) {
      found.message = fmt::format(
          "{} `{}` names the PriorityClass `{}`, which is not among the manifests: whether kube-scheduler evicts its "
          "pods for those of batch is not known",
          one.kind, one.name, one.priority_class);
      found.remedy = fmt::format("give PriorityClass `{}`, too", one.priority_class);
    } else {
      found.message = fmt::format("{} `{}` serves, and {}", one.kind, one.name, below_in_words(*c));
      found.remedy = fmt::format("name a PriorityClass of a value of at least {}, or none", default_);
    }
    out.push_back(std::move(found));
  }

  // A class that something names which was not read.
  void unread(const PodFacts& one, std::vector<Outranking>& out) const {
    const bool serving = serves(one);
    if (!one.unread->ranks || (serving ? labelled_ || !default_preempts_ : !tenant(one))) return;
    Outranking found{one.kind, one.name, one.unread->at.field, one.unread->at.span, {}, one.unread->remedy,
                     false,    &one};
    found.message = serving ? "and whether kube-scheduler evicts them for pods of batch is not known"
                            : "and whether kube-scheduler evicts pods of serving queues for them is not known";
    out.push_back(std::move(found));
  }

  bool above(const PriorityClass& c) const { return c.preempts && c.value > serving_; }
  std::string above_in_words(const PriorityClass& c) const {
    return fmt::format("the value of PriorityClass `{}`, {}, is above that of serving's pods, {}", c.name, c.value,
                       serving_);
  }

  // It runs where batch does, or queues where serving does not.
  bool tenant(const PodFacts& pods) const {
    if (pods.class_c) return false;  // it serves
    if (batch_.contains(pods.ns)) return true;
    if (!pods.queue_of_object && !pods.queue_of_pods) return false;
    for (std::size_t q = 0; q < intent_.roles.size(); ++q)
      if (intent_.roles[q].kind == QueueRole::Kind::Serving &&
          lets_in(cluster_, cluster_.queues[q].namespaces, pods.ns) == true)
        return false;
    return true;
  }

  const Cluster& cluster_;
  const Intent& intent_;
  std::span<const Span> places_;
  const std::set<std::string> batch_;
  const Whose whose_;
  std::int64_t default_ = 0, serving_ = 0;  // the lowest of serving's pods
  bool default_preempts_ = true;
  bool labelled_ = false;  // a class is labelled for batch
};

}  // namespace

std::vector<Outranking> outranking(const Proof& proof, std::span<const PodFacts> pods, std::span<const Span> places) {
  std::vector<Outranking> found;
  const Ranks ranks(proof, pods, places);
  ranks.classes(found);
  ranks.pods(pods, found);
  return found;
}

}  // namespace gpol
