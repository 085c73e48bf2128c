// Control: emergency levers, and who must approve which change.
#include <fmt/format.h>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

void resolve_lever(Resolver& r, const ast::Lever& written, Lever& made) {
  std::optional<Span> by;
  for (const ast::LeverItem& item : written.items)
    std::visit(overloaded{
                   [&](const ast::LeverNoAllow& node) {
                     Lever::Stop stop;
                     if (node.window) stop.index = r.windows.find(*node.window);
                     note_planned(r, "leverNoAllow", "lever", made.name,
                                  "no allow" + (node.window ? " during " + node.window->text : std::string()),
                                  item.span);
                     made.stops.push_back(stop);
                   },
                   [&](const ast::LeverHold& node) {
                     const std::uint32_t tenant = r.tenants.find(node.tenant);
                     if (const auto isolation = isolation_of_tenant(r, tenant); isolation && *isolation != Isolation::C)
                       error(r, code::ClassMismatch, node.tenant.span,
                             fmt::format("tenant `{}` is of class {}: a lever holds no serving queue", node.tenant.text,
                                         letter(*isolation)),
                             "name a tenant of class C")
                           .labels.push_back({r.policy.tenants[tenant].class_span, "its class"});
                     note_planned(r, "leverHold", "lever", made.name, "hold " + node.tenant.text, item.span);
                     made.stops.push_back({true, tenant});
                   },
                   [&](const ast::LeverBy& node) {
                     if (first_time(r, by, item.span, "by")) made.by = node.handle.text;
                   },
               },
               item.node);
  if (made.stops.empty())
    error(r, code::MissingClause, written.name.span, fmt::format("lever `{}` stops nothing", made.name),
          "say what it does: `no allow`, or `hold TENANT`");
  if (!by)
    error(r, code::MissingClause, written.name.span, fmt::format("lever `{}` does not say who may pull it", made.name),
          "add `by @owner`");
}

// What a policy gives a name to, and `all` of it.
std::vector<std::string_view> names_of(const Policy& policy) {
  std::vector<std::string_view> names{kApproveAll};
  const auto add = [&](const auto& declared) {
    for (const auto& one : declared) names.push_back(one.name);
  };
  add(policy.classes), add(policy.tenants), add(policy.pools), add(policy.groups), add(policy.cohorts);
  add(policy.windows), add(policy.calendars), add(policy.hardware), add(policy.services), add(policy.levers);
  for (const GatewayLimit& limit : policy.limits) names.push_back(limit.gateway);
  for (const Trust& trust : policy.trusts) names.push_back(trust.premise);
  return names;
}

}  // namespace

void resolve_control(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.levers.size(); ++i) resolve_lever(r, *r.declared.levers[i], r.policy.levers[i]);
  const auto names = names_of(r.policy);
  for (const auto& placed : r.declared.approvals) {
    const ast::Approve& written = *placed.node;
    // Whatever bears the name is meant: asking for one approval too many loses nothing.
    bool known = contains(names, written.what.text);
    for (const NameTable* table : {&r.classes, &r.tenants, &r.pools})  // what is refused as it is, too
      known = known || table->look_up(written.what.text) != kNone;
    const bool guard = !known && written.what.text.starts_with("gpol-");
    if (!known && !guard && !r.is_module()) {
      error(r, code::UnknownName, written.what.span,
            fmt::format("nothing whose changes can be approved is called `{}`", written.what.text),
            suggested(r, written.what.text, names));
      continue;
    }
    r.policy.approvals.push_back({written.what.text, written.by.text, guard, written.what.span});
  }
}

}  // namespace gpol
