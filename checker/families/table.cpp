#include "checker/families/table.h"

#include <algorithm>
#include <iterator>

#include "checker/families/given_edge.h"
#include "checker/families/partition_parts.h"

namespace gpol {
namespace {

// What the manifests must give before a family is asked; of a policy, and of a tree that repairs are tried on, all is
// there.
enum class Needs : std::uint8_t { Nothing, Nodes, Places, Quotas };

struct Row {
  const char* name;
  Round round;
  unsigned doors;
  Needs needs;
  void (*judge)(const Proof&, const Evidence&, Report&);
};

constexpr unsigned kPolicy = static_cast<unsigned>(Door::Policy), kManifests = static_cast<unsigned>(Door::Manifests),
                   kRepairs = static_cast<unsigned>(Door::Repairs), kBoth = kPolicy | kManifests,
                   kAll = kBoth | kRepairs;

template <void (*judge_proof)(const Proof&, Report&)>
void of(const Proof& proof, const Evidence&, Report& report) {
  judge_proof(proof, report);
}

void shared_nodes(const Proof& proof, const Evidence& e, Report& report) {
  if (e.given.nodes.empty())
    judge_shared_labels(e.node_labels, proof, report);
  else
    judge_shared_nodes(e.given.nodes, e.undescribed, proof, report);
}

void unadmitted(const Proof& proof, const Evidence& e, Report& report) {
  judge_unadmitted(proof, e.given.pods, e.given.nodes, e.given.configured, report);
  if (e.quotas_known) judge_oversize(proof, e.given.pods, report);
}

void as_they_are(const Proof& proof, const Evidence& e, Report& report) {
  const std::size_t before = report.obligations.size();
  judge_given_sharing(proof, e, report);
  judge_given_offers(proof, e, report);
  if (report.obligations.size() > before) report.note_analysed(Family::Partition);
}

void fragments(const Proof& proof, const Evidence& e, Report& report) {
  judge_fragments(proof, e.given.rooms, e.given.nodes, report);
}

void standing(const Proof& proof, const Evidence& e, Report& report) {
  judge_standing(proof, e.given.rooms, e.given.nodes, report);
}

void edges(const Proof&, const Evidence& e, Report& report) {
  if (e.edge != nullptr) judge_edge(*e.edge, report);
}

void policy_premises(const Proof& proof, const Evidence& e, Report& report) {
  if (e.look)
    judge_premises(proof, e.look, report);
  else
    judge_premises(proof, report);
}

void given_premises(const Proof& proof, const Evidence& e, Report& report) { judge_given(proof, e.given, report); }

constexpr Row kTable[] = {
    {"claim", Round::Quotas, kAll, Needs::Nothing, of<prove_claim>},
    {"reclaim", Round::Quotas, kAll, Needs::Nothing, of<prove_reclaim>},
    {"outside", Round::Quotas, kBoth, Needs::Nothing, of<prove_outside>},
    {"capacity", Round::Quotas, kBoth, Needs::Nodes, of<prove_capacity>},
    {"placement", Round::Quotas, kBoth, Needs::Places, of<prove_placement>},
    {"shared nodes", Round::Quotas, kManifests, Needs::Nothing, shared_nodes},

    {"partition", Round::Workloads, kBoth, Needs::Nothing, of<prove_partition>},
    {"devices", Round::Workloads, kManifests, Needs::Nothing, as_they_are},
    {"fragmentation", Round::Workloads, kPolicy, Needs::Nothing, of<prove_fragmentation>},
    {"vacuity", Round::Workloads, kPolicy, Needs::Nothing, of<prove_vacuity>},
    {"vacuity", Round::Workloads, kManifests | kRepairs, Needs::Quotas, of<judge_given_vacuity>},
    {"unadmitted", Round::Workloads, kManifests, Needs::Nothing, unadmitted},  // after vacuity
    {"fragmentation", Round::Workloads, kManifests, Needs::Places, fragments},
    {"standing", Round::Workloads, kManifests, Needs::Nodes, standing},  // after fragmentation
    {"waits", Round::Workloads, kAll, Needs::Nothing, of<judge_waits>},  // after claim, reclaim and vacuity

    {"gateway", Round::Workloads, kPolicy, Needs::Nothing, of<prove_gateway>},
    {"gateway", Round::Workloads, kManifests, Needs::Nothing, edges},

    {"priority", Round::Admission, kPolicy, Needs::Nothing, of<prove_priority>},
    {"priority", Round::Admission, kManifests, Needs::Nothing, of<judge_given_priority>},
    {"planned", Round::Admission, kPolicy, Needs::Nothing, of<judge_planned>},
    // Last: what is taken for granted is what something above rests on.
    {"premises", Round::Admission, kPolicy, Needs::Nothing, policy_premises},
    {"premises", Round::Admission, kManifests, Needs::Nothing, given_premises},
};
static_assert(std::is_sorted(std::begin(kTable), std::end(kTable),
                             [](const Row& a, const Row& b) { return a.round < b.round; }));

bool met(Needs needs, const Evidence& evidence) {
  switch (needs) {
    case Needs::Nothing:
      return true;
    case Needs::Nodes:
      return !evidence.given.nodes.empty();
    case Needs::Places:
      return evidence.places;
    case Needs::Quotas:
      return evidence.quotas_known;
  }
  return true;
}

}  // namespace

void judge_families(Round round, Door door, const Proof& proof, const Evidence& evidence, Report& report,
                    const RunFamily& run) {
  for (const Row& row : kTable) {
    if (row.round != round || (row.doors & static_cast<unsigned>(door)) == 0) continue;
    if (door == Door::Manifests && !met(row.needs, evidence)) continue;
    if (run)
      run(row.name, [&] { row.judge(proof, evidence, report); });
    else
      row.judge(proof, evidence, report);
  }
}

}  // namespace gpol
