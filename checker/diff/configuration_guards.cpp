// Guards: what begins or ceases to be refused. A guard whose conditions differ, or whose expressions differ on both
// sides, is "changed": which requests it refuses then is not compared.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/diff/configuration.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

struct Guard {
  AdmissionPolicy policy;
  std::string does = "refuses nothing";        // what a binding has it do, the strictest of all
  std::map<std::string, std::string> refuses;  // each expression -> what it tells whom it refuses
  std::string about;                           // which requests, in the normal form
};

std::map<std::string, Guard> guards_of(const Cluster& cluster) {
  std::map<std::string, Guard> guards;
  for (const AdmissionPolicy& policy : cluster.admission_policies) {
    Cluster alone;
    alone.admission_policies = {policy};
    alone.admission_policies.front().validations.clear();
    Guard& guard = guards[policy.name];
    guard.policy = policy;
    for (const auto& one : policy.validations) guard.refuses.emplace(one.expression, one.message);
    for (const AdmissionBinding& binding : cluster.admission_bindings)
      if (binding.policy == policy.name) alone.admission_bindings.push_back(binding);
    for (const auto& [action, word] : {std::pair{"Audit", "audits"}, {"Warn", "warns"}, {"Deny", "refuses"}})
      for (const AdmissionBinding& binding : alone.admission_bindings)
        if (contains(binding.actions, action)) guard.does = word;
    for (AdmissionBinding& binding : alone.admission_bindings) binding.actions.clear();
    guard.about = normal_form(alone);
  }
  return guards;
}

// What one refuses and the other does not.
std::string only_in(const Guard& one, const Guard& other) {
  std::set<std::string> messages;
  for (const auto& [expression, message] : one.refuses)
    if (!other.refuses.contains(expression))
      messages.insert(message.empty() ? "failed expression: " + expression : message);
  return listed_up_to(2, messages, [](const std::string& message) { return "\"" + message + "\""; });
}

}  // namespace

void compare_guards(const Cluster& before, const Cluster& after, std::vector<ConfigurationRow>& out) {
  const auto was = guards_of(before), is = guards_of(after);
  std::map<std::string, Guard> all = was;
  all.insert(is.begin(), is.end());
  for (const auto& [name, any] : all) {
    const Guard old = value_or(was, name, {}), now = value_or(is, name, {});
    const bool denied = old.does == "refuses", denies = now.does == "refuses", same_requests = old.about == now.about;
    const std::string gone = only_in(old, now), fresh = only_in(now, old);
    ConfigurationRow row{"guard", name, was.contains(name) ? old.does : "-", is.contains(name) ? now.does : "-",
                         "changed"};
    if (denied != denies) {
      row.means = denies ? "safer" : "riskier";
    } else if (row.before == row.after && (!gone.empty() || !fresh.empty() || !same_requests)) {
      if (!gone.empty()) row.before += " " + gone;
      if (!fresh.empty()) row.after += " " + fresh;
      if (!same_requests) row.after += ", of other requests";
      if (denied && same_requests && gone.empty()) row.means = "safer";
      if (denied && same_requests && fresh.empty()) row.means = "riskier";
    } else if (row.before == row.after) {
      continue;
    }
    if (row.means == "safer")
      row.what = fmt::format("`{}` begins to refuse: {}", name, denied ? fresh : only_in(now, {}));
    if (row.means == "riskier")
      row.what = fmt::format("guard `{}` does not refuse any more: {}", name, denies ? gone : only_in(old, {}));
    out.push_back(std::move(row));
  }
}

}  // namespace gpol
