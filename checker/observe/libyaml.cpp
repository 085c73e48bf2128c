#include "checker/observe/libyaml.h"

#include <yaml.h>

#include <algorithm>
#include <utility>

#include "checker/observe/expand.h"
#include "checker/observe/scalars.h"
#include "checker/observe/spans.h"

namespace gpol::manifest {
namespace {

using Kind = Node::Kind;

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view{} : std::string_view(reinterpret_cast<const char*>(text));
}

struct Event {
  yaml_event_t is{};
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&is); }
};

struct Parser {
  yaml_parser_t is{};
  bool ready;
  explicit Parser(std::string_view text) : ready(yaml_parser_initialize(&is) == 1) {
    if (!ready) return;
    yaml_parser_set_encoding(&is, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&is, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&is); }
};

// Events to nodes. What returns bool returns false once the document is refused.
class Reader {
 public:
  // A byte order mark at the beginning is passed over, as Kubernetes' port does.
  Reader(std::string_view text, Reading reading)
      : text_(text),
        kubernetes_(reading == Reading::Kubernetes),
        ascii_(std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })),
        byte_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0),
        mark_(byte_) {}

  Tree read() {
    Parser parser(text_.substr(byte_));
    bool goes_on = parser.ready || refuse(0, "cannot be read: there is no memory left");
    while (goes_on) {
      Event event;
      goes_on = yaml_parser_parse(&parser.is, &event.is) == 1 ? take(event.is) : failed(parser.is);
      if (event.is.type == YAML_STREAM_END_EVENT) break;
    }
    if (!goes_on) out_.root.reset();
    return std::move(out_);
  }

 private:
  // A node on its way into the tree, and what it would be as a key.
  struct Part {
    Node node;
    std::string key;
    bool can_be_key = false, is_merge = false, is_alias = false;
  };
  struct Open {
    Node node;
    Anchors::Name anchor;
    Entry entry;  // its key, when there is one
    bool has_key = false, merging = false, flow = false;
    std::vector<Merge> merges;
  };

  // `kubectl` reads on: the refusal is gpol's own.
  bool refuse(std::size_t at, std::string what, bool kubectl = false) {
    const auto place = std::min(at, text_.size());
    out_ = {std::nullopt, std::move(what), line_at(text_, place), place, false, kubectl};
    return false;
  }
  bool refuse_ours(std::size_t at, std::string what) { return refuse(at, std::move(what), true); }

  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        return start_document(event);
      case YAML_SCALAR_EVENT:
        return scalar(event);
      case YAML_ALIAS_EVENT:
        return alias(event);
      case YAML_SEQUENCE_START_EVENT: {
        const auto& of = event.data.sequence_start;
        return open(event, Kind::List, of.tag, of.anchor, of.style == YAML_FLOW_SEQUENCE_STYLE);
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& of = event.data.mapping_start;
        return open(event, Kind::Map, of.tag, of.anchor, of.style == YAML_FLOW_MAPPING_STYLE);
      }
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return close(event);
      case YAML_DOCUMENT_END_EVENT:
        return ended_ = true;
      case YAML_STREAM_END_EVENT:
        return documents_ > 0 || refuse_ours(0, "holds no YAML");
      default:
        return true;
    }
  }

  bool start_document(const yaml_event_t& event) {
    const auto& of = event.data.document_start;
    if (of.version_directive != nullptr || of.tag_directives.start != of.tag_directives.end)
      return refuse(at(event.start_mark), kDirective);
    return ++documents_ == 1 || refuse_ours(at(event.start_mark), "holds more than one document");
  }

  // libyaml counts characters; places are in bytes.
  std::size_t at(const yaml_mark_t& mark) {
    if (ascii_) return std::min(mark.index, text_.size());
    const auto continues = [&] {
      return byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xC0U) == 0x80U;
    };
    for (; character_ < mark.index && byte_ < text_.size(); ++character_) {
      ++byte_;
      while (continues()) ++byte_;
    }
    for (; character_ > mark.index && byte_ > 0; --character_) {
      --byte_;
      while (byte_ > 0 && continues()) --byte_;
    }
    return byte_;
  }

  Node begun(std::size_t at) {
    if (at > counted_) {
      line_ += static_cast<int>(std::ranges::count(text_.substr(counted_, at - counted_), '\n'));
      counted_ = at;
    }
    Node node;
    node.line = line_;
    node.begin = node.end = static_cast<std::uint32_t>(at);
    return node;
  }

  bool at_key() const { return !open_.empty() && open_.back().node.kind == Kind::Map && !open_.back().has_key; }

  // Where an empty value is that has no anchor and no tag: behind its colon or dash, or where the last thing ends.
  std::size_t place_of_nothing() const {
    const auto sign = skip_space(text_, cursor_);
    const bool behind_sign = sign < text_.size() && (text_[sign] == ':' || text_[sign] == '-') && !at_key();
    return behind_sign ? sign + 1 : cursor_;
  }

  bool scalar(const yaml_event_t& event) {
    const auto& of = event.data.scalar;
    const std::string_view value(reinterpret_cast<const char*>(of.value), of.length);
    const auto start = at(event.start_mark), stop = at(event.end_mark);
    const bool plain = of.style == YAML_PLAIN_SCALAR_STYLE, empty = plain && value.empty();
    const bool has_tag =
        of.tag != nullptr || (start < stop && text_[start] == '!') || (of.plain_implicit == 1 && !plain);
    if (!kubernetes_ && of.anchor != nullptr) return refuse(start, "holds an anchor");
    if (!kubernetes_ && has_tag) return refuse(start, "holds a tag");
    if (const char* why = plain && flow_ > 0 ? taken_differently(of, stop) : nullptr) return refuse_ours(start, why);
    if (of.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE && kubernetes_ && escapes_slash(start, stop))
      return refuse(start, "holds the escape \\/ in a text, which YAML 1.1 has not");

    const auto begin = !empty ? skip_properties(text_, start) : start < stop ? stop : place_of_nothing();
    Node node = begun(begin);
    const bool block = of.style == YAML_LITERAL_SCALAR_STYLE || of.style == YAML_FOLDED_SCALAR_STYLE;
    cursor_ = empty ? begin : block ? end_of_block(begin, stop) : stop;
    node.end = static_cast<std::uint32_t>(cursor_);
    const Anchors::Name anchor = anchors_.open(view(of.anchor));
    if (!kubernetes_) {
      node.kind = plain ? plain_kind(value) : Kind::Text;
      if (node.kind != Kind::Null) node.text = value;
      const bool is_text = node.kind == Kind::Text;
      if (at_key() && plain && value == "<<") return refuse(begin, "holds a merge key");
      return put({std::move(node), std::string(value), is_text, false, false}, anchor);
    }
    if (of.tag == nullptr && of.plain_implicit == 0) {
      node.kind = Kind::Text;
      node.text = value;
      return put({std::move(node), at_key() ? std::string(value) : std::string(), true, false, false}, anchor);
    }
    auto resolved = kubernetes_scalar(value, view(of.tag));
    if (!resolved.refused.empty() && !(at_key() && !resolved.key.empty()))
      return refuse(begin, "holds " + resolved.refused, resolved.kubectl_reads);
    node.kind = resolved.kind;
    node.text = std::move(resolved.text);
    const bool can_be_key = node.kind == Kind::Text || !resolved.key.empty();
    const bool is_merge = value == "<<" && (of.plain_implicit == 1 || view(of.tag) == "tag:yaml.org,2002:merge");
    return put({std::move(node), std::move(resolved.key), can_be_key, is_merge, false}, anchor);
  }

  // Between brackets, where Kubernetes' port ends texts at a question mark and tags behind a comma.
  const char* taken_differently(const auto& of, std::size_t stop) const {
    if (view(of.value).find('?') != std::string_view::npos)
      return "holds a `?` in a text without quotes, between brackets";
    const bool comma = of.length == 0 && of.tag != nullptr && stop < text_.size() && text_[stop] == ',';
    return comma ? "holds a tag with nothing behind it" : nullptr;
  }

  bool escapes_slash(std::size_t begin, std::size_t end) const {
    for (auto at = text_.find('\\', begin); at < end; at = text_.find('\\', at + 2))
      if (at + 1 < end && text_[at + 1] == '/') return true;
    return false;
  }

  // Of a block scalar whose last line break ends at `stop`: its last character that is no blank, or else its header.
  std::size_t end_of_block(std::size_t begin, std::size_t stop) const {
    const auto header = std::min(text_.find_first_of(" \t\r\n", begin), stop);
    const auto lines = std::min(text_.find('\n', header), stop);
    const auto last = text_.substr(lines, stop - lines).find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? header : lines + last + 1;
  }

  bool alias(const yaml_event_t& event) {
    const auto start = at(event.start_mark);
    if (!kubernetes_) return refuse(start, "holds an alias");
    out_.aliases = true;
    Anchors::Refusal refusal;
    auto node = anchors_.copy(view(event.data.alias.anchor), static_cast<int>(open_.size()), refusal);
    if (!node) return refuse(start, std::move(refusal.what), refusal.kubectl_reads_on);
    cursor_ = at(event.end_mark);
    if (at_key()) {
      node->line = begun(start).line;
      node->begin = static_cast<std::uint32_t>(start);
      node->end = static_cast<std::uint32_t>(cursor_);
    }
    const bool can_be_key = node->kind != Kind::List && node->kind != Kind::Map && node->kind != Kind::Null;
    auto key = can_be_key ? node->text : std::string();
    return put({std::move(*node), std::move(key), can_be_key, false, true}, {});
  }

  bool open(const yaml_event_t& event, Kind kind, const yaml_char_t* tag, const yaml_char_t* anchor, bool flow) {
    const auto start = at(event.start_mark);
    if (!kubernetes_ && anchor != nullptr) return refuse(start, "holds an anchor");
    if (!kubernetes_ && tag != nullptr) return refuse(start, "holds a tag");
    if (at_key()) return refuse_ours(start, kNoText);  // Kubernetes' port takes some for a whole document
    if (open_.size() >= static_cast<std::size_t>(kDepthLimit)) return refuse_ours(start, kTooDeep);
    Open next;
    next.node = begun(skip_properties(text_, start));
    next.node.kind = kind;
    next.anchor = anchors_.open(view(anchor));
    next.flow = flow;
    cursor_ = next.node.begin + (flow ? 1 : 0);
    flow_ += flow ? 1 : 0;
    open_.push_back(std::move(next));
    return true;
  }

  bool close(const yaml_event_t& event) {
    Open last = std::move(open_.back());
    open_.pop_back();
    if (const Entry* entry = duplicate_key(last.node)) return refuse_ours(entry->begin, twice(*entry));
    if (!last.merges.empty()) apply_merges(last.node, std::move(last.merges));
    flow_ -= last.flow ? 1 : 0;
    if (last.flow) cursor_ = at(event.end_mark);
    last.node.end = static_cast<std::uint32_t>(cursor_);
    return put({std::move(last.node), {}, false, false, false}, last.anchor);
  }

  bool put(Part part, const Anchors::Name& anchor) {
    if (++nodes_ > kNodeLimit) return refuse_ours(part.node.begin, kTooMany);
    if (!anchors_.close(anchor, part.node)) return refuse_ours(part.node.begin, "holds more than 16 MiB in anchors");
    if (open_.empty()) {
      out_.root = std::move(part.node);
      return true;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Kind::List) {
      parent.node.items.push_back(std::move(part.node));
      return true;
    }
    if (!parent.has_key) return put_key(parent, std::move(part));
    parent.has_key = false;
    if (parent.merging) {
      if (!can_be_merged(part.node, part.is_alias))
        return refuse(part.node.begin, "holds a merge key of something that is no mapping and no list of mappings");
      parent.merges.push_back({parent.node.entries.size(), std::move(part.node)});
      return true;
    }
    parent.entry.value = std::move(part.node);
    parent.node.entries.push_back(std::move(parent.entry));
    return true;
  }

  bool put_key(Open& parent, Part part) {
    if (!part.can_be_key) return refuse_ours(part.node.begin, kNoText);  // kubectl takes it where the same key follows
    if (part.node.begin < parent.node.begin) {                           // an empty key behind a tag
      parent.node.begin = part.node.begin;
      parent.node.line = part.node.line;
    }
    parent.entry = Entry{std::move(part.key), {}, part.node.begin, part.node.end, false};
    parent.has_key = true;
    parent.merging = part.is_merge;
    return true;
  }

  // What libyaml says, in our words where they are better.
  bool failed(const yaml_parser_t& parser) {
    const std::string_view problem = parser.problem == nullptr ? "" : parser.problem;
    const std::string_view context = parser.context == nullptr ? "" : parser.context;
    if (parser.error == YAML_MEMORY_ERROR) return refuse_ours(0, "cannot be read: there is no memory left");
    if (parser.error == YAML_READER_ERROR)
      return refuse(mark_ + parser.problem_offset,
                    problem.starts_with("control") ? "holds a control character" : "holds bytes that are not UTF-8");
    const auto where = at(parser.problem_mark), began = at(parser.context_mark);
    if (ended_)
      return refuse_ours(where,
                         "holds text behind its end, which kubectl passes over: an indentation too small, or no `---`");
    const bool at_end = text_.find_first_not_of(" \t\r\n", where) == std::string_view::npos;
    const bool bracket = began < text_.size() && (text_[began] == '[' || text_[began] == '{');
    if (at_end && (problem.starts_with("did not find expected ',' or") || context == "while parsing a flow node" ||
                   (context == "while scanning a simple key" && bracket)))
      return refuse(where, "ends inside a `[` or a `{` that nothing closes");
    if (problem == "could not find expected ':'") {
      const auto line = text_.substr(began, std::min(text_.find_first_of("\r\n", began), text_.size()) - began);
      const auto key = line.substr(0, line.find_last_not_of(" \t") + 1).substr(0, 80);
      return refuse(began, "holds the key `" + std::string(key) + "` without a colon");
    }
    if (problem == "found unexpected end of stream" && context == "while scanning a quoted scalar")
      return refuse(began, "holds a quoted text that does not end");
    if (text_.starts_with('%') && problem == "did not find expected <document start>") return refuse(0, kDirective);
    if (problem == "found unknown escape character" && text_.substr(where, 2) == "\\'")
      return refuse_ours(where, "holds the escape \\' in a text, which only Kubernetes knows");
    if (problem == "found unexpected ':'")  // Kubernetes' port takes it
      return refuse_ours(where, "holds a text that ends with a colon, between brackets");
    std::string what = "is not YAML: " + std::string(problem);
    if (!context.empty()) what += " " + std::string(context);
    const bool tag = context.ends_with(" a tag");  // into which Kubernetes' port takes more characters
    return refuse(where, std::move(what), tag);
  }

  static constexpr const char* kDirective = "holds a line that begins with %, a directive: kubectl cannot read that";
  static constexpr const char* kNoText = "holds a key that is not text";

  std::string_view text_;
  bool kubernetes_, ascii_, ended_ = false;
  Tree out_;
  std::vector<Open> open_;
  Anchors anchors_;
  std::size_t byte_, mark_, character_ = 0;  // the same place, for at(), and where it began
  std::size_t cursor_ = 0, counted_ = 0;     // where the last thing ended; up to where line_ counts
  std::size_t nodes_ = 0;
  int line_ = 1, flow_ = 0, documents_ = 0;
};

}  // namespace

Tree read_yaml(std::string_view text, Reading reading) { return Reader(text, reading).read(); }

}  // namespace gpol::manifest
