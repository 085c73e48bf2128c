// --dump=ast and --dump=policy: every member of every struct by its name (compiler/source/fields.h). What has a name
// stands on a line with what is plain of it, and each of its parts on one of its own that begins with that name. `diff`
// compares the lines of two policies as sets: none depends on the place or the number of others.
#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "cli/commands/commands.h"
#include "compiler/cluster/fact_lines.h"
#include "compiler/policy/policy.h"
#include "compiler/source/fields.h"
#include "compiler/source/text.h"
#include "compiler/syntax/fields.h"

namespace gpol {

// The members of every struct of a policy.
GPOL_FIELDS(TimeConstant, value, source, span)
GPOL_FIELDS(Window, name, from, to, zone, days, except, span)
GPOL_FIELDS(StartTerms, schedule, image, weights, load, warm)
GPOL_FIELDS(Trust, premise, reason, by, span, until)
GPOL_FIELDS(Writer, group, name, span)
GPOL_FIELDS(NodeMark, key, value, effect)
GPOL_FIELDS(GuardMode, guard, mode, span)
GPOL_FIELDS(PlannedUse, construct, kind, name, text, span)
GPOL_FIELDS(MigProfile, name, compute, memory, starts, most, engines)
GPOL_FIELDS(Hardware, name, memory, compute_slices, memory_slices, placements, engines, profiles, span)
GPOL_FIELDS(Slices, profile, count)
GPOL_FIELDS(Instance, profile, start)
GPOL_FIELDS(Partition, mode, layout, device, counted, share, held, unmanaged, span)
GPOL_FIELDS(Slo, metric, percentile, below_ms, window)
GPOL_FIELDS(Burst, factor, within_ms)
GPOL_FIELDS(Rate, of, thousandths, window_ms)
GPOL_FIELDS(Knob, name, value)
GPOL_FIELDS(Caller, ns, label, span)
GPOL_FIELDS(Service, name, tenant, replicas_min, replicas_max, each, throughput, variation, requests, unavailable,
            longest, prompt_tokens, answer_tokens, labels, callers, engine, knobs, span, throughput_span, requests_span,
            unavailable_span, longest_span)
GPOL_FIELDS(LimitAmount, rate, by)
GPOL_FIELDS(RouteHost, host, path, listener, service, port)
GPOL_FIELDS(GatewayLimit, tenant, gateway, gateway_ns, route, route_ns, host, longest_request, most, unlimited, classes,
            proxies, queue, queue_by, timeout, deadline, retries, otherwise, span, most_span, waits_span)
GPOL_FIELDS(Calendar, name, dates, span)
GPOL_FIELDS(Money, thousandths, currency)
GPOL_FIELDS(Price, money, per, pool, payer)
GPOL_FIELDS(Lever::Stop, hold, index)
GPOL_FIELDS(Lever, name, by, stops, span)
GPOL_FIELDS(Approval, what, by, guard, span)
GPOL_FIELDS(NodeGroup, name, gpu_model, each, daemons, count_min, count_max, tolerate_lost, spot_notice, ceiling,
            lead_time, span)
GPOL_FIELDS(Pool, name, group, nodes_min, nodes_max, partition, label, taint, span)
GPOL_FIELDS(Cohort::Entry, pool, quota, lend_at_most, borrow_at_most, span)
GPOL_FIELDS(Cohort, name, parent, entries, span)
GPOL_FIELDS(LatencyClass, name, isolation, ready_within, grace, saved_in, kill_margin, checkpoint_every, runs,
            other_kinds, slos, burst, headroom, floor, preemptible, span)
GPOL_FIELDS(PoolAmount, pool, amount, span, replica)
GPOL_FIELDS(QueueSettings::Word, value, span)
GPOL_FIELDS(QueueSettings::LimitWord, unlimited, at_most, span)
GPOL_FIELDS(QueueSettings, cohort, cohort_span, queueing_strategy, reclaim_within_cohort, within_cluster_queue,
            borrow_within_cohort, when_can_borrow, when_can_preempt, stop_policy, namespace_selector, lend, borrow,
            span)
GPOL_FIELDS(Runs, count, surge)
GPOL_FIELDS(Tenant, name, namespaces, owner, latency_class, reserves, quotas, shapes, jobs_at_most, runs, start, budget,
            budget_per, asks_at, queue, outside, preempts, span, class_span, jobs_span)
GPOL_FIELDS(Allow, borrower, lender, pool, amount, window, back_within, span)
GPOL_FIELDS(ProveHolds, holder, held, span)
GPOL_FIELDS(ProveReady, latency_class, within)
GPOL_FIELDS(Policy, resources, cluster, cluster_span, kueue_version, volcano_version, round, release, writers, guards,
            exempt, groups, pools, cohorts, windows, classes, tenants, allows, prove_holds, prove_ready, trusts,
            hardware, services, limits, calendars, prices, incident_payer, levers, approvals, planned)

namespace {

template <class T, class... Of>
concept OneOf = (std::is_same_v<T, Of> || ...);
template <class T>
concept HasNode = requires(const T& t) { t.node; };
template <class T>
concept HasName = requires(const T& t) { t.name; } || requires(const T& t) { t.gateway; };

// Whether it never has parts that stand on lines of their own.
template <class T>
constexpr bool kPlain = !HasFields<T> || OneOf<T, Span, ast::Name, ast::Quantity, ast::Date>;
template <class T>
constexpr bool kPlain<std::vector<T>> = kPlain<T>;
template <class T>
constexpr bool kPlain<std::optional<T>> = kPlain<T>;
template <class A, class B>
constexpr bool kPlain<std::pair<A, B>> = false;

constexpr std::string_view kModes = "whole, mig, time-slices, mps, fractions, dra";
std::string_view words(ast::Partition::Mode) { return kModes; }
std::string_view words(ast::Limit::Kind) { return "lend, borrow"; }
std::string_view words(ast::Source::Kind) { return "measured, declared, derived"; }
std::string_view words(ast::MigItem::Kind) { return "compute, memory, starts, most, engines"; }
std::string_view words(Partition::Mode) { return kModes; }
std::string_view words(Window::Days) { return "daily, weekdays, weekends"; }
std::string_view words(Isolation) { return "A, B, C"; }
std::string_view words(JobKind) { return "Job, Pod"; }
std::string_view words(CountedBy) { return "nobody said, each proxy, rate-limit service"; }

// None or one, or any number.
template <class T>
concept Many = requires(const T& t) { t.has_value(); } ||
               (!OneOf<T, std::string, Resources> && requires(const T& t) { t.begin(); });

template <class T, class Visit>
void each_of(const T& one, const Visit& visit) {
  if constexpr (requires { one.has_value(); }) {
    if (one) visit(*one);
  } else if constexpr (Many<T>) {
    for (const auto& each : one) visit(each);
  } else {
    visit(one);
  }
}

// What is said of a value in a line; empty: it is not there, and nor is its name.
class Values {
 public:
  explicit Values(const Policy* policy) : policy_(policy) {}

