// Vacuity: every class can run something, every `allow` can be used, no `prove` holds because there is nobody it speaks
// of. A statement that says nothing is proven by anything, so it is found, not proven.
//
// That something can run is shown by the empty cluster: there a queue can be given what its potentialAvailable says
// (kueue.md 2), and a pod of the smallest shape fits in it. Where the figure says no, the executable model is asked as
// well, and must refuse that pod.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/families.h"
#include "checker/kueue/compiled.h"
#include "checker/story/narrate.h"
#include "checker/story/replay.h"
#include "compiler/cluster/listed.h"

namespace gpol {
namespace {

class Vacuity {
 public:
  Vacuity(const Proof& proof, Report& report)
      : proof_(proof), report_(report), stage_(proof.cluster), compiled_(proof.cluster), pods_(index_of("pods")) {
    for (std::uint32_t r = 0; r < proof.cluster.resources.size(); ++r)
      if (is_gpu_or_slice(proof.cluster.resources[r])) devices_.push_back(r);
  }

  void judge() {
    for (std::uint32_t q = 0; q < proof_.intent.roles.size(); ++q)
      if (proof_.intent.roles[q].kind == QueueRole::Kind::Batch) batch_queue(q);
    for (const PlannedAllow& allow : proof_.intent.allows) loan(allow);
    for (const PlannedProve& prove : proof_.intent.proves)
      if (!prove.nobody.empty())
        found("Prove", prove.text, prove.span, true,
              fmt::format("no tenant is of class `{}`: the statement holds of nobody", prove.nobody), {},
              "give the class a tenant, or remove the line");
    if (found_ == 0) none();
    report_.analysed.push_back(Family::Vacuity);
  }

 private:
  std::optional<std::uint32_t> index_of(std::string_view name) const {
    const auto& names = proof_.cluster.resources;
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(at - names.begin());
  }

  // The kinds of devices that pods of the queue may ask for there: that of its shape, else each that it covers.
  std::vector<PodShape> smallest_on(std::uint32_t q, std::uint32_t flavor) const {
    const QueueRole& role = proof_.intent.roles[q];
    if (const auto shape = role.pod_shapes.find(flavor); shape != role.pod_shapes.end()) return {shape->second};
    std::vector<PodShape> all;
    for (const std::uint32_t r : devices_)
      if (limits(0, flavor, r).listed[q]) all.push_back({r, 1});
    return all;
  }

  // Pods of the smallest size, of one kind of device.
  std::vector<kueue::Request> pods_of(const PodShape& one, std::int64_t times) const {
    std::vector<kueue::Request> requests{{one.resource, times * one.amount}};
    if (pods_) requests.push_back({*pods_, times});
    return requests;
  }

  const kueue::Limits& limits(std::uint32_t mode, std::uint32_t flavor, std::uint32_t resource) const {
    return compiled_.limits(mode, flavor, resource);
  }

  // The pods that a queue owns the quota for, and whether one more fits.
  bool room(std::uint32_t q, std::uint32_t flavor, std::uint32_t mode, const PodShape& shape, bool beyond_own,
            std::int64_t& pods) const {
    const auto one = pods_of(shape, 1);
    pods = 1;
    if (beyond_own)  // a loan is counted in devices
      pods = limits(mode, flavor, shape.resource).nominal[q] / std::max<std::int64_t>(1, shape.amount) + 1;
    return std::ranges::all_of(one, [&](const kueue::Request& request) {
      const kueue::Limits& all = limits(mode, flavor, request.resource);
      return all.listed[q] && request.amount * pods <= all.potential[q];
    });
  }

  // What the model says to that many pods in an empty cluster: the story, empty where it lets them in.
  std::vector<StoryStep> refused(std::uint32_t q, std::uint32_t flavor, std::uint32_t mode, const PodShape& shape,
                                 std::int64_t pods) const {
    Script script;
    script.at_once_only = true;
    if (mode != 0) script.steps.emplace_back(SwitchMode{mode, {}});
    Submit submit;
    submit.workload.queue = q;
    submit.workload.requests = pods_of(shape, pods);
    submit.workload.flavor = flavor;
    submit.workload.count = pods;
    submit.ask = true;
    const auto asked = submit.workload;
    script.steps.emplace_back(std::move(submit));
    if (stage_.play(script).events.back().settled == kueue::WorkloadState::Admitted) return {};
    const std::string& name = proof_.cluster.queues[q].name;
    return {{"", name,
             fmt::format(
                 "asks for {} of {} in an empty cluster{}",
                 amount_in_words(proof_.cluster, asked.requests.front().resource, asked.requests.front().amount),
                 proof_.cluster.flavors[flavor].name, mode == 0 ? "" : ", during " + proof_.cluster.modes[mode].name)},
            {"", "kueue", fmt::format("never admits it: {} can never be given that much", name)}};
  }

