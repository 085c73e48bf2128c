// Names: who declares which, who uses one that nobody declares, and which declared one was probably meant.
// In: names with their places. Out: indices, and diagnostics GP0201 (one for each unknown name, however often it is
// used), GP0202 (declared twice) and GP0209 (cannot be the name of a Kubernetes object). Private to compiler/policy.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/syntax/ast.h"

namespace gpol {

// "did you mean `x`?", or the candidates themselves when none is near and they are few.
std::string choice_hint(std::string_view word, std::span<const std::string_view> candidates);

// GP0209 unless `name` is a DNS-1123 label of at most 63 characters (RFC 1123, as Kubernetes reads it).
void require_kubernetes_name(std::string_view kind, std::string_view name, Span span, std::vector<Diagnostic>& out);

// All names of one kind. Keys point into the syntax tree, which must outlive the table.
class NameTable {
 public:
  explicit NameTable(std::string_view kind) : kind_(kind) {}

  // The first declaration of a name keeps it; a later one is GP0202 and finds nobody.
  void declare(const ast::Name& name, std::uint32_t index, std::vector<Diagnostic>& out);

  // A name that is refused as it is (GP0209) is found by what its hint says, too: `realtime` of `Realtime`.
  void mend(const ast::Name& name, std::uint32_t index);

  // The index of a name, or kNone after noting the use for report_unknown.
  std::uint32_t find(const ast::Name& used);

  // Whether a name is declared more than once: nobody knows which of them is meant.
  bool doubled(std::string_view name) const;

  // The index of a name, or kNone; notes nothing.
  std::uint32_t look_up(std::string_view name) const;

  // GP0201 once for each name that was used and never declared, at its first use, with the others as labels. Where
  // another was declared twice, and the unknown one is near none, it is what the second was to be called: told as that.
  // `elsewhere`: a hint for a name of another kind; may be empty.
  void report_unknown(std::vector<Diagnostic>& out, const std::function<std::string(std::string_view)>& elsewhere = {});

 private:
  // Tells GP0202 so that it says what the name was to be; false: none is left that was declared twice.
  bool name_of_repeated(std::string_view name, Span use, std::vector<Diagnostic>& out);

  struct Entry {
    std::uint32_t index;
    Span span;
    bool doubled = false;
  };
  std::string_view kind_;  // "pool"
  std::unordered_map<std::string_view, Entry> entries_;
  std::map<std::string, std::uint32_t, std::less<>> mended_;
  std::map<std::string_view, std::vector<Span>> unknown_;
  std::vector<Span> again_;  // of names that were declared before
};

}  // namespace gpol
