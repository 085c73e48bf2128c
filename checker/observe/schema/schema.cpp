#include "checker/observe/schema/schema.h"

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/structure.h"
#include "checker/observe/schema/tables.h"
#include "checker/observe/schema/volcano.h"

namespace gpol::manifest {
namespace schema {
namespace {

std::span<const std::span<const Rule>> families() {
  static const std::span<const Rule> kAll[] = {metadata_rules(), cel_rules(), webhook_rules(), workload_rules()};
  return kAll;
}

std::span<const std::span<const Rule>> volcano_families() {
  static const std::span<const Rule> kAll[] = {metadata_rules(), volcano_rules()};
  return kAll;
}

}  // namespace

void each(const Look& self, std::string_view path, const std::function<void(const Look&)>& visit) {
  if (!self.present()) return;
  if (path.empty()) return visit(self);
  const auto dot = path.find('.');
  const auto rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  auto step = path.substr(0, dot);
  const bool list = step.ends_with("[]");
  if (list) step.remove_suffix(2);
  const Look below = self.get(step);
  if (!list) return each(below, rest, visit);
  for (const Look item : below.items()) each(item, rest, visit);
}

void ask(const Look& self, std::string_view path, const Rule& rule, const Report& report) {
  each(self, path, [&](const Look& at) {
    if (!report.full()) rule.check(at, report);
  });
}

void Findings::add(std::string_view rule, std::string field, std::string what, const Node& at) {
  if (full() || !fields_.insert(field).second) return;
  list_.push_back({std::string(rule), std::move(field), std::move(what), &at});
}

std::vector<std::string_view> rule_names() {
  const auto structure = structure_rules();
  std::vector<std::string_view> names(structure.begin(), structure.end());
  for (const auto family : families())
    for (const Rule& rule : family) names.push_back(rule.name);
  return names;
}

}  // namespace schema

std::vector<Violation> violations(const Node& object) {
  using namespace schema;
  const Look root(object);
  const Look api = root.get("apiVersion"), name = root.get("kind");
  const Kind* volcano = volcano_kind(api.text(), name.text());
  const Kind* kind = volcano != nullptr ? volcano : kind_of(api.text(), name.text());
  if (kind == nullptr) return {};
  Findings findings;
  check_structure(root, kind->root, findings);
  for (const auto family : volcano != nullptr ? volcano_families() : families())
    for (const Rule& rule : family)
      if (is_among(rule.kinds, kind->name)) ask(root, rule.path, rule, Report(rule.name, findings));
  return findings.take();
}

}  // namespace gpol::manifest
