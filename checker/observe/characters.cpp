#include "checker/observe/characters.h"

#include <cstdint>

#include "compiler/source/utf8.h"

namespace gpol::manifest {
namespace {

BadCharacter kubernetes_refuses(std::string_view character) {
  if (character == "\xC2\x85" || character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9")
    return {"a line break that few programs show (U+0085, U+2028 or U+2029)", true};
  if (character[0] == '\xC2' && static_cast<std::uint8_t>(character[1]) < 0xA0) return {"a control character"};
  if (character == "\xEF\xBB\xBF") return {"a byte order mark that is not at the beginning", true};
  if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF")
    return {"a character that is none (U+FFFE or U+FFFF)"};
  return {};
}

}  // namespace

BadCharacter bad_characters(std::string_view line, Reading reading) {
  for (std::size_t i = 0; i < line.size();) {
    const auto byte = static_cast<std::uint8_t>(line[i]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++i;
      continue;
    }
    if (byte == 0) return {"a NUL character"};
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return {"a control character", byte == 0x7F || byte == '\r'};
    const CodePoint point = decode(line, i);
    if (!point.valid) return {"bytes that are not UTF-8", true};  // of which kubectl makes U+FFFD
    if (reading == Reading::Kubernetes && point.length > 1)
      if (const auto bad = kubernetes_refuses(line.substr(i, point.length)); bad.why != nullptr) return bad;
    i += point.length;
  }
  return {};
}

}  // namespace gpol::manifest
