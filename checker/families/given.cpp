#include "checker/families/given.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/beyond_share.h"
#include "checker/families/codes.h"
#include "checker/families/doors.h"
#include "checker/families/dropped.h"
#include "checker/families/given_words.h"
#include "checker/families/guard_book.h"
#include "checker/families/label_guards.h"
#include "checker/families/misranked.h"
#include "checker/families/outranked.h"
#include "checker/families/premises.h"
#include "checker/families/rests.h"
#include "checker/families/strangers.h"

namespace gpol {
namespace {

using Kind = QueueRole::Kind;

bool names_only(const Selector& selector) { return !selector.present || lists_names(selector); }

class Givens {
 public:
  Givens(const Proof& proof, const Given& given, Report& report)
      : proof_(proof),
        given_(given),
        report_(report),
        batch_namespaces_(namespaces_of_batch(proof.cluster, proof.intent)) {
    for (const LocalQueue& local : proof.cluster.local_queues) locals_.emplace(local.cluster_queue, local.ns);
  }

  void judge() {
    const Rested rests = rested(proof_, report_);
    if (!ground::kAlways.asks(rests)) return;  // nothing is promised
    report_.analysed.push_back(Family::Bypass);
    if (!proof_.cluster.admission_policies.empty()) guards_.emplace(proof_.cluster, proof_.intent, proof_.solver);
    second_doors();
    open_selectors();
    selectors_with_batch();
    uninvited();
    if (ground::kOnQueued.asks(rests)) outranked();
    if (ground::kOnEviction.asks(rests)) misranked_pods();
    if (ground::kOnSlices.asks(rests)) beyond_their_share();
    const AccessFound access = open_access(proof_, given_.bindings);
    bool by_guards = access.denied;
    unknown_roles_ = access.unknown;
    for (const Premise& premise : premises()) {
      if (!premise.ground->asks(rests)) continue;
      Assumption a;
      a.text = text_of(premise, proof_.cluster.config);
      a.key = premise.key;
      const Kept kept = look(premise.key);
      if (premise.key == "objects-unchanged" && !kept.kept) written_by_anybody(access.objects, premise.key);
      by_guards = by_guards || kept.kept;
      if (broken_.contains(premise.key)) {
        a.status = Assumption::Status::Open;  // told above
      } else if (kept.kept) {
        a.status = Assumption::Status::Enforced;
        a.by = fmt::format("{}", fmt::join(kept.policies, ", "));
      } else if (premise.key == "own-namespaces" && !label_guards_.empty()) {
        a.status = Assumption::Status::Enforced;
        a.by = fmt::format("{}", fmt::join(label_guards_, ", "));
      } else if (premise.key == "own-namespaces" && serving_by_name()) {
        a.status = Assumption::Status::Enforced;
        a.by = "ClusterQueue.spec.namespaceSelector";
      } else {
        take(a, premise.family, remedy_of(premise));
      }
      report_.assumptions.push_back(std::move(a));
    }
    const Kept pinned = look("priorities-pinned");
    of_the_input(pinned.kept ? fmt::format("{}", fmt::join(pinned.policies, ", ")) : std::string());
    if (by_guards || pinned.kept || !label_guards_.empty()) weakened_by_anybody(access.guards);
    if (!bypassed_) report_.add(proven_of_cluster(Family::Bypass, code::OpenPremise));
  }

 private:
  Kept look(std::string_view premise) {
    const bool by_kind = premise == "batch-leaves" || premise == "priorities-pinned";
    return !guards_ || (by_kind && manages_others(proof_.cluster, given_.configured)) ? Kept{} : guards_->look(premise);
  }

  // Trusted, or open where the input is all there is.
  void take(Assumption& a, Family family, std::string remedy) {
    a.status = given_.strict ? Assumption::Status::Open : Assumption::Status::Trusted;
    if (!given_.strict) return;
    Obligation o = opened(family, "Premise", a.key.empty() ? std::string_view("input") : a.key, {});
    say(std::move(o),
        fmt::format("the proof takes for granted that {}, and nothing among the manifests enforces it", a.text),
        std::move(remedy), {});
  }

