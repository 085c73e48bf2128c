#include "tests/mutation/guard_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/cluster/normal_form.h"

namespace gpol::mutation {

GuardTexts::GuardTexts(const Cluster& cluster) {
  std::map<std::string, Cluster> alone;
  for (const auto& policy : cluster.admission_policies) alone[policy.name].admission_policies.push_back(policy);
  for (const auto& binding : cluster.admission_bindings) alone[binding.policy].admission_bindings.push_back(binding);
  for (const auto& [name, part] : alone) policies[name] = normal_form(part);
  Cluster only;
  only.namespaces = cluster.namespaces;
  namespaces = normal_form(only);
}

Reach GuardMemory::answer(const GuardTexts& guards, const GuardQuestion& question, const std::function<Reach()>& ask) {
  const AdmissionTarget& t = question.target;
  const std::string key =
      fmt::format("{} {} {} {} {} {} {}\n{}\n{}\n{}", t.operation, t.group, t.version, t.resource, t.subresource,
                  t.namespaced, question.in_listed, question.bad, fmt::join(question.left_out, " "), guards.namespaces);
  const auto fits = [&](const Entry& known) {
    if (known.all) return known.need == guards.policies;
    for (const auto& [name, text] : known.need) {
      const auto found = guards.policies.find(name);
      if (found == guards.policies.end() || found->second != text) return false;
    }
    return true;
  };
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& known : entries_[key])
      if (fits(known)) return known.reach;
    ++asked_;
  }
  Entry entry{guards.policies, true, ask()};
  if (entry.reach.kind == Reach::Kind::Denied) {
    entry.all = false;
    std::map<std::string, std::string> need;
    for (const auto& name : entry.reach.policies) need[name] = entry.need.at(name);
    entry.need = std::move(need);
  }
  const std::lock_guard lock(mutex_);
  entries_[key].push_back(entry);
  return entry.reach;
}

}  // namespace gpol::mutation
