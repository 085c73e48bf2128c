// What mends findings that are no figures: an open selector, a second door, a priority upside down.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/doors.h"
#include "checker/families/given.h"
#include "checker/repair/changes.h"
#include "checker/repair/mend.h"
#include "checker/repair/write.h"

namespace gpol {

namespace {

using manifest::Node;

void tell(Obligation& o, const WrittenChange& written, std::string text) {
  Detail detail = *o.detail;
  detail.fix = Fix{std::move(text), {}};
  detail.fix->edits = written.edits;
  detail.place.field = written.field;
  o.span = written.at;
  o.detail = std::make_shared<const Detail>(std::move(detail));
}

// The namespaces whose LocalQueues lead to the queue, but those that run batch, too.
std::set<std::string> namespaces_of(const Proof& proof, std::string_view queue) {
  std::set<std::string> mine;
  for (const LocalQueue& local : proof.cluster.local_queues)
    if (local.cluster_queue == queue) mine.insert(local.ns);
  for (const std::string& ns : namespaces_of_batch(proof.cluster, proof.intent)) mine.erase(ns);
  // None that the selector keeps out by its name today; whom another label lets in is known of one alone.
  bool unknown = false;
  for (const Queue& q : proof.cluster.queues) {
    if (q.name != queue) continue;
    unknown = !q.namespaces.match_labels.empty();
    for (const auto& e : q.namespaces.expressions) {
      const bool by_name = e.key == "kubernetes.io/metadata.name";
      unknown = unknown || !by_name;
      if (by_name && e.op == "NotIn")
        for (const std::string& ns : e.values) mine.erase(ns);
    }
  }
  if (unknown && mine.size() > 1) mine.clear();
  return mine;
}

// Who is meant is not known: only the place is.
void find_selector(const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  const auto place = write_whole(sources, fields, o.span, {"spec", "namespaceSelector"}, "{}");
  if (!place) return;
  Detail detail = *o.detail;
  detail.place.field = place->field;
  o.span = place->at;
  o.detail = std::make_shared<const Detail>(std::move(detail));
}

std::string selector_of(const std::set<std::string>& names) {
  const std::string key = "kubernetes.io/metadata.name";
  return names.size() == 1 ? fmt::format("{{matchLabels: {{{}: {}}}}}", key, *names.begin())
                           : fmt::format("{{matchExpressions: [{{key: {}, operator: In, values: [{}]}}]}}", key,
                                         fmt::join(names, ", "));
}

void mend_selector(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  const auto names = namespaces_of(proof, o.subject.name);
  if (names.empty()) return find_selector(sources, fields, o);
  const std::string value = selector_of(names);
  if (const auto written = write_whole(sources, fields, o.span, {"spec", "namespaceSelector"}, value))
    tell(o, *written, fmt::format("set `{}` of ClusterQueue `{}` to `{}`", written->field, o.subject.name, value));
}

// The first LocalQueue that leads to a queue, where all of them are stopped.
std::optional<std::size_t> shut_door(const Cluster& cluster, std::string_view queue) {
  std::optional<std::size_t> first;
  for (std::size_t l = 0; l < cluster.local_queues.size(); ++l) {
    const LocalQueue& local = cluster.local_queues[l];
    if (local.cluster_queue != queue) continue;
    if (local.stop == StopPolicy::None) return std::nullopt;
    if (!first) first = l;
  }
  return first;
}

// A serving queue that is stopped goes on, or a LocalQueue that leads to it; of one that lets nobody in only the place
// is known.
void mend_stop(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  if (o.detail->place.field == "spec.namespaceSelector") return find_selector(sources, fields, o);
  if (o.detail->place.field != "spec.stopPolicy") return;
  std::string text = o.detail->fix->text;
  const std::string field = "spec.stopPolicy";
  auto written = write_change(sources, fields, o.span, {"spec", "stopPolicy"}, "None");
  if (!written) return;
  const auto& places = proof.origins.queue;  // of a LocalQueue nothing is promised
  const auto queue = std::find(places.begin(), places.end(), o.span);
  const bool of_queue = queue != places.end();
  if (of_queue && !may_go_on(proof, static_cast<std::uint32_t>(queue - places.begin()))) written->edits.clear();
  // Both of them, or none: one alone lets nobody in.
  const auto door = of_queue ? shut_door(proof.cluster, o.subject.name) : std::nullopt;
  if (door && !written->edits.empty()) {
    const auto other =
        write_change(sources, fields, proof.origins.local_queue.at(*door), {"spec", "stopPolicy"}, "None");
    const bool both = other && !other->edits.empty();
    if (both) written->edits.insert(written->edits.end(), other->edits.begin(), other->edits.end());
    if (!both) written->edits.clear();
  }
  tell(o, *written, text.replace(text.find(field), field.size(), written->field));
}

// A document can be taken out; an item of a List is left to people. A selector that names the namespace would let
// the next LocalQueue in.
void mend_door(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  const Node* object = fields.object(o.span);
  const manifest::OpenDocument* document = fields.document(o.span);
  if (object == nullptr || document == nullptr || object != &*document->tree.root) return;
  if (!fields.copies_of(o.span).empty()) return;
  Detail detail = *o.detail;
  detail.fix->edits.push_back({document->span(*object), ""});
  for (const LocalQueue& local : proof.cluster.local_queues)
    for (std::size_t q = 0; q < proof.cluster.queues.size(); ++q) {
      const Queue& queue = proof.cluster.queues[q];
      if (local.ns + "/" + local.name != o.subject.name || queue.name != local.cluster_queue) continue;
      if (!lists_names(queue.namespaces) || lets_in(proof.cluster, queue.namespaces, local.ns) != true) continue;
      const auto names = namespaces_of(proof, queue.name);
      const auto written = names.empty() ? std::nullopt
                                         : write_whole(sources, fields, proof.origins.queue.at(q),
                                                       {"spec", "namespaceSelector"}, selector_of(names));
      if (!written || written->edits.empty()) return;  // who is meant is for people to say
      detail.fix->edits.insert(detail.fix->edits.end(), written->edits.begin(), written->edits.end());
      detail.fix->text +=
          fmt::format("; set `{}` of ClusterQueue `{}` to `{}`", written->field, queue.name, selector_of(names));
    }
  o.detail = std::make_shared<const Detail>(std::move(detail));
}

void mend_priority(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  std::int64_t lowest = INT64_MAX;
  for (const auto& priority : proof.cluster.priority_classes) {
    const auto label = priority.labels.find("gpol.dev/role");
    if (label != priority.labels.end() && label->second == "serving") lowest = std::min(lowest, priority.value);
  }
  if (lowest == INT64_MAX || lowest <= INT32_MIN) return;
  const std::string value = fmt::format("{}", lowest - 1);
  if (const auto written = write_change(sources, fields, o.span, {"value"}, value))
    tell(o, *written,
         fmt::format("set `{}` of WorkloadPriorityClass `{}` to `{}`", written->field, o.subject.name, value));
}

// A quantity as people write it: "191", "500m", "64Gi", "8".
std::string quantity(std::string_view resource, std::int64_t amount) {
  if (resource == "cpu") return amount % 1000 == 0 ? fmt::format("{}", amount / 1000) : fmt::format("{}m", amount);
  constexpr std::int64_t kGi = std::int64_t{1} << 30U;
  if (amount > 0 && amount % kGi == 0) return fmt::format("{}Gi", amount / kGi);
  return fmt::format("{}", amount);
}

// What is too much is taken off the quota of the one queue without a promise that has most of it; where none has
// enough, whose is to be lowered is for people to say.
void mend_capacity(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  const Cluster& cluster = proof.cluster;
  std::int64_t sum = 0, devices = 0;
  for (const PoolCapacity& capacity : proof.intent.capacities)
    for (std::size_t r = 0; r < cluster.resources.size(); ++r)
      if (cluster.flavors[capacity.flavor].name == o.subject.flavor && cluster.resources[r] == o.subject.resource)
        devices = capacity.surely[r];
  struct Place {
    std::uint32_t queue;
    std::size_t group, flavor, resource;
    Quota quota;
  };
  std::optional<Place> most;
  const auto look = [&](const std::vector<ResourceGroup>& groups, std::optional<std::uint32_t> q) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t f = 0; f < groups[g].flavors.size(); ++f)
        for (std::size_t r = 0; r < groups[g].covered.size(); ++r) {
          const auto& row = groups[g].flavors[f];
          if (cluster.flavors[row.flavor].name != o.subject.flavor ||
              cluster.resources[groups[g].covered[r]] != o.subject.resource)
            continue;
          if (__builtin_add_overflow(sum, row.quotas[r].nominal, &sum)) sum = INT64_MAX;
          const bool promised = q && proof.intent.roles[*q].kind == QueueRole::Kind::Serving;
          if (q && !promised && (!most || row.quotas[r].nominal > most->quota.nominal))
            most = Place{*q, g, f, r, row.quotas[r]};
        }
  };
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) look(cluster.queues[q].groups, q);
  for (const CohortNode& cohort : cluster.cohorts) look(cohort.groups, std::nullopt);
  if (!most || sum == INT64_MAX || devices < 0 || most->quota.nominal < sum - devices) return;
  const std::int64_t left = most->quota.nominal - (sum - devices);
  if (most->quota.lending.value_or(0) > left) return;  // two fields: for people
  const std::string value = quantity(o.subject.resource, left);
  if (const auto written = write_change(
          sources, fields, proof.origins.queue.at(most->queue),
          {"spec", "resourceGroups", most->group, "flavors", most->flavor, "resources", most->resource, "nominalQuota"},
          value))
    tell(o, *written,
         fmt::format("set `{}` of ClusterQueue `{}` to `{}`, or add nodes", written->field,
                     cluster.queues[most->queue].name, value));
}

}  // namespace

void mend_premises(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Report& report) {
  for (Obligation& o : report.obligations) {
    if (o.verdict != Verdict::Refuted || !o.detail || !o.span.known()) continue;
    if (o.code == Code::OpenPremise && o.subject.kind == "ClusterQueue") mend_selector(proof, sources, fields, o);
    if (o.code == Code::OpenPremise && o.subject.kind == "LocalQueue") mend_door(proof, sources, fields, o);
    if (o.code == Code::Vacuity) mend_stop(proof, sources, fields, o);
    if (o.family == Family::Priority) mend_priority(proof, sources, fields, o);
    if (o.family == Family::Capacity) mend_capacity(proof, sources, fields, o);
  }
}

}  // namespace gpol
