#include "checker/observe/documents.h"

#include <algorithm>
#include <cstdint>

#include "checker/observe/json.h"
#include "compiler/source/utf8.h"

namespace gpol::manifest {
namespace {

// Why no YAML reader should be given a text, if for anything: not UTF-8, a NUL or another control character.
struct BadCharacter {
  const char* why = nullptr;  // null: there is none
  bool kubectl_reads_on = false;
};

BadCharacter kubernetes_refuses(std::string_view character) {
  if (character == "\xC2\x85" || character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9")
    return {"a line break that few programs show (U+0085, U+2028 or U+2029)", true};
  if (character[0] == '\xC2' && static_cast<std::uint8_t>(character[1]) < 0xA0) return {"a control character"};
  if (character == "\xEF\xBB\xBF") return {"a byte order mark that is not at the beginning", true};
  if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF")
    return {"a character that is none (U+FFFE or U+FFFF)"};
  return {};
}

// Of one line without its line break. Kubernetes' reader knows line breaks of YAML 1.1 (U+0085, U+2028, U+2029) that no
// editor shows as such: what hides behind one is refused.
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

bool blank(std::string_view line) {
  const auto at = line.find_first_not_of(" \t");
  return at == std::string_view::npos || line[at] == '#';
}

const char* refuse_line(std::string_view line) {
  if (const char* bad = bad_characters(line, Reading::Strict).why) return bad;
  const auto indentation = line.substr(0, line.find_first_not_of(" \t"));
  if (indentation.size() < line.size() && indentation.find('\t') != std::string_view::npos)
    return "a tab in indentation";
  if (line.starts_with("%")) return "a directive";
  if (line.starts_with("...")) return "an end-of-document marker";
  return line.starts_with("---") && !blank(line.substr(3)) ? "text on a line that starts with ---" : nullptr;
}

// Says of a document, once and for all, which of its characters no reader takes.
void check_characters(DocumentText& document) {
  int line_number = 0;
  for (std::size_t at = 0; at < document.bytes.size();) {
    ++line_number;
    const auto newline = std::min(document.bytes.find('\n', at), document.bytes.size());
    auto line = document.bytes.substr(at, newline - at);
    if (line.ends_with('\r') && newline < document.bytes.size()) line.remove_suffix(1);
    if (const auto bad = bad_characters(line, Reading::Kubernetes); bad.why != nullptr) {
      document.refused = std::string("holds ") + bad.why;
      document.kubectl_reads_on = bad.kubectl_reads_on || document.json;  // JSON takes more
      document.refused_line = line_number;
      return;
    }
    at = newline + 1;
  }
}

int lines_in(std::string_view text) { return static_cast<int>(std::ranges::count(text, '\n')); }

// Where the next line that begins with "---" does, from the beginning of a line on.
std::size_t next_separator(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("---")) return at;
  const auto found = text.find("\n---", at);
  return found == std::string_view::npos ? text.size() : found + 1;
}

bool says_something(std::string_view text) {
  while (!text.empty()) {
    const auto newline = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, newline);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!blank(line) || bad_characters(line, Reading::Kubernetes).why != nullptr) return true;
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  return false;
}

// `document`: the index and the line of the first.
void yaml_stream(std::string_view text, DocumentText document, std::vector<DocumentText>& list) {
  bool separated = false;
  for (std::size_t at = 0;;) {
    const auto end = next_separator(text, at);
    document.bytes = text.substr(at, end - at);
    const bool listed = !document.refused.empty() || says_something(document.bytes);
    if (listed) list.push_back(document);
    if (end == text.size()) return;
    // Only what precedes the first separator may be no document at all.
    const int index = document.index + (listed || separated ? 1 : 0);
    const int line = document.line + lines_in(document.bytes);
    const auto newline = std::min(text.find('\n', end), text.size());
    const auto behind = text.substr(end + 3, newline - end - 3);
    const bool kept = document.bytes.empty();  // kubectl takes it for the first line of the next document
    document = {.index = index, .line = line + 1, .behind_kept = kept};
    const auto word = std::min(behind.find_first_not_of(" \t\r\v\f"), behind.size());
    const bool separates = word == behind.size() || behind[word] == '#';
    if (!separates || (kept && behind.starts_with('#')) || says_something(behind)) {
      document.refused = "holds text on a line that starts with ---";
      document.kubectl_reads_on = separates;
    }
    // Where kubectl reads no further it drops what it has read since the separator before.
    if (!separates && listed) list.back().stopped_at = line;
    separated = true;
    at = std::min(newline + 1, text.size());
  }
}

// What is cut otherwise than kubectl does it has been refused line by line.
Documents split_strictly(std::string_view bytes) {
  int number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    ++number;
    const auto newline = std::min(bytes.find('\n', at), bytes.size());
    auto line = bytes.substr(at, newline - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const char* why = refuse_line(line)) return {{}, std::string("holds ") + why, number};
    at = newline + 1;
  }
  std::vector<DocumentText> list;
  yaml_stream(bytes, {}, list);
  for (const DocumentText& document : list)
    if (document.bytes.size() > kDocumentLimit) return {{}, "a document is larger than 16 MiB", document.line};
  return {std::move(list), {}, 0};
}

