#include "compiler/source/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
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
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256(std::string_view bytes) { return sha256(std::span(&bytes, 1)); }

}  // namespace gpol
