#include "checker/observe/kustomize/generators.h"

#include <nettle/base64.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "checker/observe/kustomize/generator_sources.h"
#include "checker/observe/kustomize/nodes.h"
#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"
#include "compiler/source/sha256.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

// As Go's encoding/json writes a text.
void append_json(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    const auto next = text.substr(i, 3);
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f') {
      (out += '\\') += c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\b' ? 'b' : 'f';
    } else if (byte < 0x20 || c == '<' || c == '>' || c == '&') {
      ((out += "\\u00") += kHex[byte >> 4U]) += kHex[byte & 15U];
    } else if (next == "\xE2\x80\xA8" || next == "\xE2\x80\xA9") {
      out += next.back() == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  out += '"';
}

bool append_data(std::string& out, const Node& data) {
  std::map<std::string, const Node*> sorted;
  for (const Entry& entry : data.entries) sorted[entry.key] = &entry.value;
  out += '{';
  for (const auto& [key, value] : sorted) {
    if (value->kind != NodeKind::Text) return false;
    if (out.back() != '{') out += ',';
    append_json(out, key);
    out += ':';
    append_json(out, value->text);
  }
  out += '}';
  return true;
}

std::string base64(std::string_view bytes) {
  std::string out(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(out.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return out;
}

constexpr std::string_view kOptionKeys = " labels annotations disableNameSuffixHash immutable";

// Ours count where both say something.
std::vector<const Entry*> texts_of_both(Context& context, const Node* ours, const Node* all, std::string_view key) {
  std::map<std::string, const Entry*> result;
  for (const Node* options : {all, ours})
    if (options != nullptr)
      for (const Entry* entry : texts_at(context, *options, key)) result[entry->key] = entry;
  std::vector<const Entry*> sorted;
  for (const auto& [name, entry] : result) sorted.push_back(entry);
  return sorted;
}

class Generator {
 public:
  Generator(Context& context, const Plan& plan, std::vector<Resource>& resources)
      : context_(context),
        plan_(plan),
        resources_(resources),
        options_(map_at(context, plan.root, "generatorOptions")) {
    if (options_ != nullptr) only_keys(context, *options_, kOptionKeys);
  }

  bool make(const Node& args, bool secret) {
    only_keys(context_, args,
              secret ? " name namespace behavior literals files envs env options type"
                     : " name namespace behavior literals files envs env options");
    const Node* name = word_at(context_, args, "name");
    if (name == nullptr) return context_.fail(args, "must have a `name`");
    Resource made_one;
    made_one.generated = true;
    Node& object = made_one.node = made(NodeKind::Map, "", args);
    put(object, "apiVersion", made_text("v1", args));
    put(object, "kind", made_text(secret ? "Secret" : "ConfigMap", args));
    Node& metadata = mapping_at(object, "metadata", args);
    put(metadata, "name", *name);
    if (const Node* ns = word_at(context_, args, "namespace")) put(metadata, "namespace", *ns);
    if (secret) {
      const Node* type = word_at(context_, args, "type");
      put(object, "type", type != nullptr ? *type : made_text("Opaque", args));
      mapping_at(object, "data", args);
    }
    return add_pairs(args, object, secret) && add_options(args, made_one) && absorb(args, std::move(made_one));
  }

 private:
  bool add_pairs(const Node& args, Node& object, bool secret) {
    auto pairs = read_pairs(context_, plan_, args);
    if (!pairs) return false;
    std::sort(pairs->begin(), pairs->end(), [](const Pair& a, const Pair& b) { return a.key < b.key; });
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      Pair& pair = (*pairs)[i];
      if (i + 1 < pairs->size() && (*pairs)[i + 1].key == pair.key)
        return context_.fail(pair.value, "is a second value for the key " + shown(pair.key));
      if (!context_.spend_bytes(2 * tree_bytes(pair.value) + pair.key.size())) return false;
      const bool binary = secret || !is_utf8(pair.value.text);
      if (binary) pair.value.text = in_lines(base64(pair.value.text));
      Node& map = mapping_at(object, secret || !binary ? "data" : "binaryData", args);
      Entry entry;
      entry.key = std::move(pair.key);
      entry.begin = pair.value.begin, entry.end = pair.value.end, entry.file = pair.value.file;
      entry.value = std::move(pair.value);
      map.entries.push_back(std::move(entry));
    }
    return true;
  }

  static std::string in_lines(const std::string& text) {
    constexpr std::size_t kLine = 70;
    if (text.size() < kLine) return text;
    std::string lines;
    for (std::size_t at = 0; at < text.size(); at += kLine) (lines += text.substr(at, kLine)) += '\n';
    return lines;
  }

  bool add_options(const Node& args, Resource& resource) {
    const Node* ours = map_at(context_, args, "options");
    if (ours != nullptr) only_keys(context_, *ours, kOptionKeys);
    Node& metadata = *find(resource.node, "metadata");
    for (const char* key : {"labels", "annotations"})
      for (const Entry* entry : texts_of_both(context_, ours, options_, key))
        put(mapping_at(metadata, key, entry->value), entry->key, made_text(entry->value.text, entry->value));
    const auto flag = [&](std::string_view key) -> const Node* {
      for (const Node* options : {ours, options_})
        if (options != nullptr && flag_at(context_, *options, key)) return find(*options, key);
      return nullptr;
    };
    if (const Node* immutable = flag("immutable")) put(resource.node, "immutable", *immutable);
    resource.needs_hash = flag("disableNameSuffixHash") == nullptr;
    return true;
  }

  // Keys of the old that the new one has not.
  void merge_texts(Node& into, const Node& from, std::string_view key) const {
    const Node* old = find(from, key);
    if (old == nullptr || old->kind != NodeKind::Map || old->entries.empty()) return;
    Node& map = mapping_at(into, key, *old);
    std::set<std::string> keys;
    for (const Entry& entry : map.entries) keys.insert(entry.key);
    for (const Entry& entry : old->entries) {
      if (!keys.insert(entry.key).second) continue;
      map.entries.push_back(entry);
      map.entries.back().value = context_.as_text(entry.value);
    }
  }

  bool absorb(const Node& args, Resource made_one) {
    const std::string behavior = text_at(args, "behavior");
    const bool merge = behavior == "merge", replace = behavior == "replace";
    const Id id = made_one.id();
    Resource* old = nullptr;
    for (Resource& resource : resources_) {
      if (!context_.spend_steps(1 + resource.previous.size())) return false;
      auto ids = resource.previous_ids();
      ids.push_back(resource.id());
      if (!contains(ids, id)) continue;
      if (old != nullptr) return context_.fail(args, "could be merged into several objects " + shown_id(id));
      old = &resource;
    }
    if (old == nullptr) {
      // Of what is to be downloaded: what is made here is what counts of it. What is not built may make it.
      if ((merge || replace) && !context_.has_unread() && !context_.cannot_build())
        return context_.fail(args, "there is no " + shown_id(id) + " to " + behavior);
      resources_.push_back(std::move(made_one));
      return context_.fits(resources_.size());
    }
    if (!merge && !replace)
      return context_.fail(args, "there is a " + shown_id(id) + " already", "say `behavior: merge` or `replace`");
    Node& metadata = *find(made_one.node, "metadata");
    const Node& before = *find(old->node, "metadata");
    merge_texts(metadata, before, "labels");
    merge_texts(metadata, before, "annotations");
    for (const char* key : {"name", "namespace"}) {
      if (const Node* value = find(before, key); value != nullptr)
        put(metadata, key, *value);
      else
        erase(metadata, key);
    }
    if (merge) {
      merge_texts(made_one.node, old->node, "data");
      merge_texts(made_one.node, old->node, "binaryData");
    }
    made_one.needs_hash = made_one.needs_hash && old->needs_hash;
    made_one.generated = old->generated;
    made_one.previous = old->previous;
    made_one.prefixes = old->prefixes;
    made_one.suffixes = old->suffixes;
    *old = std::move(made_one);
    return true;
  }

  Context& context_;
  const Plan& plan_;
  std::vector<Resource>& resources_;
  const Node* options_;
};

}  // namespace

bool generate(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  Generator generator(context, plan, resources);
  bool good = true;
  for (const auto& [key, secret] : {std::pair{"configMapGenerator", false}, {"secretGenerator", true}})
    for (const Node* args : maps_at(context, plan.root, key)) good = generator.make(*args, secret) && good;
  return good;
}

std::optional<std::string> name_hash(const Node& object) {
  const bool secret = text_at(object, "kind") == "Secret";
  std::string json = "{";
  const auto add_data = [&](std::string_view key, bool always) {
    const Node* data = find(object, key);
    if (data == nullptr || data->kind != NodeKind::Map) {
      if (always) ((json += '"') += key) += "\":\"\",";
      return data == nullptr;
    }
    ((json += '"') += key) += "\":";
    if (!append_data(json, *data)) return false;
    json += ',';
    return true;
  };
  if (!secret && !add_data("binaryData", false)) return std::nullopt;
  if (!add_data("data", true)) return std::nullopt;
  // It looks for the name in a field `metadata/name`, which there is none of.
  json += secret ? R"("kind":"Secret","name":"")" : R"("kind":"ConfigMap","name":"")";
  if (secret) {
    json += ',';
    if (!add_data("stringData", false)) return std::nullopt;
    json += "\"type\":";
    append_json(json, text_at(object, "type"));
  }
  json += '}';
  std::string hash = sha256(json).substr(0, 10);
  for (char& c : hash) {
    constexpr std::string_view kFrom = "013ae", kTo = "ghkmt";
    if (const auto at = kFrom.find(c); at != std::string_view::npos) c = kTo[at];
  }
  return hash;
}

}  // namespace gpol::manifest::kustomize
