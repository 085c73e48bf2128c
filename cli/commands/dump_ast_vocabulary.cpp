// --dump=ast of what lies beyond quotas: as dump_ast.cpp, one item per line, names and units as written.
#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "compiler/source/overloaded.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string text(const ast::Name& name) { return name.text; }
std::string text(const ast::Quantity& q) { return q.unit.empty() ? q.number : fmt::format("{} {}", q.number, q.unit); }
std::string text(const ast::Date& date) { return date.text; }
std::string text(const ast::Rate& rate) {
  return fmt::format("{}{} {}", rate.amount.number, rate.thousands, rate.amount.unit);
}
std::string text(const ast::EngineCount& one) { return fmt::format("{} {}", text(one.count), text(one.engine)); }

template <class Part>
std::string text(const std::vector<Part>& parts) {
  std::string out;
  for (const Part& part : parts) add_to_list(out, text(part));
  return out;
}

std::string during(const std::optional<ast::Name>& window) { return window ? " during " + window->text : ""; }

std::string text(const ast::MigItem& item) {
  constexpr const char* kWords[] = {"compute", "memory", "starts at", "at most", "engines"};
  return fmt::format("{} {}", kWords[static_cast<std::size_t>(item.kind)],
                     item.kind == ast::MigItem::Kind::Engines ? text(item.engines) : text(item.numbers));
}

using Lines = std::vector<std::string>;

Lines lines(const ast::HardwareItem& item) {
  return std::visit(
      overloaded{[](const ast::HardwareMemory& h) { return Lines{"memory " + text(h.memory)}; },
                 [](const ast::HardwareSlices& h) {
                   return Lines{fmt::format("slices {} compute, {} memory", text(h.compute), text(h.memory))};
                 },
                 [](const ast::HardwareEngines& h) { return Lines{"engines " + text(h.engines)}; },
                 [](const ast::HardwarePlacements& h) { return Lines{"placements " + text(h.basis)}; },
                 [](const ast::MigProfile& h) {
                   Lines out{"mig " + text(h.name)};
                   for (const auto& part : h.items) out.push_back(fmt::format("mig {}: {}", text(h.name), text(part)));
                   return out;
                 }},
      item.node);
}

Lines lines(const ast::ServiceItem& item) {
  return std::visit(
      overloaded{[](const ast::ServiceReplicas& s) {
                   return Lines{"replicas " + text(s.least) + (s.most ? ".." + text(*s.most) : "")};
                 },
                 [](const ast::ServiceEach& s) { return Lines{"each " + text(s.amounts)}; },
                 [](const ast::ServiceThroughput& s) { return Lines{"throughput " + text(s.rate)}; },
                 [](const ast::ServiceVariation& s) { return Lines{"variation " + text(s.value)}; },
                 [](const ast::ServiceRequests& s) {
                   Lines out;
                   for (const auto& one : s.classes)
                     out.push_back(fmt::format("requests {} {}", text(one.name), text(one.streams)));
                   return out;
                 },
                 [](const ast::ServiceEngine& s) {
                   Lines out{"engine " + text(s.engine)};
                   for (const auto& knob : s.knobs)
                     out.push_back(fmt::format("engine {}: {} {}", text(s.engine), text(knob.knob), knob.value));
                   return out;
                 }},
      item.node);
}

Lines lines(const ast::GatewayItem& item) {
  return {std::visit(
      overloaded{
          [](const ast::GatewayAtMost& g) { return "at most " + text(g.rates); },
          [](const ast::GatewayQueue& g) { return fmt::format("queue {} for {}", text(g.length), text(g.wait)); },
          [](const ast::GatewayElse& g) { return fmt::format("else {} retry {}", text(g.status), text(g.retry)); }},
      item.node)};
}

