// One requirement of the selector that strangers cannot bring about is enough: all must hold. Labels of a namespace
// change by its creation, by an update, and by updates of its subresources (pkg/registry/core/namespace/strategy.go
// keeps the spec or the status of the old one, not its labels).
#include "checker/families/label_guards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/doors.h"
#include "checker/guards/reach.h"

namespace gpol {

std::set<std::string> principals(const Cluster& cluster, const std::set<std::string>& batch) {
  std::set<std::string> named;
  const auto look = [&](const std::string& expression) {
    if (expression.find("request.userInfo") == std::string::npos) return;
    for (const char quote : {'\'', '"'})
      for (std::size_t at = expression.find(quote); at != std::string::npos;) {
        const std::size_t end = expression.find(quote, at + 1);
        if (end == std::string::npos) break;
        named.insert(expression.substr(at + 1, end - at - 1));
        at = expression.find(quote, end + 1);
      }
  };
  for (const AdmissionPolicy& policy : cluster.admission_policies) {
    for (const auto& condition : policy.conditions) look(condition.expression);
    for (const auto& variable : policy.variables) look(variable.expression);
    for (const auto& validation : policy.validations) look(validation.expression);
  }
  for (const char* all :
       {"system:authenticated", "system:unauthenticated", "system:anonymous", "system:serviceaccounts"})
    named.erase(all);
  for (const std::string& ns : batch)
    std::erase_if(named, [&](const std::string& name) {
      return name == "system:serviceaccounts:" + ns || name.starts_with("system:serviceaccount:" + ns + ":");
    });
  return named;
}

namespace {

std::string stranger(const Cluster& cluster, const std::set<std::string>& batch) {
  std::string out = "true";
  for (const std::string& name : principals(cluster, batch))
    out += fmt::format(" && request.userInfo.username != {0} && !({0} in request.userInfo.groups)", quoted(name));
  return out;
}

// The label is there with one of these values; any, where none is listed.
std::string carries(const std::string& object, const std::string& key, const std::vector<std::string>& values) {
  std::vector<std::string> words;
  for (const std::string& value : values) words.push_back(quoted(value));
  std::string out = fmt::format("has({0}.metadata.labels) && {1} in {0}.metadata.labels", object, quoted(key));
  if (!words.empty())
    out += fmt::format(" && {}.metadata.labels[{}] in [{}]", object, quoted(key), fmt::join(words, ", "));
  return "(" + out + ")";
}

}  // namespace

LabelGuards guards_of_labels(const Cluster& cluster, const Selector& selector, const std::set<std::string>& meant,
                             const std::set<std::string>& batch, Solver& solver) {
  LabelGuards out;
  if (cluster.admission_policies.empty()) return out;
  std::string who = stranger(cluster, batch);
  for (const std::string& ns : meant) who += fmt::format(" && object.metadata.name != {}", quoted(ns));
  std::size_t most = 0;  // doors that policies shut for one requirement
  const auto guarded = [&](const std::string& key, const std::vector<std::string>& values) {
    const std::string after = carries("object", key, values), before = carries("oldObject", key, values);
    std::set<std::string> policies;
    std::vector<std::string> open;
    bool seen = false;  // a request that gets through
    for (const auto& [operation, subresource] : {std::pair{"CREATE", ""}, std::pair{"UPDATE", ""},
                                                 std::pair{"UPDATE", "status"}, std::pair{"UPDATE", "finalize"}}) {
      const std::string bad =
          operation == std::string_view("CREATE") ? after + " && " + who : after + " && !" + before + " && " + who;
      const Reach reached = reach(cluster, {{{operation, "", "v1", "namespaces", subresource, false}}, bad}, solver);
      if (reached.kind == Reach::Kind::Denied) {
        policies.insert(reached.policies.begin(), reached.policies.end());
      } else {
        seen = seen || reached.kind == Reach::Kind::Admitted;
        open.push_back(fmt::format("{} of namespaces{}{}", operation, *subresource ? "/" : "", subresource));
      }
    }
    if (open.empty()) {
      out.policies = std::move(policies);
      return true;
    }
    if (policies.empty() || 4 - open.size() <= most) return false;
    most = 4 - open.size();
    std::vector<std::string> names;
    for (const std::string& policy : policies) names.push_back("`" + policy + "`");
    const bool one = names.size() == 1;
    out.let_through =
        seen ? fmt::format("{} {} it be set by {}", fmt::join(names, ", "), one ? "lets" : "let", fmt::join(open, ", "))
             : fmt::format("whether {} {} anybody from setting it by {} is not known", fmt::join(names, ", "),
                           one ? "keeps" : "keep", fmt::join(open, ", "));
    return false;
  };
  for (const auto& [key, value] : selector.match_labels)
    if (guarded(key, {value})) return out;
  for (const auto& e : selector.expressions)
    if (e.op == "In" || e.op == "Exists")
      if (guarded(e.key, e.op == "In" ? e.values : std::vector<std::string>())) return out;
  return out;
}

}  // namespace gpol
