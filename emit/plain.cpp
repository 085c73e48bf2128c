#include "emit/plain.h"

#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::yaml {

namespace {

// Null and the booleans of either version, in any case.
bool is_reserved(std::string_view text) {
  constexpr std::size_t kLongest = 5;
  return text.size() <= kLongest &&
         contains({"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, std::string_view(lowered(text)));
}

// Safe at the start: not an indicator, not the start of a number, a date or a time.
bool may_start(char c) { return is_letter(c) || c == '_' || c == '/'; }

// Safe inside, also in flow collections and before a line's end.
bool may_follow(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '/' || c == '-' || c == '.' || c == '+' || c == '@' ||
         c == '=';
}

}  // namespace

bool reads_as_itself(std::string_view text) {
  // `../../base` and `.gpol` are paths; `.5`, `.inf`, `.NaN` and `...` are not.
  const bool path = text.substr(0, 3) == "../" || text.substr(0, 2) == "./";
  if (text.empty() || !(path || may_start(text.front())) || is_reserved(text)) return false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (may_follow(c)) continue;
    // A single space or a colon between two words means nothing: "a b", "policy.gpol:12".
    const bool inside = i + 1 < text.size() && may_follow(text[i - 1]) && may_follow(text[i + 1]);
    if ((c == ' ' || c == ':') && inside) continue;
    return false;
  }
  return true;
}

}  // namespace gpol::yaml
