#include "emit/emit.h"

namespace gpol {

RenderedFile render(const Artefact& artefact) {
  RenderedFile file{artefact.path, artefact.head};
  for (const yaml::Value& document : artefact.documents) {
    if (file.bytes.size() > artefact.head.size()) file.bytes += "---\n";
    file.bytes += yaml::print(document);
  }
  return file;
}

}  // namespace gpol
