// What mends findings that are no figures: an open selector, a second door, a priority upside down.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/repair/mend.h"
#include "checker/repair/write.h"

namespace gpol {

namespace {

using manifest::Node;

void tell(Obligation& o, const WrittenChange& written, std::string text) {
  Detail detail = *o.detail;
  detail.fix = Fix{std::move(text), {written.edit}};
  detail.place.field = written.field;
  o.span = written.at;
  o.detail = std::make_shared<const Detail>(std::move(detail));
}

// The namespaces whose LocalQueues lead to the queue, but those that run batch, too.
std::set<std::string> namespaces_of(const Proof& proof, std::string_view queue) {
  std::set<std::string> mine, batch;
  for (const LocalQueue& local : proof.cluster.local_queues) {
    if (local.cluster_queue == queue) mine.insert(local.ns);
    for (std::size_t q = 0; q < proof.cluster.queues.size(); ++q)
      if (proof.cluster.queues[q].name == local.cluster_queue && proof.intent.roles[q].kind == QueueRole::Kind::Batch)
        batch.insert(local.ns);
  }
  for (const std::string& ns : batch) mine.erase(ns);
  return mine;
}

void mend_selector(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  const auto names = namespaces_of(proof, o.subject.name);
  if (names.empty()) return;  // who is meant is not among the manifests
  const std::string key = "kubernetes.io/metadata.name";
  const std::string value =
      names.size() == 1 ? fmt::format("{{matchLabels: {{{}: {}}}}}", key, *names.begin())
                        : fmt::format("{{matchExpressions: [{{key: {}, operator: In, values: [{}]}}]}}", key,
                                      fmt::join(names, ", "));
  if (const auto written = write_whole(sources, fields, o.span, {"spec", "namespaceSelector"}, value))
    tell(o, *written, fmt::format("set `{}` of ClusterQueue `{}` to `{}`", written->field, o.subject.name, value));
}

// A document can be taken out; an item of a List is left to people.
void mend_door(manifest::Fields& fields, Obligation& o) {
  const Node* object = fields.object(o.span);
  const manifest::OpenDocument* document = fields.document(o.span);
  if (object == nullptr || document == nullptr || object != &*document->tree.root) return;
  Detail detail = *o.detail;
  detail.fix->edits.push_back({document->span(*object), ""});
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
    tell(o, *written, fmt::format("set `{}` of WorkloadPriorityClass `{}` to `{}`", written->field, o.subject.name, value));
}

}  // namespace

void mend_premises(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Report& report) {
  for (Obligation& o : report.obligations) {
    if (o.verdict != Verdict::Refuted || !o.detail || !o.span.known()) continue;
    if (o.code == Code::OpenPremise && o.subject.kind == "ClusterQueue") mend_selector(proof, sources, fields, o);
    if (o.code == Code::OpenPremise && o.subject.kind == "LocalQueue") mend_door(fields, o);
    if (o.family == Family::Priority) mend_priority(proof, sources, fields, o);
  }
}

}  // namespace gpol
