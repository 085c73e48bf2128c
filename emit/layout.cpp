#include "emit/layout.h"

#include "compiler/source/sha256.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

bool harmless(char c) { return is_alphanumeric(c) || c == '_' || c == '+' || c == '-' || c == '.'; }

}  // namespace

std::string path_in(Folder folder, std::string_view file) {
  return std::string(folder_name(folder)).append("/").append(file);
}

std::string path_component(std::string_view name) {
  constexpr std::size_t kLongest = 200;  // 255 bytes is the usual limit of a file name; prefixes come in front
  std::string component;
  for (const char c : name) {
    const bool hidden_dot = c == '.' && (component.empty() || component.back() == '.');
    if (harmless(c) && !hidden_dot) {
      component += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    component += '%';
    component += "0123456789ABCDEF"[byte >> 4U];
    component += "0123456789ABCDEF"[byte & 0xFU];
  }
  if (component.empty()) return "%";
  if (component.size() <= kLongest) return component;
  return component.substr(0, kLongest - 17) + "%" + sha256(name).substr(0, 16);
}

}  // namespace gpol
