// The syntax tree of a .gpol file: what was written, where, and nothing more. Plain structs; names and units are still
// text. In: built by parse.cpp alone. Out: read by compiler/policy (resolve). Every node has the span it was read from.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/source/span.h"
#include "compiler/source/special_members.h"
#include "compiler/syntax/ast_basics.h"
#include "compiler/syntax/ast_vocabulary.h"

namespace gpol::ast {

struct Scheduler {
  Name name;
  std::optional<Name> version;
  std::vector<Quantity> round;    // `round within 5s`: more than one is a mistake found by resolve
  std::vector<Quantity> release;  // `release within 10s`
  Span span;
};

struct NodesCount {
  Quantity least;
  std::optional<Quantity> most;
};
struct NodesEach {
  Amounts amounts;
};
struct NodesGpu {
  Name model;
};
struct NodesDaemons {
  Amounts amounts;
};
struct NodesTolerate {
  Quantity lost;
};
struct NodesSpot {
  Quantity notice;
};
using NodesItem =
    Item<NodesCount, NodesEach, NodesGpu, NodesDaemons, NodesTolerate, NodesSpot, NodesCeiling, NodesLead>;
struct Nodes {
  Name name;
  std::vector<NodesItem> items;
  Span span;
};

struct Pool {
  Name name;
  Name nodes;
  std::optional<Quantity> take;  // `take 4 nodes`
  bool rest = false;             // `take the rest`
  std::optional<Partition> partition;
  std::optional<Name> label, taint;  // `label node-pool=live`, `taint "sku=gpu:NoExecute"`: without quotes and spaces
  Span span;
};

struct Writer {
  bool group = false;  // else a user
  std::string name;    // without its quotes
  Span span;
};
struct Writers {
  std::vector<Writer> list;
  Span span;
};

// `guard gpol-shape-shared-8 warn`
struct Guard {
  Name guard, mode;
};

// `exempt namespaces rook-ceph, longhorn-system`
struct Exempt {
  std::vector<Name> namespaces;
  Span span;
};

struct Cluster {
  Name name;
  std::vector<Scheduler> schedulers;
  std::vector<Nodes> nodes;
  std::vector<Pool> pools;
  std::vector<Writers> writers;
  std::vector<Guard> guards;
  std::vector<Exempt> exempts;
};

// `quota 8 gpus of shared`, `reserve ...`
struct PoolAmounts {
  Amounts amounts;
  Name pool;
  Span span;
};

struct Limit {
  enum class Kind { Lend, Borrow } kind = Kind::Lend;
  std::optional<PoolAmounts> at_most;  // none: `without limit`
  Span span;
};

struct Cohort {
  Name name;
  std::optional<Name> parent;
  std::vector<PoolAmounts> quotas;
  std::vector<Limit> limits;
};

struct Window {
  Name name;
  TimeOfDay from, to;
  Name zone;
  Name days;
  std::optional<Name> except;  // a calendar
};

struct ClassReady {
  Quantity within;
};
struct ClassGrace {
  Quantity grace;
  std::optional<Quantity> saved_in;
};
struct ClassKillMargin {
  Quantity margin;
};
struct ClassCheckpoint {
  Quantity every;
};
struct ClassRuns {
  std::vector<Name> kinds;
};
using ClassItem = Item<ClassReady, ClassGrace, ClassKillMargin, ClassCheckpoint, ClassRuns, ClassSlo, ClassBurst,
                       ClassHeadroom, ClassFloor, ClassPreemptible>;
struct Class {
  Name name;
  Name letter;  // A, B or C; anything else is found by resolve
  std::vector<ClassItem> items;
};

struct StartTerm {
  Name name;
  Quantity time;
};
struct Source {
  enum class Kind { Measured, Declared, Derived } kind = Kind::Declared;
  std::string detail;        // date or text without quotes, may be empty
  std::optional<Span> date;  // of the detail, where it is one
  Span span;
};
struct QueueSetting {
  Name field;
  Name value;
};
struct TenantNamespace {
  std::vector<Name> names;
};
struct TenantOwner {
  Name handle;  // with its @
};
struct TenantClass {
  Name name;
};
struct TenantReserve {
  PoolAmounts amounts;
};
struct TenantQuota {
  PoolAmounts amounts;
};
struct TenantReplica {
  Amounts amounts;
};
struct TenantReplicas {
  Quantity count, surge;
};
struct TenantShape {
  PoolAmounts amounts;
};
struct TenantStart {
  std::vector<StartTerm> terms;
  std::optional<Source> source;
};
struct TenantAsks {
  TimeOfDay at;
};
struct TenantQueue {
  std::vector<Name> cohorts;
  std::vector<Limit> limits;
  std::vector<QueueSetting> settings;
};
struct TenantOutside {
  bool preempts = false;  // `, preempts batch`
};
struct TenantJobs {
  Quantity most;
};
using TenantItem =
    Item<TenantNamespace, TenantOwner, TenantClass, TenantReserve, TenantQuota, TenantReplica, TenantReplicas,
         TenantShape, TenantStart, TenantAsks, TenantQueue, TenantOutside, TenantBudget, TenantJobs>;
struct Tenant {
  Name name;
  std::vector<TenantItem> items;
};

struct Allow {
  Name borrower;
  Amounts amounts;
  Name pool;
  Name lender;
  std::optional<Name> window;
  std::optional<Quantity> back_within;
};

struct ProveHolds {
  Name holder, held;
};
struct ProveReady {
  Name name;
  Quantity within;
};
struct Prove {
  std::variant<ProveHolds, ProveReady> node;
};

struct Trust {
  Name premise;
  std::string reason;  // without its quotes
  Name by;             // with its @
  std::optional<Date> until;
};

struct Language {
  Quantity version;
};

// `import "teams/search.gpol"`, `import gpol/classes`
struct Import {
  Name target;           // without its quotes
  bool library = false;  // a name: of the library that comes with gpol
};

struct Reference;
// Text as it stands in a file, with the references in it, in order.
struct Words {
  Span span;
  std::vector<Reference> references;
};
// `$NAME` or `$NAME(ARGUMENTS)`
struct Reference {
  Name name;  // without its $
  std::vector<Words> arguments;
  bool closed = true;  // else the `)` of its arguments is missing
  Span span;
};
struct Define {
  Name name;
  std::vector<Name> parameters;
  Words body;  // between its braces
};
// A declaration that holds references, before they are replaced (compiler/syntax/expand.h): afterwards there is none.
struct Unexpanded {
  Words words;
};

struct Decl {
  Span span;
  std::variant<Language, Import, Define, Unexpanded, Cluster, Cohort, Window, Class, Tenant, Allow, Prove, Trust,
               Hardware, Service, GatewayLimit, Calendar, Price, Incident, Lever, Approve>
      node;

  Decl(Span at, decltype(node) what);
  GPOL_SPECIAL_MEMBERS(Decl);
};

// What an import was found to be: of a directory, one for each of its files.
struct Imported {
  Span span;  // of what the import names
  FileId file = kNoFile;
};
struct File {
  FileId file = kNoFile;
  std::vector<Decl> decls;             // in the order of the text; declarations that do not parse are left out
  std::vector<Imported> imports = {};  // filled by whoever follows them
};

}  // namespace gpol::ast