Lines lines(const ast::LeverItem& item) {
  return {std::visit(overloaded{[](const ast::LeverNoAllow& l) { return "no allow" + during(l.window); },
                                [](const ast::LeverHold& l) { return "hold " + text(l.tenant); },
                                [](const ast::LeverBy& l) { return "by " + text(l.handle); }},
                     item.node)};
}

template <class Item>
Lines block(const std::string& head, const std::vector<Item>& items) {
  Lines out{head};
  for (const Item& item : items)
    for (const std::string& line : lines(item)) out.push_back(head + ": " + line);
  return out;
}

}  // namespace

std::string text_beyond_quotas(const ast::NodesItem& item) {
  return std::visit(overloaded{[](const ast::NodesCeiling& n) { return "ceiling " + text(n.amount); },
                               [](const ast::NodesLead& n) { return "lead time " + text(n.time); },
                               [](const auto&) { return std::string(); }},
                    item.node);
}

std::string text_beyond_quotas(const ast::ClassItem& item) {
  return std::visit(
      overloaded{
          [](const ast::ClassSlo& c) {
            return fmt::format("slo {} {} < {}{}", text(c.metric), text(c.percentile), text(c.below), during(c.window));
          },
          [](const ast::ClassBurst& c) { return fmt::format("burst {} within {}", text(c.factor), text(c.within)); },
          [](const ast::ClassHeadroom& c) { return "headroom at least " + text(c.least); },
          [](const ast::ClassFloor& c) { return "floor " + text(c.rate); },
          [](const ast::ClassPreemptible&) { return std::string("preemptible"); },
          [](const auto&) { return std::string(); }},
      item.node);
}

static std::string layout_of(const ast::Partition& partition) {
  std::string out;
  for (std::size_t i = 0; i < partition.layout.size(); ++i) {
    const auto& at = partition.starts[i];
    add_to_list(out, text(partition.layout[i]) + (at ? " at " + text(*at) : ""));
  }
  return out;
}

std::string text_beyond_quotas(const ast::Partition& partition) {
  constexpr const char* kWords[] = {"whole", "mig", "time-slices", "mps", "fractions", "dra"};
  std::string out = fmt::format(" as {}", kWords[static_cast<std::size_t>(partition.mode)]);
  if (partition.share) out += " " + text(*partition.share);
  if (partition.counted)
    out += fmt::format(" for {}", text(partition.layout));
  else if (!partition.layout.empty())
    out += fmt::format(" {{ {} }}", layout_of(partition));
  if (partition.unmanaged) out += " unmanaged";
  return out;
}

std::string text_beyond_quotas(const ast::TenantBudget& budget) {
  return fmt::format("budget {} per {}", text(budget.money), text(budget.period));
}

std::vector<std::string> lines_beyond_quotas(const ast::Decl& decl) {
  return std::visit(overloaded{[](const ast::Hardware& d) { return block("hardware " + text(d.name), d.items); },
                               [](const ast::Service& d) {
                                 return block(fmt::format("service {} of {}", text(d.name), text(d.tenant)), d.items);
                               },
                               [](const ast::GatewayLimit& d) {
                                 return block(fmt::format("limit {} at gateway {}", text(d.tenant), text(d.gateway)),
                                              d.items);
                               },
                               [](const ast::Calendar& d) {
                                 return Lines{fmt::format("calendar {} {{ {} }}", text(d.name), text(d.dates))};
                               },
                               [](const ast::Price& d) {
                                 return Lines{fmt::format("price {} per gpu {} of {} paid by {}", text(d.money),
                                                          text(d.per), text(d.pool), text(d.payer))};
                               },
                               [](const ast::Incident& d) { return Lines{"incident paid by " + text(d.payer)}; },
                               [](const ast::Lever& d) { return block("lever " + text(d.name), d.items); },
                               [](const ast::Approve& d) {
                                 return Lines{fmt::format("approve changes to {} by {}", text(d.what), text(d.by))};
                               },
                               [](const auto&) { return Lines(); }},
                    decl.node);
}

}  // namespace gpol
