#include "compiler/policy/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/policy/codes.h"
#include "compiler/policy/policy.h"
#include "compiler/source/codes.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

constexpr std::size_t kLongestLabel = 63;   // RFC 1123
constexpr std::size_t kChoicesShown = 8;    // beyond it a list helps nobody
constexpr std::size_t kOtherUsesShown = 3;  // of an unknown name
// Each suggestion looks at every declared name: a bound keeps hostile input linear.
constexpr std::size_t kSuggestionsPerTable = 32;

constexpr std::string_view kQuestion = "did you mean `";

std::string quoted_list(std::span<const std::string_view> words) {
  std::string list;
  for (std::string_view word : words) add_to_list(list, fmt::format("`{}`", word));
  return list;
}

bool label_character(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-'; }

// The name with every illegal character mended; empty when nothing is left of it.
std::string mended_label(std::string_view name) {
  std::string mended;
  for (char c : name) mended += label_character(lowered(c)) ? lowered(c) : '-';
  if (mended.size() > kLongestLabel) mended.resize(kLongestLabel);
  const auto first = mended.find_first_not_of('-');
  if (first == std::string::npos) return {};
  return mended.substr(first, mended.find_last_not_of('-') - first + 1);
}

// As a name of the kind is declared.
std::string declaration_of(std::string_view kind, std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kForms[] = {
      {"node group", "nodes {} {{ count 6; each 8 gpus, 192 cpu, 2 TiB, 110 pods }}"},
      {"pool", "pool {} on NODES"},
      {"cohort", "cohort {} {{ }}"},
      {"window", "window {} = 22:00..06:00 Europe/Zurich daily"},
      {"class", "class {} : B {{ ready within 4min }}"},
      {"tenant", "tenant {} {{ ... }}"},
      {"calendar", "calendar {} {{ 2026-12-25, 2027-01-01 }}"},
      {"service", "service {} of TENANT {{ ... }}"}};
  for (const auto& [of, form] : kForms)
    if (of == kind) return fmt::format(fmt::runtime(form), name);
  return fmt::format("{} {}", kind, name);
}

}  // namespace

std::string choice_hint(std::string_view word, std::span<const std::string_view> candidates) {
  if (const auto near = nearest(word, candidates)) return fmt::format("did you mean `{}`?", *near);
  if (candidates.empty() || candidates.size() > kChoicesShown) return {};
  if (candidates.size() == 1) return fmt::format("write {}", quoted_list(candidates));
  return fmt::format("write one of {}", quoted_list(candidates));
}

// What is built stands in files that are called by names of the policy.
constexpr std::string_view kKustomization = "kustomization";

void require_kubernetes_name(std::string_view kind, std::string_view name, Span span, std::vector<Diagnostic>& out) {
  const bool legal = !name.empty() && name.size() <= kLongestLabel && std::ranges::all_of(name, label_character) &&
                     name.front() != '-' && name.back() != '-';
  if (legal && kind == "pool" && name == kKustomization) {
    out.push_back(error_at(
        code::BadKubernetesName, span,
        fmt::format("{} `{}` would be written as `{}.yaml`, which kustomize takes for its own", kind, name, name),
        fmt::format("give it another name: `{}-{}`", name, kind)));
    return;
  }
  if (legal) return;
  std::string hint = "use lower-case letters, digits and `-`, at most 63 characters, a letter or digit first and last";
  if (const std::string mended = mended_label(name); !mended.empty()) hint += fmt::format(": `{}`", mended);
  out.push_back(error_at(code::BadKubernetesName, span,
                         fmt::format("{} `{}` cannot be the name of a kubernetes object", kind, name),
                         std::move(hint)));
}

void NameTable::mend(const ast::Name& name, std::uint32_t index) {
  if (std::string mended = mended_label(name.text); mended != name.text) mended_.try_emplace(std::move(mended), index);
}

void NameTable::declare(const ast::Name& name, std::uint32_t index, std::vector<Diagnostic>& out) {
  const auto [entry, fresh] = entries_.try_emplace(name.text, Entry{index, name.span});
  if (fresh) return;
  entry->second.doubled = true;
  again_.push_back(name.span);
  out.push_back(error_at(code::DuplicateName, name.span, fmt::format("{} `{}` is declared twice", kind_, name.text),
                         "give one of them another name"));
  out.back().labels = {{entry->second.span, "first declared here"}};
}

std::uint32_t NameTable::find(const ast::Name& used) {
  const std::uint32_t index = look_up(used.text);
  if (index == kNone) unknown_[used.text].push_back(used.span);
  return index;
}

bool NameTable::doubled(std::string_view name) const {
  const auto entry = entries_.find(name);
  return entry != entries_.end() && entry->second.doubled;
}

std::uint32_t NameTable::look_up(std::string_view name) const {
  if (const auto entry = entries_.find(name); entry != entries_.end()) return entry->second.index;
  return value_or(mended_, name, kNone);
}

bool NameTable::name_of_repeated(std::string_view name, Span use, std::vector<Diagnostic>& out) {
  if (again_.empty()) return false;
  for (Diagnostic& d : out) {
    if (d.code != code::DuplicateName || d.span != again_.front()) continue;
    d.hint = fmt::format("did you mean `{}`, which is used and not declared?", name);
    d.edits.push_back({d.span, std::string(name)});
    d.labels.push_back({use, "used here"});
  }
  again_.erase(again_.begin());
  return true;
}

void NameTable::report_unknown(std::vector<Diagnostic>& out,
                               const std::function<std::string(std::string_view)>& elsewhere) {
  std::vector<std::string_view> declared;
  declared.reserve(entries_.size());
  std::map<std::uint32_t, std::string_view> mended;  // a name that must be changed itself is no help as it is
  for (const auto& [name, index] : mended_) mended.emplace(index, name);
  for (const auto& [name, entry] : entries_) {
    const auto other = mended.find(entry.index);
    declared.push_back(other == mended.end() ? std::string_view(name) : other->second);
  }
  std::ranges::sort(declared);
  std::size_t suggestions = 0;
  for (const auto& [name, uses] : unknown_) {
    std::vector<Span> places = uses;
    std::ranges::sort(places);
    std::string hint;
    if (declared.empty())
      hint = fmt::format("no {} is declared: add `{}`", kind_, declaration_of(kind_, name));
    else if (suggestions++ < kSuggestionsPerTable)
      hint = choice_hint(name, declared);
    const std::string other = elsewhere && !hint.starts_with(kQuestion) ? elsewhere(name) : std::string();
    if (!other.empty()) hint = other;
    if (!hint.starts_with(kQuestion) && other.empty() && name_of_repeated(name, places.front(), out)) continue;
    // A cohort is made by its name alone; another of few is no better guess.
    if (kind_ == "cohort" && !hint.starts_with(kQuestion) && !declared.empty())
      hint = fmt::format("add `{}`, or name another", declaration_of(kind_, name));
    Diagnostic d = error_at(code::UnknownName, places.front(), fmt::format("{} `{}` is not declared", kind_, name),
                            std::move(hint));
    for (std::size_t i = 1; i < places.size() && i <= kOtherUsesShown; ++i)
      d.labels.push_back({places[i], "also used here"});
    out.push_back(std::move(d));
  }
}

}  // namespace gpol
