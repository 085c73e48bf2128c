#include "checker/observe/kustomize/generator_sources.h"

#include <algorithm>

#include "checker/observe/kustomize/paths.h"
#include "checker/observe/problems.h"
#include "compiler/source/utf8.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

Node whole_file(const FileText& file, std::string text, std::size_t begin, std::size_t end) {
  Node node;
  node.kind = NodeKind::Text;
  node.file = file.file;
  node.begin = static_cast<std::uint32_t>(begin);
  node.end = static_cast<std::uint32_t>(end);
  node.line = 1 + static_cast<int>(std::count(file.bytes.begin(), file.bytes.begin() + static_cast<long>(begin), '\n'));
  node.text = std::move(text);
  return node;
}

bool is_address(std::string_view name) { return name.starts_with("http://") || name.starts_with("https://"); }

class Reader {
 public:
  Reader(Context& context, const Plan& plan) : context_(context), plan_(plan) {}

  // Of a ConfigMap that is not made: what it says of Kueue or devices is not known, and it is no queue.
  bool is_downloaded(const Node& at, const std::string& name) {
    if (!is_address(name)) return false;
    context_.not_read(at, Built::NotRead::What::KueueSettings, shown(name));
    return true;
  }

  bool variables(const Node& name) {
    if (is_downloaded(name, name.text)) return false;
    const auto file = load_beside(context_, plan_, name, name.text);
    if (!file) return false;
    for (std::size_t at = 0; at < file->bytes.size();) {
      const auto newline = std::min(file->bytes.find('\n', at), file->bytes.size());
      auto line = file->bytes.substr(at, newline - at);
      const std::size_t begin = at;
      at = newline + 1;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (begin == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
      if (!is_utf8(line)) return context_.fail(name, "holds a line that is not UTF-8");
      line.remove_prefix(std::min(line.find_first_not_of(" \t\v\f\r"), line.size()));
      if (line.empty() || line.starts_with('#')) continue;
      const auto equals = line.find('=');
      std::string value(equals == std::string_view::npos ? std::string_view{} : line.substr(equals + 1));
      pairs_.push_back({std::string(line.substr(0, equals)), whole_file(*file, std::move(value), begin, newline)});
      if (!context_.spend_bytes(sizeof(Pair) + line.size())) return false;
    }
    return true;
  }

  bool literal(const Node& literal) {
    const auto equals = literal.text.find('=');
    if (equals == 0 || equals == std::string::npos) return context_.fail(literal, "must be `key=value`");
    std::string value = literal.text.substr(equals + 1);
    if (value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\''))
      value = value.substr(1, value.size() - 2);
    pairs_.push_back({literal.text.substr(0, equals), made_text(std::move(value), literal)});
    return true;
  }

  bool file(const Node& name) {
    const auto equals = name.text.find('=');
    std::string key = name.text.substr(0, equals), path = name.text;
    if (equals == std::string::npos) {
      key = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
    } else {
      path = name.text.substr(equals + 1);
      if (key.empty() || path.empty() || path.find('=') != std::string::npos)
        return context_.fail(name, "must be a path, or `key=path`");
    }
    if (is_downloaded(name, path)) return false;
    const auto found = load_beside(context_, plan_, name, path);
    if (!found) return false;
    if (!context_.spend_bytes(found->bytes.size())) return false;
    pairs_.push_back({std::move(key), whole_file(*found, std::string(found->bytes), 0, found->bytes.size())});
    return true;
  }

  std::vector<Pair> take() { return std::move(pairs_); }

 private:
  Context& context_;
  const Plan& plan_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::optional<FileText> load_beside(Context& context, const Plan& plan, const Node& at, const std::string& name) {
  if (is_address(name)) {
    context.not_built(at, shown(name) + " is to be downloaded");
    return std::nullopt;
  }
  const std::string path = join_path(plan.directory, name);
  if (!lies_below(path, plan.directory)) {
    context.error(at, shown(name) + " is not in the directory of the kustomization or below it");
    return std::nullopt;
  }
  auto text = context.load(path);
  if (!text && !context.exhausted()) context.error(at, "there is no file " + shown(name));
  return text;
}

std::optional<std::vector<Pair>> read_pairs(Context& context, const Plan& plan, const Node& args) {
  Reader reader(context, plan);
  bool good = true;
  for (const Node* name : words_at(context, args, "envs")) good = reader.variables(*name) && good;
  if (const Node* name = word_at(context, args, "env")) good = reader.variables(*name) && good;
  for (const Node* literal : words_at(context, args, "literals")) good = reader.literal(*literal) && good;
  for (const Node* name : words_at(context, args, "files")) good = reader.file(*name) && good;
  if (!good) return std::nullopt;
  return reader.take();
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode(text, at);
    if (!point.valid) return false;
    at += point.length;
  }
  return true;
}

}  // namespace gpol::manifest::kustomize
