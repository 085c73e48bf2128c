#include "checker/families/layout_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/partition/legal.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/source/text.h"

namespace gpol {

std::pair<const Answer&, std::optional<std::string>> places(LemmaBook& book, const Hardware& model,
                                                            const Layout& layout, const std::vector<Instance>& held) {
  auto why = why_no_placement(model, layout, held);
  std::string name = fmt::format("partition/layout {} {}", model.name, slices_in_words(layout));
  if (!held.empty()) name += " beside " + held_in_words(held);
  const Answer& answer = book.ask(name, [&] { return partition::layout_formula(model, layout, held); });
  if (answer.kind != Answer::Kind::Unknown && (answer.kind == Answer::Kind::Sat) == why.has_value())
    throw InternalError(fmt::format("partition: `{}` {} be cut into {}, but the solver says otherwise", model.name,
                                    why ? "cannot" : "can", slices_in_words(layout)));
  return {answer, std::move(why)};
}

bool no_layout(const CutPool& pool) {
  const auto known = [&](const Slices& slices) { return profile_of(pool.device, slices.profile) != nullptr; };
  const auto none = [&](const Layout& device) {
    return std::ranges::all_of(device, known) && why_no_placement(pool.device, beside(device, pool.held), pool.held);
  };
  return !pool.none.empty() ||
         std::ranges::any_of(pool.kinds, [&](const NodeKind& kind) { return std::ranges::any_of(kind.devices, none); });
}

bool starts_known(const Hardware& device, const Layout& layout) {
  return std::ranges::all_of(layout, [&](const Slices& slices) {
    const MigProfile* profile = profile_of(device, slices.profile);
    return profile != nullptr && profile->memory && !profile->starts.empty();
  });
}

std::string held_in_words(const std::vector<Instance>& held) {
  std::string list;
  for (const Instance& one : held) add_to_list(list, fmt::format("{} at {}", one.profile, one.start));
  return list;
}

Layout beside(const Layout& layout, const std::vector<Instance>& held) {
  Layout rest = layout;
  for (Slices& slices : rest) slices.count -= std::ranges::count(held, slices.profile, &Instance::profile);
  std::erase_if(rest, [](const Slices& slices) { return slices.count <= 0; });
  return rest;
}

std::string without_place(const Hardware& device, const Layout& layout, const std::vector<Instance>& held) {
  constexpr std::string_view kOrder[] = {"", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth "};
  Layout before;
  for (const Slices& slices : layout) {
    before.push_back({slices.profile, 0});
    for (std::size_t i = 0; i < std::min<std::size_t>(static_cast<std::size_t>(slices.count), std::size(kOrder)); ++i) {
      ++before.back().count;
      if (why_no_placement(device, before, held)) return fmt::format("the {}`{}`", kOrder[i], slices.profile);
    }
    before.back().count = slices.count;
  }
  return fmt::format("an instance of `{}`", layout.back().profile);
}

}  // namespace gpol
