// What is promised of observed queues and means nothing: a serving queue that lets nothing in, or owns nothing, and a
// flavor of which it owns some resources and none of another, or less than one pod of the demand asks for, which every
// pod needs as well. What of that can surely be had all the same (nobody else can use it) is no fault. Closed form:
// kueue/walk.h; each finding's story is played in the model.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/families/claim_tree.h"
#include "checker/families/codes.h"
#include "checker/families/given.h"
#include "checker/story/stories.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

class Reserves {
 public:
  Reserves(const Proof& proof, Report& report)
      : proof_(proof),
        report_(report),
        shape_(kueue::shape_of(proof.cluster)),
        listings_(listings_of(proof.cluster)),
        prover_(proof, shape_) {
    for (const LocalQueue& local : proof.cluster.local_queues) locals_.emplace(local.cluster_queue, &local);
  }

  void judge() {
    bool any = false;
    for (std::uint32_t q = 0; q < proof_.intent.roles.size(); ++q) {
      if (!promised(proof_.intent.roles[q])) continue;
      any = true;
      queue(q);
      admits_nothing(q);
    }
    if (!any) return;
    report_.analysed.push_back(Family::Vacuity);
    if (found_) return;
    report_.add(proven_of_cluster(Family::Vacuity, code::Vacuity));
  }

 private:
  void queue(std::uint32_t q) {
    const Queue& queue = proof_.cluster.queues[q];
    const auto some = [](const Quota& quota) { return quota.nominal > 0; };
    const auto quotas = listed_quotas(queue.groups);
    const bool owns = std::ranges::any_of(quotas, [](const ListedQuota& one) { return one.quota.nominal > 0; });
    for (const ListedQuota& one : quotas)
      if (one.quota.nominal < one_unit(proof_.cluster.resources[one.resource]) &&
          (!owns || std::ranges::any_of(one.row.quotas, some)) && !has_another_device(queue, one.resource) &&
          !has_whole_flavor(one.group, one.resource) && missing(q, one.flavor, one.resource, owns))
        return;
    if (queue.groups.empty())
      tell(q, std::nullopt, Verdict::Refuted,
           {{"", queue.name, "asks for anything"}, {"", "kueue", "never admits it: the queue has no quota"}},
           fmt::format("`{}` serves and has no quota at all: what is promised of it says nothing", queue.name));
  }

  // Its pods ask for one device each: for one of those of which it has quota.
  bool has_another_device(const Queue& queue, std::uint32_t resource) const {
    if (!is_gpu_or_slice(proof_.cluster.resources[resource])) return false;
    return std::ranges::any_of(listed_quotas(queue.groups), [&](const ListedQuota& one) {
      return one.resource != resource && is_gpu_or_slice(proof_.cluster.resources[one.resource]) &&
             one.quota.nominal > 0;
    });
  }

  // Kueue wants every flavor of a group to list every resource: beside a flavor that has all of them one without
  // devices is for pods that ask for none.
  bool has_whole_flavor(const ResourceGroup& group, std::uint32_t resource) const {
    return is_gpu_or_slice(proof_.cluster.resources[resource]) &&
           std::ranges::any_of(group.flavors, [](const auto& row) {
             return std::ranges::all_of(row.quotas, [](const Quota& q) { return q.nominal > 0; });
           });
  }

  // Whatever is promised of it holds, since nobody can ask. What reclaim says of a stopped queue says so already.
  void admits_nothing(std::uint32_t q) {
    const Queue& queue = proof_.cluster.queues[q];
    const auto [first, last] = locals_.equal_range(queue.name);  // that lead to it
    const auto stopped = [](const auto& local) { return local.second->stop != StopPolicy::None; };
    struct Cause {
      std::string why, fix, field;
      Span at = {};
    };
    std::vector<Cause> causes;
    if (queue.stop != StopPolicy::None && proof_.intent.roles[q].isolation == Isolation::A)
      causes.push_back({"its queue is stopped",
                        fmt::format("set `spec.stopPolicy` of ClusterQueue `{}` to `None`", queue.name),
                        "spec.stopPolicy"});
    if (!queue.namespaces.present)
      causes.push_back({"without a namespaceSelector it lets no namespace in",
                        "name the namespaces: `matchLabels: {kubernetes.io/metadata.name: ...}`",
                        "spec.namespaceSelector"});
    else if (first != last && shut(q))
      causes.push_back({"its namespaceSelector lets in no namespace of a LocalQueue that leads to it",
                        "name the namespaces of its LocalQueues in its namespaceSelector", "spec.namespaceSelector"});
    if (first != last && std::all_of(first, last, stopped)) {
      const LocalQueue* one = first->second;
      causes.push_back(
          {"every LocalQueue that leads to it is stopped",
           fmt::format("set `spec.stopPolicy` of LocalQueue `{}/{}` to `None`", one->ns, one->name), "spec.stopPolicy",
           proof_.origins.local_queue.at(static_cast<std::size_t>(one - proof_.cluster.local_queues.data()))});
    }
    if (causes.empty()) return;
    std::string why, fix;
    for (const Cause& cause : causes) {
      add_to_list(why, cause.why, "; ");
      add_to_list(fix, cause.fix, "; ");
    }
    tell(q, std::nullopt, Verdict::Refuted,
         {{"", queue.name, "asks for anything"}, {"", "kueue", "never admits it: " + why}},
         fmt::format("`{}` serves and admits nothing, {}: what is promised of it says nothing", queue.name, why),
         std::move(fix), std::move(causes.front().field), causes.front().at);
  }

