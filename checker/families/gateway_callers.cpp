// Who reaches the pods of a service past the gateway: a NetworkPolicy lets in whom `from` names, and the pods
// themselves.
//
// Formula: a pod of some tenant that is let in, as one of the callers, is one that the policy lets in for no tenant.
// Closed form: no caller stands in a namespace of a tenant.
#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/gateway_parts.h"
#include "compiler/source/lookup.h"

namespace gpol::gateway {

namespace {

// The callers are numbered; `tenant` is true of the numbers of those that stand in a tenant's namespace.
Formula caller_of_a_tenant(const PlannedEdge& edge) {
  const Term caller = int_symbol("caller");
  Term let_in = boolean(false), of_tenant = boolean(false);
  std::int64_t number = 0;
  for (const PlannedEdge::Caller& one : edge.callers) {
    let_in = let_in || equal(caller, integer(number));
    if (!one.tenant.empty()) of_tenant = of_tenant || equal(caller, integer(number));
    ++number;
  }
  return {"gateway/callers/" + edge.tenant,
          "who is let in past the gateway is of no tenant",
          {{"let-in", let_in}},
          of_tenant};
}

}  // namespace

void judge_callers(const PlannedEdge& edge, LemmaBook& book, Report& report) {
  if (edge.callers.empty()) return;
  Obligation o = statement(edge, code::GatewayCallers, edge.callers.front().span);
  const Answer& answer = book.ask("gateway/callers/" + edge.tenant, [&] { return caller_of_a_tenant(edge); });
  const auto* other = find_where(edge.callers, [](const PlannedEdge::Caller& one) { return !one.tenant.empty(); });
  if (answer.kind == Answer::Kind::Unknown)
    return add_undecided(report, std::move(o), "whether a tenant reaches it past the gateway", answer.why, "");
  if ((answer.kind == Answer::Kind::Sat) != (other != nullptr))
    throw InternalError("gateway: two judgements of who reaches a service differ");
  Detail detail;
  if (other == nullptr) {
    o.verdict = Verdict::Proven;
    detail.message = fmt::format("no tenant reaches the pods of `{}` past the gateway", edge.callers.front().service);
    return report.add(std::move(o), std::move(detail));
  }
  o.verdict = Verdict::Refuted;
  o.span = other->span;
  detail.message = fmt::format("{} of tenant `{}` reaches the pods of `{}` past the gateway", other->who, other->tenant,
                               other->service);
  detail.story = {{"", other->who, fmt::format("opens a connection to a pod of `{}`, and is let in", other->service)},
                  {"", fmt::format("`{}`", other->service),
                   "has that request beside all that the gateway lets in, and no limit counts it"}};
  detail.fix = Fix{"name only the gateway's proxies in `from`, and what reads metrics in a namespace of no tenant"};
  report.add(std::move(o), std::move(detail));
}

}  // namespace gpol::gateway