  // What is said of the manifests alone, and no premise of a policy.
  void of_the_input(const std::string& pinned) {
    const auto assume = [&](std::string text, std::string remedy, std::string by = {}, bool open = false) {
      Assumption a;
      a.text = std::move(text);
      if (open)
        a.status = Assumption::Status::Open;  // told above
      else if (by.empty())
        take(a, Family::Bypass, remedy + ", or leave out --strict");
      else
        a.status = Assumption::Status::Enforced, a.by = std::move(by);
      report_.assumptions.push_back(std::move(a));
    };
    for (Assumed& one : assumed_of(proof_, given_, unknown_roles_)) assume(std::move(one.text), std::move(one.remedy));
    if (given_.limits != nullptr) {
      if (!given_.limits->serving.empty())
        assume("no pod of serving is refused or changed by " + given_.limits->of_serving, "", "", true);
      if (!given_.limits->batch.empty())
        assume("Kueue counts of batch what its pods ask for, whatever a LimitRange says", "", "", true);
      for (const auto* broken : {&given_.limits->serving, &given_.limits->batch})
        for (const LimitsFound::Broken& one : *broken)
          say(opened(Family::Bypass, keep(one.kind), keep(one.name), one.at.span), one.message, one.remedy, {});
    }
    for (const auto& [kind, word] : {std::pair{Kind::Serving, "serving"}, std::pair{Kind::Batch, "batch"}})
      for (const QueueRole& role : proof_.intent.roles)
        if (role.kind == kind && role.priority) {
          assume(fmt::format("workloads of {} queues have priority {}, that of their WorkloadPriorityClass", word,
                             *role.priority),
                 "add a guard that denies other priority classes (`gpol explain priorities-pinned`)",
                 kind == Kind::Batch ? pinned : std::string(), misranked_.contains(kind));
          break;
        }
  }

  bool serving_by_name() const {
    for (std::size_t q = 0; q < proof_.intent.roles.size(); ++q)
      if (proof_.intent.roles[q].kind == Kind::Serving && !names_only(proof_.cluster.queues[q].namespaces))
        return false;
    return true;
  }

  // A LocalQueue onto a serving queue in a namespace that runs batch, too.
  void second_doors() {
    const Cluster& cluster = proof_.cluster;
    std::map<std::string_view, std::size_t> queues;
    for (std::size_t q = 0; q < cluster.queues.size(); ++q) queues.emplace(cluster.queues[q].name, q);
    const auto role_behind = [&](const LocalQueue& local) {
      const auto at = queues.find(local.cluster_queue);
      return at == queues.end() ? Kind::None : proof_.intent.roles[at->second].kind;
    };
    std::map<std::string_view, const LocalQueue*> batch;  // by namespace
    for (const LocalQueue& local : cluster.local_queues)
      if (role_behind(local) == Kind::Batch &&
          lets_in(cluster, cluster.queues[queues.at(local.cluster_queue)].namespaces, local.ns) != false)
        batch.emplace(local.ns, &local);
    for (std::size_t l = 0; l < cluster.local_queues.size(); ++l) {
      const LocalQueue& local = cluster.local_queues[l];
      const auto other = batch.find(local.ns);
      if (role_behind(local) != Kind::Serving || other == batch.end()) continue;
      const std::size_t q = queues.at(local.cluster_queue);
      if (lets_in(cluster, cluster.queues[q].namespaces, local.ns) == false) continue;  // the door is shut
      broken_.insert("own-namespaces");
      second_doors_.insert({local.cluster_queue, local.ns});
      Obligation o = opened(Family::Bypass, "LocalQueue", keep(local.ns + "/" + local.name),
                            l < proof_.origins.local_queue.size() ? proof_.origins.local_queue[l] : Span{});
      say(std::move(o),
          fmt::format("the namespace `{}` runs batch by its LocalQueue `{}`, and its LocalQueue `{}` leads to the "
                      "serving queue `{}`: batch may stand in serving's place",
                      local.ns, other->second->name, local.name, local.cluster_queue),
          fmt::format("give serving a namespace of its own, and remove LocalQueue `{}`", local.name),
          story_of_stranger(q, fmt::format("a user of {}", local.ns),
                            fmt::format("labels a batch workload with the LocalQueue `{}`", local.name)));
    }
  }

