#include "checker/families/layout_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/partition/legal.h"
#include "compiler/policy/mig_layout.h"

namespace gpol {

std::pair<const Answer&, std::optional<std::string>> places(LemmaBook& book, const Hardware& model,
                                                            const Layout& layout) {
  auto why = why_no_placement(model, layout);
  const Answer& answer = book.ask(fmt::format("partition/layout {} {}", model.name, slices_in_words(layout)),
                                  [&] { return partition::layout_formula(model, layout); });
  if (answer.kind != Answer::Kind::Unknown && (answer.kind == Answer::Kind::Sat) == why.has_value())
    throw InternalError(fmt::format("partition: `{}` {} be cut into {}, but the solver says otherwise", model.name,
                                    why ? "cannot" : "can", slices_in_words(layout)));
  return {answer, std::move(why)};
}

bool starts_known(const Hardware& device, const Layout& layout) {
  return std::all_of(layout.begin(), layout.end(), [&](const Slices& slices) {
    const MigProfile* profile = profile_of(device, slices.profile);
    return profile != nullptr && profile->memory && !profile->starts.empty();
  });
}

std::string without_place(const Hardware& device, const Layout& layout) {
  constexpr std::string_view kOrder[] = {"", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth "};
  Layout before;
  for (const Slices& slices : layout) {
    before.push_back({slices.profile, 0});
    for (std::size_t i = 0; i < std::min<std::size_t>(static_cast<std::size_t>(slices.count), std::size(kOrder)); ++i) {
      ++before.back().count;
      if (why_no_placement(device, before)) return fmt::format("the {}`{}`", kOrder[i], slices.profile);
    }
    before.back().count = slices.count;
  }
  return fmt::format("an instance of `{}`", layout.back().profile);
}

}  // namespace gpol
