// --dump=policy: what the words of a policy were resolved to, in base units, one fact per line.
#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string text(const Policy& policy, const Resources& r) {
  return fmt::format("cpu={}m memory={} gpu={} pods={}{}", r[Resource::Cpu], r[Resource::Memory], r[Resource::Gpu],
                     r[Resource::Pods], slices_in(policy, r));
}

// "60000ms (measured 2026-10)", "-" where none is declared.
std::string text(const std::optional<TimeConstant>& time) {
  return time ? fmt::format("{}ms ({})", time->value, time->source) : "-";
}

std::string clock(std::optional<int> minutes) {
  return minutes ? fmt::format("{:02}:{:02}", *minutes / 60, *minutes % 60) : "-";
}

std::string text(const std::optional<QueueSettings::Word>& word) { return word ? word->value : "-"; }

std::string text(const Policy& policy, const std::optional<QueueSettings::LimitWord>& limit) {
  if (!limit) return "-";
  if (limit->unlimited) return "without limit";
  std::string out;
  for (const PoolAmount& at : limit->at_most)
    add_to_list(out, fmt::format("at most {} of {}", text(policy, at.amount), policy.pools[at.pool].name), "; ");
  return out;
}

void print_hardware(const Policy& policy, std::string& out) {
  out += fmt::format("cluster {}\nkueue {}\nround {}\nrelease {}\n", policy.cluster.empty() ? "-" : policy.cluster,
                     policy.kueue_version, text(policy.round), text(policy.release));
  for (const Writer& w : policy.writers) out += fmt::format("writers {} \"{}\"\n", w.group ? "group" : "user", w.name);
  for (const GuardMode& g : policy.guards) out += fmt::format("guard {} {}\n", g.guard, g.mode);
  for (const std::string& name : policy.exempt) out += fmt::format("exempt {}\n", name);
  for (const NodeGroup& g : policy.groups) {
    out += fmt::format("nodes {}: gpu {} count {}..{} tolerate {} lost{}\n", g.name,
                       g.gpu_model.empty() ? "-" : g.gpu_model, g.count_min, g.count_max, g.tolerate_lost,
                       g.spot_notice ? fmt::format(" spot notice {}ms", *g.spot_notice) : "");
    out += fmt::format("nodes {}: each {}\nnodes {}: daemons {}\n", g.name, text(policy, g.each), g.name,
                       text(policy, g.daemons));
  }
  for (const Pool& p : policy.pools)
    out +=
        fmt::format("pool {}: {}..{} nodes of {}{}{}\n", p.name, p.nodes_min, p.nodes_max, policy.groups[p.group].name,
                    p.label ? fmt::format(" label {}={}", p.label->key, p.label->value) : "",
                    p.taint ? fmt::format(" taint {}={}:{}", p.taint->key, p.taint->value, p.taint->effect) : "");
}

void print_cohorts(const Policy& policy, std::string& out) {
  for (const Cohort& c : policy.cohorts) {
    out += fmt::format("cohort {}: in {}\n", c.name, c.parent == kNone ? "-" : policy.cohorts[c.parent].name);
    for (const Cohort::Entry& e : c.entries)
      out += fmt::format("cohort {}: pool {} quota {} lend {} borrow {}\n", c.name, policy.pools[e.pool].name,
                         text(policy, e.quota), e.lend_at_most ? text(policy, *e.lend_at_most) : "-",
                         e.borrow_at_most ? text(policy, *e.borrow_at_most) : "-");
  }
}

void print_classes(const Policy& policy, std::string& out) {
  constexpr const char* kDays[] = {"daily", "weekdays", "weekends"};
  for (const Window& w : policy.windows)
    out += fmt::format("window {}: {}..{} {} {}\n", w.name, clock(w.from), clock(w.to), w.zone,
                       kDays[static_cast<std::size_t>(w.days)]);
  for (const LatencyClass& c : policy.classes) {
    out += fmt::format("class {}: {}\n", c.name, "ABC"[static_cast<std::size_t>(c.isolation)]);
    if (c.ready_within) out += fmt::format("class {}: ready within {}\n", c.name, text(c.ready_within));
    if (c.isolation != Isolation::C) continue;
    out += fmt::format("class {}: grace {} saved in {} kill margin {} checkpoint every {}\n", c.name, text(c.grace),
                       text(c.saved_in), text(c.kill_margin), text(c.checkpoint_every));
    for (const JobKind kind : c.runs)
      out += fmt::format("class {}: runs {}\n", c.name, kind == JobKind::Job ? "Job" : "Pod");
  }
}

