// The texts of YAML that span lines or have escapes, for simple_yaml.h. In: slices of a document without tabs and
// carriage returns. Out: the value, as yaml-cpp and go.yaml.in/yaml/v2 both give it, or nothing where it is not plainly
// of the common form.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpol::manifest {

// Where the quote is that closes the one at `at`; npos: nowhere.
std::size_t closing_quote(std::string_view text, std::size_t at);
// Of a whole quoted text with its quotes.
std::optional<std::string> unquoted(std::string_view quoted);

struct BlockText {
  std::string value;
  std::size_t size = 0;  // bytes of `rest` that belong to it
  std::size_t end = 0;   // behind its last character that is no space
};
// `header` is "|", ">-", ... ; `rest` the lines below it; `indent` that of the mapping or list which it stands in.
std::optional<BlockText> block_text(std::string_view header, std::string_view rest, std::size_t indent);

}  // namespace gpol::manifest
