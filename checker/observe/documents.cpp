#include "checker/observe/documents.h"

#include <algorithm>

#include "checker/observe/characters.h"
#include "checker/observe/json.h"

namespace gpol::manifest {
namespace {

bool blank(std::string_view line) {
  const auto at = line.find_first_not_of(" \t");
  return at == std::string_view::npos || line[at] == '#';
}

const char* refuse_line(std::string_view line) {
  if (const char* bad = bad_characters(line, Reading::Strict)) return bad;
  const auto indentation = line.substr(0, line.find_first_not_of(" \t"));
  if (indentation.size() < line.size() && indentation.find('\t') != std::string_view::npos)
    return "a tab in indentation";
  if (line.starts_with("%")) return "a directive";
  if (line.starts_with("...")) return "an end-of-document marker";
  if (line.starts_with("---") && !blank(line.substr(3))) return "text on a line that starts with ---";
  return nullptr;
}

Documents split_strictly(std::string_view bytes) {
  Documents result;
  const auto refuse = [&](std::string why, int line) {
    result.list.clear();
    result.refused = std::move(why);
    result.refused_line = line;
    return result;
  };

  std::size_t start = 0;
  int start_line = 1, line_number = 0, index = 0;
  bool content = false, flow = false, separated = false;
  // Closes the document that ends at `end`; only what precedes the first separator may be no document at all.
  const auto close = [&](std::size_t end) -> const char* {
    if (content) {
      if (end - start > kDocumentLimit) return "a document is larger than 16 MiB";
      if (flow && end - start > kFlowLimit) return "a document is larger than 1 MiB and uses [ or {";
      result.list.push_back({bytes.substr(start, end - start), index, start_line, {}, 0});
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

// Says of a document, once and for all, which of its characters no reader takes.
void check_characters(DocumentText& document) {
  int line_number = 0;
  for (std::size_t at = 0; at < document.bytes.size();) {
    ++line_number;
    const auto newline = std::min(document.bytes.find('\n', at), document.bytes.size());
    auto line = document.bytes.substr(at, newline - at);
    if (line.ends_with('\r') && newline < document.bytes.size()) line.remove_suffix(1);
    if (const char* bad = bad_characters(line, Reading::Kubernetes)) {
      document.refused = std::string("holds ") + bad;
      document.refused_line = line_number;
      return;
    }
    at = newline + 1;
  }
}

int lines_in(std::string_view text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

// JSON values one behind another, as `kubectl get -o json` writes one and programs write many. Nothing when the text is
// anything else, which YAML may be.
std::vector<DocumentText> json_stream(std::string_view text) {
  std::vector<DocumentText> list;
  int line = 1;
  while (!text.empty()) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) break;
    const auto second = text.find_first_not_of(" \t\r\n", begin + 1);
    if (second == std::string_view::npos || (text[second] != '"' && text[second] != '}')) return {};
    const auto length = json_object_length(text.substr(begin));
    if (length == 0) return {};
    line += lines_in(text.substr(0, begin));
    list.push_back({text.substr(begin, length), static_cast<int>(list.size()), line, {}, 0});
    line += lines_in(text.substr(begin, length));
    text.remove_prefix(begin + length);
  }
  return list;
}

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
    if (!blank(line) || bad_characters(line, Reading::Kubernetes) != nullptr) return true;
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  return false;
}

std::vector<DocumentText> yaml_stream(std::string_view text) {
  std::vector<DocumentText> list;
  DocumentText document;
  bool separated = false;
  for (std::size_t at = 0;;) {
    const auto end = next_separator(text, at);
    document.bytes = text.substr(at, end - at);
    const bool listed = !document.refused.empty() || says_something(document.bytes);
    if (listed) list.push_back(document);
    if (end == text.size()) return list;
    // Only what precedes the first separator may be no document at all.
    const int index = document.index + (listed || separated ? 1 : 0);
    const int line = document.line + lines_in(document.bytes);
    const auto newline = std::min(text.find('\n', end), text.size());
    const auto behind = text.substr(end + 3, newline - end - 3);
    const bool alone = !says_something(behind) && !behind.starts_with('#');  // "---#" is text to some
    separated = true;
    at = std::min(newline + 1, text.size());
    document = {{}, index, line + 1, {}, 0};
    if (!alone) {
      document.refused = "holds text on a line that starts with ---";  // kubectl reads no further
      document.refused_line = 0;
    }
  }
}

Documents split_leniently(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return {{}, "is UTF-16; save it as UTF-8", 1};
  auto list = json_stream(bytes);
  if (list.empty()) list = yaml_stream(bytes);
  for (auto& document : list) {
    if (document.bytes.starts_with("\xEF\xBB\xBF")) document.bytes.remove_prefix(3);
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
  if (!document.refused.empty()) return {std::nullopt, document.refused, document.refused_line};
  return parse_document(document.bytes, reading);
}

}  // namespace gpol::manifest
