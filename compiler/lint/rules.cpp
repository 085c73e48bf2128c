// Allows that permit nothing that others do not, and promises that others keep.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "compiler/lint/codes.h"
#include "compiler/lint/parts.h"
#include "compiler/policy/modes.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol::lints {

namespace {

bool in_force(const Allow& allow, const WindowSet& mode) {
  return allow.window == kNone || std::ranges::binary_search(mode, allow.window);
}

const PoolAmount* reserve_of(const Policy& policy, const Allow& allow) {
  return find_by(policy.tenants[allow.lender].reserves, allow.pool, &PoolAmount::pool);
}

// Of the same borrower, lender and pool: does it permit the whole reserve whenever `allow` is in force, and bring it
// back no later?
bool covers(const Policy& policy, const std::vector<WindowSet>& modes, const Allow& other, const Allow& allow) {
  const PoolAmount* reserve = reserve_of(policy, allow);
  if (reserve == nullptr) return false;
  for (const auto& [resource, amount] : reserve->amount)
    if (policy.resources[static_cast<std::size_t>(resource)].device && other.amount[resource] < amount) return false;
  if (allow.back_within && (!other.back_within || other.back_within->value > allow.back_within->value)) return false;
  return std::ranges::all_of(modes,
                             [&](const WindowSet& mode) { return !in_force(allow, mode) || in_force(other, mode); });
}

void shadowed(const Input& in, Span span, Span by, std::string message, std::string_view label,
              std::vector<Diagnostic>& out) {
  if (!written_here(in, span)) return;
  superfluous(out, code::ShadowedPromise, span, removable(in, span, span), std::move(message), "remove the line")
      .labels.push_back({by, std::string(label)});
}

void lint_proves(const Input& in, std::vector<Diagnostic>& out) {
  const Policy& policy = in.policy;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Span> holds;
  for (const ProveHolds& prove : policy.prove_holds) {
    const auto [first, fresh] = holds.emplace(std::pair(prove.holder, prove.held), prove.span);
    if (!fresh) shadowed(in, prove.span, first->second, "this promise is given twice", "first given here", out);
  }
  // The strictest of each class; of equal ones the first.
  std::map<std::uint32_t, const ProveReady*> strictest;
  for (const ProveReady& prove : policy.prove_ready) {
    const auto [best, fresh] = strictest.emplace(prove.latency_class, &prove);
    if (!fresh && prove.within.value < best->second->within.value) best->second = &prove;
  }
  std::map<Span, Span> whole;  // of the time, the promise
  for (const ast::Decl& decl : in.files.front().decls)
    if (const auto* prove = std::get_if<ast::Prove>(&decl.node))
      if (const auto* ready = std::get_if<ast::ProveReady>(&prove->node)) whole.emplace(ready->within.span, decl.span);
  for (const ProveReady& prove : policy.prove_ready) {
    const auto here = whole.find(prove.within.span);
    if (here == whole.end()) continue;
    const LatencyClass& of = policy.classes[prove.latency_class];
    if (const ProveReady* best = strictest.at(prove.latency_class); best != &prove)
      shadowed(in, here->second, best->within.span,
               best->within.value == prove.within.value
                   ? "this promise is given twice"
                   : fmt::format("this promise says no more than `{} ready within {}`", of.name,
                                 written_duration(best->within.value)),
               best->within.value == prove.within.value ? "first given here" : "this one is stricter", out);
    else if (of.ready_within && of.ready_within->value < prove.within.value)
      shadowed(in, here->second, of.ready_within->span,
               fmt::format("this promise says less than class `{}` itself", of.name), "this one is stricter", out);
  }
}

// p99 below 150 ms is p50 below 150 ms as well.
bool implies(const Slo& strict, const Slo& loose) {
  const auto rank = [](const Slo& slo) { return std::stod(slo.percentile.substr(1)); };
  return strict.metric == loose.metric && rank(strict) >= rank(loose) && strict.below_ms <= loose.below_ms &&
         (strict.window == kNone || strict.window == loose.window);
}

void lint_slos(const Input& in, std::vector<Diagnostic>& out) {
  std::map<Span, const LatencyClass*> classes;
  for (const LatencyClass& latency_class : in.policy.classes) classes.emplace(latency_class.span, &latency_class);
  for (const ast::Decl& decl : in.files.front().decls) {
    const auto* written = std::get_if<ast::Class>(&decl.node);
    if (written == nullptr) continue;
    const auto& slos = classes.at(written->name.span)->slos;  // in the order of the text, nothing was wrong
    std::vector<Span> spans;
    for (const ast::ClassItem& item : written->items)
      if (std::holds_alternative<ast::ClassSlo>(item.node)) spans.push_back(item.span);
    for (std::size_t i = 0; i < std::min(slos.size(), spans.size()); ++i)
      for (std::size_t k = 0; k < std::min(slos.size(), spans.size()); ++k)
        if (i != k && implies(slos[k], slos[i])) {
          shadowed(in, spans[i], spans[k], "this level is kept whenever a stricter one is", "this one is stricter",
                   out);
          break;
        }
  }
}

}  // namespace

void lint_allows(const Input& in, std::vector<Diagnostic>& out) {
  const Policy& policy = in.policy;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<const Allow*>> groups;
  for (const Allow& allow : policy.allows) groups[{allow.borrower, allow.lender, allow.pool}].push_back(&allow);
  std::optional<std::vector<WindowSet>> modes;
  for (const auto& [key, allows] : groups) {
    if (allows.size() < 2) continue;  // each has a window of its own: a policy has few
    if (!modes) modes = window_modes(policy.windows);
    if (!modes) return;
    for (const Allow* allow : allows) {
      const auto other = std::ranges::find_if(allows, [&](const Allow* one) {
        // Two that cover each other: the first stays.
        return one != allow && covers(policy, *modes, *one, *allow) &&
               (one->span < allow->span || !covers(policy, *modes, *allow, *one));
      });
      if (other == allows.end() || !written_here(in, allow->span)) continue;
      superfluous(out, code::IdleAllow, allow->span, removable(in, allow->span, allow->span),
                  fmt::format("this allow adds nothing: another permits `{}` all that `{}` reserves of `{}`, whenever "
                              "this one would",
                              policy.tenants[allow->borrower].name, policy.tenants[allow->lender].name,
                              policy.pools[allow->pool].name),
                  "remove the line")
          .labels.push_back({(*other)->span, "this one permits all of it"});
    }
  }
}

void lint_promises(const Input& in, std::vector<Diagnostic>& out) {
  lint_proves(in, out);
  lint_slos(in, out);
}

}  // namespace gpol::lints
