#include "checker/observe/given_configuration.h"

#include <algorithm>

#include "checker/observe/convert.h"
#include "checker/observe/documents.h"
#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/of_kueue.h"
#include "checker/observe/spans.h"
#include "checker/observe/start.h"

namespace gpol {

using namespace manifest;

namespace {

constexpr std::string_view kInConfigMap = "controller_manager_config.yaml", kInValues = "controllerManagerConfigYaml";
constexpr const char* kForms = "give a Configuration, a ConfigMap that holds it, or values of Kueue's Helm chart";

// Texts that are a Configuration by their key, or by what a line of them begins with.
void find_texts(const Node& node, std::vector<const Node*>& found) {
  const auto says_so = [](std::string_view text) {
    constexpr std::string_view kBegins = "\napiVersion: config.kueue.x-k8s.io/";
    return text.starts_with(kBegins.substr(1)) || text.find(kBegins) != std::string_view::npos;
  };
  for (const Entry& entry : node.entries) {
    const bool named = entry.key == kInConfigMap || entry.key == kInValues;
    if (entry.value.kind == Node::Kind::Text && (named || says_so(entry.value.text)))
      found.push_back(&entry.value);
    else
      find_texts(entry.value, found);
  }
  for (const Node& item : node.items) find_texts(item, found);
}

// A literal block: each line of it is one of the text, behind the same indentation. Whatever else happens to stand so
// can be treated alike.
std::optional<GivenConfiguration::Block> block_of(const YamlFile& file, std::size_t header, std::string_view text) {
  GivenConfiguration::Block block;
  block.first_line = static_cast<std::size_t>(line_at(file.bytes, header));
  const auto lines = lines_of(text);
  const auto in_file = lines_of(file.bytes);
  if (in_file.size() < block.first_line + lines.size()) return std::nullopt;
  bool known = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view written = in_file[block.first_line + i];
    const auto offset = static_cast<std::uint32_t>(written.data() - file.bytes.data());
    if (lines[i].empty()) {
      if (written.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
      block.characters.push_back(offset);
      continue;
    }
    if (!written.ends_with(lines[i])) return std::nullopt;
    const auto before = written.substr(0, written.size() - lines[i].size());
    if (before.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
    if (!known) block.indentation = before;
    known = true;
    if (before != block.indentation) return std::nullopt;
    block.characters.push_back(offset + static_cast<std::uint32_t>(before.size()));
  }
  return block;
}

void add(std::vector<GivenConfiguration::Finding>& list, const GivenConfiguration& given, Span in_text,
         std::string field, std::string what) {
  list.push_back({given.place(in_text.begin, in_text.end), std::move(field), std::move(what)});
}

// What the text says; nothing: it is a Configuration.
std::optional<UnreadFile> read_text(GivenConfiguration& given) {
  Tree tree = parse_document(given.text, Reading::Kubernetes);
  if (!tree.root) {
    const auto at = static_cast<std::uint32_t>(std::min(tree.refused_at.value_or(0), given.text.size()));
    return UnreadFile{given.place(at, at), "the Configuration " + tree.refused, ""};
  }
  const std::string api = text_at(*tree.root, "apiVersion");
  if (tree.root->kind != Node::Kind::Map || text_at(*tree.root, "kind") != "Configuration" ||
      !api.starts_with("config.kueue.x-k8s.io/"))
    return UnreadFile{given.whole, "holds no Configuration of config.kueue.x-k8s.io", kForms};
  given.root = *std::move(tree.root);
  given.aliases = tree.aliases;
  given.older = api == "config.kueue.x-k8s.io/v1beta1";
  if (const Node* ns = field(given.root, "namespace"))
    add(given.namespaces, given, {0, ns->begin, ns->end}, "namespace", ns->text);

  Node read = given.root;
  Draft draft{Scale::Part};
  draft.problems.enter({"", 0, 1, 0, 0});
  for (Unmodelled& one : look_at_start(read, "", given.text, draft.problems.place()))
    add(given.refused, given, one.span, std::move(one.field), std::move(one.what));
  if (!given.refused.empty()) return std::nullopt;
  drop_nulls(read);
  to_newest(read);
  const View view(read, draft.problems);
  view.ignore("apiVersion"), view.ignore("kind");
  read_configuration(view, draft);
  for (NotUnderstood& one : draft.problems.take())
    add(given.not_understood, given, one.span, std::move(one.field), std::move(one.what));
  if (!draft.cluster.config.external_frameworks.empty())  // no guard of a policy is about what their pods do
    add(given.not_understood, given,
        draft.problems.place().span(*at(field(read, "integrations"), "externalFrameworks")),
        "integrations.externalFrameworks", "names kinds whose own controllers make Workloads");
  given.says = std::move(draft.cluster.config);
  return std::nullopt;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto newline = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, newline));
    if (lines.back().ends_with('\r')) lines.back().remove_suffix(1);
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  return lines;
}

Span GivenConfiguration::place(std::uint32_t begin, std::uint32_t end) const {
  if (!block || block->characters.empty()) return whole;
  const auto in_file = [&](std::uint32_t at) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n'));
    const auto start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const auto known = std::min(line, block->characters.size() - 1);
    return block->characters[known] + (known == line ? static_cast<std::uint32_t>(at - start) : 0);
  };
  return {whole.file, in_file(begin), end > begin ? in_file(end - 1) + 1 : in_file(begin)};
}

