// What an observation leaves out, while it reads: templates, and documents that are no objects, which are mistakes only
// beside objects of the same file.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "checker/observe/existing.h"
#include "checker/observe/no_object.h"
#include "checker/observe/problems.h"
#include "checker/observe/schema/schema.h"

namespace gpol::manifest {

class LeftOutFiles {
 public:
  // Both must outlive it; `out` gets what was left out, and what that leaves unknown.
  LeftOutFiles(std::span<const YamlFile> files, Existing& out) : files_(files), out_(out) {}

  // Of a document, or file, that cannot be read: false, it is a mistake. A template of Kueue's objects may hold queues.
  bool takes(const Place& place, std::string_view text);
  // An object with a hole that was to be filled; of Kueue's own nothing is known.
  void take_template(const Place& place, const Violation& hole, const Node& object);
  void take_no_object(const Place& place, const NoObject& no, std::string field);
  void found_object(FileId file) { with_objects_.insert(file); }
  void settle();

 private:
  void leave_out(FileId file, LeftOut::Why why);

  std::span<const YamlFile> files_;
  Existing& out_;
  std::map<FileId, std::vector<Rejection>> no_objects_;
  std::set<FileId> with_objects_;
};

}  // namespace gpol::manifest
