#include "tests/mutation/judge_all.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/families.h"
#include "checker/proof/prove.h"
#include "cli/commands/verify.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/source/lookup.h"
#include "tests/mutation/align.h"

namespace gpol::mutation {

namespace {

std::vector<Outcome> on_threads(std::size_t count, const std::function<Outcome(std::size_t)>& judge) {
  std::vector<Outcome> outcomes(count);
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) try {
        outcomes[i] = judge(i);
      } catch (const InternalError& broken) {
        outcomes[i] = {Outcome::Kind::Error, std::string("INTERNAL ") + broken.what()};
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failed) failed = std::current_exception();
        next = count;
      }
  };
  std::vector<std::thread> threads;
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  for (unsigned t = 0; t < cores; ++t) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  if (failed) std::rethrow_exception(failed);
  return outcomes;
}

Outcome errors_of(const Session& session) {
  std::set<std::string> codes;
  for (const Diagnostic& d : session.report.diagnostics)
    if (d.severity == Severity::Error) codes.insert(to_string(d.code));
  return {Outcome::Kind::Error, fmt::format("{}", fmt::join(codes, " "))};
}

}  // namespace

std::vector<Outcome> judge_policies(const Example& example, const std::vector<Mutant>& mutants, Judge& judge) {
  return on_threads(mutants.size(), [&](std::size_t i) {
    const auto session = plan_text(example.name, mutants[i].text);
    if (!session->planned) return session->policy ? Outcome{Outcome::Kind::Error, "no cluster"} : errors_of(*session);
    return judge.judge(session->planned->cluster, session->planned->intent, "");
  });
}

std::vector<Outcome> judge_yaml(const Example& example, const std::vector<Mutant>& mutants, Judge& judge) {
  return on_threads(mutants.size(), [&](std::size_t i) -> Outcome {
    const Observed observed = observe(with(example, mutants[i]));
    if (!observed.problems.empty()) return {Outcome::Kind::Error, "not understood"};
    const Aligned aligned = align(example.planned(), observed.cluster);
    if (!aligned.lost.empty()) return {Outcome::Kind::Refuted, "lost: " + aligned.lost};
    return judge.judge(aligned.cluster, aligned.intent, example.name);
  });
}

std::vector<Outcome> judge_volcano(const Example& example, const std::vector<Mutant>& mutants) {
  const Planned& before = example.planned();
  return on_threads(mutants.size(), [&](std::size_t i) -> Outcome {
    const Observed observed = observe(with(example, mutants[i]));
    if (!observed.problems.empty() || !observed.cluster.volcano) return {Outcome::Kind::Error, "not understood"};
    Planned planned{before.cluster, before.intent, before.origins};  // the pools are in no object of Volcano's
    planned.cluster.volcano = observed.cluster.volcano;
    std::map<std::string, volcano::QueueRole> roles;  // by name
    for (std::size_t q = 0; q < before.intent.volcano_roles.size(); ++q)
      roles.emplace(before.cluster.volcano->queues[q].name, before.intent.volcano_roles[q]);
    planned.intent.volcano_roles.clear();
    for (const volcano::Queue& queue : observed.cluster.volcano->queues) {
      volcano::QueueRole other;
      other.kind = volcano::QueueRole::Kind::Batch;
      const auto role = roles.find(queue.name);
      planned.intent.volcano_roles.push_back(role == roles.end() ? other : role->second);
      roles.erase(queue.name);
    }
    for (const auto& [name, role] : roles)
      if (volcano::promised(role)) return {Outcome::Kind::Refuted, "lost: Queue " + name};
    const auto run = [](const char* family, const std::function<void()>& body) {
      if (std::string_view(family) != "premises") body();
    };
    return outcome_of(prove(planned, {}, {}, {.run = run}));
  });
}

std::vector<Outcome> judge_verified(const Example& example, const std::vector<Mutant>& mutants) {
  return on_threads(mutants.size(), [&](std::size_t i) -> Outcome {
    Bundle bundle;
    bundle.files = with(example, mutants[i]);
    const Existing existing = observe_existing(bundle.files);
    if (!existing.volcano.any() || !existing.rejections.empty()) return {Outcome::Kind::Error, "not understood"};
    std::vector<std::string> notes;
    const auto session = verify_volcano(existing.volcano, existing, bundle, {""}, {}, notes);
    if (contains(session->report.diagnostics, Severity::Error, &Diagnostic::severity)) return errors_of(*session);
    const auto& roles = session->planned->intent.volcano_roles;
    if (std::ranges::none_of(roles, [](const auto& role) { return volcano::promised(role); }))
      return {Outcome::Kind::Refuted, "lost: nobody serves"};
    return outcome_of(session->report);
  });
}

std::vector<Outcome> judge_read_back(const Example& example, const std::vector<Mutant>& mutants) {
  return on_threads(mutants.size(), [&](std::size_t i) -> Outcome {
    const Observed observed = observe(with(example, mutants[i]));
    if (!observed.problems.empty()) return {Outcome::Kind::Error, "not understood"};
    Report report;
    prove_artefact(example.planned().cluster, observed.cluster, "", report);
    const Obligation& same = report.obligations.front();
    if (same.verdict == Verdict::Proven) return {Outcome::Kind::Proven, ""};
    return {Outcome::Kind::Refuted, to_string(same.code)};
  });
}

}  // namespace gpol::mutation
