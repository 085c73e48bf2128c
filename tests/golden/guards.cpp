// What guards deny, as people read it (tests/golden/guards.table): of each guard the requests that it is about, its
// conditions, and its expressions with what they say to whom they deny. One example has nearly all that there are; of
// the other, which shares GPUs, those that differ in more than their namespaces. The third has the same for more
// classes. The objects themselves are compared by hash (golden.h).
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/golden/golden.h"
#include "tests/support/catch.h"
#include "tests/support/planned.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

constexpr const char* kTable = "tests/golden/guards.table";
constexpr const char* kExamples[] = {"morning-ramp", "on-prem-three-classes"};

std::string one_of(const Selector::Expression& expression) {
  return fmt::format("{} {} {}", expression.key, expression.op, fmt::join(expression.values, " "));
}

std::string selected(const Selector& selector) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : selector.match_labels) parts.push_back(key + "=" + value);
  for (const auto& expression : selector.expressions) parts.push_back(one_of(expression));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string requests(const MatchResources::Rule& rule) {
  std::vector<std::string> resources;
  for (const std::string& group : rule.groups)
    for (const std::string& resource : rule.resources)
      resources.push_back(group.empty() ? resource : fmt::format("{} ({})", resource, group));
  return fmt::format("{} {}{}{}", fmt::join(rule.operations, " "), fmt::join(resources, " "),
                     rule.names.empty() ? "" : " named ", fmt::join(rule.names, " "));
}

// All but its namespaces.
std::string body_of(const AdmissionPolicy& guard, const Cluster& cluster) {
  std::string out;
  for (const auto& rule : guard.match.rules) out += "    on " + requests(rule) + "\n";
  for (const auto& rule : guard.match.excluded) out += "    not on " + requests(rule) + "\n";
  if (const std::string objects = selected(guard.match.objects); !objects.empty()) out += "    of " + objects + "\n";
  for (const auto& [name, expression] : guard.conditions) out += fmt::format("    if {}: {}\n", name, expression);
  for (const auto& [name, expression] : guard.variables) out += fmt::format("    let {} = {}\n", name, expression);
  for (std::size_t i = 0; i < guard.validations.size(); ++i) {
    const auto& [expression, message] = guard.validations[i];
    out += "    " + expression + "\n";
    const bool told_below = i + 1 < guard.validations.size() && guard.validations[i + 1].message == message;
    if (!told_below) out += "        " + message + "\n";
  }
  for (const AdmissionBinding& binding : cluster.admission_bindings)
    if (binding.policy == guard.name) out += fmt::format("    {}\n", fmt::join(binding.actions, " "));
  return out;
}

std::string table() {
  std::string out = "# What guards deny. Written by `update-golden` (tests/golden/guards.cpp).\n";
  std::set<std::string> told;
  for (const std::string name : kExamples) {
    const Planned planned = planned_of("examples/" + name + "/" + name + ".gpol");
    std::vector<AdmissionPolicy> guards = planned.cluster.admission_policies;
    std::sort(guards.begin(), guards.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    out += "\n## " + name + "\n";
    for (const AdmissionPolicy& guard : guards) {
      const std::string body = body_of(guard, planned.cluster);
      if (!told.insert(guard.name + "\n" + body).second) continue;
      out += fmt::format("\n{}\n", guard.name);
      if (const std::string where = selected(guard.match.namespaces); !where.empty()) out += "    in " + where + "\n";
      out += body;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("guards: what they deny is what people have read") {
  const Root root;
  const std::string now = table();
  if (updating() && update_file(kTable, now) > 0) FAIL("updated the table of guards");
  CHECK(difference(read_text(kTable), now) == "");
}

}  // namespace gpol::test
