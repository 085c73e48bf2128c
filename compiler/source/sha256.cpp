#include "compiler/source/sha256.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace gpol {

std::string sha256(std::span<const std::string_view> parts) {
  sha256_ctx context;
  sha256_init(&context);
  for (const std::string_view part : parts)
    sha256_update(&context, part.size(), reinterpret_cast<const std::uint8_t*>(part.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  std::string text(BASE16_ENCODE_LENGTH(digest.size()), '0');
  base16_encode_update(text.data(), digest.size(), digest.data());
  return text;
}

std::string sha256(std::string_view bytes) { return sha256(std::span(&bytes, 1)); }

}  // namespace gpol
