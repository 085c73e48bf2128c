// What if the emitter had a bug in what cuts GPUs? Every line of partition/ as on-prem-three-classes has it, texts
// within ConfigMaps and commands included, is deleted, gets another word and other numbers; what is read back is then
// something else than what was planned, or nothing.
#include <algorithm>
#include <sstream>

#include "checker/observe/node_commands.h"
#include "checker/observe/observe.h"
#include "cli/commands/commands.h"
#include "cli/commands/session.h"
#include "compiler/cluster/normal_form.h"
#include "emit/emit.h"
#include "emit/partition_setup.h"
#include "emit/revision.h"
#include "tests/support/catch.h"
#include "tests/support/example.h"

namespace gpol {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The text with one line replaced; empty: taken out.
std::string with_line(const std::vector<std::string>& lines, std::size_t at, const std::string& line, bool drop) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (i != at || !drop) text += (i == at ? line : lines[i]) + "\n";
  return text;
}

// Other lines in its place.
std::vector<std::string> others(const std::string& line) {
  std::vector<std::string> all{line + "x"};
  for (const auto& [word, other] :
       {std::pair{"true", "false"}, {"false", "true"}, {"none", "mixed"}, {"mixed", "none"}})
    if (const auto found = line.find(word); found != std::string::npos)
      all.push_back(std::string(line).replace(found, std::string(word).size(), other));
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] >= '1' && line[i] <= '8')
      all.push_back(std::string(line).replace(i, 1, 1, static_cast<char>(line[i] + 1)));
  return all;
}

// It says who made the object, to people.
bool is_mark(const std::string& line) { return line.find("app.kubernetes.io/managed-by") != std::string::npos; }

TEST_CASE("no line of what cuts GPUs can be another one unseen") {
  const std::string name = "on-prem-three-classes";
  const auto session = check_policy({name + ".gpol", test::expanded_policy("examples/" + name + "/" + name + ".gpol")},
                                    {Phase::Planned, false});
  REQUIRE(session->planned);
  const Cluster& cluster = session->planned->cluster;
  const std::string planned = normal_form(cluster);
  const FileId file = 0;
  std::vector<YamlFile> yaml;
  for (const auto& artefact : emit({*session->planned, session->sources, revision(session->sources, {&file, 1})})) {
    auto rendered = render(artefact);
    yaml.push_back({std::move(rendered.path), std::move(rendered.bytes)});
  }
  const auto reads_as_planned = [&] {
    const Observed observed = observe(yaml);
    return observed.problems.empty() && normal_form(observed.cluster) == planned;
  };
  REQUIRE(reads_as_planned());
  int changes = 0;
  for (YamlFile& one : yaml) {
    if (!one.path.starts_with("partition/")) continue;
    const std::string bytes = one.bytes;
    const std::vector<std::string> lines = lines_of(bytes);
    const auto try_it = [&](std::string changed, const std::string& what) {
      if (changed == bytes) return;
      one.bytes = std::move(changed);
      INFO(one.path << ": " << what);
      CHECK_FALSE(reads_as_planned());
      ++changes;
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("#") || is_mark(lines[i])) continue;
      // The default of mps, which takes no other value (api/config/v1/config.go of the device plugin).
      const bool default_of_mps = lines[i].find("failRequestsGreaterThanOne: true") != std::string::npos && i > 1 &&
                                  lines[i - 2].ends_with("mps:");
      if (lines[i].find("labels:") == std::string::npos && !default_of_mps)
        try_it(with_line(lines, i, "", true), "without `" + lines[i] + "`");
      for (const std::string& other : others(lines[i])) try_it(with_line(lines, i, other, false), other);
    }
    one.bytes = bytes;
  }
  CHECK(changes > 100);
  int scripts = 0;
  for (const RenderedFile& one : partition_setup(cluster)) {
    if (!one.path.ends_with(".sh")) continue;
    ++scripts;
    const auto as_planned = [&](const std::string& bytes) {
      const auto read = read_cut_commands(one.path, bytes);
      return read && std::any_of(cluster.cut_nodes.begin(), cluster.cut_nodes.end(), [&](const CutNodes& nodes) {
               return nodes.config == read->config && nodes.labels == read->labels && nodes.by == read->by;
             });
    };
    REQUIRE(as_planned(one.bytes));
    const std::vector<std::string> lines = lines_of(one.bytes);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("#") || lines[i].starts_with("[ \"$#\"")) continue;  // how it is used, in words
      INFO(one.path << ": " << lines[i]);
      CHECK_FALSE(as_planned(with_line(lines, i, "", true)));
      for (const std::string& other : others(lines[i])) CHECK_FALSE(as_planned(with_line(lines, i, other, false)));
    }
  }
  CHECK(scripts == 3);
}

}  // namespace
}  // namespace gpol
