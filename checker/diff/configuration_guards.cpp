// Guards: what begins or ceases to be refused. A guard that may see fewer requests, or whose expressions differ on both
// sides, may refuse less: which requests it refuses then is not compared, and it counts as one that does.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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
  std::vector<MatchResources> bound;           // of its bindings that deny
};

// Its requirements, each of one key.
std::vector<Selector::Expression> requirements_of(const Selector& selector) {
  std::vector<Selector::Expression> all = selector.expressions;
  for (const auto& [key, value] : selector.match_labels) all.push_back({key, "In", {value}});
  return all;
}

bool implies(const Selector::Expression& was, const Selector::Expression& is) {
  const auto has = [](const std::vector<std::string>& values, const std::vector<std::string>& all) {
    return std::ranges::all_of(all, [&](const std::string& one) { return contains(values, one); });
  };
  if (was.key != is.key) return false;
  if (is.op == "Exists") return was.op == "Exists" || was.op == "In";
  if (is.op == "In") return was.op == "In" && has(is.values, was.values);
  if (is.op == "NotIn" && was.op == "In")
    return std::ranges::none_of(was.values, [&](const std::string& one) { return contains(is.values, one); });
  return is.op == was.op && has(was.values, is.values);
}

// Whatever one selects the other selects, too.
bool selects_all_of(const Selector& is, const Selector& was) {
  const auto old = requirements_of(was);
  return std::ranges::all_of(requirements_of(is), [&](const auto& now) {
    return std::ranges::any_of(old, [&](const auto& one) { return implies(one, now); });
  });
}

bool has_all(const std::vector<std::string>& is, const std::vector<std::string>& was) {
  return contains(is, "*") || std::ranges::all_of(was, [&](const std::string& one) { return contains(is, one); });
}

bool sees_all_of(const MatchResources::Rule& is, const MatchResources::Rule& was) {
  return has_all(is.groups, was.groups) && has_all(is.versions, was.versions) &&
         has_all(is.operations, was.operations) && has_all(is.resources, was.resources) &&
         (is.names.empty() || is.names == was.names) && (is.scope == "*" || is.scope == was.scope);
}

// Each request that one asks about the other asks about, too: as far as single fields show it.
bool sees_all_of(const MatchResources& is, const MatchResources& was) {
  return is.excluded == was.excluded && is.equivalent == was.equivalent &&
         selects_all_of(is.namespaces, was.namespaces) && selects_all_of(is.objects, was.objects) &&
         std::ranges::all_of(was.rules, [&](const MatchResources::Rule& rule) {
           return std::ranges::any_of(is.rules, [&](const auto& now) { return sees_all_of(now, rule); });
         });
}

// Without the blanks that mean nothing to CEL. As it is where a comment ends with its line, or a string has escapes.
std::string normal(const std::string& expression) {
  if (expression.find("//") != std::string::npos || expression.find('\\') != std::string::npos) return expression;
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string out;
  bool blank = false;
  char quote = 0;
  for (const char c : expression) {
    if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      blank = true;
      continue;
    }
    if (blank && !out.empty() && in_word(out.back()) && in_word(c)) out += ' ';
    blank = false;
    if (quote == c)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    out += c;
  }
  return out;
}

bool deny_all_of(const Guard& is, const Guard& was) {
  return std::ranges::all_of(was.bound, [&](const MatchResources& match) {
    return std::ranges::any_of(is.bound, [&](const MatchResources& now) { return sees_all_of(now, match); });
  });
}

bool sees_all_of(const Guard& is, const Guard& was) {
  const auto has = [](const auto& all, const auto& one) {
    return std::ranges::any_of(all, [&](const auto& other) { return other.expression == one.expression; });
  };
  return (is.policy.fails_closed || !was.policy.fails_closed) && (!is.policy.params || was.policy.params) &&
         std::ranges::all_of(is.policy.conditions, [&](const auto& one) { return has(was.policy.conditions, one); }) &&
         std::ranges::all_of(was.policy.variables,
                             [&](const auto& one) { return contains(is.policy.variables, one); }) &&
         sees_all_of(is.policy.match, was.policy.match) && deny_all_of(is, was);
}

