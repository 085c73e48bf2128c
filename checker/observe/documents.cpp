#include "checker/observe/documents.h"

#include <algorithm>
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

const char* bad_characters(std::string_view line) {
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
    i += length;
  }
  return nullptr;
}

bool blank(std::string_view line) {
  const auto at = line.find_first_not_of(" \t");
  return at == std::string_view::npos || line[at] == '#';
}

const char* refuse_line(std::string_view line) {
  if (const char* bad = bad_characters(line)) return bad;
  const auto indentation = line.substr(0, line.find_first_not_of(" \t"));
  if (indentation.size() < line.size() && indentation.find('\t') != std::string_view::npos)
    return "a tab in indentation";
  if (line.starts_with("%")) return "a directive";
  if (line.starts_with("...")) return "an end-of-document marker";
  if (line.starts_with("---") && !blank(line.substr(3))) return "text on a line that starts with ---";
  return nullptr;
}

}  // namespace

Documents split_documents(std::string_view bytes) {
  Documents result;
  const auto refuse = [&](std::string why, int line) {
    result.list.clear();
    result.refused = std::move(why);
    result.refused_line = line;
    return result;
  };
  if (bytes.size() > kFileLimit) return refuse("is larger than 64 MiB", 1);

  std::size_t start = 0;
  int start_line = 1, line_number = 0, index = 0;
  bool content = false, flow = false, separated = false;
  // Closes the document that ends at `end`; only what precedes the first separator may be no document at all.
  const auto close = [&](std::size_t end) -> const char* {
    if (content) {
      if (end - start > kDocumentLimit) return "a document is larger than 16 MiB";
      if (flow && end - start > kFlowLimit) return "a document is larger than 1 MiB and uses [ or {";
      result.list.push_back({bytes.substr(start, end - start), index, start_line});
    }
    if (content || separated) ++index;
    content = flow = false;
    return nullptr;
  };

  for (std::size_t at = 0; at < bytes.size();) {
    ++line_number;
    const auto newline = std::min(bytes.find('\n', at), bytes.size());
    auto line = bytes.substr(at, newline - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const char* why = refuse_line(line)) return refuse(std::string("holds ") + why, line_number);
    const std::size_t next = newline + 1;
    if (line.starts_with("---")) {
      if (const char* why = close(at)) return refuse(why, start_line);
      separated = true;
      start = std::min(next, bytes.size());
      start_line = line_number + 1;
    } else if (!blank(line)) {
      content = true;
      flow = flow || line.find_first_of("[{") != std::string_view::npos;
    }
    at = next;
  }
  if (const char* why = close(bytes.size())) return refuse(why, start_line);
  return result;
}

}  // namespace gpol::manifest
