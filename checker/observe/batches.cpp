#include "checker/observe/batches.h"

#include <algorithm>

#include "compiler/source/parallel.h"

namespace gpol::manifest {
namespace {

constexpr std::size_t kBatch = 4U << 20U;   // bytes of text whose trees live together
constexpr std::size_t kAlone = 64U << 10U;  // less than this is not worth a thread
constexpr unsigned kMostThreads = 4;

void parse(ParsedDocument& document) {
  document.tree = parse_document(document.text, Reading::Kubernetes);
  if (!document.tree.root || document.tree.root->kind == Node::Kind::Null) return;
  if (Node* items = items_of(*document.tree.root))
    for (const Node& item : items->items) document.refused.push_back(violations(item));
  else
    document.refused.push_back(violations(*document.tree.root));
}

// Where kubectl stopped reading the file that it is in.
struct Stop {
  FileId file = kNoFile;
  int line = 0;

  void pass(ParsedDocument& document) {
    DocumentText& text = document.text;
    if (document.file != file) *this = {document.file, 0};
    if (line > 0) text.stopped_at = line;
    if (line == 0 && !document.tree.root && !document.tree.kubectl_reads_on)
      line = std::max(text.line + document.tree.refused_line - 1, 1);
  }
};

void parse_all(std::vector<ParsedDocument>& batch, std::size_t bytes) {
  const unsigned wanted = bytes < kAlone ? 1 : std::min(processors(), kMostThreads);
  in_parallel(batch.size(), wanted, [&](std::size_t i) { parse(batch[i]); });
}

// What the API server sends of one kind (`kubectl get --raw`): its items do not say again what they are.
void say_kind(Node& item, const Entry& api, const Entry& kind) {
  if (item.kind != Node::Kind::Map) return;
  for (const Entry& entry : item.entries)
    if (entry.key == "apiVersion" || entry.key == "kind") return;
  item.entries.push_back(api);
  item.entries.push_back(kind);
  constexpr std::size_t kList = 4;
  std::string& word = item.entries.back().value.text;
  word.resize(word.size() - kList);
}

}  // namespace

Node* items_of(Node& root) {
  if (root.kind != Node::Kind::Map) return nullptr;
  Entry *items = nullptr, *api = nullptr, *kind = nullptr;
  for (Entry& entry : root.entries) {
    if (entry.key == "items") items = &entry;
    if (entry.key == "apiVersion") api = &entry;
    if (entry.key == "kind") kind = &entry;
  }
  if (items == nullptr || kind == nullptr || !kind->value.text.ends_with("List")) return nullptr;
  const bool typed = api != nullptr && kind->value.text != "List";
  if (typed && items->value.kind == Node::Kind::Null) items->value.kind = Node::Kind::List;  // of none
  if (items->value.kind != Node::Kind::List) return nullptr;
  if (typed)
    for (Node& item : items->value.items) say_kind(item, *api, *kind);
  return &items->value;
}

void each_parsed(std::span<const YamlFile> files, const std::set<FileId>& left_out,
                 const std::function<void(FileId, const Documents&)>& refused,
                 const std::function<void(ParsedDocument&)>& take) {
  std::vector<ParsedDocument> batch;
  std::size_t bytes = 0;
  Stop stop;
  const auto flush = [&] {
    parse_all(batch, bytes);
    for (ParsedDocument& document : batch) {
      stop.pass(document);
      take(document);
      document.tree = {};  // its violations are read
    }
    batch.clear();
    bytes = 0;
  };
  for (FileId file = 0; file < files.size(); ++file) {
    if (left_out.contains(file)) continue;
    const Documents documents = split_documents(files[file].bytes, Reading::Kubernetes);
    if (!documents.refused.empty()) {
      flush();
      refused(file, documents);
      continue;
    }
    for (const DocumentText& text : documents.list) {
      batch.push_back({file, text, {}, {}});
      bytes += text.bytes.size();
      if (bytes > kBatch) flush();
    }
  }
  flush();
}

}  // namespace gpol::manifest