void print_tenants(const Policy& policy, std::string& out) {
  for (const Tenant& t : policy.tenants) {
    out += fmt::format("tenant {}: class {} owner {} namespaces {} asks at {}\n", t.name,
                       policy.classes[t.latency_class].name, t.owner.empty() ? "-" : t.owner,
                       fmt::join(t.namespaces, ","), clock(t.asks_at));
    for (const PoolAmount& r : t.reserves)
      out += fmt::format("tenant {}: reserve {} of {}\n", t.name, text(policy, r.amount), policy.pools[r.pool].name);
    for (const PoolAmount& q : t.quotas)
      out += fmt::format("tenant {}: quota {} of {}\n", t.name, text(policy, q.amount), policy.pools[q.pool].name);
    if (t.outside) out += fmt::format("tenant {}: outside the queue{}\n", t.name, t.preempts ? ", preempts batch" : "");
    for (const PoolAmount& s : t.shapes)
      out += fmt::format("tenant {}: shape {} gpus{} of {}\n", t.name, s.amount[Resource::Gpu],
                         slices_in(policy, s.amount), policy.pools[s.pool].name);
    if (t.jobs_at_most) out += fmt::format("tenant {}: at most {} jobs\n", t.name, *t.jobs_at_most);
    if (t.runs) out += fmt::format("tenant {}: replicas {} surge {}\n", t.name, t.runs->count, t.runs->surge);
    for (const PoolAmount& r : t.reserves)
      if (r.replica)
        out +=
            fmt::format("tenant {}: replica {} of {}\n", t.name, text(policy, *r.replica), policy.pools[r.pool].name);
    out += fmt::format("tenant {}: start schedule {} image {} weights {} load {} warm {}\n", t.name,
                       text(t.start.schedule), text(t.start.image), text(t.start.weights), text(t.start.load),
                       text(t.start.warm));
    const QueueSettings& q = t.queue;
    out += fmt::format(
        "tenant {}: queue cohort {} strategy {} reclaim {} within {} borrow-within {} borrow-search {}"
        " preempt-search {} stop {} lend {} borrow {}\n",
        t.name, q.cohort == kNone ? "-" : policy.cohorts[q.cohort].name, text(q.queueing_strategy),
        text(q.reclaim_within_cohort), text(q.within_cluster_queue), text(q.borrow_within_cohort),
        text(q.when_can_borrow), text(q.when_can_preempt), text(q.stop_policy), text(policy, q.lend),
        text(policy, q.borrow));
  }
}

}  // namespace

std::string dump_policy(const Policy& policy) {
  std::string out;
  print_hardware(policy, out);
  print_cohorts(policy, out);
  print_classes(policy, out);
  print_tenants(policy, out);
  for (const Allow& a : policy.allows)
    out += fmt::format("allow {} from {}: {} of {} during {} back within {}\n", policy.tenants[a.borrower].name,
                       policy.tenants[a.lender].name, text(policy, a.amount), policy.pools[a.pool].name,
                       a.window == kNone ? "-" : policy.windows[a.window].name, text(a.back_within));
  for (const ProveHolds& p : policy.prove_holds)
    out += fmt::format("prove {} never holds {}\n", policy.classes[p.holder].name, policy.classes[p.held].name);
  for (const ProveReady& p : policy.prove_ready)
    out +=
        fmt::format("prove {} ready within {}\n", policy.classes[p.latency_class].name, text(std::optional(p.within)));
  for (const Trust& t : policy.trusts)
    out += fmt::format("trust {} because \"{}\" by {}{}\n", t.premise, t.reason, t.by,
                       t.until.empty() ? "" : " until " + t.until);
  out += dump_policy_beyond_quotas(policy);
  return out;
}

}  // namespace gpol
