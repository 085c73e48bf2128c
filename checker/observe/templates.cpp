#include "checker/observe/templates.h"

#include <utility>

namespace gpol::manifest {

std::optional<TemplateMark> looks_like_template(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> marks[] = {
      {"{{", "run `helm template`"}, {"${", "run `envsubst`"}, {"$(", "run `kustomize build`"},
      {"<%", "render it"},           {"{%", "render it"},      {"{#", "render it"}};
  std::optional<TemplateMark> first;
  for (const auto& [mark, what] : marks) {
    const auto at = text.find(mark);
    if (at == std::string_view::npos || (first && first->at < at)) continue;
    first = {"looks like a template that was not rendered (" + std::string(mark) + "): " + std::string(what) +
                 " first and give gpol what it prints",
             at};
  }
  // A whole value, as a shell has it: `$GPUS`.
  const bool variable = text.size() > 1 && text[0] == '$' && ((text[1] >= 'A' && text[1] <= 'Z') || text[1] == '_');
  if (!first && variable && text.find_first_of(" \n") == std::string_view::npos)
    first = {"looks like a template that was not rendered ($): run `envsubst` first and give gpol what it prints", 0};
  return first;
}

}  // namespace gpol::manifest
