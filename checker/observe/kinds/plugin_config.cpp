// Fields: api/config/v1 of NVIDIA/k8s-device-plugin (config.go, flags.go, replicas.go).
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

void read_sharing(const View& sharing, PluginConfig& out, bool strict) {
  out.renames = sharing.boolean("renameByDefault").value_or(false);
  // The default of mps (api/config/v1/config.go), which takes no other value.
  out.refuses_several =
      sharing.boolean("failRequestsGreaterThanOne").value_or(out.sharing == PluginConfig::Sharing::Mps);
  sharing.each_map("resources", [&](const View& item) {
    constexpr std::string_view kDomain = "nvidia.com/";  // the plugin adds it (api/config/v1/resources.go)
    std::string name = item.required_text("name");
    if (!name.starts_with(kDomain)) name.insert(0, kDomain);
    if (const auto replicas = item.integer("replicas")) out.replicas[name] = *replicas;
    if (strict) item.finish();
  });
  if (strict) sharing.finish();
}

}  // namespace

PluginConfig read_plugin_config(const View& document, const std::string& name, bool strict) {
  PluginConfig out;
  out.name = name;
  out.span = document.span();
  if (!document.expect(Node::Kind::Map)) return out;
  if (document.required_text("version") != "v1") document.problem("version", "must be v1");
  if (const auto flags = document.map("flags")) {
    out.mig_strategy = flags->text("migStrategy").value_or("");
    if (strict) flags->finish();
  }
  if (const auto sharing = document.map("sharing")) {
    const auto slices = sharing->map("timeSlicing"), mps = sharing->map("mps");
    out.sharing = slices && mps ? PluginConfig::Sharing::Both
                  : mps         ? PluginConfig::Sharing::Mps
                  : slices      ? PluginConfig::Sharing::TimeSlicing
                                : PluginConfig::Sharing::None;
    if (mps || slices) read_sharing(mps ? *mps : *slices, out, strict);
    if (strict) sharing->finish();
  }
  if (strict) document.finish();
  return out;
}

}  // namespace gpol::manifest
