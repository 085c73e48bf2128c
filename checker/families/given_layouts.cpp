// Partition, of what is there: configurations of mig-parted, for the models that their device-filters name, else for
// whatever model has their profiles. And what is wrong by itself with a file about devices.
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/partition_parts.h"
#include "compiler/policy/catalogue.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

// By the names of the profiles: `3g.40gb` has three.
std::int64_t compute_by_name(const Layout& layout) {
  std::int64_t sum = 0;
  for (const Slices& slices : layout)
    if (!slices.profile.empty() && slices.profile[0] >= '1' && slices.profile[0] <= '9')
      sum += (slices.profile[0] - '0') * std::min<std::int64_t>(slices.count, 100);
  return sum;
}

// "ConfigMap `ns/name`"
std::pair<std::string_view, std::string_view> kind_and_name(const std::string& object) {
  const std::string_view text = object;
  const std::size_t tick = text.find('`');
  if (text.starts_with("file ")) return {"File", text.substr(tick + 1, text.size() - tick - 2)};
  return {text.substr(0, tick - 1), text.substr(tick + 1, text.size() - tick - 2)};
}

std::string first_unknown_profile(const Hardware& model, const Layout& layout) {
  for (const Slices& slices : layout)
    if (profile_of(model, slices.profile) == nullptr) return slices.profile;
  return {};
}

// Instances with fewer compute slices ("1c.3g.40gb") are not modelled.
bool is_part(const std::string& profile) { return profile.find("c.") < profile.find("g."); }

class GivenLayouts {
 public:
  GivenLayouts(const Proof& proof, LemmaBook& book, Report& report) : book_(book), report_(report) {
    for (const GivenFault& fault : proof.intent.faults) tell(fault);
    for (const GivenLayout& layout : proof.intent.layouts) judge(layout);
  }

 private:
  void tell(const GivenFault& fault) {
    constexpr Code kCodes[] = {code::Layout, code::PluginClash, code::IdleQuota};
    const auto [kind, name] = kind_and_name(fault.object);
    report_.add(obligation(Family::Partition, kCodes[static_cast<std::size_t>(fault.about)],
                           fault.unknown ? Verdict::Undecided : Verdict::Refuted, {kind, name}, fault.span),
                {.reason = fault.message, .message = fault.message, .fix = Fix{fault.fix}});
  }

  void judge(const GivenLayout& given) {
    const auto [kind, name] = kind_and_name(given.object);
    Obligation o = obligation(Family::Partition, code::Layout, Verdict::Proven, {kind, name}, given.span);
    std::vector<const Hardware*> named;
    bool all_known = true;
    for (const std::string& filter : given.filters) {
      const auto model = std::ranges::find(all_models(), model_of_pci_id(filter), &Hardware::name);
      if (model != all_models().end())
        named.push_back(&*model);
      else
        all_known = false;
    }
    if (given.filters.empty()) return for_any(given, std::move(o));
    for_each(given, named, all_known, std::move(o));
  }

  // What is not known of a layout on a model, or why it has none there.
  struct OnModel {
    std::string none, unknown;  // both empty: it can be cut so
  };
  OnModel on(const Hardware& model, const Layout& layout) {
    if (const std::string profile = first_unknown_profile(model, layout); !profile.empty()) {
      if (is_part(profile)) return {{}, fmt::format("instances such as `{}` are not modelled", profile)};
      return {fmt::format("`{}` has no profile `{}`", model.name, profile), {}};
    }
    const auto& [answer, none] = places(book_, model, layout);
    if (answer.kind == Answer::Kind::Unknown)
      return {{}, fmt::format("the solver gave up on partition/layout: {}", answer.why)};
    if (none)
      return {fmt::format("on `{}` {} finds no place ({})", model.name, without_place(model, layout), *none), {}};
    if (!starts_known(model, layout))
      return {{}, fmt::format("nobody is known to have listed the places of slices on `{}`", model.name)};
    return {};
  }