  // A flavor without labels takes pods that ask for another one by its labels.
  bool may_go_elsewhere(const Queue& queue) const {
    return std::ranges::any_of(listed_flavors(queue.groups), [&](const FlavorQuotas& row) {
      return proof_.cluster.flavors[row.flavor].node_labels.empty();
    });
  }

  void batch_queue(std::uint32_t q) {
    const Queue& queue = proof_.cluster.queues[q];
    std::vector<StoryStep> story;
    for (const FlavorQuotas& row : listed_flavors(queue.groups))
      for (std::uint32_t mode = 0; mode < proof_.cluster.modes.size(); ++mode)
        for (const PodShape& shape : smallest_on(q, row.flavor)) {
          std::int64_t pods = 1;
          if (room(q, row.flavor, mode, shape, false, pods)) return;
          auto told = refused(q, row.flavor, mode, shape, pods);
          if (told.empty() && may_go_elsewhere(queue)) continue;
          if (told.empty())
            throw InternalError(fmt::format("vacuity: `{}` runs in the model what its quotas refuse", queue.name));
          if (story.empty()) story = std::move(told);
        }
    found(
        "ClusterQueue", queue.name, proof_.intent.roles[q].name_span, false,
        fmt::format("`{}` can never run a pod: what it owns and may borrow of each pool is less than one pod asks for",
                    queue.name),
        std::move(story), "give the tenant a `quota`, or an `allow`, of one pod at least");
  }

  void loan(const PlannedAllow& allow) {
    std::vector<StoryStep> story;
    for (const std::uint32_t mode : allow.modes)
      for (const PodShape& shape : smallest_on(allow.borrower, allow.flavor)) {
        std::int64_t pods = 1;
        if (room(allow.borrower, allow.flavor, mode, shape, true, pods)) return;
        auto told = refused(allow.borrower, allow.flavor, mode, shape, pods);
        if (told.empty()) return;  // a workload may be given quota in other ways: then it is usable
        if (story.empty()) story = std::move(told);
      }
    const std::string& borrower = proof_.cluster.queues[allow.borrower].name;
    found(
        "ClusterQueue", borrower, allow.span, false,
        allow.modes.empty()
            ? "the window of this `allow` is never in force"
            : fmt::format("`{}` can never use this: one more pod of its does not fit in what it may borrow", borrower),
        std::move(story), "allow at least one pod of its shape, or remove the line", allow.whole);
  }

  void found(std::string_view kind, std::string_view name, Span span, bool required, std::string message,
             std::vector<StoryStep> story, std::string fix, Span remove = {}) {
    ++found_;
    Obligation o = obligation(Family::Vacuity, code::Vacuity, Verdict::Refuted, {kind, name}, span);
    o.required = required;
    Detail detail{.message = std::move(message), .story = std::move(story), .fix = Fix{std::move(fix)}};
    if (remove.known()) detail.fix->edits.push_back({remove, ""});
    detail.fix->sure = remove.known();  // without it everything else means the same
    report_.add(std::move(o), std::move(detail));
  }

  void none() {
    Obligation o = obligation(Family::Vacuity, code::Vacuity, Verdict::Proven, {});
    o.required = false;
    report_.add(std::move(o), {.message = "every batch queue can run something, every allow can be used, every "
                                          "statement speaks of somebody"});
  }

  const Proof& proof_;
  Report& report_;
  Stage stage_;
  kueue::Compiled compiled_;
  std::vector<std::uint32_t> devices_;
  std::optional<std::uint32_t> pods_;
  int found_ = 0;
};

}  // namespace

void prove_vacuity(const Proof& proof, Report& report) { Vacuity(proof, report).judge(); }

}  // namespace gpol
