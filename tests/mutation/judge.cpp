#include "tests/mutation/judge.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/codes.h"
#include "checker/families/table.h"
#include "compiler/cluster/normal_form.h"
#include "tests/mutation/doors.h"

namespace gpol::mutation {

namespace {

// Where no policy's text is at hand: spans that are not known.
Origins no_origins(const Cluster& cluster) {
  Origins origins;
  origins.queue.resize(cluster.queues.size());
  origins.cohort.resize(cluster.cohorts.size());
  origins.priority_class.resize(cluster.priority_classes.size());
  origins.guard.resize(cluster.admission_policies.size());
  return origins;
}

std::string named(const Obligation& o) {
  return fmt::format("{} {}{}", to_string(o.code), o.subject.name,
                     o.subject.resource.empty() ? std::string() : "/" + std::string(o.subject.resource));
}

// The obligations that are required and have this verdict, by code: "GP1001 search, GP1201 shared".
std::string list_of(const Report& report, bool (*is)(Verdict)) {
  std::map<std::string, std::set<std::string>> found;
  for (const Obligation& o : report.obligations)
    if (o.required && is(o.verdict)) found[to_string(o.code)].insert(std::string(o.subject.name));
  std::string out;
  for (const auto& [code, names] : found)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", code, fmt::join(names, " "));
  return out;
}

const Obligation* first(const Report& report, Verdict verdict) {
  for (const Obligation& o : report.obligations)
    if (o.required && o.verdict == verdict) return &o;
  return nullptr;
}

bool is_refuted(Verdict v) { return v == Verdict::Refuted; }

// A refutation of a scheduler's decision or of a node is worth nothing without its story. There is none to tell of a
// statement that says nothing, of a premise that no policy speaks of, and of quotas that add up to more than the
// devices.
bool needs_story(const Obligation& o) {
  return o.code != code::Vacuity && o.code != code::OpenPremise && o.code != code::Capacity;
}

}  // namespace

Outcome outcome_of(const Report& report) {
  for (const Obligation& o : report.obligations)
    if (o.required && o.verdict == Verdict::Refuted && needs_story(o) && (!o.detail || o.detail->story.empty()))
      return {Outcome::Kind::Refuted, named(o) + " WITHOUT A STORY"};
  if (first(report, Verdict::Refuted) != nullptr) return {Outcome::Kind::Refuted, list_of(report, is_refuted)};
  for (const Verdict verdict : {Verdict::Undecided, Verdict::NotAnalysed})
    if (const Obligation* o = first(report, verdict))
      return {Outcome::Kind::Undecided, named(*o) + ": " + (o->detail ? o->detail->reason : "")};
  return {Outcome::Kind::Proven, ""};
}

std::string words(const Outcome& outcome) {
  static constexpr const char* kinds[] = {"error", "refuted", "undecided", "proven"};
  return kinds[static_cast<int>(outcome.kind)] + (outcome.why.empty() ? "" : " " + outcome.why);
}

std::string kueue_key(const Cluster& cluster) {
  Cluster part = cluster;
  part.admission_policies.clear();
  part.admission_bindings.clear();
  part.node_pools.clear();
  part.namespaces.clear();
  part.local_queues.clear();
  part.config.frameworks.clear();
  part.config.managed_namespaces = {};
  part.config.manage_jobs_without_queue_name = false;
  if (part.config.wait_for_pods_ready) part.config.wait_for_pods_ready->timeout.clear();
  if (part.config.wait_for_pods_ready) part.config.wait_for_pods_ready->recovery_timeout.clear();
  part.priority_classes.clear();
  for (auto& queue : part.queues) {
    queue.labels.clear();
    queue.namespaces = {true, {}, {}};
  }
  for (auto& flavor : part.flavors) flavor.tolerations.clear();
  return normal_form(part);
}

Report prove_all(const Cluster& cluster, const Intent& intent) {
  Report report;
  const Origins origins = no_origins(cluster);
  thread_local Solver solver;  // a context costs more than most of the questions
  const Proof proof{cluster, intent, origins, solver, nullptr};
  for (const Round round : {Round::Quotas, Round::Workloads}) judge_families(round, Door::Policy, proof, {}, report);
  return report;
}

std::shared_ptr<const Judge::Proven> Judge::families(const Cluster& cluster, const Intent& intent,
                                                     const std::string& intent_key) {
  std::string key;
  if (!intent_key.empty()) {
    Cluster part = cluster;
    part.admission_policies.clear();
    part.admission_bindings.clear();
    key = intent_key + "\n" + normal_form(part);
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
  }
  auto made = std::make_shared<Proven>(Proven{cluster, intent, {}});
  made->report = prove_all(made->cluster, made->intent);
  const std::lock_guard lock(mutex_);
  ++families_asked_;
  return intent_key.empty() ? made : known_.emplace(key, made).first->second;
}

Outcome Judge::judge(const Cluster& cluster, const Intent& intent, const std::string& intent_key) {
  std::string key;
  if (!intent_key.empty()) {
    key = intent_key + "\n" + normal_form(cluster);
    const std::lock_guard lock(mutex_);
    if (const auto known = outcomes_.find(key); known != outcomes_.end()) return known->second;
  }
  Outcome outcome = judge_anew(cluster, intent, intent_key);
  const std::lock_guard lock(mutex_);
  if (!key.empty()) outcomes_.emplace(key, outcome);
  return outcome;
}

Outcome Judge::judge_anew(const Cluster& cluster, const Intent& intent, const std::string& intent_key) {
  const auto proven = families(cluster, intent, intent_key);
  const Outcome before = outcome_of(proven->report);
  if (before.kind == Outcome::Kind::Refuted) return before;
  Report report = proven->report;
  const Origins origins = no_origins(cluster);
  Solver solver;  // a fresh one: what a used one finds may depend on what it was asked before
  const Proof proof{cluster, intent, origins, solver, nullptr};
  // One open premise refutes: those after it are not looked at.
  const GuardTexts texts(cluster);
  GuardBook book(cluster, intent, solver, [&](const GuardQuestion& question, const std::function<Reach()>& ask) {
    return guards_.answer(texts, question, ask);
  });
  std::string broken;
  Evidence evidence;
  evidence.look = [&](std::string_view premise) {
    if (!broken.empty()) return Kept{true, {}, {}, {}, {}};
    Kept kept = book.look(premise);
    if (!kept.kept && kept.broken) broken = " (not denied)";  // whether a request is found may depend on the solver
    return kept;
  };
  judge_families(Round::Admission, Door::Policy, proof, evidence, report);
  for (const Diagnostic& d : report.diagnostics)
    if (d.severity == Severity::Error) return {Outcome::Kind::Error, to_string(d.code)};
  Outcome after = outcome_of(report);
  if (after.kind == Outcome::Kind::Refuted && before.kind != Outcome::Kind::Refuted) after.why += broken;
  if (after.kind != Outcome::Kind::Proven) return after;
  if (std::string shut = shut_door(cluster, intent); !shut.empty()) return {Outcome::Kind::Refuted, std::move(shut)};
  return after;
}

}  // namespace gpol::mutation
