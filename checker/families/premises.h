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
#include "checker/families/rests.h"

namespace gpol {

// How a policy lets gpol enforce what guards can keep.
inline constexpr std::string_view kLetGuardsDeny = "let its guards deny";

// All that is said of a premise. There are two doors: a policy (`check`, `build`), and manifests alone (`verify`).
struct Premise {
  std::string_view key;
  std::string_view text;                    // what is taken for granted of what gpol emits
  std::string_view text_of_manifests = {};  // and of manifests, with `{version}` of Kueue; empty: the same
  std::string_view enforceable_by;          // who could enforce it, at both doors
  std::string_view enforce = {};            // how a policy lets gpol enforce it, as an imperative; empty: it cannot
  // What `verify --strict` says to do: `{by}` is who could enforce it, `{page}` what tells more.
  std::string_view remedy_of_manifests =
      "{by} would enforce it ({page}), as `gpol build` writes it for a policy; or leave out --strict";
  Family family = Family::Bypass;  // of the obligation when it is open
  const Ground* ground;            // what rests on it; a new premise has one of its own, never kAlways
  // Trusted without a `trust` line, to whom; empty: it takes a line. No guard may look at those that it is about.
  std::string_view taken = {};
  enum class Of : std::uint8_t { Both, Kueue, Volcano } scheduler = Of::Both;
};
// It speaks of the cluster's own scheduler.
inline bool concerns(const Premise& premise, const Cluster& cluster) {
  return premise.scheduler == Premise::Of::Both ||
         (premise.scheduler == Premise::Of::Volcano) == cluster.volcano.has_value();
}
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