std::variant<GivenConfiguration, UnreadFile> read_given_configuration(const YamlFile& file, FileId id) {
  auto found = only_document(file, id, kForms);
  if (auto* unread = std::get_if<UnreadFile>(&found)) return std::move(*unread);
  const GivenDocument& document = std::get<GivenDocument>(found);
  const Node& root = *document.tree.root;
  const std::string kind = text_at(root, "kind");
  const auto span = [&](const Node& node) {
    return Span{id, document.offset + node.begin, document.offset + node.end};
  };

  GivenConfiguration given;
  if (kind == "Configuration") {
    given.text = document.bytes;
    given.whole = {id, document.offset, document.offset + static_cast<std::uint32_t>(document.bytes.size())};
    GivenConfiguration::Block block;
    block.first_line = static_cast<std::size_t>(line_at(file.bytes, document.offset)) - 1;
    for (const std::string_view line : lines_of(given.text))
      block.characters.push_back(document.offset + static_cast<std::uint32_t>(line.data() - given.text.data()));
    given.block = std::move(block);
  } else {
    const Node* data = kind == "ConfigMap" ? field(root, "data") : kind.empty() ? &root : nullptr;
    std::vector<const Node*> texts;
    if (data != nullptr) find_texts(*data, texts);
    if (texts.empty())
      return UnreadFile{span(root),
                        kind.empty() || kind == "ConfigMap" ? "the file holds no text that is Kueue's Configuration"
                                                            : "the file is of kind " + shown(kind),
                        kForms};
    if (texts.size() > 1)
      return UnreadFile{span(*texts[1]), "the file holds a second text that is Kueue's Configuration", kForms};
    const Node& text = *texts.front();
    given.form = kind.empty() ? GivenConfiguration::Form::Values : GivenConfiguration::Form::ConfigMap;
    given.text = text.text;
    given.whole = span(text);
    given.block = block_of(file, document.offset + text.begin, text.text);
    const Node* ns = kind.empty() ? nullptr : at(field(root, "metadata"), "namespace");
    if (ns != nullptr) given.namespaces.push_back({span(*ns), "metadata.namespace", ns->text});
    if (const Node* gates = kind.empty() ? find_of_kueue(root, "").gates : nullptr)
      given.not_understood.push_back({span(*gates), "controllerManager.featureGates",
                                      "sets a feature gate by an argument: where the Configuration has gates, too, "
                                      "Kueue does not start"});
  }
  if (auto unread = read_text(given)) return *std::move(unread);
  return given;
}

}  // namespace gpol
