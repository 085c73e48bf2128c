// The clause of a policy that something comes from, as one line: "tenant chat { reserve 16 gpus of live }". In: the
// texts of a policy and a span. Out: the words of the clause at the span's beginning, in those of the blocks that it
// stands in, without comments, line breaks and line numbers, so that nothing but the clause itself changes them. Of a
// clause with a block of its own the words before that; of one that goes on in the next line its first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/source/source_set.h"

namespace gpol {

class Clauses {
 public:
  explicit Clauses(const SourceSet& sources) : sources_(sources) {}

  // Empty where nobody wrote it. Of another text than the policy itself with the path of that: "(gpol/classes)".
  std::string of(Span span);

 private:
  struct Clause {
    std::uint32_t begin = 0;
    std::string words;
    std::size_t parent = 0;  // one more than its place in the list; 0: none
  };
  static std::vector<Clause> read(const std::string& text);
  std::string path(FileId file) const;

  const SourceSet& sources_;
  std::map<FileId, std::vector<Clause>> clauses_;  // sorted by `begin`
};

}  // namespace gpol
