// Text that a template engine was to replace, and did not: it is YAML by chance or not at all, and never what was
// meant. In: a document that was refused, or a scalar that is not what it should be. Out: the sentence for the user.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpol::manifest {

struct TemplateMark {
  std::string says;    // "looks like a template that was not rendered: run `helm template` first"
  std::size_t at = 0;  // of the mark in the text
};

// {{ }} of Helm, ${x} of envsubst, $(x) of kustomize's vars, <% %> of others.
std::optional<TemplateMark> looks_like_template(std::string_view text);

}  // namespace gpol::manifest
