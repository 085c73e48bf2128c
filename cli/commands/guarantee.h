// What a policy promises a tenant that serves, and whether it is proven. In: a session that was proven. Out: the
// amounts that nobody else holds for good (claim, reclaim), and the deadline.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cli/commands/session.h"

namespace gpol {

struct Guarantee {
  using Key = std::tuple<Family, std::string, std::string>;  // with the pool and the resource
  struct Part {
    Verdict verdict = Verdict::Undecided;
    std::optional<std::int64_t> reserve;
    Unit unit = Unit::None;
  };
  std::map<Key, Part> parts;  // what is required of claim and reclaim
  std::optional<Isolation> isolation;
  std::optional<Millis> ready_within;  // the earliest of its deadlines
  bool mistakes = false;               // of the policy

  Overall verdict() const;
};

Guarantee guarantee_of(const Session& session, const std::string& tenant);

// Is all that was promised `before` proven still? No resource of a pool is missing, there are as many devices, and the
// deadline is no later. How much cpu and memory goes with them follows from the nodes and may be another.
bool kept(const Guarantee& before, const Guarantee& now);

// "nobody else can hold 16 GPUs of `live`", "16 GPUs of `shared` are back, and in use, within 4min".
std::string words_of(const Guarantee& guarantee);

// The tenants to whom something is promised, in the order of the policy.
std::vector<std::string> promised_tenants(const Session& session);

}  // namespace gpol