  void written_by_anybody(const std::vector<OpenAccess>& access, std::string_view premise) {
    for (const OpenAccess& one : access) {
      broken_.insert(premise);
      say(opened(Family::Bypass, one.kind, keep(one.binding), one.at), one.message, one.remedy, {});
    }
  }

  // Last: only then is it known whether any premise rests on guards.
  void weakened_by_anybody(const std::vector<OpenAccess>& access) {
    constexpr std::string_view kKey = "controller-as-emitted";
    written_by_anybody(access, kKey);
    for (Assumption& a : report_.assumptions)
      if (a.key == kKey && !access.empty()) a.status = Assumption::Status::Open;
  }

  // What Kueue does not look at, whatever its labels say (managedJobsNamespaceSelector).
  void unmanaged() {
    const auto& locals = proof_.cluster.local_queues;
    std::map<std::string_view, Kind> roles;
    for (std::size_t q = 0; q < proof_.cluster.queues.size(); ++q)
      roles.emplace(proof_.cluster.queues[q].name, proof_.intent.roles[q].kind);
    for (std::size_t l = 0; l < locals.size(); ++l) {
      const Kind role = roles[locals[l].cluster_queue];
      if (role == Kind::None || managed(proof_.cluster, locals[l].ns) != false) continue;
      broken_.insert("admission-only");
      Obligation o = opened(Family::Bypass, "LocalQueue", keep(locals[l].ns + "/" + locals[l].name),
                            l < proof_.origins.local_queue.size() ? proof_.origins.local_queue[l] : Span{});
      say(std::move(o),
          fmt::format("Kueue does not manage the namespace `{}` of LocalQueue `{}`: what names it runs without being "
                      "admitted{}",
                      locals[l].ns, locals[l].name,
                      role == Kind::Batch ? ", and may stand in serving's place" : ", and holds no quota"),
          fmt::format(
              "let `managedJobsNamespaceSelector` of the Configuration, and the selectors of its webhooks, let `{}` in",
              locals[l].ns),
          {});
    }
  }

  // Pods that use devices and never ask Kueue.
  void uninvited() {
    unmanaged();
    for (const Stranger& stranger : strangers(proof_, given_.pods, given_.rooms, given_.nodes, given_.configured)) {
      if (!stranger.known && look("admission-only").kept) continue;
      broken_.insert("admission-only");
      const PodFacts& pods = *stranger.pods;
      const std::string_view unless = !pods.class_c && (pods.kind == "Deployment" || pods.kind == "StatefulSet")
                                          ? "; label it `gpol.dev/role: serving` if it serves outside the queue"
                                          : "";
      if (!stranger.known) {
        say_unread(pods,
                   fmt::format("and {}: whether its pods may stand in serving's place is not known", stranger.why),
                   fmt::format("{}, or {}", pods.unread->remedy, stranger.remedy));
        continue;
      }
      doubted_.insert(pods.kind + "/" + pods.name);
      Obligation o = opened(Family::Bypass, keep(pods.kind), keep(pods.name), stranger.asks->span);
      const std::string what =
          stranger.resource.empty() ? "a device by a resource claim" : "`" + stranger.resource + "`";
      say(std::move(o),
          fmt::format(
              "{} `{}` asks for {}{} and {}: its pods run without being admitted, and may stand in serving's place",
              pods.kind, pods.name, what, pods.whose.empty() ? "" : " by " + pods.whose, stranger.why),
          fmt::format("{}, or let it select nodes on which nothing serves{}", stranger.remedy, unless), {});
    }
  }

