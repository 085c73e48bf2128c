// Where kustomize writes labels, annotations, images and the like: a path below objects of some kinds, in which lists
// need no place of their own. In: an object and a path. Out: each node that the path leads to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/observe/kustomize/context.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

struct FieldSpec {
  std::string path;     // "spec/template/metadata/labels"; a list that must be one: "containers[]"; "\/" is a slash
  bool create = false;  // mappings on the way there, where they are missing
  Kind of = {};         // empty parts: any
};
using FieldSpecs = std::vector<FieldSpec>;

enum class Create : std::uint8_t { Nothing, Scalar, Map };

// False: reported. `set` says false where it has reported something.
using SetField = std::function<bool(Node&)>;
bool apply_spec(Context& context, Node& object, const FieldSpec& spec, Create create, const Node& asked_by,
                const SetField& set);

// What kustomize comes with.
const FieldSpecs& label_specs();           // selectors included
const FieldSpecs& template_label_specs();  // without selectors
const FieldSpecs& annotation_specs();
const FieldSpecs& namespace_specs();
const FieldSpecs& image_specs();
const FieldSpecs& replica_specs();

}  // namespace gpol::manifest::kustomize
