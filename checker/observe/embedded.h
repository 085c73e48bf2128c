// A document inside a text of another document, as the controller's Configuration is inside its ConfigMap: where it
// stands. In: a scalar as it is written, and the text that it is. Out: places in what is written. Nothing here judges
// what is YAML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest {

// Of each byte of the text, and of its end: where in `written` it comes from; of blanks, where they may. Nothing where
// that cannot be said, as behind an alias.
std::optional<std::vector<std::uint32_t>> origins_of(std::string_view written, std::string_view text);

// Where no place within is known: all of the tree stands where the whole does.
void stand_at(const Node& whole, Node& node);
// The ConfigMap that a chart makes of its values. `data`: a mapping, which stays where it stands, as does the rest.
Node config_map_of(const std::string& name, Node data);

// Moves the tree of the text to where its bytes come from: `begin` is that of what is written.
void move_to(const std::vector<std::uint32_t>& origins, std::uint32_t begin, int line, Node& node);

}  // namespace gpol::manifest