  bool doubted(const PodFacts& pods) const { return doubted_.contains(pods.kind + "/" + pods.name); }

  // What something says that was not read, once of each object, and not where it breaks the proof anyway.
  void say_unread(const PodFacts& pods, std::string_view what, std::string fix) {
    doubted_.insert(pods.kind + "/" + pods.name);
    Obligation o = opened(Family::Bypass, keep(pods.kind), keep(pods.name), pods.unread->at.span);
    o.code = code::NotModelled, o.verdict = Verdict::NotAnalysed;
    say(std::move(o), fmt::format("{} `{}` {}, {}", pods.kind, pods.name, pods.unread->why, what), std::move(fix), {},
        pods.unread->at.field);
  }

  // Pods that kube-scheduler evicts serving for.
  void outranked() {
    for (Outranking& one : outranking(proof_, given_.pods, given_.ranks)) {
      if (one.unread != nullptr && (doubted(*one.unread) || look("pods-do-not-preempt").kept)) continue;
      broken_.insert("pods-do-not-preempt");
      if (one.unread == nullptr)
        say_ranks(std::move(one));
      else
        say_unread(*one.unread, one.message, std::move(one.remedy));
    }
  }

  // What breaks the order of priorities that eviction goes by.
  void misranked_pods() {
    for (Misranked& one : misranked(proof_, given_.pods)) {
      if (one.found.unread != nullptr && doubted(*one.found.unread)) continue;
      misranked_.insert(one.role);
      if (one.found.unread == nullptr)
        say_ranks(std::move(one.found));
      else
        say_unread(*one.found.unread, one.found.message, std::move(one.found.remedy));
    }
  }

  void beyond_their_share() {
    for (BeyondShare& one : beyond_share(proof_, given_.pods)) {
      broken_.insert("requests-within-share");
      say(opened(Family::Bypass, keep(one.pods->kind), keep(one.pods->name), one.pods->span), std::move(one.message),
          "let it ask for a slice, and for no more cpu and memory than goes with it", {});
    }
  }

  void say_ranks(Outranking one) {
    Obligation o = opened(Family::Bypass, keep(std::move(one.kind)), keep(std::move(one.name)), one.span);
    if (!one.known) o.verdict = Verdict::Undecided;
    say(std::move(o), std::move(one.message), std::move(one.remedy), {}, std::move(one.field));
  }

  // A serving queue that lets in a namespace of batch: a LocalQueue is soon made there.
  void selectors_with_batch() {
    const std::set<std::string>& batch = batch_namespaces_;
    for (std::size_t q = 0; q < proof_.intent.roles.size(); ++q) {
      const Queue& queue = proof_.cluster.queues[q];
      const QueueRole& role = proof_.intent.roles[q];
      if (!promised(role)) continue;
      Doors named;  // no others can be let in
      if (lists_names(queue.namespaces)) named.add(queue.namespaces);
      const auto& candidates = named.names.empty() ? batch : named.names;
      const auto both = std::find_if(candidates.begin(), candidates.end(), [&](const std::string& ns) {
        return batch.contains(ns) && lets_in(proof_.cluster, queue.namespaces, ns) == true &&
               !second_doors_.contains({queue.name, ns});
      });
      if (both == candidates.end() || open_.contains(queue.name)) continue;
      broken_.insert("own-namespaces");
      say(opened(Family::Bypass, "ClusterQueue", queue.name, role.name_span),
          fmt::format(
              "the namespaceSelector of `{}` lets in the namespace `{}`, which runs batch, too: batch may stand in "
              "serving's place",
              queue.name, *both),
          fmt::format("give batch a namespace of its own, and leave `{}` out of the selector of {}", *both,
                      batch_by_selector(proof_, *both)),
          story_of_stranger(q, fmt::format("a user of {}", *both),
                            fmt::format("makes a LocalQueue for `{}` there, and labels batch with it", queue.name)),
          "spec.namespaceSelector");
    }
  }

