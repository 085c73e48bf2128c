// Which strings may stand in YAML without quotes. A reader may follow YAML 1.1 (kubectl, kustomize, PyYAML), where
// `on`, `012`, `1_000` and `12:30` are not strings, or YAML 1.2, where `0o7` is not; the answer is yes only if all
// agree. It errs on the side of quoting: a string that starts like a number is never plain, so every quantity is
// quoted.
#pragma once

#include <string_view>

namespace gpol::yaml {

bool reads_as_itself(std::string_view text);

}  // namespace gpol::yaml
