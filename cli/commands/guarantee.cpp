#include "cli/commands/guarantee.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/render/text.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

bool device(Unit unit) { return unit == Unit::Devices || unit == Unit::Slices; }

void promise(Guarantee& out, Isolation isolation, const std::optional<TimeConstant>& deadline) {
  out.isolation = isolation;
  if (deadline) out.ready_within = std::min(out.ready_within.value_or(deadline->value), deadline->value);
}

}  // namespace

Overall Guarantee::verdict() const {
  if (mistakes) return Overall::Error;
  bool proven = !parts.empty();
  for (const auto& [key, part] : parts) {
    if (part.verdict == Verdict::Refuted) return Overall::Refuted;
    proven = proven && part.verdict == Verdict::Proven;
  }
  return proven ? Overall::Proven : Overall::Undecided;
}

Guarantee guarantee_of(const Session& session, const std::string& tenant) {
  Guarantee out;
  for (const Diagnostic& found : session.report.diagnostics)
    out.mistakes = out.mistakes || found.severity == Severity::Error;
  if (!session.planned) return out;
  for (const QueueRole& role : session.planned->intent.roles)
    if (promised(role) && role.tenant == tenant) promise(out, role.isolation, role.deadline);
  for (const volcano::QueueRole& role : session.planned->intent.volcano_roles)
    if (promised(role) && role.tenant == tenant) promise(out, role.isolation, {});
  for (const OutsideReserve& outside : session.planned->intent.outside)
    if (promised(outside) && outside.tenant == tenant) promise(out, outside.isolation, outside.deadline);
  for (const Obligation& o : session.report.obligations)
    if (o.required && o.subject.tenant == tenant && (o.family == Family::Claim || o.family == Family::Reclaim))
      out.parts[{o.family, std::string(o.subject.flavor), std::string(o.subject.resource)}] = {
          o.verdict, o.figures.reserve, o.figures.unit};
  return out;
}

bool kept(const Guarantee& before, const Guarantee& now) {
  if (now.verdict() != Overall::Proven || now.isolation != before.isolation) return false;
  if (before.ready_within && (!now.ready_within || *now.ready_within > *before.ready_within)) return false;
  return std::ranges::all_of(before.parts, [&](const auto& row) {
    const auto found = now.parts.find(row.first);
    return found != now.parts.end() && (!device(row.second.unit) || found->second.reserve >= row.second.reserve);
  });
}

std::string words_of(const Guarantee& guarantee) {
  std::vector<std::string> amounts;
  for (const auto& [key, part] : guarantee.parts)
    if (std::get<0>(key) == Family::Claim && device(part.unit) && part.reserve)
      amounts.push_back(fmt::format("{} of `{}`", figure_text(*part.reserve, part.unit), std::get<1>(key)));
  const std::string all = fmt::format("{}", fmt::join(amounts, ", "));
  if (guarantee.isolation == Isolation::A) return "nobody else can hold its " + all;
  const std::string by = guarantee.ready_within ? " within " + written_duration(*guarantee.ready_within) : "";
  return fmt::format("its {} come back, and its pods are ready{}", all, by);
}

std::vector<std::string> promised_tenants(const Session& session) {
  std::vector<std::string> out;
  if (!session.planned) return out;
  const auto add = [&](const std::string& tenant) {
    if (!contains(out, tenant)) out.push_back(tenant);
  };
  for (const QueueRole& role : session.planned->intent.roles)
    if (promised(role)) add(role.tenant);
  for (const volcano::QueueRole& role : session.planned->intent.volcano_roles)
    if (promised(role)) add(role.tenant);
  for (const OutsideReserve& outside : session.planned->intent.outside)
    if (promised(outside)) add(outside.tenant);
  return out;
}

}  // namespace gpol
