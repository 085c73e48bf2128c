// A finding that somebody accepts until a day: `waivers` of gpol.yaml. It changes no obligation and no verdict; what it
// covers does not count for the exit code, and every report shows it.
#pragma once

#include <string>
#include <vector>

#include "checker/report/report.h"

namespace gpol {

struct Waiver {
  Code finding{};
  std::string subject;           // as reports name it: a queue, "ns/name"
  std::string flavor, resource;  // empty: any
  std::string until;             // the last day, "2027-01-31"
  std::string reason, owner;

  bool ended(const std::string& as_of) const { return !as_of.empty() && until < as_of; }
  bool covers(const Obligation& o) const;
  std::string text() const;  // "GP1501 of `chat`, until 2027-01-31, by @platform: moved in January"
};

struct Waivers {
  std::vector<Waiver> list;
  std::string as_of;  // the day on which they are looked at; empty: none has ended

  // The first that has not ended and covers what is required and not proven; null: none.
  const Waiver* of(const Obligation& o) const;
};

}  // namespace gpol