  // To every LocalQueue that leads to it.
  bool shut(std::uint32_t q) const {
    const Queue& queue = proof_.cluster.queues[q];
    const auto [first, last] = locals_.equal_range(queue.name);
    return std::all_of(first, last, [&](const auto& local) {
      return lets_in(proof_.cluster, queue.namespaces, local.second->ns) == false;
    });
  }

  // True where it is missing as a whole, and was told.
  bool missing(std::uint32_t q, std::uint32_t flavor, std::uint32_t resource, bool owns) {
    ClaimTree tree = prover_.tree(flavor, resource, listings_[flavor * proof_.cluster.resources.size() + resource]);
    if (!tree.undecided.empty()) return false;  // claim says so
    const std::int64_t left = kueue::walk_path(shape_, tree.limits, tree.bounds, q).owner_available;
    if (left >= one_unit(proof_.cluster.resources[resource])) return false;
    if (!stage_) stage_.emplace(proof_.cluster);
    const auto story = proof_.stories && stage_->uncovered().empty()
                           ? tell_claim(*stage_, proof_.intent, q, flavor, resource, prover_.worst_state(tree, q))
                           : std::nullopt;
    const Queue& queue = proof_.cluster.queues[q];
    const std::string& name = proof_.cluster.resources[resource];
    // A smaller pod than one of the demand may have its place there; of what else is missing it says nothing.
    if (owns && tree.limits.nominal[q] > 0) {
      tell(q, Pair{flavor, resource}, Verdict::Undecided, {},
           fmt::format("`{}` owns less {} of `{}` than the one unit (a core, a GiB) that a pod of its demand asks for: "
                       "whether its pods have a place there is not known",
                       queue.name, name, proof_.cluster.flavors[flavor].name),
           fmt::format("give it a nominalQuota of {} of one unit or more", name), {}, {},
           "its pods may be smaller than those of its demand");
      return false;
    }
    tell(q, Pair{flavor, resource}, story ? Verdict::Refuted : Verdict::Undecided,
         story ? story->steps : std::vector<StoryStep>(),
         owns
             ? fmt::format("`{}` owns quota of `{}` and no {} of it, so that a pod that needs {}, too, has no place of "
                           "its own",
                           queue.name, proof_.cluster.flavors[flavor].name, name, name)
             : fmt::format("`{}` serves and owns nothing of `{}`: what is promised of it says nothing", queue.name,
                           proof_.cluster.flavors[flavor].name));
    return true;
  }

  void tell(std::uint32_t q, std::optional<Pair> pair, Verdict verdict, std::vector<StoryStep> story,
            std::string message, std::string fix = "give it a nominalQuota of every resource that its pods ask for",
            std::string field = {}, Span at = {}, std::string reason = "the story could not be played") {
    found_ = true;
    Subject subject{"ClusterQueue", proof_.cluster.queues[q].name};
    if (pair) {
      subject.flavor = proof_.cluster.flavors[pair->flavor].name;
      subject.resource = proof_.cluster.resources[pair->resource];
    }
    report_.add(obligation(Family::Vacuity, code::Vacuity, verdict, subject,
                           at.known() ? at : proof_.intent.roles[q].name_span),
                {.reason = verdict == Verdict::Undecided ? std::move(reason) : "",
                 .message = std::move(message),
                 .story = std::move(story),
                 .fix = Fix{std::move(fix)},
                 .place = {.field = std::move(field)}});
  }

  const Proof& proof_;
  Report& report_;
  const kueue::Shape shape_;
  const std::vector<std::vector<Listing>> listings_;
  ClaimProver prover_;
  std::multimap<std::string_view, const LocalQueue*> locals_;  // by queue
  std::optional<Stage> stage_;
  bool found_ = false;
};

}  // namespace

void judge_given_vacuity(const Proof& proof, Report& report) { Reserves(proof, report).judge(); }

}  // namespace gpol
