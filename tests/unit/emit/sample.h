// A planned cluster made by hand: a cohort tree of two, a serving and a batch queue in it, one queue outside, and a
// mode that lends at night.
#pragma once

#include <string>

#include "compiler/cluster/intent.h"
#include "compiler/source/source_set.h"
#include "emit/emit.h"

namespace gpol::test {

struct Sample {
  Planned planned;
  SourceSet sources;
  std::vector<RenderedFile> files() const;          // emitted and rendered
  std::string file(const std::string& path) const;  // the bytes of one; empty when there is none
  std::string object(const std::string& kind, const std::string& name) const;  // the bytes of its document; likewise
};

Sample sample();

}  // namespace gpol::test