// A text that begins with a brace: JSON objects one behind another, as `kubectl get -o json` writes one and programs
// write many. Behind no object or one that is JSON kubectl tries YAML; behind more it stops.
void json_stream(std::string_view text, std::vector<DocumentText>& list) {
  int line = 1;
  for (;;) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return;
    const DocumentText next{.index = static_cast<int>(list.size()), .line = line};
    const auto length = json_object_length(text.substr(begin));
    const auto object = text.substr(begin, length);
    const bool only = list.empty() && text.find_first_not_of(" \t\r\n", begin + length) == std::string_view::npos;
    if (length == 0 || !(only || read_json(object))) {
      if (list.empty()) return yaml_stream(text, next, list);
      // Up to the end of the line that the object ends in; kubectl's look at four bytes fails where there are fewer.
      const auto newline = text.substr(0, begin).find('\n');
      const auto rest = newline == std::string_view::npos ? begin : newline;
      if (list.size() == 1 && text.size() - rest >= 4)
        return yaml_stream(text.substr(rest == begin ? rest : rest + 1),
                           {.index = 1, .line = rest == begin ? line : line + 1}, list);
      list.push_back(next);
      list.back().bytes = text;
      list.back().refused = "holds something that is not JSON, behind an object that is";
      list.back().refused_line = 1 + lines_in(text.substr(0, begin));
      return;
    }
    line += lines_in(text.substr(0, begin));
    list.push_back({.bytes = object, .index = next.index, .line = line, .json = true});
    line += lines_in(object);
    text.remove_prefix(begin + length);
  }
}

Documents split_leniently(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return {{}, "is UTF-16; save it as UTF-8", 1};
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
  std::vector<DocumentText> list;
  if (const auto begin = bytes.find_first_not_of(" \t\r\n"); begin != std::string_view::npos && bytes[begin] == '{')
    json_stream(bytes, list);
  else
    yaml_stream(bytes, {}, list);
  for (auto& document : list) {
    if (document.bytes.starts_with(kMark) && !document.behind_kept) document.bytes.remove_prefix(kMark.size());
    if (document.refused.empty()) check_characters(document);
  }
  return {std::move(list), {}, 0};
}

}  // namespace

Documents split_documents(std::string_view bytes, Reading reading) {
  if (bytes.size() > kFileLimit) return {{}, "is larger than 64 MiB", 1};
  return reading == Reading::Strict ? split_strictly(bytes) : split_leniently(bytes);
}

Tree parse_document(const DocumentText& document, Reading reading) {
  if (!document.refused.empty())
    return {std::nullopt, document.refused, document.refused_line, {}, false, document.kubectl_reads_on};
  return reading == Reading::Kubernetes && !document.json ? parse_as_yaml(document.bytes)
                                                          : parse_document(document.bytes, reading);
}

}  // namespace gpol::manifest
