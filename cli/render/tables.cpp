#include "cli/render/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "cli/render/ownership.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostRows = 40;

struct Row {
  const Obligation* claim = nullptr;
  const Obligation* reclaim = nullptr;
  const Obligation* places = nullptr;  // what is not proven of its places on nodes
};

struct QueueRows {
  const PolicyReport* policy = nullptr;
  std::string_view name, tenant;
  Isolation isolation = Isolation::A;
  std::map<std::string_view, std::map<std::string_view, Row>> by_flavor;  // then by resource
};

std::vector<QueueRows> collect(const RunReport& run) {
  std::vector<QueueRows> all;
  for (const PolicyReport& policy : run.policies) {
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> at;  // by kind and name
    for (const ServingQueue& queue : serving_queues(policy)) {
      at.emplace(std::pair{queue.kind, queue.name}, all.size());
      all.push_back({&policy, queue.name, queue.tenant, queue.isolation, {}});
    }
    if (policy.planned != nullptr)
      for (const OutsideReserve& outside : policy.planned->intent.outside)
        if (at.emplace(std::pair{std::string_view("Tenant"), std::string_view(outside.tenant)}, all.size()).second)
          all.push_back({&policy, "outside the queue", outside.tenant, outside.isolation, {}});
    for (const Obligation& o : policy.report->obligations) {
      const bool places = o.family == Family::Placement || o.family == Family::Fragmentation;
      if (o.family != Family::Claim && o.family != Family::Reclaim && !places) continue;
      const auto found = at.find({o.subject.kind, o.subject.name});
      if (found == at.end()) continue;
      if (places) {
        for (auto& [resource, row] : all[found->second].by_flavor[o.subject.flavor])
          if (row.places == nullptr || o.verdict == Verdict::Refuted) row.places = &o;
        continue;
      }
      Row& row = all[found->second].by_flavor[o.subject.flavor][o.subject.resource];
      (o.family == Family::Claim ? row.claim : row.reclaim) = &o;
    }
  }
  return all;
}

std::int64_t reserve_of(const Row& row) { return row.claim ? row.claim->figures.reserve.value_or(0) : 0; }

// The resource by which a queue's share of a pool is told; null where it reserves nothing there.
const Row* told_row(const std::map<std::string_view, Row>& by_resource) {
  const auto gpus = by_resource.find(resource_name(Resource::Gpu));
  if (gpus != by_resource.end() && reserve_of(gpus->second) > 0) return &gpus->second;
  const auto first = [&](auto&& counts) -> const Row* {
    for (const auto& [resource, row] : by_resource)
      if (reserve_of(row) > 0 && counts(resource)) return &row;
    return nullptr;
  };
  if (const Row* devices = first(is_gpu_or_slice)) return devices;
  return first([](std::string_view) { return true; });
}

// `16 x 3g.40gb` of slices, which have a resource for each profile.
std::string amount(const std::optional<std::int64_t>& value, Unit unit, std::string_view resource) {
  if (!value) return "-";
  if (resource == slices_row(kShares).name)
    return fmt::format("{} share{}", human_count(*value), *value == 1 ? "" : "s");
  if (unit != Unit::Slices) return figure_text(*value, unit);
  return fmt::format("{} x {}", human_count(*value), resource.substr(resource.find("mig-") + 4));
}

// The required obligation that says how far: reclaim for class B, claim for class A.
const Obligation* bounding(const Row& row) {
  return row.reclaim != nullptr && row.reclaim->required ? row.reclaim : row.claim;
}

std::string verdict_of(const Row& row) {
  std::string_view worst = "proven";
  for (const Obligation* o : {row.claim, row.reclaim, row.places}) {
    if (o == nullptr || !o->required || o->verdict == Verdict::Proven) continue;
    if (o->verdict == Verdict::Refuted) return "refuted";
    worst = "undecided";
  }
  return std::string(worst);
}

// "21, 54-56" of the policy itself, "teams.gpol:3" of what it imports: where the proof was written.
std::string lines_of(const SourceSet& sources, const Row& row) {
  std::map<FileId, std::set<int>> lines;
  for (const Obligation* o : {row.claim, row.reclaim, row.places}) {
    if (o == nullptr || !o->required || !o->core) continue;
    if (o->verdict != Verdict::Proven) return "-";  // it rests on nothing
    for (const Span& span : *o->core)
      if (span.known()) lines[span.file].insert(sources.position(span.file, span.begin).line);
  }
  std::string out;
  for (const auto& [file, of_it] : lines) {
    const std::string& path = sources.path(file);
    const std::string name = file == 0 ? "" : path.substr(path.rfind('/') + 1) + ":";
    add_to_list(out, name + line_ranges(of_it), "; ");
  }
  return out.empty() ? "-" : out;
}

char letter(Isolation isolation) { return isolation == Isolation::A ? 'A' : isolation == Isolation::B ? 'B' : 'C'; }

std::vector<std::string> cells(const QueueRows& queue, std::string_view flavor, const Row& row) {
  const Figures& claim = row.claim->figures;
  const Obligation& bound = *bounding(row);
  std::vector<std::string> out{
      std::string(queue.name),
      std::string(queue.tenant),
      std::string(1, letter(queue.isolation)),
      fmt::format("{} of {}", amount(claim.reserve, claim.unit, row.claim->subject.resource), flavor),
      amount(claim.claimable, claim.unit, row.claim->subject.resource),
      "-",
      "-",
      verdict_of(row),
      lines_of(*queue.policy->sources, row)};
  if (claim.claimable_ending) out[4] += while_a_victim_ends(*claim.claimable_ending, claim.unit);
  if (row.reclaim != nullptr && row.reclaim->figures.back_within_ms)
    out[5] = human_duration(*row.reclaim->figures.back_within_ms);
  else if ((queue.isolation == Isolation::A || claim.claimable == 0) && bound.verdict == Verdict::Proven)
    out[5] = "never gone";
  if (row.reclaim != nullptr && row.reclaim->detail && row.reclaim->detail->ready_in_ms)
    out[6] = human_duration(*row.reclaim->detail->ready_in_ms);
  for (std::string& cell : out) cell = printable(cell);
  return out;
}

// The first of many guards, and how many more: the report in JSON names them all.
std::string shortened(const std::string& by) {
  const auto count = std::ranges::count(by, ',');
  return count < 2 ? by : fmt::format("{} and {} more guards", by.substr(0, by.find(',')), count);
}

}  // namespace

std::string queue_table(const RunReport& run, const Style& style) {
  std::vector<std::vector<std::string>> rows{{"serving queue", "tenant", "class", "reserve", "others can hold",
                                              "back within", "ready in", "verdict", "written at"}};
  std::size_t left_out = 0;
  const std::vector<QueueRows> queues = collect(run);
  // Rows of several policies say whose they are; lines are of that file.
  const bool several =
      std::ranges::any_of(queues, [&](const QueueRows& queue) { return queue.policy != queues.front().policy; });
  if (several) rows.front().insert(rows.front().begin(), "policy");
  for (const QueueRows& queue : queues) {
    for (const auto& [flavor, by_resource] : queue.by_flavor) {
      const Row* row = told_row(by_resource);
      if (row == nullptr) continue;
      if (rows.size() > kMostRows) {
        ++left_out;
        continue;
      }
      rows.push_back(cells(queue, flavor, *row));
      if (several) rows.back().insert(rows.back().begin(), printable(queue.policy->sources->path(0)));
    }
  }
  if (rows.size() == 1) return {};
  std::string out = aligned(rows, style);
  if (left_out > 0) out += fmt::format("and {} more (`--format json` lists them all)\n", left_out);
  return out;
}

std::string ownership_text(const RunReport& run, const Style& style) {
  const OwnershipTable table = ownership_table(run);
  if (table.rows.empty()) return {};
  std::string out = aligned(table.rows, style);
  if (table.left_out > 0) out += fmt::format("and {} more (`--format json` lists them all)\n", table.left_out);
  return out;
}

std::string premise_table(const RunReport& run, const Style& style) {
  constexpr const char* kStatuses[] = {"enforced", "trusted", "open"};
  std::vector<std::vector<std::string>> rows{{"premise", "", "", ""}};
  std::set<std::vector<std::string>> said;
  for (const PolicyReport& policy : run.policies) {
    for (const Assumption& a : policy.report->assumptions) {
      std::vector<std::string> row{
          kStatuses[static_cast<std::size_t>(a.status)], std::string(a.key),
          a.by.empty() ? "-" : printable(shortened(a.by)) + (a.until.empty() ? "" : " until " + a.until),
          printable(a.text)};
      if (said.insert(row).second) rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return {};
  rows[0] = {"premise", "key", "by", "what is taken for granted"};
  return aligned(rows, style);
}

}  // namespace gpol
