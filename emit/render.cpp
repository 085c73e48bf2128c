#include <fmt/format.h>

#include "emit/emit.h"

namespace gpol {

namespace {

// What is no printable ASCII is written by its number: YAML knows more line breaks than one, and a comment that ended
// early would be a part of the manifest.
std::string comment(const std::string& text) {
  std::string line = "#";
  if (!text.empty()) line += ' ';
  for (const char c : text) {
    if (c >= ' ' && c <= '~')
      line += c;
    else
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return line + "\n";
}

}  // namespace

RenderedFile render(const Artefact& artefact) {
  RenderedFile file{artefact.path, {}};
  for (const Document& document : artefact.documents) {
    if (!file.bytes.empty()) file.bytes += "---\n";
    for (const std::string& text : document.comments) file.bytes += comment(text);
    file.bytes += yaml::print(document.value);
  }
  return file;
}

}  // namespace gpol