  // For every model that it is about.
  void for_each(const GivenLayout& given, const std::vector<const Hardware*>& models, bool all_known, Obligation o) {
    std::string unknown, can;
    for (const Hardware* model : models) {
      const OnModel found = on(*model, given.slices);
      if (!found.none.empty()) return refute(given, std::move(o), found.none);
      if (!found.unknown.empty()) unknown = found.unknown;
      add_to_list(can, fmt::format("`{}`", model->name));
    }
    if (!all_known && models.empty() && compute_by_name(given.slices) > 7)
      return refute(given, std::move(o), "no GPU has more than seven compute slices");
    if (!all_known) {
      o.required = false;  // of a model that gpol does not know
      return undecide(given, std::move(o), "which GPU its device-filter is about is not known");
    }
    if (!unknown.empty()) return undecide(given, std::move(o), unknown);
    prove(given, std::move(o), can);
  }

  // For one of those that have its profiles.
  void for_any(const GivenLayout& given, Obligation o) {
    std::string why, unknown;
    for (const Hardware& model : all_models()) {
      if (!first_unknown_profile(model, given.slices).empty()) continue;
      const OnModel found = on(model, given.slices);
      if (found.none.empty() && found.unknown.empty())
        return prove(given, std::move(o), fmt::format("`{}`", model.name));
      std::string& first = found.none.empty() ? unknown : why;
      if (first.empty()) first = found.none.empty() ? found.unknown : found.none;
    }
    if (!unknown.empty()) return undecide(given, std::move(o), unknown);
    if (!why.empty()) return refute(given, std::move(o), why);
    o.required = false;  // which GPUs it is for is not known
    undecide(given, std::move(o),
             fmt::format("no GPU that gpol knows has all of its profiles: {}", slices_in_words(given.slices)));
  }

  void prove(const GivenLayout& given, Obligation o, const std::string& models) {
    report_.add(std::move(o),
                {.message = fmt::format("{} can be cut as `{}` says: {}", models, given.config, drawn(given.slices))});
  }

  void undecide(const GivenLayout& given, Obligation o, const std::string& reason) {
    o.verdict = Verdict::Undecided;
    report_.add(std::move(o),
                {.reason = reason,
                 .message = fmt::format("whether a GPU can be cut as `{}` says is not known: {}", given.config, reason),
                 .fix = Fix{"look at one (`nvidia-smi mig -lgip`)"}});
  }

  void refute(const GivenLayout& given, Obligation o, const std::string& why) {
    o.verdict = Verdict::Refuted;
    report_.add(std::move(o),
                {.reason = why,
                 .message = fmt::format("{} can be cut as `{}` says, into {}: {}",
                                        given.filters.empty() ? "no GPU" : "not every GPU that it is about",
                                        given.config, slices_in_words(given.slices), why),
                 .story = {{"", "MIG Manager",
                            fmt::format("is told by nvidia.com/mig.config={} to cut GPUs into {}", given.config,
                                        slices_in_words(given.slices))},
                           {"", "the driver",
                            "creates no such instances; nvidia.com/mig.config.state says `failed`, "
                            "and the node has none of its slices"}},
                 .fix = Fix{why.find("has no profile") == std::string::npos
                                ? "take fewer slices, or smaller ones"
                                : "take profiles of that model, or have its `device-filter` name another"}});
  }

  const std::vector<Hardware>& all_models() {
    if (models_.empty())
      for (const std::string_view name : catalogue_models())
        if (auto model = catalogue_hardware(name); model && !model->profiles.empty())
          models_.push_back(std::move(*model));
    return models_;
  }

  LemmaBook& book_;
  Report& report_;
  std::vector<Hardware> models_;  // of the catalogue, once they are asked for
};

}  // namespace

void judge_given_layouts(const Proof& proof, LemmaBook& book, Report& report) { GivenLayouts(proof, book, report); }

}  // namespace gpol
