// --dump=policy of what lies beyond quotas: one fact per line, in base units where there is one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/commands.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string text(const Money& money) {
  return fmt::format("{}.{:03} {}", money.thousandths / 1000, money.thousandths % 1000, money.currency);
}
// "720000 req/h", "400 streams"
std::string text(const Rate& rate) {
  return fmt::format("{} {}{}", rate.value, rate.of, rate.of == "streams" ? "" : "/h");
}
std::string text(const Slices& slices) { return fmt::format("{} x {}", slices.count, slices.profile); }

std::string numbers(const std::vector<std::int64_t>& all) {
  return all.empty() ? "-" : fmt::format("{}", fmt::join(all, ","));
}
std::string number(const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : "-"; }

std::string text(const Engines& engines) {
  std::string out;
  for (const auto& [name, count] : engines) add_to_list(out, fmt::format("{}={}", name, count), ",");
  return out.empty() ? "-" : out;
}

void print_devices(const Policy& policy, std::string& out) {
  constexpr const char* kModes[] = {"whole", "mig", "time-slices", "mps", "fractions", "dra"};
  for (const Hardware& h : policy.hardware) {
    out += fmt::format("hardware {}: memory {} slices {}+{} engines {} placements {}\n", h.name, number(h.memory),
                       h.compute_slices, h.memory_slices, text(h.engines), h.placements.empty() ? "-" : h.placements);
    for (const MigProfile& p : h.profiles)
      out += fmt::format("hardware {}: mig {} compute {} memory {} starts {} most {} engines {}\n", h.name, p.name,
                         p.compute, number(p.memory), numbers(p.starts), number(p.most), text(p.engines));
  }
  for (const NodeGroup& g : policy.groups)
    if (g.ceiling || g.lead_time)
      out += fmt::format("nodes {}: ceiling {} gpus lead time {}\n", g.name, number(g.ceiling),
                         g.lead_time ? fmt::format("{}ms", *g.lead_time) : "-");
  for (const Pool& p : policy.pools) {
    if (!p.partition.span.known()) continue;
    std::string layout;
    for (const Slices& slices : p.partition.layout) add_to_list(layout, text(slices));
    for (const Instance& one : p.partition.held) add_to_list(layout, fmt::format("{} at {}", one.profile, one.start));
    if (p.partition.share > 0) layout = std::to_string(p.partition.share);
    out += fmt::format("pool {}: as {}{}{}{}\n", p.name, kModes[static_cast<std::size_t>(p.partition.mode)],
                       layout.empty() ? "" : " ", layout, p.partition.unmanaged ? " unmanaged" : "");
  }
}

void print_levels(const Policy& policy, std::string& out) {
  for (const LatencyClass& c : policy.classes) {
    for (const std::string& kind : c.other_kinds) out += fmt::format("class {}: runs {}\n", c.name, kind);
    for (const Slo& s : c.slos)
      out += fmt::format("class {}: slo {} {} < {}ms during {}\n", c.name, s.metric, s.percentile, s.below_ms,
                         s.window == kNone ? "-" : policy.windows[s.window].name);
    if (c.burst)
      out += fmt::format("class {}: burst {}/1000 within {}ms\n", c.name, c.burst->factor, c.burst->within_ms);
    if (c.headroom) out += fmt::format("class {}: headroom {}/10000\n", c.name, *c.headroom);
    if (c.floor) out += fmt::format("class {}: floor {}\n", c.name, text(*c.floor));
    if (c.preemptible) out += fmt::format("class {}: preemptible\n", c.name);
  }
  for (const Tenant& t : policy.tenants) {
    if (t.budget) out += fmt::format("tenant {}: budget {} per {}\n", t.name, text(*t.budget), t.budget_per);
  }
}

// "8 cpu, 2 x 3g.40gb", "-" where it says nothing.
std::string each_of(const Policy& policy, const Service& service) {
  std::string out;
  for (const auto& [resource, amount] : service.each)
    add_to_list(out, human_amount(policy.resources[static_cast<std::size_t>(resource)], amount));
  return out.empty() ? "-" : out;
}

void print_services(const Policy& policy, std::string& out) {
  for (const Service& s : policy.services) {
    out +=
        fmt::format("service {}: of {} replicas {}..{} each {} throughput {} variation {}\n", s.name,
                    policy.tenants[s.tenant].name, s.replicas_min, s.replicas_max, each_of(policy, s),
                    s.throughput ? text(*s.throughput) : "-", s.variation ? fmt::format("{}/1000", *s.variation) : "-");
    for (const auto& [name, streams] : s.requests)
      out += fmt::format("service {}: requests {} {} streams\n", s.name, name, streams);
    if (!s.engine.empty()) out += fmt::format("service {}: engine {}\n", s.name, s.engine);
    for (const Knob& knob : s.knobs) out += fmt::format("service {}: engine {} {}\n", s.name, knob.name, knob.value);
  }
  for (const GatewayLimit& l : policy.limits) {
    const std::string head = fmt::format("limit {} at gateway {}", policy.tenants[l.tenant].name, l.gateway);
    out += head + "\n";
    for (const Rate& rate : l.most) out += fmt::format("{}: at most {}\n", head, text(rate));
    if (l.queue) out += fmt::format("{}: queue {} for {}ms\n", head, l.queue->first, l.queue->second);
    if (l.otherwise) out += fmt::format("{}: else {} retry {}ms\n", head, l.otherwise->first, l.otherwise->second);
  }
}

void print_control(const Policy& policy, std::string& out) {
  for (const Calendar& c : policy.calendars) out += fmt::format("calendar {}: {}\n", c.name, fmt::join(c.dates, ","));
  for (const Window& w : policy.windows) {
    if (w.except != kNone)
      out += fmt::format("window {}: begins on no day of {}\n", w.name, policy.calendars[w.except].name);
    if (w.zone != "UTC")
      out += fmt::format(
          "window {}: a time that the clock of {} leaves out is the moment of the change, one that it "
          "shows twice is the first\n",
          w.name, w.zone);
  }
  for (const Price& p : policy.prices)
    out +=
        fmt::format("price {} per gpu {} of {} paid by {}\n", text(p.money), p.per, policy.pools[p.pool].name, p.payer);
  if (!policy.incident_payer.empty()) out += fmt::format("incident paid by {}\n", policy.incident_payer);
  for (const Lever& l : policy.levers) {
    out += fmt::format("lever {}: by {}\n", l.name, l.by);
    for (const Lever::Stop& stop : l.stops)
      out += fmt::format("lever {}: {}\n", l.name,
                         stop.hold             ? "hold " + policy.tenants[stop.index].name
                         : stop.index == kNone ? "no allow"
                                               : "no allow during " + policy.windows[stop.index].name);
  }
  for (const Approval& a : policy.approvals) out += fmt::format("approve changes to {} by {}\n", a.what, a.by);
}

}  // namespace

std::string slices_in(const Policy& policy, const Resources& amounts) {
  std::string out;
  for (const auto& [resource, amount] : amounts)
    if (const ResourceRow& row = policy.resources[static_cast<std::size_t>(resource)]; !row.profile.empty())
      out += fmt::format(" {}={}", row.profile, amount);
  return out;
}

std::string dump_policy_beyond_quotas(const Policy& policy) {
  std::string out;
  print_devices(policy, out);
  print_levels(policy, out);
  print_services(policy, out);
  print_control(policy, out);
  for (const PlannedUse& use : policy.planned)
    out += fmt::format("planned {} of {} {}: {}\n", use.construct, use.kind, use.name, use.text);
  return out;
}

}  // namespace gpol
