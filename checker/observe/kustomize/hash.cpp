#include "checker/observe/kustomize/hash.h"

#include <nettle/base64.h>

#include <cstdint>
#include <map>

#include "checker/observe/kustomize/nodes.h"
#include "compiler/source/sha256.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

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

std::string base64(std::string_view bytes) {
  std::string out(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(out.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
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
  std::string hash = sha256(json).substr(0, 10);
  for (char& c : hash) {
    constexpr std::string_view kFrom = "013ae", kTo = "ghkmt";
    if (const auto at = kFrom.find(c); at != std::string_view::npos) c = kTo[at];
  }
  return hash;
}

}  // namespace gpol::manifest::kustomize
