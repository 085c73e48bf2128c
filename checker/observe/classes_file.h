// The file of `gpol verify --classes`: who serves, in YAML. In: its text. Out: roles by queue, and what is wrong with
// it.
//   chat:   {role: serving, class: A}
//   search: {role: serving, class: B, deadline: 4min}
//   train:  {role: batch}
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/observe/view.h"
#include "compiler/cluster/roles.h"

namespace gpol {

namespace manifest {

inline constexpr std::pair<std::string_view, Isolation> kClasses[] = {
    {"A", Isolation::A}, {"B", Isolation::B}, {"C", Isolation::C}};
// Amounts by resource; a duration; how long a replica takes to start: of files that are written for gpol.
NamedAmounts read_amounts(const View& map, std::string_view key);
std::optional<TimeConstant> read_time(const View& map, std::string_view key);
StartTerms read_start(const View& map);
// What is said of one queue.
NamedRole read_named_role(const View& queue);
// The one document of a file that is written for gpol, its places entered in `problems`; nothing: `texts` say why.
std::optional<Tree> read_own_file(const std::string& text, Problems& problems, std::vector<std::string>& texts);
// What `problems` has, a line each: "line 3: kueue is no text".
void add_texts(Problems& problems, std::vector<std::string>& texts);

}  // namespace manifest

struct ClassesFile {
  NamedRoles roles;
  std::vector<std::string> problems;  // "line 3: `servng` is none of serving, batch"
};
ClassesFile read_classes_file(const std::string& text);

}  // namespace gpol
