// What of a folder is no part of a cluster, and is passed over: files that hold no Kubernetes object, templates that
// were not rendered. In: documents that cannot be read or are no object. Out: what was left out and why, and which of
// them are mistakes all the same.
#pragma once

#include <string>
#include <string_view>

#include "checker/observe/observe.h"

namespace gpol {

// A file, or a part of one, that says nothing of the cluster.
struct LeftOut {
  enum class Why : std::uint8_t {
    NoObject,
    Template,
    Chart,
    NotNamed,
    Excluded,
    Hidden,
    Vendored,
    Wrong,
    Ignored
  } why = Why::NoObject;
  std::string path;
  std::string what = {};  // of a mistake: where in the file, and what is wrong
};

namespace manifest {

// The file's text names Kubernetes objects: what cannot be read of it is a mistake, and not another kind of file.
bool names_objects(std::string_view text);
// It names Kueue, a label of Kueue's on a pod included.
bool names_kueue(std::string_view text);
// `.tpl`, `.tftpl`, `.j2`, `.gotmpl`: templates by their name.
bool is_template_file(std::string_view path);
// A template, or `.yaml`, `.yml`, `.json`.
bool is_manifest_file(std::string_view path);
// Why a file that holds no object is no mistake, by its name: `Chart.yaml`, `values*.yaml`.
LeftOut::Why why_no_object(std::string_view path);

}  // namespace manifest
}  // namespace gpol
