// Line ends of Windows. In: a document's text. Out: the same with the line ends of everybody else, which YAML reads
// alike, and the way back to places of the text as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest {

class LineEnds {
 public:
  // Nothing where there are none, or a carriage return stands by itself.
  static std::optional<LineEnds> of(std::string_view text);

  const std::string& text() const { return text_; }
  // The tree of text(), with the places that it has in the text as it was.
  void put_back(Tree& tree) const;

 private:
  std::size_t was(std::size_t at) const;
  void put_back(Node& node) const;

  std::string text_;
  std::vector<std::size_t> taken_;  // in text_: in front of what stood each
};

}  // namespace gpol::manifest
