// The workshop of resolve(): what its parts share while they turn declarations into a Policy. First every name is
// declared, then the bodies follow in the order cluster, cohorts, windows, classes, tenants, the rest, so the order of
// the text means nothing. A declaration that is wrong stays in its vector (an index of it stays valid) and is marked
// here as not sound: whoever uses it says nothing more about it. Private to compiler/policy.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/policy/names.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/units.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/overloaded.h"
#include "compiler/syntax/ast.h"

namespace gpol {

// A declaration with the place of the whole of it.
template <class Node>
struct Placed {
  const Node* node;
  Span span;
};

// The declarations by kind; those with a vector in Policy are parallel to it.
struct Declarations {
  std::vector<const ast::Cluster*> clusters;
  std::vector<const ast::Nodes*> groups;
  std::vector<const ast::Pool*> pools;
  std::vector<const ast::Cohort*> cohorts;
  std::vector<const ast::Window*> windows;
  std::vector<const ast::Class*> classes;
  std::vector<const ast::Tenant*> tenants;
  std::vector<Placed<ast::Allow>> allows;
  std::vector<Placed<ast::Prove>> proves;
  std::vector<Placed<ast::Trust>> trusts;
  std::vector<const ast::Hardware*> hardware;
  std::vector<const ast::Service*> services;
  std::vector<Placed<ast::GatewayLimit>> limits;
  std::vector<const ast::Calendar*> calendars;
  std::vector<Placed<ast::Price>> prices;
  std::vector<Placed<ast::Incident>> incidents;
  std::vector<const ast::Lever*> levers;
  std::vector<Placed<ast::Approve>> approvals;
};

struct GroupFacts {
  bool count_sound = false, each_sound = false;
  Span spot;  // of `spot notice`, unknown otherwise
};

// Amounts of a pool. `stated` says which of the four were written; the others follow from the GPUs or slices.
struct Share {
  PoolAmount amount;
  std::array<bool, kCommonResources> stated{};
};

struct TenantFacts {
  bool owned_sound = true;      // every reserve and quota written is in the policy
  bool class_in_doubt = false;  // its clauses are those of another class, which is said
  std::vector<Share> lends;     // `lend at most`, until what the tenant owns is known
};

struct Resolver {
  Policy policy;
  std::vector<Diagnostic> diagnostics;
  Declarations declared;
  NameTable groups{"node group"}, pools{"pool"}, cohorts{"cohort"}, windows{"window"}, classes{"class"},
      tenants{"tenant"}, hardware{"hardware"}, services{"service"}, calendars{"calendar"}, levers{"lever"};
  std::optional<std::pair<std::string, Span>> currency;  // the first that was written
  std::set<std::string_view> defined;                    // by `define`
  std::size_t suggestions = 0;
  std::map<std::string, Hardware, std::less<>> shipped;  // models of the catalogue that were looked at
  std::map<std::string, Resource, std::less<>> slices;   // by profile, the rows of `policy.resources`
  // Parallel to the vectors of `policy`.
  std::vector<GroupFacts> group_facts;
  std::vector<bool> class_sound;  // its letter is known
  std::vector<TenantFacts> tenant_facts;

