// What an observation leaves out, while it reads: templates, and documents that are no objects, which are mistakes only
// beside objects of the same file.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "checker/observe/documents.h"
#include "checker/observe/existing.h"
#include "checker/observe/no_object.h"
#include "checker/observe/problems.h"
#include "checker/observe/schema/schema.h"

namespace gpol::manifest {

class LeftOutFiles {
 public:
  // Both must outlive it; `out` gets what was left out, and what that leaves unknown.
  LeftOutFiles(std::span<const YamlFile> files, Existing& out) : files_(files), out_(out) {}

  struct Refusal {
    std::string what;
    int line = 0;                   // 1-based within the text
    std::optional<std::size_t> at;  // in the text, where it is known
    bool kubectl_reads_on = false;  // it is refused by gpol alone: it may be any object
  };
  // A document, or file, that cannot be read: a template, JSON that is no object's, or a mistake.
  void take_unreadable(const Place& place, std::string_view text, const Refusal& refusal);
  // A template of Kueue's objects may hold queues.
  void take_template(const Place& place, std::string_view text);
  // kubectl has stopped at a document above it, which is a mistake: told once of a file.
  bool is_not_applied(const Place& place, const DocumentText& document);
  // An object with a hole that was to be filled; of Kueue's own nothing is known.
  void take_template(const Place& place, const Violation& hole, const Node& object);
  // A Node whose name is one stands for no machine: left out, and true.
  bool is_template_of_node(const Place& place, const Node& object);
  void take_no_object(const Place& place, const Node& object, const NoObject& no, std::string field);
  // Those among what would be refused are told, and taken out of both.
  void take_unknown_fields(const Place& place, Node& object, const std::string& path, std::vector<Violation>& refused);
  // What an object of another kind, or a file that is none (kind ""), holds of Kueue.
  void look_inside(const Place& place, const Node& object, const std::string& kind);
  // The one Configuration that those hold, as a ConfigMap has it; several, or one beside one that was read
  // (`configured`): which of them counts is not known.
  std::vector<std::pair<Place, Node>> settings(bool configured);
  // What is wrong with an object (its span) decides nothing: it is told among what is left out, and true.
  bool is_mistake_alone(Span object, const Rejection& mistake);
  void found_object(FileId file) { with_objects_.insert(file); }
  void settle();

 private:
  void leave_out(FileId file, LeftOut::Why why);
  std::string render_hint(std::string_view path) const;
  void take_mistake(Rejection mistake);

  std::span<const YamlFile> files_;
  Existing& out_;
  std::map<FileId, std::vector<std::pair<Span, Rejection>>> no_objects_;  // with the span of the whole
  std::set<FileId> unreadable_, stopped_;  // files with a mistake of that kind; those of which that was told
  std::set<FileId> with_objects_;
  std::map<FileId, bool> of_kueue_;               // whether its text names Kueue
  std::vector<std::pair<Place, Node>> settings_;  // texts
};

}  // namespace gpol::manifest
