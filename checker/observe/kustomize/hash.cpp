#include "checker/observe/kustomize/hash.h"

#include <array>
#include <bit>
#include <cstdint>
#include <map>

#include "checker/observe/kustomize/nodes.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

// FIPS 180-4: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

void compress(State& state, std::string_view block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8U | static_cast<unsigned char>(block[i]);
  for (std::size_t i = 16; i < 64; ++i) {
    const auto a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
  }
  State s = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto one = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    const auto first = s[7] + one + ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRounds[i] + w[i];
    const auto zero = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    const auto second = zero + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) state[i] += s[i];
}

// As Go's encoding/json writes a text.
void append_json(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    const auto next = text.substr(i, 3);
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f') {
      (out += '\\') += c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\b' ? 'b' : 'f';
    } else if (byte < 0x20 || c == '<' || c == '>' || c == '&') {
      ((out += "\\u00") += kHex[byte >> 4U]) += kHex[byte & 15U];
    } else if (next == "\xE2\x80\xA8" || next == "\xE2\x80\xA9") {
      out += next.back() == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  out += '"';
}

bool append_data(std::string& out, const Node& data) {
  std::map<std::string, const Node*> sorted;
  for (const Entry& entry : data.entries) sorted[entry.key] = &entry.value;
  out += '{';
  for (const auto& [key, value] : sorted) {
    if (value->kind != NodeKind::Text) return false;
    if (out.back() != '{') out += ',';
    append_json(out, key);
    out += ':';
    append_json(out, value->text);
  }
  out += '}';
  return true;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::size_t at = 0;
  for (; at + 64 <= bytes.size(); at += 64) compress(state, bytes.substr(at, 64));
  std::string rest(bytes.substr(at));
  rest += '\x80';
  rest.append((rest.size() <= 56 ? 56 : 120) - rest.size(), '\0');
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> static_cast<unsigned>(shift) & 0xFFU);
  for (at = 0; at < rest.size(); at += 64) compress(state, std::string_view(rest).substr(at, 64));
  std::string hex;
  for (const auto word : state)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> static_cast<unsigned>(shift) & 15U];
  return hex;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8U | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (unsigned j = 0; j < 4; ++j) out += i + j <= bytes.size() ? kLetters[group >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

std::optional<std::string> name_hash(const Node& object) {
  const bool secret = text_at(object, "kind") == "Secret";
  std::string json = "{";
  const auto add_data = [&](std::string_view key, bool always) {
    const Node* data = find(object, key);
    if (data == nullptr || data->kind != NodeKind::Map) {
      if (always) ((json += '"') += key) += "\":\"\",";
      return data == nullptr;
    }
    ((json += '"') += key) += "\":";
    if (!append_data(json, *data)) return false;
    json += ',';
    return true;
  };
  if (!secret && !add_data("binaryData", false)) return std::nullopt;
  if (!add_data("data", true)) return std::nullopt;
  // It looks for the name in a field `metadata/name`, which there is none of.
  json += secret ? R"("kind":"Secret","name":"")" : R"("kind":"ConfigMap","name":"")";
  if (secret) {
    json += ',';
    if (!add_data("stringData", false)) return std::nullopt;
    json += "\"type\":";
    append_json(json, text_at(object, "type"));
  }
  json += '}';
  std::string hash = sha256_hex(json).substr(0, 10);
  for (char& c : hash) {
    constexpr std::string_view kFrom = "013ae", kTo = "ghkmt";
    if (const auto at = kFrom.find(c); at != std::string_view::npos) c = kTo[at];
  }
  return hash;
}

}  // namespace gpol::manifest::kustomize
