// Texts of users inside Markdown of GitHub's dialect: nothing of them is markup, and nobody is called by name.
#pragma once

#include <string>
#include <string_view>

namespace gpol {

// `@name` at the beginning of `text`, with which GitHub would call somebody; empty: there is none. `before`: the
// character in front of it.
std::string_view markdown_mention(std::string_view text, char before);
// Outside of code: what Markdown or HTML would take for its own is put under a backslash, and so is a backtick without
// a second one; whoever is named is not called.
std::string markdown_plain(std::string_view text, bool in_table = false);
// Between more backticks than it has in a row.
std::string markdown_code(std::string_view text);

}  // namespace gpol
