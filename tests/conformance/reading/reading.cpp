// Prints cases, one a line of JSON, each with what gpol reads (judge/main.go compares).
//   reading SEED COUNT     COUNT random files beside the chosen ones
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "checker/observe/documents.h"
#include "checker/observe/existing.h"
#include "checker/observe/quantity.h"
#include "tests/conformance/reading/cases.h"

using namespace gpol::manifest;
using nlohmann::json;

namespace {

// Numbers as they stand in the tree.
void write(const Node& node, std::string& out) {
  using Kind = Node::Kind;
  const char* separator = "";
  switch (node.kind) {
    case Kind::Null:
      out += "null";
      break;
    case Kind::Text:
      out += json(node.text).dump();
      break;
    case Kind::List:
      out += "[";
      for (const auto& item : node.items) {
        out += std::exchange(separator, ",");
        write(item, out);
      }
      out += "]";
      break;
    case Kind::Map:
      out += "{";
      for (const auto& entry : node.entries) {
        out += std::exchange(separator, ",") + json(entry.key).dump() + ":";
        write(entry.value, out);
      }
      out += "}";
      break;
    default:
      out += node.text;
  }
}

json read(const std::string& file) {
  json documents = json::array();
  const auto split = split_documents(file, Reading::Kubernetes);
  if (!split.refused.empty()) documents.push_back({{"refused", split.refused}});
  for (const auto& document : split.list) {
    const auto tree = parse_document(document, Reading::Kubernetes);
    if (!tree.root) {
      documents.push_back({{"refused", tree.refused}, {"reads_on", tree.kubectl_reads_on}});
      continue;
    }
    std::string text;
    write(*tree.root, text);
    documents.push_back({{"json", text}, {"stopped", document.stopped_at > 0}});
  }
  return documents;
}

std::string amount(const std::string& quantity, const char* resource) {
  const auto result = amount_of(quantity, resource);
  if (result.status == Amount::Status::Malformed) return "malformed";
  return result.status == Amount::Status::Unlimited ? "unlimited" : std::to_string(result.value);
}

// What a pod with this spec takes of a node: of a Deployment that serves, and of a Pod that does not.
json taken(const std::string& spec) {
  const std::string serving =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","labels":{"gpol.dev/role":"serving"}},)"
      R"("spec":{"replicas":1,"template":{"metadata":{},"spec":)" +
      spec + "}}}";
  const std::string stranger = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":)" + spec + "}";
  const gpol::YamlFile files[] = {{"serving.yaml", serving}, {"stranger.yaml", stranger}};
  const gpol::Existing existing = gpol::observe_existing(files);
  json out{{"pod", json::parse(spec)}, {"serving", json::object()}, {"stranger", json::object()}};
  for (const auto& facts : existing.outside) out["serving"] = facts.each;
  for (const auto& facts : existing.rooms) out["stranger"] = facts.room;
  return out;
}

std::string with_carriage_returns(const std::string& text) {
  std::string out;
  for (const char c : text) (c == '\n' ? out += '\r' : out) += c;
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  auto files = reading_cases::files();
  for (auto& file : reading_cases::random_files(static_cast<std::uint32_t>(number(1, 1)), number(2, 3000)))
    files.push_back(std::move(file));
  for (std::size_t i = files.size(); i-- > 0;)  // the same with the line ends of Windows
    if (files[i].find('\r') == std::string::npos) files.push_back(with_carriage_returns(files[i]));
  for (const auto& file : files) std::cout << json({{"file", file}, {"documents", read(file)}}).dump() << "\n";
  for (const auto& text : reading_cases::quantities())
    std::cout << json({{"quantity", text},
                       {"cpu", amount(text, "cpu")},
                       {"other", amount(text, "memory")},
                       {"decimal", plain_decimal(text)}})
                     .dump()
              << "\n";
  for (const auto& spec : reading_cases::pods(static_cast<std::uint32_t>(number(1, 1)), number(2, 3000) / 10))
    std::cout << taken(spec).dump() << "\n";
}
