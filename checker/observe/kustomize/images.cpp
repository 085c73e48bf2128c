#include <optional>

#include "checker/observe/kustomize/field_specs.h"
#include "checker/observe/kustomize/patterns.h"
#include "checker/observe/kustomize/transforms.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

struct Split {
  std::string name, tag, digest;
};
// A colon before the first slash is a port's.
Split split_image(const std::string& image) {
  auto slash = image.find('/');
  if (slash == std::string::npos) slash = 0;
  const auto at = image.find('@', slash), colon = image.find(':', slash);
  const bool tagged = colon != std::string::npos && (at == std::string::npos || colon < at);
  Split split{image.substr(0, tagged ? colon : at), "", ""};
  if (tagged) split.tag = image.substr(colon + 1, at == std::string::npos ? at : at - colon - 1);
  if (at != std::string::npos) split.digest = image.substr(at + 1);
  return split;
}

class Images {
 public:
  Images(Context& context, const Node& image) : context_(context), image_(image) {
    const std::string pattern = text_at(image, "name") + "(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?";
    pattern_.emplace(pattern);
  }

  bool usable() {
    if (pattern_->fault() == Pattern::Fault::None) return true;
    return context_.fail_to_build(image_, "the name of the image is a regular expression that is not read here");
  }

  bool set(Node& field) const {
    if (field.kind == NodeKind::Null) return true;
    if (!is_scalar(field)) return context_.fail(field, "must be the name of an image");
    if (!context_.spend_steps(pattern_->cost())) return false;
    if (!pattern_->matches(field.text)) return true;
    Split split = split_image(field.text);
    const auto given = [&](std::string_view key) { return text_at(image_, key); };
    const Node* at = nullptr;  // what asked for the change
    if (!given("newName").empty()) split.name = given("newName"), at = find(image_, "newName");
    const Node* asked = nullptr;
    if (!given("newTag").empty() || !given("digest").empty()) {
      split.tag = given("newTag");
      split.digest = given("digest");
      asked = find(image_, split.tag.empty() ? "digest" : "newTag");
    } else if (!given("tagSuffix").empty()) {
      split.tag += given("tagSuffix");
      split.digest.clear();
      asked = find(image_, "tagSuffix");
    }
    if (asked != nullptr) at = asked;
    if (at == nullptr) return true;
    if (!split.tag.empty()) split.name += ":" + split.tag;
    if (!split.digest.empty()) split.name += "@" + split.digest;
    field = made_text(std::move(split.name), *at);
    return true;
  }

  // In everything that is called containers, wherever it is.
  bool everywhere(Node& node) const {
    for (Node& item : node.items)
      if (!everywhere(item)) return false;
    for (Entry& entry : node.entries) {
      if (!everywhere(entry.value)) return false;
      if (entry.key != "containers" && entry.key != "initContainers") continue;
      for (Node& container : entry.value.items)
        if (Node* field = find(container, "image"); field != nullptr && !set(*field)) return false;
    }
    return true;
  }

 private:
  Context& context_;
  const Node& image_;
  std::optional<Pattern> pattern_;
};

}  // namespace

bool set_images(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  for (const char* key : {"images", "imageTags"})
    for (const Node* image : maps_at(context, plan.root, key)) {
      Images images(context, *image);
      if (!images.usable()) return false;
      for (Resource& resource : resources)
        if (resource.kind().kind != "CustomResourceDefinition" && !images.everywhere(resource.node)) return false;
      for (Resource& resource : resources) {
        if (resource.kind().kind == "CustomResourceDefinition") continue;
        for (const FieldSpec& spec : image_specs())
          if (!apply_spec(context, resource.node, spec, Create::Nothing, *image,
                          [&](Node& field) { return images.set(field); }))
            return false;
      }
    }
  return true;
}

}  // namespace gpol::manifest::kustomize
