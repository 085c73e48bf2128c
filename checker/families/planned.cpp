// "What a policy says beyond the families that are proven is said to be open." Each use of a construct whose proof is
// planned is one required obligation of its family, not analysed: no verdict is proven over it unless the gap is
// allowed by name.
#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/families.h"
#include "compiler/policy/constructs.h"
#include "compiler/source/codes.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

Family family_of(const PlannedUse& use) {
  const Construct* row = construct(use.construct);
  for (int i = 0; row != nullptr && i < kFamilies; ++i)
    if (family_name(static_cast<Family>(i)) == row->planned) return static_cast<Family>(i);
  throw InternalError(fmt::format("`{}` has no family that is to prove it", use.construct));
}

// Kinds of what is said something of, as the report names them.
std::string_view kind_of(std::string_view kind) {
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
      {"nodes", "Nodes"},     {"pool", "Pool"},   {"class", "Class"}, {"tenant", "Tenant"},
      {"service", "Service"}, {"limit", "Limit"}, {"lever", "Lever"}, {"approval", "Approval"}};
  for (const auto& [word, name] : kKinds)
    if (word == kind) return name;
  return "Policy";
}

// A guard that must be approved of is known only now.
void judge_approvals(const Proof& proof, Report& report) {
  std::vector<std::string_view> names;
  for (const AdmissionPolicy& policy : proof.cluster.admission_policies) names.push_back(policy.name);
  for (const Approval& approval : proof.intent.approvals) {
    if (!approval.guard || contains(names, approval.what)) continue;
    const auto near = nearest(approval.what, names);
    report.diagnostics.push_back(
        error_at(code::UnknownName, approval.span, fmt::format("`{}` is no guard of this policy", approval.what),
                 near ? fmt::format("did you mean `{}`?", *near) : "name a guard that `build` writes"));
  }
}

}  // namespace

void judge_planned(const Proof& proof, Report& report) {
  for (const PlannedUse& use : proof.intent.planned) {
    const Family family = family_of(use);
    report.add(obligation(family, code::Planned, Verdict::NotAnalysed, {kind_of(use.kind), use.name}, use.span),
               {.reason = fmt::format("`{}` is not proven yet", use.text),
                .message = fmt::format("nothing is proven yet of `{}` of {} `{}`", use.text, use.kind, use.name),
                .fix = Fix{is_unwritten(use.construct)
                               ? "leave it out: `gpol build` writes nothing beside it"
                               : fmt::format("leave it out, or go on without its proof: `--allow-gap {}`",
                                             family_name(family))}});
  }
  judge_approvals(proof, report);
}

}  // namespace gpol
