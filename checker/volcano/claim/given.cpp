// Manifests alone: what the claims of Volcano's queues take for granted, and no policy could accept.
#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/volcano/claim/claim.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

namespace {

// Of each queue that serves, whether the nodes where its pods stand were given.
bool nodes_known(const Proof& proof, std::span<const NodeFacts> nodes) {
  return std::ranges::all_of(proof.intent.volcano_roles, [&](const QueueRole& role) {
    return !promised(role) || std::ranges::any_of(nodes, [&](const NodeFacts& node) {
      return role.pool == kNone || is_of(node, proof.cluster.flavors[role.pool].name);
    });
  });
}

}  // namespace

bool is_of(const NodeFacts& node, const std::string& pool) {
  return std::ranges::any_of(kPoolLabels, [&](const char* key) { return label_of(node, key) == pool; });
}

void judge_given(const Proof& proof, std::span<const NodeFacts> nodes, bool strict, Report& report) {
  const Setup& setup = *proof.cluster.volcano;
  if (std::ranges::none_of(proof.intent.volcano_roles, [](const QueueRole& role) { return promised(role); })) return;
  report.analysed.push_back(Family::Bypass);
  for (std::size_t q = 0; q < setup.queues.size(); ++q) {
    const QueueRole& role = proof.intent.volcano_roles[q];
    const auto something = [](const auto& amount) { return amount.second > 0; };
    if (!promised(role) || std::ranges::any_of(role.reserve, something)) continue;
    report.note_analysed(Family::Vacuity);
    report.add(
        obligation(Family::Vacuity, code::Vacuity, Verdict::Refuted, {"Queue", setup.queues[q].name}, role.name_span),
        {.message = fmt::format("`{}` serves and reserves nothing: it has neither a `guarantee` nor `deserved`",
                                setup.queues[q].name),
         .fix = Fix{"give it both, as much as it is to have at any time"}});
  }
  struct Row {
    std::string text, remedy;
  };
  std::vector<Row> rows = {
      {fmt::format("Volcano {} runs with the configuration that was read, for all nodes", setup.version),
       "have the pipeline apply both"},
      {std::string(kNoOtherQueues), "keep others off Queues by a guard, as `gpol build` writes one"},
      {std::string(kPlacedInQueues),
       "keep pods and PodGroups to the Queues of their namespaces by guards, as `gpol build` writes them"},
      {std::string(kRestIsFree), "reserve it, too"},
      {"pods of others that are ending hold no device any more: Volcano charges nobody for them until their grace is "
       "over",
       "give serving nodes of its own, by taints"},
  };
  if (!nodes_known(proof, nodes))
    rows.push_back({"the nodes have as much as all queues may use together", "give the Nodes, too: `--nodes FILE`"});
  if (std::ranges::any_of(proof.intent.volcano_roles, [](const QueueRole& role) { return role.pool != kNone; }))
    rows.push_back({std::string(kPoolsApart), "keep others off by taints and guards, as `gpol build` writes them"});
  if (const Queue* root = find_by(setup.queues, kRootQueue, &Queue::name); root != nullptr && !root->capability.empty())
    rows.push_back(
        {"the Queue `root` has the `capability` that was read: the webhook lets nobody change it once it is there",
         "make it before the scheduler first starts, or bound a queue below it"});
  for (Row& row : rows) {
    if (strict)
      report.add(obligation(Family::Bypass, code::OpenPremise, Verdict::Refuted, {"Premise", "input"}),
                 {.message = fmt::format(
                      "the proof takes for granted that {}, and nothing among the manifests enforces it", row.text),
                  .fix = Fix{row.remedy + ", or leave out --strict"}});
    report.assumptions.push_back(
        {std::move(row.text), strict ? Assumption::Status::Open : Assumption::Status::Trusted});
  }
  if (!strict) report.add(proven_of_cluster(Family::Bypass, code::OpenPremise));
}

}  // namespace gpol::volcano
