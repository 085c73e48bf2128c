// --dump=ast: the tree as it was read, one item per line, names and units as written.
#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "compiler/source/overloaded.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string text(const ast::Name& name) { return name.text; }
std::string text(const std::optional<ast::Name>& name) { return name ? name->text : "-"; }
std::string text(const ast::Quantity& q) { return q.unit.empty() ? q.number : fmt::format("{} {}", q.number, q.unit); }
std::string text(const ast::TimeOfDay& time) { return fmt::format("{:02}:{:02}", time.hour, time.minute); }

std::string text(const ast::Amounts& amounts) {
  std::string out;
  for (const auto& q : amounts) add_to_list(out, text(q));
  return out;
}

std::string text(const std::vector<ast::Name>& names) {
  std::string out;
  for (const auto& name : names) add_to_list(out, name.text);
  return out;
}

std::string text(const ast::PoolAmounts& amounts) {
  return fmt::format("{} of {}", text(amounts.amounts), text(amounts.pool));
}

std::string text(const ast::Limit& limit) {
  const char* kind = limit.kind == ast::Limit::Kind::Lend ? "lend" : "borrow";
  return limit.at_most ? fmt::format("{} at most {}", kind, text(*limit.at_most))
                       : fmt::format("{} without limit", kind);
}

std::string text(const ast::Source& source) {
  constexpr const char* kKinds[] = {"measured", "declared", "derived"};
  const char* kind = kKinds[static_cast<std::size_t>(source.kind)];
  return source.detail.empty() ? fmt::format("({})", kind) : fmt::format("({} {})", kind, source.detail);
}

std::string text(const ast::NodesItem& item) {
  return std::visit(
      overloaded{[](const ast::NodesCount& n) {
                   return "count " + text(n.least) + (n.most ? ".." + text(*n.most) : std::string());
                 },
                 [](const ast::NodesEach& n) { return "each " + text(n.amounts); },
                 [](const ast::NodesGpu& n) { return "gpu " + text(n.model); },
                 [](const ast::NodesDaemons& n) { return "daemons take " + text(n.amounts); },
                 [](const ast::NodesTolerate& n) { return fmt::format("tolerate {} lost", text(n.lost)); },
                 [](const ast::NodesSpot& n) { return "spot notice " + text(n.notice); },
                 [&](const auto&) { return text_beyond_quotas(item); }},
      item.node);
}

std::string text(const ast::ClassItem& item) {
  return std::visit(overloaded{[](const ast::ClassReady& c) { return "ready within " + text(c.within); },
                               [](const ast::ClassGrace& c) {
                                 return "grace " + text(c.grace) +
                                        (c.saved_in ? fmt::format(" (saved in {})", text(*c.saved_in)) : "");
                               },
                               [](const ast::ClassKillMargin& c) { return "kill margin " + text(c.margin); },
                               [](const ast::ClassCheckpoint& c) { return "checkpoint every " + text(c.every); },
                               [](const ast::ClassRuns& c) { return "runs " + text(c.kinds); },
                               [&](const auto&) { return text_beyond_quotas(item); }},
                    item.node);
}

std::vector<std::string> lines(const ast::TenantStart& start) {
  std::vector<std::string> out;
  for (const auto& term : start.terms)
    out.push_back(fmt::format("start {} {}{}", text(term.name), text(term.time),
                              start.source ? " " + text(*start.source) : std::string()));
  return out;
}

std::vector<std::string> lines(const ast::TenantQueue& queue) {
  std::vector<std::string> out;
  for (const auto& cohort : queue.cohorts) out.push_back("queue cohort " + text(cohort));
  for (const auto& limit : queue.limits) out.push_back("queue " + text(limit));
  for (const auto& setting : queue.settings)
    out.push_back(fmt::format("queue {} {}", text(setting.field), text(setting.value)));
  return out;
}

std::vector<std::string> lines(const ast::TenantItem& item) {
  using Lines = std::vector<std::string>;
  return std::visit(overloaded{[](const ast::TenantNamespace& t) { return Lines{"namespace " + text(t.names)}; },
                               [](const ast::TenantOwner& t) { return Lines{"owner " + text(t.handle)}; },
                               [](const ast::TenantClass& t) { return Lines{"class " + text(t.name)}; },
                               [](const ast::TenantReserve& t) { return Lines{"reserve " + text(t.amounts)}; },
                               [](const ast::TenantQuota& t) { return Lines{"quota " + text(t.amounts)}; },
                               [](const ast::TenantReplica& t) { return Lines{"replica " + text(t.amounts)}; },
                               [](const ast::TenantReplicas& t) {
                                 return Lines{fmt::format("replicas {}, surge {}", text(t.count), text(t.surge))};
                               },
                               [](const ast::TenantShape& t) { return Lines{"shape " + text(t.amounts)}; },
                               [](const ast::TenantStart& t) { return lines(t); },
                               [](const ast::TenantAsks& t) { return Lines{"asks at " + text(t.at)}; },
                               [](const ast::TenantQueue& t) { return lines(t); },
                               [](const ast::TenantBudget& t) { return Lines{text_beyond_quotas(t)}; },
                               [](const ast::TenantJobs& t) { return Lines{"at most " + text(t.most)}; },
                               [](const ast::TenantOutside& t) {
                                 return Lines{t.preempts ? "outside the queue, preempts batch" : "outside the queue"};
                               }},
                    item.node);
}