  template <class T>
  std::string said(std::string_view field, const T& x) const {
    if constexpr (std::is_same_v<T, std::optional<Span>>) {
      return said(field, x.has_value());
    } else if constexpr (OneOf<T, Span, std::optional<Hardware>>) {
      return {};  // where it stands; what the catalogue knows, or the policy says elsewhere
    } else if constexpr (std::is_same_v<T, bool>) {
      return x ? "yes" : "";
    } else if constexpr (std::is_same_v<T, std::uint32_t>) {
      return x == kNone ? "" : word(named(field, x));
    } else if constexpr (std::is_integral_v<T>) {
      return std::to_string(x);
    } else if constexpr (std::is_enum_v<T>) {
      return std::string(nth(words(x), static_cast<std::size_t>(x)));
    } else if constexpr (std::is_same_v<T, std::string>) {
      return x.empty() ? "" : word(x);
    } else if constexpr (OneOf<T, ast::Name, ast::Date>) {
      return said(field, x.text);
    } else if constexpr (std::is_same_v<T, ast::Quantity>) {
      return x.unit.empty() ? x.number : x.number + " " + x.unit;
    } else if constexpr (std::is_same_v<T, Resources>) {
      return amounts(x);
    } else if constexpr (std::is_same_v<T, Lever::Stop>) {  // what its index is of depends on what it does
      return x.index == kNone ? "no allow"
             : x.hold         ? "hold " + said("tenant", x.index)
                              : "no allow during " + said("window", x.index);
    } else if constexpr (requires { x.first; }) {
      return said(field, x.first) + " " + said(field, x.second);
    } else if constexpr (HasNode<T>) {
      return said(field, x.node);
    } else if constexpr (requires { std::variant_size<T>::value; }) {
      return std::visit([&](const auto& node) { return members(node, std::string(fields(node).of)); }, x);
    } else if constexpr (HasFields<T>) {
      return members(x);
    } else if constexpr (Many<T>) {
      std::string list;
      each_of(x, [&](const auto& one) {
        const std::string each = within(field, one);
        add_to_list(list, each.empty() ? "-" : each);
      });
      return list;
    }
  }