std::map<std::string, Guard> guards_of(const Cluster& cluster) {
  std::map<std::string, Guard> guards;
  for (const AdmissionPolicy& policy : cluster.admission_policies) {
    Cluster alone;
    alone.admission_policies = {policy};
    alone.admission_policies.front().validations.clear();
    alone.admission_policies.front().name.clear();
    Guard& guard = guards[policy.name];
    guard.policy = policy;
    for (const auto& one : policy.validations) guard.refuses.emplace(normal(one.expression), one.message);
    for (const AdmissionBinding& binding : cluster.admission_bindings)
      if (binding.policy == policy.name) alone.admission_bindings.push_back(binding);
    for (const auto& [action, word] : {std::pair{"Audit", "audits"}, {"Warn", "warns"}, {"Deny", "refuses"}})
      for (const AdmissionBinding& binding : alone.admission_bindings)
        if (contains(binding.actions, action)) guard.does = word;
    for (const AdmissionBinding& binding : alone.admission_bindings)
      if (contains(binding.actions, "Deny")) guard.bound.push_back(binding.match);
    for (AdmissionBinding& binding : alone.admission_bindings)
      binding.actions.clear(), binding.name.clear(), binding.policy.clear();
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

void compare_guards(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out) {
  auto was = guards_of(before.cluster), is = guards_of(after.cluster);
  std::erase_if(was, [&](const auto& old) {  // renamed
    const auto same = std::ranges::find_if(is, [&](const auto& now) {
      return !is.contains(old.first) && !was.contains(now.first) && now.second.about == old.second.about &&
             now.second.does == old.second.does && now.second.refuses == old.second.refuses;
    });
    return same != is.end() && (is.erase(same), true);
  });
  // Those of a policy are the compiler's, and what premises need of them is proven: only their mode is the policy's.
  const bool of_policy = before.intent.of_policy && after.intent.of_policy;
  std::map<std::string, Guard> all = was;
  all.insert(is.begin(), is.end());
  for (const auto& [name, any] : all) {
    const Guard old = value_or(was, name, {}), now = value_or(is, name, {});
    const bool denied = old.does == "refuses", denies = now.does == "refuses",
               same_requests = old.about == now.about && deny_all_of(now, old) && deny_all_of(old, now);
    const std::string gone = only_in(old, now), fresh = only_in(now, old);
    ConfigurationRow row{"guard", name, was.contains(name) ? old.does : "-", is.contains(name) ? now.does : "-",
                         "changed"};
    if (of_policy && (!was.contains(name) || !is.contains(name))) {
      row.means = was.contains(name) ? "gone" : "new";
    } else if (denied != denies) {
      row.means = denies ? "safer" : "riskier";
    } else if (row.before == row.after && (!gone.empty() || !fresh.empty() || !same_requests)) {
      if (!gone.empty()) row.before += " " + gone;
      if (!fresh.empty()) row.after += " " + fresh;
      if (!same_requests) row.after += ", asked otherwise";
      if (row.before == row.after) row.after += ", by another expression";
      if (denied && !of_policy) row.means = gone.empty() && sees_all_of(now, old) ? "safer" : "riskier";
    } else if (row.before == row.after) {
      continue;
    }
    if (row.means == "safer")
      row.what = denied && fresh.empty()
                     ? fmt::format("`{}` refuses what it refused, and may refuse more", name)
                     : fmt::format("`{}` begins to refuse: {}", name, denied ? fresh : only_in(now, {}));
    if (row.means == "riskier")
      row.what =
          denied && denies && (!fresh.empty() || gone.empty())
              ? fmt::format(
                    "guard `{}` may refuse less: of other requests, by other expressions, or not where these fail",
                    name)
              : fmt::format("guard `{}` does not refuse any more: {}", name, denies ? gone : only_in(old, {}));
    out.push_back(std::move(row));
  }
}

}  // namespace gpol
