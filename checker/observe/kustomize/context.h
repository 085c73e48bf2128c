// What all parts of one build share: what may be read, what has been found wrong, and how much may still be used up.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "checker/observe/kustomize/build.h"
#include "checker/observe/kustomize/nodes.h"

namespace gpol::manifest::kustomize {

class Context {
 public:
  Context(const FileTree& files, Built& out) : files_(files), out_(out) {}

  void error(Span at, std::string what, std::string hint = "");
  void error(const Node& at, std::string what, std::string hint = "") {
    error(span_of(at), std::move(what), std::move(hint));
  }
  // The same, and false: for who fails with it.
  template <class At>
  bool fail(const At& at, std::string what, std::string hint = "") {
    error(at, std::move(what), std::move(hint));
    return false;
  }
  void says_nothing(FileId kustomization) {
    out_.says_nothing = true;
    error(Span{kustomization, 0, 0}, "is a kustomization that says nothing");
  }
  // kustomize makes something of it, and gpol does not.
  void not_built(Span at, std::string what);
  void not_built(const Node& at, std::string what) { not_built(span_of(at), std::move(what)); }
  template <class At>
  bool fail_to_build(const At& at, std::string what) {
    not_built(at, std::move(what));
    return false;
  }
  // It is to be downloaded.
  void not_read(const Node& at, Built::NotRead::What what, std::string name);
  bool has_unread() const { return !out_.not_read.empty(); }
  bool cannot_build() const { return !out_.not_built.empty(); }
  bool failed() const { return !out_.errors.empty() || !out_.not_built.empty(); }

  // The bytes of a file; nothing where there is none, or too many were read.
  std::optional<FileText> load(const std::string& path);
  std::string_view bytes_of(FileId file) const;  // of one that was loaded
  // A value as kustomize makes a text of it: as it is written.
  Node as_text(Node value) const;
  bool is_directory(const std::string& path) const { return files_.is_directory(path); }
  bool is_outside(const std::string& path) const { return files_.is_outside(path); }
  void use(const std::string& path) { out_.used.insert(path); }
  const std::string& directory() const { return directory_; }
  void start_in(std::string directory) { directory_ = std::move(directory); }

  // Each says false once there is no more, and that has been reported.
  bool spend_bytes(std::size_t bytes);
  bool spend_steps(std::size_t steps);
  bool spend_patch();
  bool fits(std::size_t objects);
  bool exhausted() const { return exhausted_; }

 private:
  bool exhaust(const std::string& what);

  const FileTree& files_;
  Built& out_;
  std::map<FileId, std::string_view> texts_;
  std::string directory_;  // that was asked for: what hints say
  std::size_t reads_ = 0, bytes_ = 0, steps_ = 0, patches_ = 0;
  bool exhausted_ = false;
};

}  // namespace gpol::manifest::kustomize
