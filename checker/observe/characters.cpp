#include "checker/observe/characters.h"

#include <cstdint>

namespace gpol::manifest {
namespace {

// Length of the UTF-8 sequence at `at`, 0 when it is not one (overlong forms and surrogates included).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const auto first = byte(at);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (length == 1) return 1;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
  const auto second = byte(at + 1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return length;
}

const char* kubernetes_refuses(std::string_view character) {
  if (character == "\xC2\x85" || character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9")
    return "a line break that few programs show (U+0085, U+2028 or U+2029)";
  if (character[0] == '\xC2' && static_cast<std::uint8_t>(character[1]) < 0xA0) return "a control character";
  if (character == "\xEF\xBB\xBF") return "a byte order mark that is not at the beginning";
  if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF") return "a character that is none (U+FFFE or U+FFFF)";
  return nullptr;
}

}  // namespace

const char* bad_characters(std::string_view line, Reading reading) {
  for (std::size_t i = 0; i < line.size();) {
    const auto byte = static_cast<std::uint8_t>(line[i]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++i;
      continue;
    }
    if (byte == 0) return "a NUL character";
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return "a control character";
    const auto length = sequence_length(line, i);
    if (length == 0) return "bytes that are not UTF-8";
    if (reading == Reading::Kubernetes && length > 1)
      if (const char* why = kubernetes_refuses(line.substr(i, length))) return why;
    i += length;
  }
  return nullptr;
}

}  // namespace gpol::manifest
