#include "emit/emit.h"

namespace gpol {

RenderedFile render(const Artefact& artefact) {
  RenderedFile file{artefact.path, {}};
  for (const yaml::Value& document : artefact.documents) {
    if (!file.bytes.empty()) file.bytes += "---\n";
    file.bytes += yaml::print(document);
  }
  return file;
}

}  // namespace gpol