void add(std::string& out, const std::string& head, const std::string& item) {
  out += fmt::format("{}: {}\n", head, item);
}

void print(std::string& out, const ast::Cluster& cluster) {
  const std::string head = "cluster " + text(cluster.name);
  out += head + "\n";
  for (const auto& s : cluster.schedulers) {
    add(out, head, fmt::format("scheduler {} {}", text(s.name), text(s.version)));
    for (const auto& q : s.round) add(out, head, "round within " + text(q));
    for (const auto& q : s.release) add(out, head, "release within " + text(q));
  }
  for (const auto& nodes : cluster.nodes)
    for (const auto& item : nodes.items) add(out, fmt::format("{}: nodes {}", head, text(nodes.name)), text(item));
  for (const auto& pool : cluster.pools)
    add(out, head,
        fmt::format("pool {} on {} take {}{}{}{}", text(pool.name), text(pool.nodes),
                    pool.rest   ? "the rest"
                    : pool.take ? text(*pool.take) + " nodes"
                                : "all",
                    pool.partition ? text_beyond_quotas(*pool.partition) : "",
                    pool.label ? " label " + text(*pool.label) : "", pool.taint ? " taint " + text(*pool.taint) : ""));
  for (const auto& writers : cluster.writers)
    for (const auto& writer : writers.list)
      add(out, head, fmt::format("writers {} \"{}\"", writer.group ? "group" : "user", writer.name));
  for (const auto& guard : cluster.guards)
    add(out, head, fmt::format("guard {} {}", text(guard.guard), text(guard.mode)));
  for (const auto& exempt : cluster.exempts)
    for (const auto& name : exempt.namespaces) add(out, head, "exempt namespaces " + text(name));
}

void print(std::string& out, const ast::Cohort& cohort) {
  const std::string head = "cohort " + text(cohort.name);
  out += fmt::format("{} in {}\n", head, text(cohort.parent));
  for (const auto& quota : cohort.quotas) add(out, head, "quota " + text(quota));
  for (const auto& limit : cohort.limits) add(out, head, text(limit));
}

std::string text(const ast::Allow& allow) {
  std::string out = fmt::format("allow {} to borrow up to {} of {} from {}", text(allow.borrower), text(allow.amounts),
                                text(allow.pool), text(allow.lender));
  if (allow.window) out += " during " + text(*allow.window);
  if (allow.back_within) out += ", back within " + text(*allow.back_within);
  return out;
}

}  // namespace

std::string dump_ast(const ast::File& file) {
  std::string out;
  for (const ast::Decl& decl : file.decls) {
    std::visit(
        overloaded{
            [&](const ast::Language& d) { out += fmt::format("language {}\n", text(d.version)); },
            [&](const ast::Import& d) {
              out += fmt::format("import {}{}\n", d.library ? "library " : "", d.target.text);
            },
            [&](const ast::Define& d) { out += fmt::format("define {} ({})\n", d.name.text, text(d.parameters)); },
            [&](const ast::Unexpanded&) {},  // nothing is dumped before they are replaced
            [&](const ast::Cluster& d) { print(out, d); },
            [&](const ast::Cohort& d) { print(out, d); },
            [&](const ast::Window& d) {
              out += fmt::format("window {} = {}..{} {} {}{}\n", text(d.name), text(d.from), text(d.to), text(d.zone),
                                 text(d.days), d.except ? " except " + text(d.except) : "");
            },
            [&](const ast::Class& d) {
              const std::string head = "class " + text(d.name);
              out += fmt::format("{} : {}\n", head, text(d.letter));
              for (const auto& item : d.items) add(out, head, text(item));
            },
            [&](const ast::Tenant& d) {
              const std::string head = "tenant " + text(d.name);
              out += head + "\n";
              for (const auto& item : d.items)
                for (const std::string& line : lines(item)) add(out, head, line);
            },
            [&](const ast::Allow& d) { out += text(d) + "\n"; },
            [&](const ast::Prove& d) {
              out += std::visit(
                  overloaded{[](const ast::ProveHolds& p) {
                               return fmt::format("prove {} never holds {}\n", text(p.holder), text(p.held));
                             },
                             [](const ast::ProveReady& p) {
                               return fmt::format("prove {} ready within {}\n", text(p.name), text(p.within));
                             }},
                  d.node);
            },
            [&](const ast::Trust& d) {
              out += fmt::format("trust {} because \"{}\" by {}{}\n", text(d.premise), d.reason, text(d.by),
                                 d.until ? " until " + d.until->text : "");
            },
            [&](const auto&) {
              for (const std::string& line : lines_beyond_quotas(decl)) out += line + "\n";
            },
        },
        decl.node);
  }
  return out;
}

}  // namespace gpol
