// What the README of a built directory says of Volcano. In: the plan. Out: paragraphs in Markdown.
#pragma once

#include <string>

#include "compiler/cluster/intent.h"

namespace gpol::volcano {

std::string configuration_text();  // a step of the order of applying
std::string pods_text(const Planned& planned);
std::string back_text();
std::string delete_text();

}  // namespace gpol::volcano
