#include "tests/mutation/example.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "emit/emit.h"
#include "emit/revision.h"
#include "tests/support/example.h"

namespace gpol::mutation {

std::string file_text(const std::string& path) {
  std::ifstream in(std::string(GPOL_ROOT) + "/" + path);
  if (!in.good()) throw std::runtime_error("cannot read " + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::unique_ptr<Session> plan_text(const std::string& name, std::string text) {
  return check_policy({name + ".gpol", std::move(text)}, {Phase::Planned, false});
}

Example read_example(const std::string& name, const std::string& folder) {
  Example example;
  example.name = name;
  example.text = test::expanded_policy((folder.empty() ? "examples/" + name : folder) + "/" + name + ".gpol");
  example.session = plan_text(name, example.text);
  if (!example.session->planned) throw std::runtime_error(name + " has errors");
  const FileId file = 0;
  const SourceSet& sources = example.session->sources;
  for (const auto& artefact : emit({example.planned(), sources, revision(sources, {&file, 1})})) {
    auto rendered = render(artefact);
    example.files.push_back({std::move(rendered.path), std::move(rendered.bytes)});
  }
  return example;
}

}  // namespace gpol::mutation
