// Of Queues that are there: the one `capability` whose other value, judged again, leaves others nothing of a reserve.
#include <fmt/format.h>

#include "checker/proof/prove.h"
#include "checker/repair/mend.h"
#include "checker/repair/write.h"
#include "checker/volcano/rules/webhook.h"
#include "compiler/cluster/quantity.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostTried = 64;  // each is judged again

const Obligation* claim_of(const Report& report, const Subject& subject) {
  return find_where(report.obligations,
                    [&](const Obligation& o) { return o.family == Family::Claim && o.subject == subject; });
}

// Lowered by what others can hold; of cpu and memory 0 would be no limit. Nothing: no value is left.
std::optional<std::int64_t> lowered(const volcano::Queue& queue, const std::string& resource, std::int64_t claimable) {
  const auto own = queue.capability.find(resource);
  if (own == queue.capability.end() || own->second < claimable) return std::nullopt;
  const std::int64_t left = own->second - claimable;
  if (left == 0 && (resource == "cpu" || resource == "memory")) return std::nullopt;
  return left;
}

}  // namespace

void mend_volcano(const Planned& planned, const Evidence& evidence, std::span<const Span> queues,
                  const SourceSet& sources, manifest::Fields& fields, Report& report) {
  std::size_t tried = 0;
  for (Obligation& o : report.obligations) {
    if (o.family != Family::Claim || !o.required || o.verdict != Verdict::Refuted || !o.detail) continue;
    const std::string resource(o.subject.resource);
    for (std::size_t q = 0; q < queues.size() && tried < kMostTried; ++q) {
      const volcano::Queue& queue = planned.cluster.volcano->queues[q];
      const auto value = lowered(queue, resource, *o.figures.claimable);
      if (!value || queue.name == o.subject.name) continue;
      ++tried;
      Planned then = planned;
      volcano::Queue& changed = then.cluster.volcano->queues[q];
      changed.capability[resource] = *value;
      // The webhook wants `deserved` within it, and that of its children within that.
      const auto deserved = changed.deserved.find(resource);
      const bool lowers = deserved != changed.deserved.end() && deserved->second > *value;
      if (lowers) deserved->second = *value;
      if (!volcano::refused_by_webhook(then.cluster.volcano->queues).empty()) continue;
      const Report again = prove(then, evidence, {.unenforced = true}, {.quotas_alone = true});
      const Obligation* same = claim_of(again, o.subject);
      if (same == nullptr || same->verdict != Verdict::Proven) continue;
      const std::string text = quantity(resource, *value);
      Fix fix;
      bool whole = true;
      for (const char* field : {"capability", "deserved"}) {
        if (std::string_view(field) == "deserved" && !lowers) continue;
        const auto written = write_change(sources, fields, queues[q], {"spec", field, resource}, text);
        whole = whole && written && !written->edits.empty();
        if (!whole) break;
        add_to_list(fix.text, fmt::format("set `{}` of Queue `{}` to `{}`", written->field, queue.name, text), "; ");
        fix.edits.insert(fix.edits.end(), written->edits.begin(), written->edits.end());
        fix.tried.push_back({fmt::format("Queue `{}`", queue.name), field, text, resource});
      }
      if (!whole) continue;
      Detail detail = *o.detail;
      detail.fix = std::move(fix);
      o.say(std::move(detail));
      break;
    }
  }
}

}  // namespace gpol
