#include "cli/config/config_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/observe/classes_file.h"
#include "checker/observe/kinds/kinds.h"
#include "cli/commands/versions.h"
#include "compiler/policy/zones.h"
#include "compiler/source/explain_pages.h"

namespace gpol {

using namespace manifest;

namespace {

constexpr std::size_t kMostEntries = 1'000;  // of exclude and of waivers: each is looked at for each file or finding

void read_nodes_like(const View& row, std::vector<NodeFacts>& nodes) {
  NodeFacts node;
  node.name = row.required_text("name");
  node.span = row.span_of("name");
  node.labels = row.text_map("labels");
  if (const auto model = row.text("gpu")) node.labels.emplace("nvidia.com/gpu.product", *model);
  if (const auto taints = row.list("taints"))
    for (std::size_t i = 0; i < taints->size(); ++i)
      if (const View item = taints->at(i); item.expect(Node::Kind::Map)) {
        Taint taint{item.required_text("key"), item.text("value").value_or(""), item.required_text("effect")};
        if (taint.effect != "PreferNoSchedule") node.taints.push_back(std::move(taint));
        item.finish();
      }
  if (row.required_map("allocatable")) node.allocatable = read_amounts(row, "allocatable");
  const auto count = row.integer("count");
  const auto up_to = row.integer("upTo");
  if (!count && !row.has("count")) row.problem("count", "is missing: how many such nodes are there?");
  const std::int64_t sure = count.value_or(0), all = std::max(up_to.value_or(sure), sure);
  if (sure < 0 || all > kMostNamedNodes || static_cast<std::int64_t>(nodes.size()) + all > kMostNamedNodes)
    return row.problem("count", fmt::format("must be from 0 on, and all of them at most {}", kMostNamedNodes));
  if (up_to && *up_to < sure) row.problem("upTo", "is less than `count`");
  row.finish();
  const std::string name = node.name;
  for (std::int64_t i = 0; i < all; ++i) {
    node.name = fmt::format("{}-{}", name, i + 1);
    node.elastic = i >= sure;
    nodes.push_back(node);
  }
}

Waiver read_waiver(const View& row) {
  Waiver waiver;
  const std::string code = row.required_text("finding");
  for (const CodeInfo& info : all_codes())
    if (to_string(info.code) == code) waiver.finding = info.code;
  if (!code.empty() && waiver.finding == Code{}) row.problem("finding", shown(code) + " is no code such as GP1501");
  waiver.subject = row.required_text("subject");
  waiver.flavor = row.text("flavor").value_or("");
  waiver.resource = row.text("resource").value_or("");
  waiver.until = row.required_text("until");
  if (!waiver.until.empty() && !is_date(waiver.until))
    row.problem("until", shown(waiver.until) + " is no day such as 2027-01-31");
  waiver.reason = row.required_text("reason");
  waiver.owner = row.required_text("owner");
  row.finish();
  return waiver;
}

void read_kueue(const View& root, ConfigFile& file) {
  const auto version = root.text("kueue");
  if (!version) return;
  file.kueue = plain_version(*version);
  if (file.kueue.empty()) root.problem("kueue", shown(*version) + " is no version of three numbers, such as v0.19.2");
}

void read_times(const View& map, BatchTimes& times) {
  times.round = read_time(map, "round");
  times.release_reaction = read_time(map, "release");
  const auto kinds = map.texts("kinds");
  for (const std::string& kind : kinds)
    if (kind != "Job" && kind != "Pod") map.problem("kinds", shown(kind) + " is none of Job, Pod");
  times.only_jobs = kinds == std::vector<std::string>{"Job"};
  times.only_pods = kinds == std::vector<std::string>{"Pod"};
  map.finish();
}

NamedTenant read_tenant(const View& row) {
  NamedTenant tenant;
  tenant.is.tenant = row.required_text("name");
  tenant.is.name_span = tenant.is.reserve_span = row.span_of("name");
  tenant.is.isolation = row.choice<Isolation>("class", kClasses, Isolation::A);
  tenant.is.namespaces = row.texts("namespaces");
  tenant.is.deadline = read_time(row, "deadline");
  tenant.is.start = read_start(row);
  tenant.is.grace = read_time(row, "grace");
  tenant.is.kill_margin = read_time(row, "killMargin");
  tenant.is.preempts_at = row.integer("priority");
  tenant.flavor = row.required_text("flavor");
  if (row.required_map("reserve")) tenant.reserve = read_amounts(row, "reserve");
  tenant.replica = read_amounts(row, "replica");
  row.finish();
  return tenant;
}

template <class Read>
void each_of(const View& root, std::string_view key, Read read) {
  const auto list = root.list(key);
  if (!list || !list->at_most(kMostEntries)) return;
  for (std::size_t i = 0; i < list->size(); ++i)
    if (const View row = list->at(i); row.expect(Node::Kind::Map)) read(row);
}

}  // namespace

ConfigFile read_config_file(const std::string& text) {
  ConfigFile file;
  Problems problems;
  const auto tree = read_own_file(text, problems, file.problems);
  if (!tree) return file;
  const View root(*tree->root, problems);
  if (root.expect(Node::Kind::Map)) {
    if (const auto queues = root.map("queues"))
      for (const Entry& entry : queues->node().entries)
        if (const auto queue = queues->map(entry.key)) file.roles.emplace(entry.key, read_named_role(*queue));
    read_kueue(root, file);
    for (const auto& [key, paths] : {std::pair{"exclude", &file.exclude}, std::pair{"include", &file.include}})
      if (*paths = root.texts(key); paths->size() > kMostEntries)
        root.problem(key, fmt::format("has more than {} entries", kMostEntries));
    if (const auto times = root.map("times")) read_times(*times, file.times);
    each_of(root, "tenants", [&](const View& row) { file.tenants.push_back(read_tenant(row)); });
    each_of(root, "nodes", [&](const View& row) { read_nodes_like(row, file.nodes); });
    each_of(root, "waivers", [&](const View& row) { file.waivers.push_back(read_waiver(row)); });
    root.finish();
  }
  add_texts(problems, file.problems);
  return file;
}

}  // namespace gpol