  // What is said of a part of something else.
  template <class T>
  std::string within(std::string_view field, const T& x) const {
    const std::string value = said(field, x);
    return value.empty() || kPlain<T> || !HasFields<T> || HasNode<T> ? value : "(" + value + ")";
  }

 private:
  // Adds "name value" of each member.
  template <class T>
  std::string members(const T& x, std::string list = {}) const {
    each_field(x, [&](std::string_view field, const auto& value) {
      if (const std::string one = within(field, value); !one.empty())
        add_to_list(list, fmt::format("{} {}", field, one), " ");
    });
    return list;
  }

  // What an index is of is known by the name of the field that holds it.
  const std::string& named(std::string_view field, std::uint32_t index) const {
    if (field == "pool") return policy_->pools[index].name;
    if (field == "group") return policy_->groups[index].name;
    if (field == "window") return policy_->windows[index].name;
    if (field == "except") return policy_->calendars[index].name;
    if (field == "parent" || field == "cohort") return policy_->cohorts[index].name;
    if (field == "latency_class" || field == "holder" || field == "held") return policy_->classes[index].name;
    return policy_->tenants[index].name;  // tenant, borrower, lender
  }

  std::string amounts(const Resources& all) const {
    std::string list = fmt::format("cpu={}m memory={} gpu={} pods={}", all[Resource::Cpu], all[Resource::Memory],
                                   all[Resource::Gpu], all[Resource::Pods]);
    for (const auto& [resource, amount] : all)
      if (const auto& profile = policy_->resources[static_cast<std::size_t>(resource)].profile; !profile.empty())
        list += fmt::format(" {}={}", profile, amount);
    return list;
  }

  const Policy* policy_;
};

// The line of one thing, and those of its parts.
template <class T>
std::string lines(const Values& values, std::string head, const T& x) {
  std::string line, parts;
  each_field(x, [&](std::string_view field, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (kPlain<Value> || !HasName<T>) {
      const std::string said = values.within(field, value);
      if (said.empty()) return;
      if (field == "name")
        head += " " + said;
      else
        (field == "tenant" || field == "gateway" ? head : line) += fmt::format(" {} {}", field, said);
    } else {
      each_of(value, [&](const auto& part) {
        using Part = std::decay_t<decltype(part)>;
        if constexpr (std::is_same_v<Part, Partition>)
          if (!part.span.known()) return;  // not written: whole
        const std::string said = values.said(field, part);
        if (!said.empty()) parts += fmt::format(HasNode<Part> ? "{0}: {2}\n" : "{}: {} {}\n", head, field, said);
      });
    }
  });
  return head + line + "\n" + parts;
}

}  // namespace

std::string dump_ast(const ast::File& file) {
  std::string out;
  for (const ast::Decl& decl : file.decls)
    out += std::visit([](const auto& node) { return lines(Values(nullptr), std::string(fields(node).of), node); },
                      decl.node);
  return out;
}

std::string dump_policy(const Policy& policy) {
  const Values values(&policy);
  std::string out;
  each_field(policy, [&](std::string_view field, const auto& value) {
    if constexpr (!OneOf<std::decay_t<decltype(value)>, ResourceTable, Span>)
      each_of(value, [&](const auto& one) {
        if constexpr (HasFields<std::decay_t<decltype(one)>>)
          out += lines(values, std::string(field), one);
        else if (const std::string said = values.said(field, one); !said.empty())
          out += fmt::format("{} {}\n", field, said);
      });
  });
  return out;
}

}  // namespace gpol
