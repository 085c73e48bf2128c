// The cluster itself and its scheduler: which Kueue, and how long its rounds and its release of quota may take.
#include <fmt/format.h>

#include <map>
#include <span>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"
#include "compiler/source/utf8.h"

namespace gpol {

namespace {

// Only the version whose code the model is compared with: patch releases change admission too (Kueue's 0.19.1 did).
constexpr std::string_view kKueue = "0.19.2", kVolcano = "1.15.1";

std::optional<TimeConstant> only_time(Resolver& r, const std::vector<ast::Quantity>& written, std::string_view what) {
  std::optional<Span> first;
  std::optional<TimeConstant> time;
  for (const auto& quantity : written) {
    const auto found = time_constant(r, quantity, what, Zero::Allowed);
    if (first_time(r, first, quantity.span, what)) time = found;
  }
  return time;
}

void resolve_scheduler(Resolver& r, const ast::Scheduler& scheduler) {
  const std::string& name = scheduler.name.text;
  const bool kueue = name == "kueue", volcano = name == "volcano";
  if (!kueue && !volcano)
    error(r, code::BadValue, scheduler.name.span, fmt::format("scheduler `{}` is not one that gpol knows", name),
          "write `scheduler kueue` or `scheduler volcano`");
  const std::string_view newest = volcano ? kVolcano : kKueue;
  if ((kueue || volcano) && scheduler.version && scheduler.version->text != newest)
    error(r, code::BadValue, scheduler.version->span,
          fmt::format("gpol does not know the rules of {} `{}`", name, scheduler.version->text),
          volcano
              ? fmt::format("the rules of `{}` are known", newest)
              : fmt::format("the rules of `{}` are known; `gpol verify` judges what others can hold in manifests of "
                            "v0.15 to v0.19",
                            newest));
  r.policy.kueue_version = volcano ? "" : kKueue;
  r.policy.volcano_version = volcano ? kVolcano : "";
  r.policy.round = only_time(r, scheduler.round, "round within");
  r.policy.release = only_time(r, scheduler.release, "release within");
}

// Without what an expression, or YAML (1.2, production c-printable), cannot hold as it is.
bool is_plain(std::string_view name) {
  while (!name.empty()) {
    const CodePoint c = decode(name, 0);
    const bool control = c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0);
    const bool no_character = (c.value & 0xFFFEU) == 0xFFFEU || (c.value >= 0xFDD0 && c.value <= 0xFDEF);
    if (!c.valid || control || no_character || c.value == '\'' || c.value == '\\') return false;
    name.remove_prefix(c.length);
  }
  return true;
}

// Names of the API server's own authenticators: any text without control characters; kept short for the expressions
// that name them.
void resolve_writers(Resolver& r, const ast::Writers& writers) {
  for (const auto& written : writers.list) {
    if (written.name.empty() || written.name.size() > 256 || !is_plain(written.name)) {
      error(r, code::BadValue, written.span, "this is no name of a user or group of the API server",
            "name a user as `user \"system:serviceaccount:flux-system:kustomize-controller\"`");
      continue;
    }
    r.policy.writers.push_back({written.group, written.name, written.span});
  }
}

// Whether there is such a guard is known only when they are planned (checker/families/premises.cpp).
void resolve_guards(Resolver& r, const std::vector<ast::Guard>& guards) {
  constexpr std::string_view kModes[] = {"deny", "warn", "audit", "unbound"};
  std::map<std::string_view, std::optional<Span>> first;
  for (const ast::Guard& written : guards) {
    if (!first_time(r, first[written.guard.text], written.guard.span, "guard " + written.guard.text)) continue;
    const bool all = written.guard.text == kAllGuards;
    const std::span<const std::string_view> modes(kModes, all ? 3 : 4);
    if (!contains(modes, written.mode.text))
      error(r, code::BadValue, written.mode.span,
            fmt::format("{} cannot be `{}`", all ? "all guards" : "a guard", written.mode.text),
            choice_hint(written.mode.text, modes));
    else if (!all || written.mode.text != "deny")
      r.policy.guards.push_back({written.guard.text, written.mode.text, written.guard.span});
  }
}

void resolve_exempt(Resolver& r, const ast::Exempt& exempt) {
  for (const ast::Name& name : exempt.namespaces) {
    require_kubernetes_name("namespace", name.text, name.span, r.diagnostics);
    r.policy.exempt.insert(name.text);
  }
}

}  // namespace

void resolve_clusters(Resolver& r) {
  r.policy.kueue_version = kKueue;
  if (r.is_module()) return;
  r.policy.cluster = r.declared.clusters.front()->name.text;
  r.policy.cluster_span = r.declared.clusters.front()->name.span;
  for (const ast::Cluster* cluster : r.declared.clusters) {
    // A second cluster is refused as a whole.
    if (cluster->schedulers.empty() && cluster == r.declared.clusters.front())
      error(r, code::MissingClause, cluster->name.span,
            fmt::format("cluster `{}` has no `scheduler`", cluster->name.text), "add `scheduler kueue`");
    std::optional<Span> first;
    for (const auto& scheduler : cluster->schedulers) {
      first_time(r, first, scheduler.span, "scheduler");
      resolve_scheduler(r, scheduler);
    }
    std::optional<Span> first_writers;
    for (const auto& writers : cluster->writers) {
      first_time(r, first_writers, writers.span, "writers");
      resolve_writers(r, writers);
    }
    resolve_guards(r, cluster->guards);
    for (const auto& exempt : cluster->exempts) resolve_exempt(r, exempt);
  }
}

void check_exempt(Resolver& r) {
  std::map<std::string_view, std::string_view> tenants;  // by namespace
  for (const Tenant& tenant : r.policy.tenants)
    for (const std::string& ns : tenant.namespaces) tenants.emplace(ns, tenant.name);
  for (const ast::Cluster* cluster : r.declared.clusters)
    for (const auto& exempt : cluster->exempts)
      for (const ast::Name& name : exempt.namespaces)
        if (const auto tenant = tenants.find(name.text); tenant != tenants.end())
          error(r, code::BadValue, name.span,
                fmt::format("namespace `{}` is of tenant `{}`: no tenant is exempt", name.text, tenant->second),
                "take it out of this list, or out of the tenant");
}

// Sources: apiserver pkg/authentication/{user,serviceaccount}. A pod has the rights of its service account.
void check_writers(Resolver& r) {
  constexpr std::string_view kEverybody[] = {"system:authenticated", "system:unauthenticated", "system:serviceaccounts",
                                             "system:anonymous"};
  constexpr std::string_view kAccount = "system:serviceaccount:", kAccounts = "system:serviceaccounts:";
  for (const Writer& writer : r.policy.writers) {
    const std::string_view name = writer.name;
    if (contains(kEverybody, name)) {
      error(r, code::WriterIsTenant, writer.span, fmt::format("`{}` is everybody, or every pod", name),
            "name the pipeline's own user, such as `user \"system:serviceaccount:flux-system:kustomize-controller\"`");
      continue;
    }
    const std::string_view prefix = writer.group ? kAccounts : kAccount;
    if (!name.starts_with(prefix)) continue;
    const std::string_view ns = name.substr(prefix.size(), name.substr(prefix.size()).find(':'));
    for (const Tenant& tenant : r.policy.tenants)
      if (contains(tenant.namespaces, ns))
        error(r, code::WriterIsTenant, writer.span,
              fmt::format("every pod in `{}`, a namespace of `{}`, may act as this writer", ns, tenant.name),
              "run the pipeline in a namespace of its own");
  }
}

}  // namespace gpol
