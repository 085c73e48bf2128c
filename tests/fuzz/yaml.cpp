// Any bytes to the readers of YAML. What must hold of every file and document, in both readings: nothing is thrown; a
// refusal says why and where; every node lies in the text, at the line that it says, inside of what holds it unless it
// came through an alias; no mapping has a key twice; `observe` ends,
// and so does `observe_existing`, whose places lie in the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "checker/observe/documents.h"
#include "checker/observe/existing.h"
#include "checker/observe/observe.h"
#include "checker/observe/quantity.h"
#include "checker/observe/templates.h"

namespace {

using namespace gpol::manifest;

void require(bool holds) {
  if (!holds) std::abort();
}

int line_of(std::string_view text, std::size_t at) {
  int line = 1;
  for (const char c : text.substr(0, at)) line += c == '\n' ? 1 : 0;
  return line;
}

void check(const Node& node, std::string_view text, bool aliases, int depth) {
  require(depth <= kDepthLimit + 1);
  require(node.begin <= node.end && node.end <= text.size() + 1);  // kubectl ends the last line
  require(node.line == line_of(text, node.begin));
  require(node.kind == Node::Kind::List || node.items.empty());
  require(node.kind == Node::Kind::Map || node.entries.empty());
  require(duplicate_key(node) == nullptr);
  const auto inside = [&](std::uint32_t begin, std::uint32_t end) {
    require(begin <= end && (aliases || (node.begin <= begin && end <= node.end)));
  };
  for (const auto& item : node.items) {
    inside(item.begin, item.end);
    check(item, text, aliases, depth + 1);
  }
  for (const auto& entry : node.entries) {
    inside(entry.begin, entry.end);
    inside(entry.value.begin, entry.value.end);
    check(entry.value, text, aliases, depth + 1);
  }
}

void read(const DocumentText& document, Reading reading) {
  const auto text = document.bytes;
  const auto tree = parse_document(document, reading);
  if (!tree.root) {
    require(!tree.refused.empty() && tree.refused_line >= 0 && tree.refused_line <= line_of(text, text.size()) + 1);
    return;
  }
  check(*tree.root, text, text.find('*') != std::string_view::npos, 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  for (const auto reading : {Reading::Strict, Reading::Kubernetes})
    for (const auto& document : split_documents(text, reading).list) read(document, reading);
  const auto amount = amount_of(text, "cpu");
  require(amount.status != Amount::Status::Malformed || plain_decimal(text).empty() || text.starts_with('-'));
  const auto mark = looks_like_template(text);
  require(!mark || mark->at < size);
  const gpol::YamlFile file{"fuzz.yaml", text};
  for (const auto& problem : gpol::observe({&file, 1}).problems) require(!problem.what.empty());
  const auto existing = gpol::observe_existing({&file, 1});
  require(existing.places.queues.size() == existing.cluster.queues.size());
  for (const auto& rejection : existing.rejections)
    require(!rejection.what.empty() && rejection.span.begin <= rejection.span.end && rejection.span.begin <= size + 1);
  return 0;
}
