#include "checker/families/given.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/beyond_share.h"
#include "checker/families/codes.h"
#include "checker/families/dropped.h"
#include "checker/families/entry_namespaces.h"
#include "checker/families/given_words.h"
#include "checker/families/guard_book.h"
#include "checker/families/misranked.h"
#include "checker/families/mixed_roles.h"
#include "checker/families/outranked.h"
#include "checker/families/premises.h"
#include "checker/families/quota_ways.h"
#include "checker/families/rests.h"
#include "checker/families/strangers.h"
#include "checker/families/whose.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

using Kind = QueueRole::Kind;

class Givens {
 public:
  Givens(const Proof& proof, const Given& given, Report& report)
      : proof_(proof),
        given_(given),
        report_(report),
        batch_namespaces_(namespaces_of_batch(proof.cluster, proof.intent)) {}

  void judge() {
    const Rested rests = rested(proof_, report_);
    if (!ground::kAlways.asks(rests)) return;  // nothing is promised
    report_.analysed.push_back(Family::Bypass);
    if (!proof_.cluster.admission_policies.empty()) guards_.emplace(proof_.cluster, proof_.intent, proof_.solver);
    namespaces();
    uninvited();
    mixed();
    if (ground::kOnQueued.asks(rests)) outranked();
    if (ground::kOnEviction.asks(rests)) misranked_pods();
    if (ground::kOnSlices.asks(rests)) beyond_their_share();
    const AccessFound access = open_access(proof_, given_.bindings);
    bool by_guards = access.denied;
    unknown_roles_ = access.unknown;
    for (const Premise& premise : premises()) {
      if (!concerns(premise, proof_.cluster) || !premise.ground->asks(rests)) continue;
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
    round_quota(look("admission-only").kept);
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
    if (ending()) open_ways_.emplace_back("debt-while-a-victim-ends");
    for (Assumed& one : assumed_of(proof_, given_, {unknown_roles_, misranked_, open_ways_, pinned})) {
      Assumption a;
      a.text = std::move(one.text);
      if (one.open)
        a.status = Assumption::Status::Open;  // told above
      else if (one.by.empty())
        take(a, Family::Bypass, one.remedy + ", or leave out --strict");
      else
        a.status = Assumption::Status::Enforced, a.by = std::move(one.by);
      report_.assumptions.push_back(std::move(a));
    }
    if (given_.limits == nullptr) return;
    for (const auto* broken : {&given_.limits->serving, &given_.limits->batch})
      for (const LimitsFound::Broken& one : *broken)
        say(opened(Family::Bypass, keep(one.kind), keep(one.name), one.at.span), one.message, one.remedy, {});
  }

  // What others can hold while victims have not ended, of what is promised (kueue/ending.h).
  bool ending() const {
    std::set<std::string_view> lingering;
    for (const Obligation& o : report_.obligations)
      if (o.family == Family::Claim && o.figures.claimable_ending) lingering.insert(o.subject.name);
    for (std::size_t q = 0; q < proof_.intent.roles.size(); ++q)
      if (promised(proof_.intent.roles[q]) && lingering.contains(proof_.cluster.queues[q].name)) return true;
    return false;
  }

  bool serving_by_name() const {
    for (std::size_t q = 0; q < proof_.intent.roles.size(); ++q)
      if (proof_.intent.roles[q].kind == Kind::Serving && !names_only(proof_.cluster.queues[q].namespaces))
        return false;
    return true;
  }

  // Namespaces that get into a serving queue and are not meant to.
  void namespaces() {
    EntryNamespaces found = entry_namespaces(proof_, batch_namespaces_);
    label_guards_ = std::move(found.label_guards);
    for (OpenEntry& one : found.open) {
      broken_.insert("own-namespaces");
      say(opened(Family::Bypass, one.kind, keep(one.name), one.at), std::move(one.message), std::move(one.remedy),
          story_of_stranger(one.queue, std::move(one.actor), std::move(one.does)), one.field);
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

  // Batch in a queue that serves.
  void mixed() {
    for (MixedRole& one : mixed_roles(proof_, given_.pods)) {
      const PodFacts& pods = one.asked.first();
      misranked_.insert(Kind::Serving);
      Obligation o = opened(Family::Bypass, keep(pods.kind), keep(pods.name), pods.span);
      o.verdict = one.verdict;
      say(std::move(o), std::move(one.message), std::move(one.remedy), std::move(one.story));
    }
  }

  // Ways round quota: told where an object uses one, and as one thing that is taken for granted where none does.
  void round_quota(bool guarded) {
    const Whose whose(proof_);
    for (const QuotaWay& way : quota_ways()) {
      const KueueConfig& config = proof_.cluster.config;
      if ((guarded && way.guarded) || !is_open(way, config, given_.configured, false)) continue;
      const bool denied = way.guarded && guards_ && guards_->look("admission-only", way.key).kept;
      if (denied && !is_open(way, config, given_.configured, true)) continue;
      if (is_open_unused(way, config)) report_.open_ways.push_back(way.key);
      // That is told of a stranger (uninvited).
      if (way.key == "foreign-owner" && contains(given_.pods, PodFacts::Forged::Uid, &PodFacts::forged)) continue;
      const auto use = [&](const PodFacts& pods) { return uses(way, pods, config, given_.configured, denied); };
      const auto user = std::ranges::find_if(given_.pods, [&](const PodFacts& pods) {
        return use(pods) != nullptr && (pods.queue_of_object || pods.queue_of_pods || whose.queue(pods) != kNone);
      });
      const auto other = std::ranges::find(given_.quota_ways, way.key, &QuotaWayUse::key);
      if (other != given_.quota_ways.end()) {
        say(opened(Family::Bypass, keep(other->kind), keep(other->name), other->at.span),
            fmt::format("{} `{}` goes round quota by `{}`: {}", other->kind, other->name, way.key, way.text),
            "take it out", {}, other->at.field);
        continue;
      }
      if (user == given_.pods.end()) {
        if (is_open_unused(way, config)) open_ways_.emplace_back(way.key);
        continue;
      }
      say(opened(Family::Bypass, keep(user->kind), keep(user->name), use(*user)->span),
          fmt::format("{} `{}` goes round quota by `{}`, which Kueue v{} leaves open: {}", user->kind, user->name,
                      way.key, config.version, way.text),
          way.gate.empty() ? std::string("take it out, or run a version that has closed it (`gpol explain quota-ways`)")
                           : fmt::format("set the feature gate `{}` to false in Kueue's Configuration", way.gate),
          {}, use(*user)->field);
    }
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
  std::set<std::string_view> broken_;
  std::vector<std::string_view> open_ways_;  // round quota, that nobody is seen to use
  std::set<Kind> misranked_;                 // whose stated priority does not hold
  std::set<std::string> doubted_;            // "KIND/ns/name" of what was said of them
  std::set<std::string> unknown_roles_;      // AccessFound
  std::set<std::string> label_guards_;       // by which selectors by other labels than the name are kept
  bool bypassed_ = false;
};

}  // namespace

void judge_given(const Proof& proof, const Given& given, Report& report) { Givens(proof, given, report).judge(); }

}  // namespace gpol
