// The shipped hardware catalogue, policies/hardware.gpol, as text inside the program (cmake/Hardware.cmake): every
// policy knows its models without an import. Read a model at a time, since most policies name one and cut none.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/policy/vocabulary.h"

namespace gpol {

std::string_view shipped_hardware();  // generated

// The names of its models, in the order of the text.
const std::vector<std::string_view>& catalogue_models();
// The declaration of one model; nothing when there is none of this name.
std::optional<std::string_view> catalogue_model(std::string_view name);
// The same, read.
std::optional<Hardware> catalogue_hardware(std::string_view name);
// The model by what GPU feature discovery says of a node: its product label ("NVIDIA-H100-80GB-HBM3", also with
// "-MIG-..." or "-SHARED" behind it) and its memory in MiB, 0 where that is not said. Nothing unless one model fits.
std::optional<Hardware> hardware_of_product(std::string_view product, std::int64_t memory_mib);

// The model that a `device-filter` of mig-parted names ("0x233010DE"); "" where gpol does not know it.
std::string_view model_of_pci_id(std::string_view id);

}  // namespace gpol
