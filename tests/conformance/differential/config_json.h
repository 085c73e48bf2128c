// What a history says of Kueue's Configuration, as JSON: among the fields of the history itself.
#pragma once

#include <nlohmann/json.hpp>

#include "compiler/cluster/cluster.h"

namespace gpol::differential {

void put_config(nlohmann::json& history, const KueueConfig& config);
// Fields that saved histories lack have their defaults. Throws nlohmann::json::exception.
void read_config(const nlohmann::json& history, KueueConfig& config);

}  // namespace gpol::differential
