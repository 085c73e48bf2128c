#include "checker/report/waiver.h"

#include <fmt/format.h>

#include "compiler/source/lookup.h"

namespace gpol {

bool Waiver::covers(const Obligation& o) const {
  return o.required && o.verdict != Verdict::Proven && o.code == finding && o.subject.name == subject &&
         (flavor.empty() || o.subject.flavor == flavor) && (resource.empty() || o.subject.resource == resource);
}

std::string Waiver::text() const {
  return fmt::format("{} of `{}`{}{}, until {}, by {}: {}", to_string(finding), subject,
                     flavor.empty() ? "" : fmt::format(", flavor `{}`", flavor),
                     resource.empty() ? "" : fmt::format(", `{}`", resource), until, owner, reason);
}

const Waiver* Waivers::of(const Obligation& o) const {
  return find_where(list, [&](const Waiver& waiver) { return !waiver.ended(as_of) && waiver.covers(o); });
}

}  // namespace gpol
