// The role that a Queue of Volcano plays, beside what it is (setup.h). In: a policy, or who says who serves. Out: what
// the families of checker/ read; it never enters the emitted files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/model/volcano/setup.h"
#include "compiler/policy/terms.h"
#include "compiler/source/span.h"

namespace gpol::volcano {

struct QueueRole {
  // Batch holds whatever it can get; Inner has children, and none of the policy's pods; None: nobody serves.
  enum class Kind : std::uint8_t { None, Serving, Batch, Inner } kind = Kind::None;
  Isolation isolation = Isolation::C;
  std::string tenant;
  std::vector<std::string> namespaces;  // whose PodGroups name it
  std::uint32_t pool = kNone;           // into Cluster::flavors: its pods stand on these nodes; kNone: not known
  Amounts reserve;                      // of serving; where a policy says nothing, what each queue owns
  Amounts asked;                        // of serving, what its own objects ask for together
  Amounts replica;                      // of serving, what one takes; empty: none is declared
  Span name_span = {}, reserve_span = {}, class_span = {};
};

// Classes A and B: something is promised of it.
inline bool promised(const QueueRole& role) {
  return role.kind == QueueRole::Kind::Serving && role.isolation != Isolation::C;
}

}  // namespace gpol::volcano
