// Fields: api/spec/v1/spec.go of NVIDIA/mig-parted, which refuses what it does not know.
#include <algorithm>

#include "checker/observe/documents.h"
#include "checker/observe/kinds/kinds.h"

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
    const bool number = !item.text.empty() && item.text.size() <= 4 && only_digits(item.text);
    if (number)
      devices.push_back(std::stoll(item.text));
    else
      list->at(i).problem("is no index of a device");
  }
  return devices;
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  std::size_t n = 0;
  while (at + n < text.size() && is_digit(text[at + n])) ++n;
  return n > 0 && text[at] == '0' ? 0 : n;
}

// "3g.40gb", "1c.3g.40gb", "1g.10gb+me": as the driver writes them (pkg/types/mig_profile.go).
bool is_profile(std::string_view text) {
  std::size_t at = 0;
  const auto word = [&](std::string_view behind) {
    const std::size_t n = digits_from(text, at);
    if (n == 0 || n > 4 || text.substr(at + n, behind.size()) != behind) return false;
    at += n + behind.size();
    return true;
  };
  const std::size_t parts = word("c.") ? std::stoull(std::string(text)) : 0;
  const std::size_t begin = at;
  if (!word("g.")) return false;
  if (parts >= std::stoull(std::string(text.substr(begin)))) return false;  // all of it is not written so
  if (!word("gb")) return false;
  return at == text.size() || ((text[at] == '+' || text[at] == '-') && at + 1 < text.size());
}

// A device and its vendor: "0x233010DE", and what newer versions allow behind it.
bool is_filter(std::string_view text) {
  constexpr std::size_t kDigits = 8;
  return text.starts_with("0x") && text.size() >= 2 + kDigits &&
         std::all_of(text.begin() + 2, text.begin() + 2 + kDigits,
                     [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
}

// The value of a label of nodes.
bool is_label_value(std::string_view text) {
  const auto alphanumeric = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && text.size() <= 63 && alphanumeric(text.front()) && alphanumeric(text.back()) &&
         std::ranges::all_of(text, [&](char c) { return alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
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
      if (!is_label_value(config.name)) all->problem(named.key, "is no value of a label: no node can ask for it");
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
