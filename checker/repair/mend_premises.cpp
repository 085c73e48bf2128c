// What mends findings that are no figures: an open selector, a second door, a priority upside down.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/doors.h"
#include "checker/families/given.h"
#include "checker/repair/mend.h"
#include "checker/repair/selectors.h"
#include "checker/repair/write.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using manifest::Node;

void tell(Obligation& o, const WrittenChange& written, std::string text) {
  Detail detail = *o.detail;
  detail.fix = Fix{std::move(text)};
  detail.fix->edits = written.edits;
  detail.place.field = written.field;
  o.span = written.at;
  o.say(std::move(detail));
}

// What is meant is not known: only the place is.
void find_field(const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  const std::string field = o.detail->place.field == "spec.stopPolicy" ? "stopPolicy" : "namespaceSelector";
  const auto place = write_whole(sources, fields, o.span, {"spec", field}, "{}");
  if (!place) return;
  Detail detail = *o.detail;
  detail.place.field = place->field;
  o.span = place->at;
  o.say(std::move(detail));
}

void mend_selector(const NamespacesMeant& meant, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  const auto names = meant.of(o.subject.name);
  if (names.empty()) return find_field(sources, fields, o);
  const std::string value = selector_of(names);
  if (const auto written = write_whole(sources, fields, o.span, {"spec", "namespaceSelector"}, value))
    tell(o, *written, fmt::format("set `{}` of ClusterQueue `{}` to `{}`", written->field, o.subject.name, value));
}

// A document can be taken out; an item of a List is left to people. A selector that names the namespace would let
// the next LocalQueue in.
void mend_door(const Proof& proof, const NamespacesMeant& meant, const SourceSet& sources, manifest::Fields& fields,
               Obligation& o) {
  const Node* object = fields.object(o.span);
  const manifest::OpenDocument* document = fields.document(o.span);
  if (object == nullptr || document == nullptr || object != &*document->tree.root) return;
  if (!fields.copies_of(o.span).empty()) return;
  Detail detail = *o.detail;
  detail.fix->edits.push_back({document->span(*object), ""});
  for (const LocalQueue& local : proof.cluster.local_queues) {
    if (local.ns + "/" + local.name != o.subject.name) continue;
    for (std::size_t q = 0; q < proof.cluster.queues.size(); ++q) {
      const Queue& queue = proof.cluster.queues[q];
      if (queue.name != local.cluster_queue) continue;
      if (!lists_names(queue.namespaces) || lets_in(proof.cluster, queue.namespaces, local.ns) != true) continue;
      const auto names = meant.of(queue.name);
      const auto written = names.empty() ? std::nullopt
                                         : write_whole(sources, fields, proof.origins.queue.at(q),
                                                       {"spec", "namespaceSelector"}, selector_of(names));
      if (!written || written->edits.empty()) return;  // who is meant is for people to say
      detail.fix->edits.insert(detail.fix->edits.end(), written->edits.begin(), written->edits.end());
      detail.fix->text +=
          fmt::format("; set `{}` of ClusterQueue `{}` to `{}`", written->field, queue.name, selector_of(names));
    }
  }
  o.say(std::move(detail));
}

void mend_priority(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Obligation& o) {
  std::int64_t lowest = INT64_MAX;
  for (const auto& priority : proof.cluster.priority_classes)
    if (has_value(priority.labels, "gpol.dev/role", "serving")) lowest = std::min(lowest, priority.value);
  if (lowest == INT64_MAX || lowest <= INT32_MIN) return;
  const std::string value = fmt::format("{}", lowest - 1);
  if (const auto written = write_change(sources, fields, o.span, {"value"}, value))
    tell(o, *written,
         fmt::format("set `{}` of WorkloadPriorityClass `{}` to `{}`", written->field, o.subject.name, value));
}

}  // namespace

void mend_premises(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                   Report& report) {
  const NamespacesMeant meant(proof);
  for (Obligation& o : report.obligations) {
    if (o.verdict != Verdict::Refuted || !o.detail || !o.span.known()) continue;
    if (o.code == code::OpenPremise && o.subject.kind == "ClusterQueue") mend_selector(meant, sources, fields, o);
    if (o.code == code::OpenPremise && o.subject.kind == "LocalQueue") mend_door(proof, meant, sources, fields, o);
    const std::string field = o.detail->place.field;
    if (o.code == code::Vacuity && (field == "spec.namespaceSelector" || field == "spec.stopPolicy")) {
      find_field(sources, fields, o);
      mend_closed(proof, sources, fields, repairs, report, o);
    }
    if (o.family == Family::Priority) mend_priority(proof, sources, fields, o);
    if (o.family == Family::Capacity) mend_capacity(proof, sources, fields, repairs, report, o);
  }
  if (repairs.not_tried() > 0) report.stats["edits_not_tried"] = repairs.not_tried();
}

}  // namespace gpol
