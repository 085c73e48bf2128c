#include "checker/story/narrate.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/story/hold.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string podset_in_words(const Cluster& cluster, const kueue::PodSet& podset) {
  std::string text = podset.requests.empty()  // nothing but places
                         ? fmt::format("{} pod{}", podset.count, podset.count == 1 ? "" : "s")
                         : amounts_in_words(cluster, podset.requests);
  if (podset.flavor) text += fmt::format(" of `{}`", cluster.flavors[*podset.flavor].name);
  return text;
}

// Of an ask that is not met: the requested resource that falls short first, in words.
std::string shortfall(const Cluster& cluster, const Submit& submit, const Played::Event& event) {
  for (std::size_t i = 0; i < submit.workload.requests.size(); ++i) {
    const std::int64_t left = event.available[i];
    if (left >= submit.workload.requests[i].amount) continue;
    if (left == 0) return "none is left";
    const std::string words = amount_in_words(cluster, submit.workload.requests[i].resource, left);
    return fmt::format("{} {} left", words, words.ends_with('s') ? "are" : "is");
  }
  return "enough is left at the start of each cycle";
}

// Claim and reclaim count batch of any size; where only that is what breaks them, the story says so.
std::string beside_its_shape(const Cluster& cluster, const Intent& intent, const Submit& submit) {
  const auto& workload = submit.workload;
  if (submit.ask || !workload.flavor) return {};
  for (const auto& request : workload.requests) {
    const std::int64_t pod = pod_devices_of(intent, workload.queue, *workload.flavor, request.resource);
    if (request.amount % pod != 0)
      return fmt::format(" (this proof does not count on its shape of {} a pod)",
                         amount_in_words(cluster, request.resource, pod));
  }
  return {};
}

// Of a long run of holders the first few are told one by one, the rest as a sum; never the story's last step, which
// says what came of it all.
constexpr std::size_t kToldOneByOne = 8;
std::size_t leading_holders(const Script& script, const Played& played) {
  std::size_t n = 0;
  for (; n + 1 < script.steps.size(); ++n) {
    const auto* submit = std::get_if<Submit>(&script.steps[n]);
    if (submit == nullptr || submit->ask || played.events[n].at_once != kueue::WorkloadState::Admitted) break;
  }
  return n;
}

}  // namespace

std::string tenant_of(const Cluster& cluster, const Intent& intent, std::uint32_t queue) {
  const auto& tenant = intent.roles[queue].tenant;
  return tenant.empty() ? cluster.queues[queue].name : tenant;
}

void tell_days(std::vector<StoryStep>& steps) {
  std::string last;
  for (StoryStep& step : steps) {
    if (step.at.empty()) continue;
    const std::string at = step.at;
    if (at < last) step.at = "next day " + at;
    last = at;
  }
}

std::string clock(int minutes) { return fmt::format("{:02}:{:02}", minutes / 60 % 24, minutes % 60); }

std::string clock_after(int minutes, std::int64_t milliseconds) {
  const std::int64_t seconds = (minutes * std::int64_t{60} + milliseconds / 1000) % (24 * 60 * 60);
  return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

// The teller's words for one amount; resources that no policy has (later: others' YAML) keep their own name.
std::string amount_in_words(const Cluster& cluster, std::uint32_t resource, std::int64_t amount) {
  const std::string& name = cluster.resources[resource];
  if (const ResourceRow* row = common_resource(name)) return human_amount(*row, amount);
  if (name == "ephemeral-storage") return fmt::format("{} {}", human_amount(*common_resource("memory"), amount), name);
  return fmt::format("{} {}", human_count(amount), name);
}

std::string amounts_in_words(const Cluster& cluster, const std::vector<kueue::Request>& requests) {
  auto sorted = requests;
  const auto gpu_first = [&](const kueue::Request& r) { return !is_gpu(cluster.resources[r.resource]); };
  std::ranges::stable_sort(sorted, [&](const auto& a, const auto& b) { return gpu_first(a) < gpu_first(b); });
  std::string text;
  for (const auto& request : sorted) add_to_list(text, amount_in_words(cluster, request.resource, request.amount));
  return text;
}

std::vector<StoryStep> narrate(const Stage& stage, const Intent& intent, const Script& script, const Played& played,
                               const std::string& why_waiting) {
  const Cluster& cluster = stage.cluster();
  std::vector<StoryStep> steps;
  const std::size_t holders = leading_holders(script, played);
  const bool fold = holders > kToldOneByOne + 1;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    if (fold && i == kToldOneByOne) {
      steps.push_back(
          {"", fmt::format("{} more tenants", holders - kToldOneByOne), "ask one after another and are admitted"});
      i = holders;
    }
    if (const auto* change = std::get_if<SwitchMode>(&script.steps[i])) {
      steps.push_back(
          {change->at, "window", fmt::format("`{}` is in force from now on", cluster.modes[change->mode].name)});
      continue;
    }
    if (std::holds_alternative<PutOnHold>(script.steps[i])) {
      std::string queues;
      for (const std::uint32_t q : stage.on_hold()) add_to_list(queues, fmt::format("`{}`", cluster.queues[q].name));
      steps.push_back({"", "stopPolicy",
                       fmt::format("{} put on Hold: what runs there stays, and nobody can evict it",
                                   queues + (stage.on_hold().size() == 1 ? " is" : " are"))});
      continue;
    }
    const auto& submit = std::get<Submit>(script.steps[i]);
    const auto& workload = submit.workload;
    const auto& event = played.events[i];
    std::string does = "asks for ";
    const auto podsets = workload.podsets();
    for (std::size_t p = 0; p < podsets.size(); ++p)
      does += (p == 0 ? "" : " and ") + podset_in_words(cluster, podsets[p]);
    does += beside_its_shape(cluster, intent, submit);
    using State = kueue::WorkloadState;
    if (event.at_once == State::Admitted)
      does += " and is admitted";
    else if (event.settled == State::Admitted && event.victims.empty())
      does += " and is admitted after waiting a cycle";
    else if (event.settled == State::Admitted)
      does += "; running pods are evicted for it, then it is admitted";
    else if (submit.ask && stage.shape().in_cycle[workload.queue])
      does += fmt::format("; Kueue admits nothing in a cycle of cohorts: {}", why_waiting);
    else if (submit.ask)
      does += fmt::format("; {}: {}", shortfall(cluster, submit, event), why_waiting);
    else if (script.victims_stay && !event.victims.empty())
      does += "; running pods are evicted for it, and have not ended";
    else
      does += " and waits at the head of its queue";
    steps.push_back({submit.at, tenant_of(cluster, intent, workload.queue), std::move(does)});
  }
  tell_days(steps);
  return steps;
}

}  // namespace gpol