  // Where an administrator made a LocalQueue for it, and it gets in by what is known of the namespace.
  std::set<std::string> meant_for(const Queue& queue) const {
    std::set<std::string> out;
    const auto [first, last] = locals_.equal_range(queue.name);
    for (auto local = first; local != last; ++local)
      if (lets_in(proof_.cluster, queue.namespaces, local->second) != false) out.emplace(local->second);
    return out;
  }

  void open_selectors() {
    for (std::size_t q = 0; q < proof_.intent.roles.size(); ++q) {
      const Queue& queue = proof_.cluster.queues[q];
      const QueueRole& role = proof_.intent.roles[q];
      if (!promised(role) || names_only(queue.namespaces)) continue;
      const LabelGuards guards =
          guards_of_labels(proof_.cluster, queue.namespaces, meant_for(queue), batch_namespaces_, proof_.solver);
      label_guards_.insert(guards.policies.begin(), guards.policies.end());
      if (!guards.policies.empty()) continue;
      broken_.insert("own-namespaces");
      open_.insert(queue.name);
      say(opened(Family::Bypass, "ClusterQueue", queue.name, role.name_span),
          fmt::format("the namespaceSelector of `{}` {}{}{}", queue.name, selector_in_words(queue.namespaces),
                      guards.let_through.empty() ? "" : "; ", guards.let_through),
          "name the namespaces: `matchLabels: {kubernetes.io/metadata.name: ...}`",
          story_of_stranger(
              q, "a stranger",
              fmt::format("has a LocalQueue for `{}` in a namespace that its namespaceSelector lets in", queue.name)),
          "spec.namespaceSelector");
    }
  }

  // Who gets in takes the reserve: played in the model (dropped.h).
  std::vector<StoryStep> story_of_stranger(std::size_t q, std::string actor, std::string does) {
    if (!stage_) stage_.emplace(proof_.cluster);
    auto story = story_of_intruder(proof_, *stage_, static_cast<std::uint32_t>(q));
    if (!story.empty()) story.insert(story.begin(), {"", std::move(actor), std::move(does)});
    return story;
  }

  std::string_view keep(std::string text) {
    report_.names.push_back(std::move(text));
    return report_.names.back();
  }

  Obligation opened(Family family, std::string_view kind, std::string_view name, Span span) {
    bypassed_ = bypassed_ || family == Family::Bypass;
    return obligation(family, code::OpenPremise, Verdict::Refuted, {kind, name}, span);
  }

  void say(Obligation o, std::string message, std::string fix, std::vector<StoryStep> story, std::string field = {}) {
    std::string reason = o.verdict != Verdict::Refuted ? message : "";
    report_.add(std::move(o), {.reason = std::move(reason),
                               .message = std::move(message),
                               .story = std::move(story),
                               .fix = Fix{std::move(fix)},
                               .place = {.field = std::move(field)}});
  }

  const Proof& proof_;
  const Given& given_;
  Report& report_;
  std::optional<GuardBook> guards_;
  std::optional<Stage> stage_;  // of who gets in
  const std::set<std::string> batch_namespaces_;
  std::multimap<std::string_view, std::string> locals_;  // the namespaces of the LocalQueues of a queue
  std::set<std::string_view> broken_;
  std::set<Kind> misranked_;                                    // whose stated priority does not hold
  std::set<std::string> doubted_;                               // "KIND/ns/name" of what was said of them
  std::set<std::string> open_;                                  // serving queues with an open selector
  std::set<std::pair<std::string, std::string>> second_doors_;  // serving queue and namespace
  std::set<std::string> unknown_roles_;                         // AccessFound
  std::set<std::string> label_guards_;  // by which selectors by other labels than the name are kept
  bool bypassed_ = false;
};

}  // namespace

void judge_given(const Proof& proof, const Given& given, Report& report) { Givens(proof, given, report).judge(); }

}  // namespace gpol
