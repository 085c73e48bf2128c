// The driver: all names first, then the bodies, then the diagnostics in the order of the text.
#include "compiler/policy/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/most.h"
#include "compiler/syntax/codes.h"

namespace gpol {

Diagnostic& error(Resolver& r, Code code, Span span, std::string message, std::string hint) {
  r.diagnostics.push_back(error_at(code, span, std::move(message), std::move(hint)));
  return r.diagnostics.back();
}

bool first_time(Resolver& r, std::optional<Span>& first, Span here, std::string_view clause) {
  if (!first) {
    first = here;
    return true;
  }
  error(r, code::DuplicateClause, here, fmt::format("`{}` is given twice", clause), "keep one of them")
      .labels.push_back({*first, "first given here"});
  return false;
}

std::optional<TimeConstant> time_constant(Resolver& r, const ast::Quantity& written, std::string_view what, Zero zero) {
  const auto value = duration(written, "a duration", r.diagnostics);
  if (!value) return std::nullopt;
  if (zero == Zero::Refused && *value == 0) {
    error(r, code::OutOfRange, written.span, fmt::format("`{}` of no time at all", what), "state more than `0s`");
    return std::nullopt;
  }
  return TimeConstant{*value, "declared", written.span};
}

std::optional<int> time_of_day(Resolver& r, const ast::TimeOfDay& written) {
  if (written.hour < 24 && written.minute < 60) return written.hour * 60 + written.minute;
  error(r, code::OutOfRange, written.span, "not a time of day",
        "times run from `00:00` to `23:59`; midnight is `00:00`, and a window may run past it");
  return std::nullopt;
}

std::optional<Isolation> isolation_of_class(const Resolver& r, std::uint32_t latency_class) {
  if (latency_class == kNone || !r.class_sound[latency_class]) return std::nullopt;
  if (r.classes.doubled(r.policy.classes[latency_class].name)) return std::nullopt;
  return r.policy.classes[latency_class].isolation;
}

std::optional<Isolation> isolation_of_tenant(const Resolver& r, std::uint32_t tenant) {
  if (tenant == kNone) return std::nullopt;
  return isolation_of_class(r, r.policy.tenants[tenant].latency_class);
}

char letter(Isolation isolation) { return isolation == Isolation::A ? 'A' : isolation == Isolation::B ? 'B' : 'C'; }

namespace {

// Enters a name and makes its (empty) place in the policy.
template <class Written, class Made>
void declare(Resolver& r, NameTable& table, std::string_view kind, const Written& written,
             std::vector<const Written*>& all, std::vector<Made>& made) {
  const auto index = static_cast<std::uint32_t>(made.size());
  table.declare(written.name, index, r.diagnostics);
  if (!kind.empty()) {
    require_kubernetes_name(kind, written.name.text, written.name.span, r.diagnostics);
    table.mend(written.name, index);
  }
  all.push_back(&written);
  Made& place = made.emplace_back();
  place.name = written.name.text;
  place.span = written.name.span;
}

void declare_cluster(Resolver& r, const ast::Cluster& cluster) {
  Declarations& d = r.declared;
  if (!d.clusters.empty())
    error(r, code::DuplicateName, cluster.name.span,
          fmt::format("a policy has one cluster, `{}` is a second", cluster.name.text),
          "give each cluster a policy of its own")
        .labels.push_back({d.clusters.front()->name.span, "the first is declared here"});
  require_kubernetes_name("cluster", cluster.name.text, cluster.name.span, r.diagnostics);
  d.clusters.push_back(&cluster);
  // Groups are not objects: their names are free.
  for (const auto& nodes : cluster.nodes) declare(r, r.groups, "", nodes, d.groups, r.policy.groups);
  for (const auto& pool : cluster.pools) declare(r, r.pools, "pool", pool, d.pools, r.policy.pools);
}

void check_language(Resolver& r, const ast::Language& language, Span span, bool first) {
  if (!first)
    error(r, code::BadValue, span, "`language` is not the first declaration of its file", "move it to the top, once");
  else if (language.version.number != "1" || !language.version.unit.empty())
    error(r, code::BadValue, language.version.span,
          fmt::format("language {} is not one that this gpol reads", language.version.number.substr(0, 32)),
          "write `language 1`");
}

void declare_all(Resolver& r, std::span<const ast::File> files) {
  Declarations& d = r.declared;
  Policy& p = r.policy;
  std::size_t tenants = 0;
  for (const auto& file : files)
    tenants += static_cast<std::size_t>(std::ranges::count_if(
        file.decls, [](const ast::Decl& decl) { return std::holds_alternative<ast::Tenant>(decl.node); }));
  p.tenants.reserve(tenants);
  for (const auto& file : files)
    for (const auto& decl : file.decls)
      std::visit(
          overloaded{
              [&](const ast::Language& node) { check_language(r, node, decl.span, &decl == &file.decls.front()); },
              [&](const ast::Import&) {},  // read already (cli/commands/modules.h)
              [&](const ast::Define& node) { r.defined.insert(node.name.text); },  // replaced already (expand.h)
              [&](const ast::Unexpanded&) {},
              [&](const ast::Cluster& node) { declare_cluster(r, node); },
              [&](const ast::Cohort& node) { declare(r, r.cohorts, "cohort", node, d.cohorts, p.cohorts); },
              [&](const ast::Window& node) { declare(r, r.windows, "window", node, d.windows, p.windows); },
              [&](const ast::Class& node) { declare(r, r.classes, "class", node, d.classes, p.classes); },
              [&](const ast::Tenant& node) { declare(r, r.tenants, "tenant", node, d.tenants, p.tenants); },
              [&](const ast::Allow& node) { d.allows.push_back({&node, decl.span}); },
              [&](const ast::Prove& node) { d.proves.push_back({&node, decl.span}); },
              [&](const ast::Trust& node) { d.trusts.push_back({&node, decl.span}); },
              [&](const ast::Hardware& node) { declare(r, r.hardware, "", node, d.hardware, p.hardware); },
              [&](const ast::Service& node) { declare(r, r.services, "service", node, d.services, p.services); },
              [&](const ast::GatewayLimit& node) { d.limits.push_back({&node, decl.span}); },
              [&](const ast::Calendar& node) { declare(r, r.calendars, "", node, d.calendars, p.calendars); },
              [&](const ast::Price& node) { d.prices.push_back({&node, decl.span}); },
              [&](const ast::Incident& node) { d.incidents.push_back({&node, decl.span}); },
              [&](const ast::Lever& node) { declare(r, r.levers, "lever", node, d.levers, p.levers); },
              [&](const ast::Approve& node) { d.approvals.push_back({&node, decl.span}); },
          },
          decl.node);
  r.group_facts.resize(p.groups.size());
  r.class_sound.resize(p.classes.size());
  r.tenant_facts.resize(p.tenants.size());
}

// A tenant where its class was to be named, and the other way round.
std::string class_of_tenant(const Resolver& r, std::string_view name) {
  const std::uint32_t tenant = r.tenants.look_up(name);
  if (tenant == kNone) return {};
  const std::uint32_t its = r.policy.tenants[tenant].latency_class;
  if (its == kNone) return {};
  return fmt::format("did you mean `{}`, the class of tenant `{}`?", r.policy.classes[its].name, name);
}
std::string tenant_of_class(const Resolver& r, std::string_view name) {
  const std::uint32_t found = r.classes.look_up(name);
  if (found == kNone) return {};
  const auto& all = r.policy.tenants;
  const auto its = [&](const Tenant& tenant) { return tenant.latency_class == found; };
  const auto first = std::ranges::find_if(all, its);
  if (first == all.end()) return fmt::format("`{}` is a class, and no tenant is of it", name);
  if (std::count_if(first, all.end(), its) > 1)
    return fmt::format("`{}` is a class: write a tenant of it, such as `{}`", name, first->name);
  return fmt::format("did you mean `{}`, the tenant of class `{}`?", first->name, name);
}

}  // namespace

Outcome<std::optional<Policy>> resolve(std::span<const ast::File> files) {
  Resolver r;
  declare_all(r, files);
  resolve_clusters(r);
  resolve_hardware(r);
  resolve_groups(r);
  resolve_pools(r);
  resolve_marks(r);
  resolve_cohorts(r);
  resolve_calendars(r);
  resolve_windows(r);
  resolve_classes(r);
  resolve_tenants(r);
  check_writers(r);
  check_exempt(r);
  resolve_allows(r);
  check_volcano(r);
  one_share_each(r);
  resolve_proves(r);
  resolve_trusts(r);
  resolve_services(r);
  resolve_limits(r);
  resolve_money(r);
  resolve_control(r);
  warn_of_what_fits_badly(r);
  const auto defined = [&](std::string_view name) {
    return r.defined.contains(name) ? fmt::format("did you mean `${}`?", name) : std::string();
  };
  for (NameTable* table : {&r.groups, &r.pools, &r.cohorts, &r.windows, &r.calendars})
    table->report_unknown(r.diagnostics, defined);
  r.classes.report_unknown(r.diagnostics, [&](std::string_view name) {
    return r.defined.contains(name) ? defined(name) : class_of_tenant(r, name);
  });
  r.tenants.report_unknown(r.diagnostics, [&](std::string_view name) {
    return r.defined.contains(name) ? defined(name) : tenant_of_class(r, name);
  });
  std::ranges::sort(r.diagnostics, [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span, a.code, a.message, a.hint) < std::tie(b.span, b.code, b.message, b.hint);
  });
  leave_out_the_rest(r.diagnostics);
  std::ranges::stable_sort(r.policy.planned, {}, &PlannedUse::span);
  Outcome<std::optional<Policy>> out{std::nullopt, std::move(r.diagnostics)};
  if (out.ok()) out.value = std::move(r.policy);
  return out;
}

}  // namespace gpol
