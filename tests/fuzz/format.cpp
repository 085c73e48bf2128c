// Any text to `gpol fmt`. What must hold of every text that reads without a mistake: what is made of it reads back as the
// same (formatted() throws where it does not), and made again it is the same to the byte.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "compiler/format/format.h"
#include "compiler/source/source_set.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpol::SourceSet sources;
  const auto once = gpol::formatted(sources, sources.add("fuzz.gpol", std::string(data, data + size)));
  if (!once.ok()) return 0;
  gpol::SourceSet again;
  const auto twice = gpol::formatted(again, again.add("fuzz.gpol", once.value));
  if (!twice.ok() || twice.value != once.value) std::abort();
  return 0;
}
