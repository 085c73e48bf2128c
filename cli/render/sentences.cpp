#include "cli/render/sentences.h"

#include <fmt/format.h>

#include "cli/render/text.h"
#include "compiler/policy/units.h"

namespace gpol {

namespace {

std::string_view resource_word(const Subject& subject) { return is_gpu(subject.resource) ? "GPUs" : subject.resource; }

// " of `h100`"; empty where it is of no pool.
std::string of_flavor(const Obligation& o) {
  return o.subject.flavor.empty() ? "" : fmt::format(" of `{}`", o.subject.flavor);
}

std::string claim_sentence(const Obligation& o) {
  const std::int64_t reserve = o.figures.reserve.value_or(0);
  const std::int64_t claimable = o.figures.claimable.value_or(0);
  if (reserve == 0) return fmt::format("`{}` reserves no {}{}", o.subject.name, resource_word(o.subject), of_flavor(o));
  const std::string all = figure_text(reserve, o.figures.unit);
  if (claimable == 0)
    return fmt::format("in every state, all of the {}{} that `{}` reserves are free for it", all, of_flavor(o),
                       o.subject.name);
  return fmt::format("others hold at most {} of the {}{} that `{}` reserves, as an `allow` permits",
                     figure_text(claimable, o.figures.unit), all, of_flavor(o), o.subject.name);
}

std::string reclaim_sentence(const Obligation& o) {
  const std::string when = o.figures.back_within_ms
                               ? fmt::format("within {}", human_duration(*o.figures.back_within_ms))
                               : "after finitely many scheduling rounds";
  return fmt::format("from every state, the whole reserve of `{}` is free for it {}", o.subject.name, when);
}

}  // namespace

std::string sentence(const Obligation& o) {
  if (o.detail && !o.detail->message.empty()) return o.detail->message;
  switch (o.family) {
    case Family::Claim:
      return claim_sentence(o);
    case Family::Reclaim:
      return reclaim_sentence(o);
    case Family::Capacity:
      if (o.subject.flavor.empty()) return "the quotas fit the devices that are surely there";
      return fmt::format("the quotas of {} in `{}` fit what is surely there", resource_word(o.subject),
                         o.subject.flavor);
    case Family::Artefact:
      return "the emitted files, read back, mean exactly what was proven";
    case Family::Placement:
      return "no batch pod can stand on serving's nodes, and serving's pods only on their own";
    case Family::Fragmentation:
      return "every serving replica finds a node, wherever the other pods stand and whichever tolerated nodes are lost";
    case Family::Bypass:
    case Family::Priority:
    case Family::Vacuity:
    case Family::Transition:
    case Family::Partition:
    case Family::Gateway:
    case Family::Slo:
    case Family::Serving:
      break;
  }
  return fmt::format("{} holds", family_name(o.family));
}

}  // namespace gpol
