// What a hint shows as a whole declaration or item is one.
#include "compiler/syntax/forms.h"

#include <map>

#include "tests/support/catch.h"
#include "tests/unit/syntax/parsed.h"

namespace gpol::test {

TEST_CASE("every form that a hint shows reads") {
  const std::map<std::string_view, std::pair<std::string, std::string>> around{
      {"", {"", ""}},
      {"cluster", {"cluster c { ", " }"}},
      {"scheduler", {"cluster c { scheduler kueue { ", " } }"}},
      {"nodes", {"cluster c { nodes n { ", " } }"}},
      {"class", {"class c : C { ", " }"}},
      {"tenant", {"tenant t { ", " }"}},
      {"queue", {"tenant t { queue { ", " } }"}},
      {"hardware", {"hardware h { ", " }"}},
      {"mig", {"hardware h { mig 1g.5gb { ", " } }"}},
      {"service", {"service s of t { ", " }"}},
      {"limit", {"limit t at gateway g { ", " }"}},
      {"lever", {"lever l { ", " }"}},
  };
  for (const syntax::Form& form : syntax::forms()) {
    std::string text(form.form);
    if (const auto dots = text.find("{ ... }"); dots != std::string::npos) text.replace(dots, 7, "{ }");
    const auto& [before, after] = around.at(form.block);
    INFO(before + text + after);
    CHECK(parsed(before + text + after).mistakes().empty());
  }
}

}  // namespace gpol::test
