// Kueue's Configuration as people keep it, in one file: by itself, in its ConfigMap, or in the values of Kueue's Helm
// chart (charts/kueue of v0.19.2: `managerConfig.controllerManagerConfigYaml`, also below the name of a chart that
// includes it). In: the file. Out: what it says, and where its fields and its lines stand in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "checker/observe/given_document.h"
#include "checker/observe/observe.h"
#include "checker/observe/tree.h"

namespace gpol {

struct GivenConfiguration {
  enum class Form : std::uint8_t { Itself, ConfigMap, Values } form = Form::Itself;
  std::string text;      // what Kueue is given
  manifest::Node root;   // of that text, as it is written
  bool older = false;    // it is v1beta1
  bool aliases = false;  // some of its nodes stand for the same text
  KueueConfig says;      // as the newest version has it
  struct Finding {
    Span span;
    std::string field, what;
  };
  std::vector<Finding> refused;         // with which Kueue does not start
  std::vector<Finding> not_understood;  // what Kueue acts on and gpol has no model of
  std::vector<Finding> namespaces;      // in which it says that Kueue runs: `what` is the name

  // How the lines of the text stand in the file; absent: not line by line (in quotes, folded).
  struct Block {
    std::size_t first_line = 0;             // of the file, 0-based
    std::string indentation;                // before each line that is not empty
    std::vector<std::uint32_t> characters;  // of each line: where it begins in the file, behind the indentation
  };
  std::optional<Block> block;
  Span whole;  // where the text stands

  // Where bytes of the text stand in the file.
  Span place(std::uint32_t begin, std::uint32_t end) const;
  Span place(const manifest::Node& node) const { return place(node.begin, node.end); }
};

// `id`: of the file, in the spans. Nothing is thrown.
std::variant<GivenConfiguration, UnreadFile> read_given_configuration(const YamlFile& file, FileId id);

// Lines of a text without their line breaks (of either kind); what ends with one has no empty line behind it.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace gpol
