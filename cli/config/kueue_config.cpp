// Why what is written is proven although the proof reads the lines alone: what a given Configuration says beside them
// is either refused (kueue_conflicts.h) or of no consequence, and what is written is read again before it is taken: it
// must be what was given and these lines, and nothing of it may be refused.
#include "cli/config/kueue_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "checker/observe/spans.h"
#include "cli/codes.h"
#include "cli/config/kueue_conflicts.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"
#include "emit/reasons.h"

namespace gpol {

namespace {

using manifest::Entry;
using manifest::Node;

// Lines that are put into a text whose other bytes stay as they are. In: the text, and lines with the place of each.
// Out: the text with them.
struct NewLines {
  std::size_t before = 0;  // the line of the text that they stand above, 0-based; as many as there are: at the end
  std::vector<std::string> lines;
};

// `all`: in order of their places. Line breaks are of the kind of the first one in the text; a last line without one
// gets one where something is put behind it.
std::string with_lines(std::string_view text, std::span<const NewLines> all) {
  const auto first = text.find('\n');
  const bool returns = first != std::string_view::npos && first > 0 && text[first - 1] == '\r';
  const std::string_view line_break = returns ? "\r\n" : "\n";
  std::string out;
  std::size_t line = 0;
  const auto put = [&](const NewLines& some) {
    if (!out.empty() && out.back() != '\n') out += line_break;
    for (const std::string& one : some.lines) out.append(one).append(line_break);
  };
  auto next = all.begin();
  while (!text.empty()) {
    for (; next != all.end() && next->before <= line; ++next) put(*next);
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    out += text.substr(0, end);
    text.remove_prefix(end);
    ++line;
  }
  for (; next != all.end(); ++next) put(*next);
  return out;
}

// What is to stand below a key at the top.
struct Part {
  std::string key;
  std::string reason;  // of the whole; empty: each line has its own
  struct Line {
    std::string key, value, reason;
  };
  std::vector<Line> lines;
};

// What of it is not there yet.
std::vector<Part> missing(const GivenConfiguration& given, const Planned& planned) {
  const KueueConfig& needs = planned.cluster.config;
  const auto of = [](std::string_view key) { return std::string(reason_of(key)); };
  std::vector<Part> parts;
  if (needs.wait_for_pods_ready) {
    const std::string time(pods_ready_time(planned));
    const auto& wait = given.says.wait_for_pods_ready;
    Part part{"waitForPodsReady", of("waitForPodsReady"), {}};
    if (!wait) {
      if (given.older) part.lines.push_back({"enable", "true", ""});
      part.lines.push_back({"timeout", time, ""});
      part.lines.push_back({"recoveryTimeout", time, ""});
      part.lines.push_back({"blockAdmission", "false", ""});
    } else if (wait->timeout.empty()) {
      part.lines.push_back({"timeout", time, ""});
    }
    if (!part.lines.empty()) parts.push_back(std::move(part));
  }
  Part gates{"featureGates", "", {}};
  for (const auto& [gate, on] : needs.gates)
    if (!given.says.gates.contains(gate)) gates.lines.push_back({gate, on ? "true" : "false", of(gate)});
  if (!gates.lines.empty()) parts.push_back(std::move(gates));
  return parts;
}

// The lines of a part, behind an indentation; its reason in front of them where nothing else has it.
std::vector<std::string> lines_with(const Part& part, const std::string& indentation) {
  std::vector<std::string> lines;
  for (const Part::Line& line : part.lines) {
    if (!line.reason.empty()) lines.push_back(fmt::format("{}# gpol: {}", indentation, line.reason));
    lines.push_back(fmt::format("{}{}: {}", indentation, line.key, line.value));
  }
  return lines;
}

// Where in the text of a block mapping lines can be put. Nothing: it is written in another way, as between braces.
class Places {
 public:
  explicit Places(const GivenConfiguration& given) : text_(given.text), root_(given.root) {}

  std::optional<NewLines> put(const Part& part) const {
    const auto margin = indentation_of(root_);
    const auto entry = std::ranges::find(root_.entries, part.key, &Entry::key);
    if (!margin) return std::nullopt;
    if (entry == root_.entries.end()) return at_end(part, *margin);
    const Node& value = entry->value;
    const bool nothing = value.kind == Node::Kind::Null && value.begin == value.end;
    if (!nothing && !stands_alone(*entry)) return std::nullopt;
    const auto inner = nothing ? *margin + "  " : indentation_of(value);
    if (!inner) return std::nullopt;
    NewLines out{nothing ? line_behind(entry->end) : line_behind(end_of(value.entries.back())), {}};
    if (!part.reason.empty()) out.lines.push_back(fmt::format("{}# gpol: {}", *inner, part.reason));
    const auto lines = lines_with(part, *inner);
    out.lines.insert(out.lines.end(), lines.begin(), lines.end());
    return out;
  }

 private:
  NewLines at_end(const Part& part, const std::string& margin) const {
    const auto last = text_.find_last_not_of(" \t\r\n");
    NewLines out{line_behind(last + 1), {}};
    if (!part.reason.empty()) out.lines.push_back(fmt::format("{}# gpol: {}", margin, part.reason));
    out.lines.push_back(margin + part.key + ":");
    const auto lines = lines_with(part, margin + "  ");
    out.lines.insert(out.lines.end(), lines.begin(), lines.end());
    return out;
  }