  // Without a cluster the files are a module: no pool can be known, so nothing that needs one is looked at.
  bool is_module() const { return declared.clusters.empty(); }
};

// Pushes an error; more labels may be added to what comes back, before the next error is pushed.
Diagnostic& error(Resolver& r, Code code, Span span, std::string message, std::string hint = {});

// Whether this is the first time that a clause stands in its block; else GP0206 with the first place.
bool first_time(Resolver& r, std::optional<Span>& first, Span here, std::string_view clause);

// A time as a clause writes it, its source "declared".
enum class Zero { Allowed, Refused };
std::optional<TimeConstant> time_constant(Resolver& r, const ast::Quantity& written, std::string_view what, Zero zero);

// GP0207 unless the time lies within a day; minutes since midnight.
std::optional<int> time_of_day(Resolver& r, const ast::TimeOfDay& written);

// SLOs, burst, headroom, floor, preemptible; of each class.
void resolve_levels(Resolver& r, std::uint32_t latency_class, const std::vector<ast::ClassItem>& items);

// What a class promises, where that is known.
std::optional<Isolation> isolation_of_class(const Resolver& r, std::uint32_t latency_class);
std::optional<Isolation> isolation_of_tenant(const Resolver& r, std::uint32_t tenant);
char letter(Isolation isolation);

// The table of resources, and amounts in its words.
const ResourceRow& row_of(const Resolver& r, Resource resource);
Resource slices_of(Resolver& r, std::string_view profile);  // a new row where there is none yet
std::string in_words(const Resolver& r, Resource resource, std::int64_t amount);
std::string devices_in_words(const Resolver& r, std::uint32_t pool, const Resources& amounts);
// Of which resources of a pool something may be wrong, in the order in which it is said: its GPUs, or the slices among
// the amounts, then cpu, memory and pods.
std::vector<Resource> devices_first(const Resolver& r, std::uint32_t pool, const Resources& amounts);

// Amounts of a pool (amounts.cpp; of one that is cut, slice_amounts.cpp). Nothing when the pool is unknown or not
// sound, or an amount is wrong; whatever the text is to blame for is reported.
std::optional<Share> share_of_pool(Resolver& r, const ast::Amounts& amounts, const ast::Name& pool, Span span,
                                   std::string_view clause, Zero zero);
// `lend` and `borrow` collect over several clauses: one amount per pool, or none at all.
struct LimitsSaid {
  std::optional<Span> without, any;
  std::map<std::uint32_t, std::optional<Span>> at_most;
  bool take(Resolver& r, const ast::Limit& written);                   // false: what was said before says otherwise
  std::optional<Share> share(Resolver& r, const ast::Limit& written);  // of an `at most`
};
// As they are written: with GPUs where the pool is whole, with slices where it is cut. `pool` may be kNone.
std::optional<ResourceAmounts> amounts_on(Resolver& r, const ast::Amounts& written, std::uint32_t pool, Span span,
                                          std::string_view what);
std::optional<ResourceAmounts> slices_on(Resolver& r, const ast::Amounts& written, const Pool& pool, Span span);
// The devices among the amounts and what they bring along: of each resource what a node of the sound pool has for pods
// times the share of its devices, rounded down, memory to whole MiB. Nothing when it is over 2^58.
std::optional<Resources> share_of_nodes(Resolver& r, std::uint32_t pool, const Resources& amounts);
// What pods can have of one node: its capacity less what daemons take; of a pool's, with its GPUs cut as they are.
Resources allocatable(const NodeGroup& group);
Resources room_of_node(Resolver& r, std::uint32_t pool);
// Whether quantities of the pool can be worked out.
bool pool_sound(const Resolver& r, std::uint32_t pool);
bool is_cut(const Resolver& r, std::uint32_t pool);
// Lowers what was not stated to what the owner has; never touches what was.
void clamp_unstated(Share& share, const Resources& owned);
// The first resource of which more is asked than there is.
std::optional<Resource> more_than(const Resolver& r, const PoolAmount& asked, const Resources& owned);

// The parts, each in its own file.
void resolve_clusters(Resolver& r);
void check_writers(Resolver& r);  // once the tenants are known
void check_exempt(Resolver& r);   // likewise: no tenant's namespace is exempt
void resolve_groups(Resolver& r);
void resolve_pools(Resolver& r);
void resolve_marks(Resolver& r);  // their labels and taints
std::optional<NodeMark> label_of_pods(Resolver& r, const ast::Name& written);
void resolve_cohorts(Resolver& r);
void resolve_windows(Resolver& r);
void resolve_classes(Resolver& r);
void resolve_tenants(Resolver& r);
void resolve_replica(Resolver& r, const ast::TenantReplica& written, Span span, std::uint32_t tenant);
// That what it runs at most is within its reserve; after resolve_replica().
void resolve_replicas(Resolver& r, const ast::TenantReplicas& written, Span span, std::uint32_t index);
void check_queue_names(Resolver& r);
void resolve_queue(Resolver& r, const ast::TenantQueue& written, Span span, std::uint32_t tenant);
void resolve_queue_lends(Resolver& r, std::uint32_t tenant);
void resolve_allows(Resolver& r);
// What only Kueue can carry out, where the scheduler is Volcano; once tenants, cohorts and allows are known.
void check_volcano(Resolver& r);
void resolve_proves(Resolver& r);
void resolve_trusts(Resolver& r);

// Beyond quotas (vocabulary.h).
// choice_hint(), as long as there were few: each looks at every candidate, and a bound keeps hostile input linear.
std::string suggested(Resolver& r, std::string_view word, std::span<const std::string_view> candidates);
void note_planned(Resolver& r, std::string_view construct, std::string_view kind, std::string_view name,
                  std::string text, Span span);
// A whole date, or GP0207.
std::optional<std::string> whole_date(Resolver& r, const ast::Date& written);
// GP0207 unless a month, `2026-10`, or a day exists.
void month_or_day(Resolver& r, std::string_view written, Span span);
std::optional<Rate> rate_of(Resolver& r, const ast::Rate& written, std::string_view what, std::string_view example,
                            std::initializer_list<Dimension> allowed);
std::optional<Money> money_of(Resolver& r, const ast::Quantity& written, std::string_view what);
std::string text_of(const ast::Quantity& written);
std::string text_of(const ast::Rate& written);

void resolve_hardware(Resolver& r);
// The GPU model of a group: of the policy or of the catalogue; null when it has none or it is not known.
const Hardware* hardware_of(Resolver& r, std::uint32_t group);
void check_model(Resolver& r, const ast::Name& model);  // GP0201 unless it is known
void resolve_partition(Resolver& r, const ast::Partition& written, std::uint32_t pool);
// Pods of batch have one share each of devices that are shared: a shape, where none is written.
void one_share_each(Resolver& r);
// GP0208 where a pod would ask for slices of several profiles.
bool one_kind(Resolver& r, const Resources& amounts, Span span, std::string_view clause);
// `2 x 3g.40gb`, its profile, and many of them.
bool is_slices(const ast::Quantity& written);
std::string profile_in(const ast::Quantity& written);
std::string list_of(const ast::Amounts& amounts);
// Of a profile that is not there, those of the same size in one way or the other: as many compute slices, or as much
// memory. Letters alone would lead from `3g.20gb` to `1g.20gb`.
std::string profile_hint(std::string_view written, std::span<const std::string_view> known);
void resolve_calendars(Resolver& r);
// GP0208 unless the tz database has the zone.
bool check_zone(Resolver& r, const ast::Name& zone);
void resolve_services(Resolver& r);
void resolve_limits(Resolver& r);
void resolve_money(Resolver& r);
void resolve_control(Resolver& r);
void warn_of_what_fits_badly(Resolver& r);  // after all others

}  // namespace gpol
