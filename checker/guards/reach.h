// Whether requests of a bad kind can get in past the ValidatingAdmissionPolicies of a cluster, whoever sends them.
//
// A request is symbolic: each part of it that an expression asks for is a constant of a formula (symbolic.h). Lists and
// maps are unbounded in truth; of each, the formula has the elements asked for by name or place, and as many others as
// there are evaluations that one element can decide. That is enough: take any bad request that is admitted. For each
// evaluation of exists that came out true keep one element for which it did, for each all that came out false one that
// failed, for each error one that erred, for each look-up by a key that is no literal the element found, for each size
// that was not zero one element. Without the other elements every evaluation that matters comes out the same, since
// what held of all elements holds of fewer: so a smaller request is bad and admitted as well, and it is one of the
// formula's. Evaluations inside a walk of kept elements are counted once per kept element; a count that does not settle
// (a list walked inside a walk of itself) is undecided. Sizes are constants of their own, at least the number of
// elements kept. What is not understood is left free. So Denied is never said of a request that could be admitted.
#pragma once

#include <string>
#include <vector>

#include "checker/guards/guard.h"
#include "checker/solver/solver.h"

namespace gpol {

struct BadRequests {
  std::vector<AdmissionTarget> targets;  // only these
  std::string expression;                // CEL over request, object, oldObject, namespaceObject: true of what is bad
};

struct Reach {
  enum class Kind : std::uint8_t { Denied, Admitted, Unknown } kind = Kind::Unknown;
  cel::Value request;                 // Admitted: one that is bad and admitted, replayed with `admits`
  std::string why;                    // Unknown
  std::vector<std::string> policies;  // Denied: those that the proof needs, sorted
};
inline Reach unknown(std::string why) { return {.request = {}, .why = std::move(why), .policies = {}}; }

// `policies`: prepare_policies of the cluster's, made once for many questions.
Reach reach(const Cluster& cluster, const std::vector<PreparedPolicy>& policies, const BadRequests& bad,
            Solver& solver);
Reach reach(const Cluster& cluster, const BadRequests& bad, Solver& solver);

// Those that are about the target and certain to deny what they deny.
std::vector<const PreparedPolicy*> sure_about(const std::vector<PreparedPolicy>& policies,
                                              const AdmissionTarget& target);

}  // namespace gpol
