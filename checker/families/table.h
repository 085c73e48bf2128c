// Every family once: what judges it, for whom, and in which order. In: a proof, and what the manifests say beside the
// cluster (nothing, of a policy). Out: the report, filled. Policies, manifests, tried repairs and the mutation tests
// all call `judge_families`: a family that has its row in table.cpp is asked by each of them that the row names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "checker/families/families.h"
#include "checker/families/given.h"
#include "checker/families/premises.h"

namespace gpol {

namespace edge {
struct Facts;
}

// Who asks: of a policy, of manifests, of the tree of one queue after some changes.
enum class Door : std::uint8_t { Policy = 1, Manifests = 2, Repairs = 4 };

// Between rounds the caller writes into the report what it found out so far: the edits that mend a finding and, where a
// quota is not modelled, that no figure is known. That takes back every verdict of the first round and none of a later
// one, so what rests on figures stands in the first, or needs Needs::Quotas.
enum class Round : std::uint8_t {
  Quotas,     // what the quotas and the devices give
  Workloads,  // what workloads find there
  Admission   // what the requests are that get in; who judges many clusters that differ in guards alone asks it anew
};
inline constexpr Round kRounds[] = {Round::Quotas, Round::Workloads, Round::Admission};

// What a door knows beside the cluster and the intent. A policy and a tried repair have nothing of it.
struct Evidence {
  Given given = {};
  bool places = false;                           // take_nodes found the nodes of each flavor alike
  bool quotas_known = true;                      // false: some quota is not modelled
  std::set<std::string> undescribed = {};        // flavors that are named and not among the manifests
  std::map<std::string, Span> node_labels = {};  // where those of each flavor stand
  const edge::Facts* edge = nullptr;             // of gateways; may be null
  volcano::Amounts taken = {};                   // of the nodes beside Volcano's queues, by those of Kueue
  LookAtGuards look = {};                        // of a policy, by who keeps what the guards answered; may be empty
};

// Runs one of them; for who measures what each takes.
using RunFamily = std::function<void(const char* family, const std::function<void()>& body)>;

void judge_families(Round round, Door door, const Proof& proof, const Evidence& evidence, Report& report,
                    const RunFamily& run = {});

}  // namespace gpol
