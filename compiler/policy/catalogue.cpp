#include "compiler/policy/catalogue.h"

#include <unordered_map>

namespace gpol {

namespace {

struct Index {
  std::vector<std::string_view> names;
  std::unordered_map<std::string_view, std::string_view> declarations;
};

Index index_of(std::string_view text) {
  constexpr std::string_view kHead = "\nhardware ";  // the generator begins every declaration so, and nothing else
  Index out;
  for (std::size_t at = text.find(kHead); at != std::string_view::npos;) {
    const std::size_t next = text.find(kHead, at + 1);
    const std::string_view declaration = text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
    const std::string_view called = declaration.substr(kHead.size() - 1);
    out.names.push_back(called.substr(0, called.find(' ')));
    out.declarations.emplace(out.names.back(), declaration);
    at = next;
  }
  return out;
}

// Made once: the text does not change.
const Index& shipped() {
  static const Index all = index_of(shipped_hardware());
  return all;
}

}  // namespace

const std::vector<std::string_view>& catalogue_models() { return shipped().names; }

std::optional<std::string_view> catalogue_model(std::string_view name) {
  const auto found = shipped().declarations.find(name);
  return found == shipped().declarations.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpol
