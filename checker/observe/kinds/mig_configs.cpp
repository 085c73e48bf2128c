// Fields: api/spec/v1/spec.go of NVIDIA/mig-parted, which refuses what it does not know.
#include <re2/re2.h>

#include <cstdlib>

#include "checker/observe/kinds/kinds.h"
#include "checker/observe/schema/syntax.h"

namespace gpol::manifest {

namespace {

std::vector<std::int64_t> read_devices(const View& entry) {
  if (entry.has("devices") && entry.node().kind == Node::Kind::Map)
    for (const Entry& field : entry.node().entries)
      if (field.key == "devices" && field.value.kind != Node::Kind::List) {
        if (entry.text("devices") != "all") entry.problem("devices", "is neither `all` nor a list of indices");
        return {};
      }
  std::vector<std::int64_t> devices;
  const auto list = entry.required_list("devices");
  if (list && list->size() == 0) entry.problem("devices", "names no device");
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    const Node& item = list->at(i).node();
    if (!item.text.empty() && item.text.size() <= 4 && only_digits(item.text))
      devices.push_back(std::stoll(item.text));
    else
      list->at(i).problem("is no index of a device");
  }
  return devices;
}

// "3g.40gb", "1c.3g.40gb", "1g.10gb+me": as the driver writes them (pkg/types/mig_profile.go).
bool is_profile(std::string_view text) {
  static const re2::RE2 kForm("(?:([1-9][0-9]{0,3})c\\.)?([1-9][0-9]{0,3})g\\.[1-9][0-9]{0,3}gb(?:[+-]\\C+)?");
  std::string parts, slices;
  return re2::RE2::FullMatch(text, kForm, &parts, &slices) &&
         std::atoi(parts.c_str()) < std::atoi(slices.c_str());  // all of it is not written so
}

// A device and its vendor: "0x233010DE", and what newer versions allow behind it.
bool is_filter(std::string_view text) {
  static const re2::RE2 kForm("0x[0-9a-fA-F]{8}\\C*");
  return re2::RE2::FullMatch(text, kForm);
}

MigConfig::Entry read_entry(const View& entry) {
  MigConfig::Entry out;
  out.span = entry.span();
  if (!entry.expect(Node::Kind::Map)) return out;
  if (entry.has("device-filter")) {
    bool list = false;
    for (const Entry& field : entry.node().entries)
      list = list || (field.key == "device-filter" && field.value.kind == Node::Kind::List);
    if (list)
      out.filters = entry.texts("device-filter");
    else if (const auto one = entry.text("device-filter"))
      out.filters = {*one};
    for (const std::string& filter : out.filters)
      if (!is_filter(filter)) entry.problem("device-filter", shown(filter) + " is no id of a device: 0x233010DE");
  }
  out.devices = read_devices(entry);
  if (!entry.has("mig-enabled")) entry.problem("mig-enabled", "is missing");
  out.enabled = entry.boolean("mig-enabled").value_or(false);
  if (const auto slices = entry.map("mig-devices")) {
    for (const Entry& field : slices->node().entries) {
      const auto count = slices->integer(field.key);
      if (!is_profile(field.key)) slices->problem(field.key, "is no profile of MIG");
      if (count && *count < 0) slices->problem(field.key, "is below 0");
      if (count && *count > 0) out.slices.emplace(field.key, *count);
    }
    if (out.slices.empty() && !slices->node().entries.empty()) entry.problem("mig-devices", "counts nothing");
    if (!out.enabled && !slices->node().entries.empty())
      entry.problem("mig-devices", "stands beside `mig-enabled: false`");
  } else if (out.enabled) {
    entry.problem("mig-devices", "is missing beside `mig-enabled: true`");
  }
  entry.finish();
  return out;
}

}  // namespace

std::vector<MigConfig> read_mig_configs(const View& document) {
  std::vector<MigConfig> configs;
  if (!document.expect(Node::Kind::Map)) return configs;
  if (document.required_text("version") != "v1") document.problem("version", "must be v1");
  if (const auto all = document.required_map("mig-configs")) {
    if (all->node().entries.empty()) document.problem("mig-configs", "holds no configuration");
    for (const Entry& named : all->node().entries) {
      MigConfig config{std::string(named.key), {}};
      if (config.name.empty() || !schema::is_label_value(config.name))
        all->problem(named.key, "is no value of a label: no node can ask for it");
      const auto entries = all->list(named.key);
      if (entries && entries->size() == 0) all->problem(named.key, "says nothing of any device");
      for (std::size_t i = 0; entries && i < entries->size(); ++i) config.entries.push_back(read_entry(entries->at(i)));
      configs.push_back(std::move(config));
    }
  }
  document.finish();
  return configs;
}

}  // namespace gpol::manifest
