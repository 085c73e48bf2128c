// What a run found, as values: obligations with their verdicts, premises, diagnostics. In: the families fill it.
// Out: cli/render prints it (human, json). Family names, verdict words and figures are those of the report schema
// (tests/support/report.schema.json). Compact, since a large cluster has hundreds of thousands of obligations: names
// are views into the Cluster (which must outlive the report), what only failures have is behind a pointer.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/code.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/span.h"
#include "compiler/source/special_members.h"

namespace gpol {

enum class Family : std::uint8_t {
  Claim,
  Reclaim,
  Capacity,
  Placement,
  Fragmentation,
  Bypass,
  Priority,
  Vacuity,
  Transition,
  Partition,
  Gateway,
  Slo,
  Serving,
  Artefact
};
inline constexpr int kFamilies = 14;
std::string_view family_name(Family family);

enum class Verdict : std::uint8_t { Proven, Refuted, Undecided, NotAnalysed };
std::string_view verdict_name(Verdict verdict);

enum class Unit : std::uint8_t { None, Devices, Slices, Cores, Bytes, Pods, Units, Streams, Requests };

struct Subject {
  std::string_view kind, name = {}, tenant = {}, flavor = {}, resource = {};  // empty: does not apply
  friend bool operator==(const Subject&, const Subject&) = default;
};

// In base units of the model (cpu in millicores: the renderer turns them into cores).
struct Figures {
  std::optional<std::int64_t> reserve, claimable, slack;
  std::optional<std::int64_t> claimable_ending;  // while victims have not ended; where that is more than `claimable`
  std::optional<std::int64_t> demand_pods;       // of the owner, where no policy says what it asks for
  std::optional<std::int64_t> claimable_alone;   // by the one other queue that can hold most; where no queue has a role
  std::optional<std::int64_t> back_within_ms;
  Unit unit = Unit::None;
};

struct StoryStep {
  std::string at;  // clock time or offset; empty where only the order matters
  std::string actor;
  std::string does;
};

// A place in a policy (span) or in an emitted file.
struct Place {
  Span span = {};
  std::string file = {}, field = {};
  std::optional<int> document = {};
};

// One field of an object of manifests, set to a value that was tried: nothing else is broken, and the finding is gone.
struct FieldEdit {
  std::string object;  // "ClusterQueue `chat`"
  std::string field;   // its last name: "lendingLimit"
  std::string value;
  std::string of;          // "nvidia.com/gpu of `h100`"; empty: the object's
  bool ends_loan = false;  // class B lends nothing any more then
};

struct Fix {
  std::string text;
  std::vector<Edit> edits = {};
  bool sure = false;                  // `check --fix` makes the edits
  std::vector<FieldEdit> tried = {};  // of manifests: `verify --fix` makes them; empty: nobody tried the text
  std::string cost = {};              // of what was tried, as judging it again showed; empty: nobody loses anything
};

struct Detail {
  std::string reason = {}, message = {};
  std::vector<StoryStep> story = {};
  std::optional<Fix> fix = {};
  Place place = {};                              // used when the obligation's span is unknown
  std::optional<std::int64_t> ready_in_ms = {};  // of a deadline: with the start-up, which figures leave out
  // Where that family finds fault with the same flavor, this is a consequence of it, and is told with it.
  std::optional<Family> follows = {};
  std::string_view follows_premise = {};  // the key of one that is open for the same cause, and is told first
  std::string waits = {};  // of reclaim: why it may wait even where nobody can hold what it owns; empty: for nothing
};

struct Obligation {
  Family family = Family::Claim;
  Verdict verdict = Verdict::Undecided;
  bool required = false;
  Code code{};  // none: every family sets its own
  Subject subject;
  Figures figures;
  Span span;
  std::shared_ptr<const std::vector<Span>> core;  // the lines it rests on; may be null
  std::shared_ptr<const Detail> detail;           // null: proven, with the family's standard sentence

  void say(Detail what) { detail = std::make_shared<const Detail>(std::move(what)); }
};

// One that counts (`required`).
Obligation obligation(Family family, Code code, Verdict verdict, Subject subject, Span span = {});

// What a family says that found nothing wrong and speaks of no queue by itself.
Obligation proven_of_cluster(Family family, Code code, bool required = true);

struct Assumption {
  std::string text;
  enum class Status { Enforced, Trusted, Open } status = Status::Open;
  std::string by = {};        // empty: nobody
  std::string until = {};     // the last day of the trust, "2027-01-31"; empty: it has no end
  std::string_view key = {};  // of the premise, as `trust KEY` names it; outlives the report
};

struct Report {
  std::deque<std::string> names;        // of subjects that are nobody's in the Cluster
  std::vector<Obligation> obligations;  // in the order of the contract: family, then subject
  std::vector<Assumption> assumptions;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string_view> open_ways;    // round quota, used or not: keys of families/quota_ways.h, in its order
  std::vector<Family> analysed;               // the rest of the families is not analysed
  std::map<std::string, std::int64_t> stats;  // counts only, never times

  // Of an object that the report outlives.
  std::string_view keep(std::string name) { return names.emplace_back(std::move(name)); }
  void add(Obligation o) { obligations.push_back(std::move(o)); }
  void add(Obligation o, Detail detail) {
    o.say(std::move(detail));
    add(std::move(o));
  }
  // What is taken for granted, though nobody was asked to vouch for it.
  void trust(std::string text) { assumptions.push_back({std::move(text), Assumption::Status::Trusted}); }
  // Once, whoever else has analysed it.
  void note_analysed(Family family);

  GPOL_SPECIAL_MEMBERS(Report);
};

// proven | refuted | undecided | error, by the rule of README.md, Commands (nothing required: undecided).
enum class Overall { Proven, Refuted, Undecided, Error };
Overall overall(const Report& report);

}  // namespace gpol
