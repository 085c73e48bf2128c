// A code point as UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace gpol::manifest {

inline void append_utf8(std::string& out, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0U | point >> 6U);
  } else {
    if (point < 0x10000) {
      put(0xE0U | point >> 12U);
    } else {
      put(0xF0U | point >> 18U);
      put(0x80U | (point >> 12U & 0x3FU));
    }
    put(0x80U | (point >> 6U & 0x3FU));
  }
  put(0x80U | (point & 0x3FU));
}

}  // namespace gpol::manifest
