// What a change means: two reports of one policy or bundle, before and after. In: obligations with their figures and
// who serves. Out: for each promise what others can newly hold, which promises are lost, gained or gone, and what was
// dropped beside them. Queues are matched by name, tenants of two policies by tenant and pool; one whose name alone
// changed is matched with itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/report/report.h"
#include "compiler/cluster/intent.h"

namespace gpol {

// Null: that side has no such bundle.
struct DiffSide {
  const Report* report = nullptr;
  const Planned* planned = nullptr;
  const Policy* policy = nullptr;  // null: manifests, or not known
  std::string root = {};           // the directory that its files are named from; empty: as the other side's are

  // A name that may be a file's, without the directory.
  std::string below(std::string_view name) const;
};

// What a (queue, flavor, resource) that somebody counts on has on one side.
struct Promise {
  Figures figures;
  Verdict verdict = Verdict::Undecided;     // of the claim in class A, of the reclaim in class B
  Verdict returns = Verdict::Proven;        // of the reclaim, in class A, too
  std::optional<std::int64_t> ready_in_ms;  // with the start-up of the tenant
  char isolation = 'A';
};

struct DiffRow {
  std::string kind, name, flavor, resource;
  std::optional<Promise> before, after;  // absent: nothing was, or is, promised of it
  enum class Means : std::uint8_t { Safer, Riskier, Same, Mixed, Added, Removed } means = Means::Mixed;
  // Base units. By how much the reserve less what others can hold (while victims have not ended, too) is less; of a
  // return that is weaker, what others can hold; or by how much the reserve is smaller.
  std::int64_t exposed = 0;
  bool smaller = false;  // it is exposed only in that its reserve is smaller, of which nobody else can hold anything
};

// A promise, a premise or a statement that is there no longer, or narrower.
struct Removed {
  std::string text;
  std::optional<bool> holds = {};  // of a statement: whether it holds all the same; absent: nobody asked
  bool exposes = true;             // false: it is told, and counts for nothing
  std::string_view word = {};      // that it is told by; empty: "removed", or "assumed" where it counts for nothing
  std::string_view premise = {};   // the key of one that is weaker than it was
};

// What is promised to nobody: the quota of a queue of batch, the nodes of a pool, a layout of GPUs, how they are
// shared, a guard.
struct ConfigurationRow {
  std::string_view kind;  // "quota", "replica", "Kueue", "nodes", "layout", "sharing", "operator", "guard"
  std::string name, before, after;
  std::string_view means;               // "safer", "riskier", "new", "gone", "cut anew", "shared anew", "changed"
  std::string what = {};                // what happens then, a sentence; of "riskier": it stands in `removed`, too
  std::vector<std::string> steps = {};  // how it is to be done, in this order
};

struct Diff {
  std::vector<DiffRow> rows;              // of what changed, in the after report's order, what is gone behind it
  std::vector<DiffRow> unchanged;         // the other promises of the side after
  std::vector<const Obligation*> lost;    // of the after report: refuted, and not refuted before
  std::vector<const Obligation*> fresh;   // those of them that the side before did not state
  std::vector<const Obligation*> closed;  // of the before report, beside claim and reclaim: refuted, and found no more
  std::vector<const Obligation*> gained;  // of the after report: proven, and not proven before
  std::vector<Removed> removed;
  std::vector<ConfigurationRow> configuration;
  std::vector<std::string> renamed;        // "`chat` is called `assistant` now"
  std::vector<std::string> windows;        // figures that differ in some window and not in the worst of all
  std::size_t kept = 0;                    // required statements that are proven on both sides
  std::vector<const Obligation*> unknown;  // of the after report: undecided, and proven before or new
  bool undecided = false;                  // there is one, or a figure that was known is not known any more
  bool same_meaning = false;               // queues, limits and guards are the same, byte for byte of their normal form

  bool loses() const;    // something is lost, or was dropped and does not hold any more
  bool exposes() const;  // some row does, or something was removed
  bool says_nothing() const;
};

Diff compare(const DiffSide& before, const DiffSide& after);

}  // namespace gpol
