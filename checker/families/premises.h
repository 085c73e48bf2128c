// Premises: the closed list of what the proofs take for granted. In: what the families proved. Out: an assumption for
// each premise that something rests on, with who enforces or accepts it, and a refuted obligation for each that nobody
// does. `trust KEY` in a policy names one of these keys.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "checker/families/families.h"
#include "checker/families/guard_book.h"

namespace gpol {

enum class Rests : std::uint8_t {
  Always,          // every proof for a serving queue
  OnBeside,        // a proven deadline on nodes that batch may use, too
  OnQueued,        // every proof for a serving queue; of tenants outside the queue for those that preempt
  OnNodes,         // a proven capacity that serving stands on
  OnTimes,         // a proven deadline
  OnJobs,          // the same, where the Jobs of batch are bounded
  OnEviction,      // a proven reclaim that needs victims
  OnPriorities,    // a proven deadline beside a batch queue that lends quota of its own
  OnShapes,        // a proven fragmentation beside pods of one size, or a deadline where serving tenants share nodes
  OnShared,        // a proven deadline where serving tenants share nodes, or a place where two find room on one node
  OnPreemption,    // a proven reclaim of a tenant outside the queue that preempts
  OnServingWithin  // a proven claim or deadline of a queue that lends where another serving queue may borrow
};

struct Premise {
  std::string_view key;
  std::string_view text;
  std::string_view enforceable_by;  // who could enforce it
  std::string_view enforce;         // how a policy lets gpol enforce it, as an imperative; empty: it cannot
  Family family;                    // of the obligation when it is open
  Rests rests;
};
std::span<const Premise> premises();
// What `gpol explain premises` prints: a table in Markdown, generated from the list.
std::string premise_list();
// What `gpol explain KEY` prints; empty where no premise has that key.
std::string premise_page(std::string_view key);

// judge_premises, where somebody else has looked which premises the guards keep: for whoever judges many clusters with
// the same guards.
using LookAtGuards = std::function<Kept(std::string_view premise)>;
void judge_premises(const Proof& proof, const LookAtGuards& look, Report& report);

}  // namespace gpol