  static std::uint32_t end_of(const Entry& entry) { return std::max(entry.end, entry.value.end); }

  // The line behind the one that ends there, 0-based.
  std::size_t line_behind(std::size_t end) const { return static_cast<std::size_t>(manifest::line_at(text_, end)); }

  // Of a mapping whose first key begins its line.
  std::optional<std::string> indentation_of(const Node& map) const {
    if (map.kind != Node::Kind::Map || map.entries.empty() || text_[map.begin] == '{') return std::nullopt;
    const auto first = std::ranges::min_element(map.entries, {}, &Entry::begin);
    const auto newline = first->begin == 0 ? std::string::npos : text_.rfind('\n', first->begin - 1);
    const auto start = newline == std::string::npos ? 0 : newline + 1;
    std::string before = text_.substr(start, first->begin - start);
    if (before.find_first_not_of(' ') != std::string::npos) return std::nullopt;
    return before;
  }

  // Nothing but blanks and comments stands between key and value: no anchor, no tag, no alias.
  bool stands_alone(const Entry& entry) const {
    const auto colon = manifest::skip_space(text_, entry.end);
    return colon < text_.size() && text_[colon] == ':' && manifest::skip_space(text_, colon + 1) == entry.value.begin;
  }

  const std::string& text_;
  const Node& root_;
};

// What a text says without the parts; of one that is new to it, or held nothing, without its key.
std::size_t meaning_without(const GivenConfiguration& given, const std::vector<Part>& parts) {
  Node root = given.root;
  for (const Part& part : parts)
    for (Entry& entry : root.entries)
      if (entry.key == part.key)
        std::erase_if(entry.value.entries, [&](const Entry& e) {
          return std::ranges::any_of(part.lines, [&](const auto& line) { return line.key == e.key; });
        });
  std::erase_if(root.entries, [&](const Entry& entry) {
    return entry.value.entries.empty() && entry.value.items.empty() && contains(parts, entry.key, &Part::key);
  });
  return manifest::meaning_of(root);
}

std::optional<std::string> with_parts(const YamlFile& file, FileId id, const GivenConfiguration& given,
                                      const std::vector<Part>& parts, const Planned& planned) {
  if (!given.block || given.aliases) return std::nullopt;
  std::vector<NewLines> all;
  for (const Part& part : parts) {
    auto lines = Places(given).put(part);
    if (!lines) return std::nullopt;
    lines->before += given.block->first_line;
    for (std::string& line : lines->lines) line.insert(0, given.block->indentation);
    all.push_back(*std::move(lines));
  }
  std::ranges::stable_sort(all, {}, &NewLines::before);
  std::string bytes = with_lines(file.bytes, all);
  const auto read = read_given_configuration({file.path, bytes}, id);
  const auto* after = std::get_if<GivenConfiguration>(&read);
  const bool as_meant = after != nullptr && after->form == given.form && after->refused.empty() &&
                        conflicts(*after, planned).empty() && missing(*after, planned).empty() &&
                        meaning_without(*after, parts) == meaning_without(given, parts);
  return as_meant ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string by_hand(const std::vector<Part>& parts) {
  std::vector<std::string> all;
  for (const Part& part : parts) {
    std::vector<std::string> lines;
    for (const Part::Line& line : part.lines) lines.push_back(fmt::format("`{}: {}`", line.key, line.value));
    all.push_back(fmt::format("{} below `{}`", listed(lines), part.key));
  }
  return fmt::format("write {} by hand", listed(all));
}

}  // namespace

std::optional<MergedConfiguration> merge_configuration(const YamlFile& file, FileId id, const Planned& planned,
                                                       std::vector<Diagnostic>& out) {
  const auto refuse = [&](Span span, std::string message, std::string hint) {
    out.push_back(error_at(code::ConfigurationUnreadable, span, std::move(message), std::move(hint)));
  };
  const auto read = read_given_configuration(file, id);
  if (const auto* unread = std::get_if<UnreadFile>(&read)) {
    refuse(unread->span, fmt::format("`{}` is not read as Kueue's Configuration: {}", file.path, unread->what),
           unread->hint);
    return std::nullopt;
  }
  const auto& given = std::get<GivenConfiguration>(read);
  for (const auto& one : given.refused)
    refuse(
        one.span,
        one.field.empty() ? fmt::format("the Configuration {}", one.what) : fmt::format("`{}` {}", one.field, one.what),
        "");
  if (!given.refused.empty()) return std::nullopt;
  if (auto against = conflicts(given, planned); !against.empty()) {
    std::move(against.begin(), against.end(), std::back_inserter(out));
    return std::nullopt;
  }
  const auto parts = missing(given, planned);
  if (parts.empty()) return MergedConfiguration{file.bytes, given.form};
  if (auto bytes = with_parts(file, id, given, parts, planned))
    return MergedConfiguration{*std::move(bytes), given.form};
  const Node* key = manifest::field(given.root, parts.front().key);
  refuse(given.place(key == nullptr ? *manifest::field(given.root, "kind") : *key),
         fmt::format("no line can be added to `{}` as it is written there, such as in braces, in quotes or behind an "
                     "anchor",
                     file.path),
         by_hand(parts));
  return std::nullopt;
}

}  // namespace gpol
