// What a text names that a verdict rests on, where gpol does not know what it says: a template, a document that cannot
// be read, an object that the cluster would refuse. The one function that decides whether such a text is a mistake of
// its bundle, leaves its verdicts undecided, or is one line among what is left out.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpol::manifest {

enum class Rests : std::uint8_t {
  Nothing,   // a Service, a dashboard, a note
  Premises,  // Nodes, guards, access, pods that ask for devices: whether what is taken for granted holds
  Figures    // Kueue's own objects, its Configuration, or what may be any object: what others can hold
};
// By the words of the text, whatever it is: an `apiVersion` or `kind` on which figures rest (also inside of another
// text), the names of devices, Kueue's labels.
Rests rests_on(std::string_view text);

// Of figures Volcano's alone: a Queue of its, or its scheduler's configuration, and nothing of Kueue.
bool rests_on_volcano(std::string_view text);

// An object of its own on which premises rest, and not only pods that ask for devices.
bool names_premise(std::string_view text);

// It says how devices are shared or cut: a configuration of NVIDIA's device plugin or of mig-parted.
bool shares_devices(std::string_view text);
// The same, or such a configuration that shares nothing as it stands.
bool configures_devices(std::string_view text);

// `apiVersion: GROUP`, however it is quoted; `group` ends with a slash.
bool names_api(std::string_view text, std::string_view group);

}  // namespace gpol::manifest
