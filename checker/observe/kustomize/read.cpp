#include "checker/observe/kustomize/read.h"

#include <algorithm>
#include <deque>

#include "checker/observe/documents.h"
#include "checker/observe/embedded.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

// kubectl takes yes and on for truth values; kustomize takes them for text, and what it writes is read as text then.
bool is_old_truth(std::string_view written) {
  return contains({"y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF"},
                  written);
}

// Moves a tree to its place in the file, and undoes what kubectl reads otherwise than kustomize.
class Placer {
 public:
  Placer(Context& context, const FileText& file, std::uint32_t offset, int line, bool as_kubectl)
      : context_(context), file_(file), offset_(offset), line_(line), as_kubectl_(as_kubectl) {}

  void place(Node& node) {
    node.begin += offset_;
    node.end += offset_;
    node.line += line_ - 1;
    node.file = file_.file;
    const auto text = written(node.begin, node.end);
    if (node.kind == NodeKind::Text && !text.empty())
      node.quoted = std::string_view("\"'|>").find(text.front()) != std::string_view::npos;
    if (node.kind == NodeKind::Null && !text.empty()) node.quoted = true;
    if (as_kubectl_) {
    } else if (node.kind == NodeKind::Bool && is_old_truth(text)) {
      node.kind = NodeKind::Text;
      node.text = text;
    } else if (node.kind == NodeKind::Text && text == node.text && text.starts_with("0o")) {
      context_.not_built(node,
                         "holds `" + std::string(text.substr(0, 40)) + "`, a number to kustomize and text to kubectl");
    }
    for (Node& item : node.items) place(item);
    for (Entry& entry : node.entries) {
      entry.begin += offset_;
      entry.end += offset_;
      entry.file = file_.file;
      if (const auto key = written(entry.begin, entry.end); !as_kubectl_ && is_old_truth(key)) entry.key = key;
      place(entry.value);
    }
  }

 private:
  std::string_view written(std::uint32_t begin, std::uint32_t end) const {
    if (begin >= end || end > file_.bytes.size()) return {};
    return file_.bytes.substr(begin, end - begin);
  }

  Context& context_;
  const FileText& file_;
  std::uint32_t offset_;
  int line_;
  bool as_kubectl_;
};

void refuse(Context& context, const Source& source, std::uint32_t begin, std::size_t at, std::string what) {
  if (source.text != nullptr) return context.error(*source.text, std::move(what));
  const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(begin + at, source.file.bytes.size()));
  context.error(Span{source.file.file, end, end}, std::move(what));
}

std::size_t start_of_line(std::string_view text, int line) {
  std::size_t at = 0;
  for (; line > 1; --line) {
    const auto newline = text.find('\n', at);
    if (newline == std::string_view::npos) break;
    at = newline + 1;
  }
  return at;
}

void put_all_at(const Node& at, Node& node) {
  node.begin = at.begin, node.end = at.end, node.line = at.line;
  for (Node& item : node.items) put_all_at(at, item);
  for (Entry& entry : node.entries) {
    entry.begin = at.begin, entry.end = at.end;
    put_all_at(at, entry.value);
  }
}

}  // namespace

std::optional<std::vector<Node>> read_documents(Context& context, const Source& source) {
  const std::string_view bytes = source.text != nullptr ? std::string_view(source.text->text) : source.file.bytes;
  const auto documents = split_documents(bytes, Reading::Kubernetes);
  if (!documents.refused.empty()) {
    refuse(context, source, 0, 0, documents.refused);
    return std::nullopt;
  }
  std::optional<std::vector<std::uint32_t>> origins;
  if (source.text != nullptr) {
    if (const Node& text = *source.text; text.end <= source.file.bytes.size() && text.begin < text.end)
      origins = origins_of(source.file.bytes.substr(text.begin, text.end - text.begin), text.text);
  }
  std::vector<Node> roots;
  for (const DocumentText& document : documents.list) {
    const auto begin = static_cast<std::uint32_t>(document.bytes.data() - bytes.data());
    Tree tree = parse_document(document, Reading::Kubernetes);
    if (!tree.root) {
      const auto at = tree.refused_at.value_or(start_of_line(document.bytes, tree.refused_line));
      refuse(context, source, begin, at, tree.refused);
      return std::nullopt;
    }
    if (!context.spend_bytes(tree_bytes(*tree.root))) return std::nullopt;
    if (source.text == nullptr) {
      Placer(context, source.file, begin, document.line, source.as_kubectl).place(*tree.root);
    } else {
      const Node& text = *source.text;
      // Where each byte comes from is known of the text as a whole.
      Placer(context, {kNoFile, bytes}, begin, 1, source.as_kubectl).place(*tree.root);
      if (origins)
        move_to(*origins, text.begin, text.line, *tree.root);
      else
        put_all_at(text, *tree.root);
      Placer(context, {text.file, {}}, 0, 1, true).place(*tree.root);
    }
    roots.push_back(std::move(*tree.root));
  }
  return roots;
}

void fill_nothing(const Context& context, Node& node, bool in_flow) {
  const auto bytes = context.bytes_of(node.file);
  if (node.begin < bytes.size() && (!node.items.empty() || !node.entries.empty()))
    in_flow = in_flow || bytes[node.begin] == '{' || bytes[node.begin] == '[';
  if (in_flow && node.kind == Node::Kind::Null && !node.quoted) node.kind = Node::Kind::Text;
  for (Node& item : node.items) fill_nothing(context, item, in_flow);
  for (Entry& entry : node.entries) fill_nothing(context, entry.value, in_flow);
}

std::string no_object(const Node& node) {
  if (node.kind != NodeKind::Map) return "is no Kubernetes object";
  const std::string kind = text_at(node, "kind");
  if (kind.empty()) return "has no `kind`: it is no Kubernetes object";
  if (kind.ends_with("List")) return {};
  const Node* metadata = find(node, "metadata");
  if (metadata == nullptr || text_at(*metadata, "name").empty()) return "has no `metadata.name`";
  return {};
}

std::optional<std::vector<Node>> read_objects(Context& context, std::vector<Node> documents) {
  std::deque<Node> waiting;
  const auto take = [&](Node& node) {
    if (node.kind == NodeKind::Null || (node.kind == NodeKind::Map && node.entries.empty()) ||
        (node.kind == NodeKind::List && node.items.empty()))
      return true;
    if (const std::string why = no_object(node); !why.empty()) return context.fail(node, why);
    waiting.push_back(std::move(node));
    return true;
  };
  const auto take_items = [&](Node& list) {
    Node* items = find(list, "items");
    if (items->kind == NodeKind::Null) return true;
    if (items->kind != NodeKind::List) return context.fail(*items, "must be a list");
    return std::ranges::all_of(items->items, take);
  };

  const bool alone = documents.size() == 1;
  for (Node& node : documents) {
    const bool wrapper =
        alone && find(node, "items") != nullptr && contains({"List", "ResourceList"}, text_at(node, "kind"));
    if (!(wrapper ? take_items(node) : take(node))) return std::nullopt;
  }
  std::vector<Node> objects;
  for (; !waiting.empty(); waiting.pop_front()) {
    Node& node = waiting.front();
    if (!text_at(node, "kind").ends_with("List") || find(node, "items") == nullptr) {
      objects.push_back(std::move(node));
    } else {
      Node list = std::move(node);
      if (!take_items(list)) return std::nullopt;
    }
    if (!context.fits(objects.size())) return std::nullopt;
  }
  return objects;
}

}  // namespace gpol::manifest::kustomize
