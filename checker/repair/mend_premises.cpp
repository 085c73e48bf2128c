// What mends findings that are no figures: an open selector, a second door, a priority upside down.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/doors.h"
#include "checker/families/given.h"
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

// What it says was meant to mean something.
bool selected(const Proof& proof, std::string_view queue) {
  return std::any_of(proof.cluster.queues.begin(), proof.cluster.queues.end(),
                     [&](const Queue& q) { return q.name == queue && q.namespaces.present; });
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

}  // namespace

void mend_premises(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                   Report& report) {
  for (Obligation& o : report.obligations) {
    if (o.verdict != Verdict::Refuted || !o.detail || !o.span.known()) continue;
    if (o.code == Code::OpenPremise && o.subject.kind == "ClusterQueue") mend_selector(proof, sources, fields, o);
    if (o.code == Code::OpenPremise && o.subject.kind == "LocalQueue") mend_door(proof, sources, fields, o);
    if (o.code == Code::Vacuity && o.detail->place.field == "spec.namespaceSelector")
      selected(proof, o.subject.name) ? find_selector(sources, fields, o) : mend_selector(proof, sources, fields, o);
    else if (o.code == Code::Vacuity && o.detail->place.field == "spec.stopPolicy")
      mend_stop(proof, sources, fields, repairs, report, o);
    if (o.family == Family::Priority) mend_priority(proof, sources, fields, o);
    if (o.family == Family::Capacity) mend_capacity(proof, sources, fields, repairs, report, o);
  }
}

}  // namespace gpol
