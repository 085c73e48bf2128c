// The characters of a text. In: bytes. Out: why no YAML reader should be given them, if any: not UTF-8, a NUL or
// another control character. Positions are the caller's business: it asks line by line.
#pragma once

#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest {

struct BadCharacter {
  const char* why = nullptr;  // null: there is none
  bool kubectl_reads_on = false;
};

// Of one line without its line break. Kubernetes' reader knows line breaks of YAML 1.1 (U+0085, U+2028, U+2029) that no
// editor shows as such: what hides behind one is refused.
BadCharacter bad_characters(std::string_view line, Reading reading);

}  // namespace gpol::manifest
