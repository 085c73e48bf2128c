#include "checker/observe/left_out.h"

#include <algorithm>

#include "checker/observe/device_values.h"
#include "checker/observe/dumps.h"
#include "checker/observe/embedded.h"
#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/left_out_files.h"
#include "checker/observe/of_kueue.h"
#include "checker/observe/rests.h"
#include "checker/observe/templates.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {

bool names_objects(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("apiVersion") && has("kind");
}

bool names_kueue(std::string_view text) { return text.find("kueue.x-k8s.io") != std::string_view::npos; }

namespace {
bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return path.ends_with(end); });
}
}  // namespace

bool is_template_file(std::string_view path) { return ends_with_any(path, {".tpl", ".tftpl", ".j2", ".gotmpl"}); }

bool is_manifest_file(std::string_view path) {
  return ends_with_any(path, {".yaml", ".yml", ".json"}) || is_template_file(path);
}

LeftOut::Why why_no_object(std::string_view path) {
  const auto name = path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  return name.starts_with("Chart.") || name.starts_with("values") ? LeftOut::Why::Chart : LeftOut::Why::NoObject;
}

void LeftOutFiles::leave_out(FileId file, LeftOut::Why why) {
  const std::string& path = files_[file].path;
  if (out_.left_out.empty() || out_.left_out.back().path != path) out_.left_out.push_back({why, path});
}

void LeftOutFiles::take_unreadable(const Place& place, std::string_view text, const Refusal& refusal) {
  const YamlFile& file = files_[place.index];
  // `{{ x }}` as a value has a mapping for a key, which no reader takes.
  const bool hole = refusal.at && text.substr(*refusal.at - std::min<std::size_t>(*refusal.at, 1), 3).find("{{") !=
                                      std::string_view::npos;
  if ((!refusal.kubectl_reads_on || hole) && looks_like_template(text)) return take_template(place, text);
  if (!refusal.kubectl_reads_on && file.path.ends_with(".json") && !names_objects(file.bytes))
    return leave_out(place.index, why_no_object(file.path));
  std::size_t at = refusal.at.value_or(0);
  for (int line = 1; !refusal.at && line < refusal.line && at < text.size(); ++line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  const auto offset = place.offset + static_cast<std::uint32_t>(std::min(at, text.size()));
  unreadable_.insert(place.index);
  const Span span{place.index, offset, offset};
  Rejection mistake{span, "", "", refusal.what, ""};
  if (rests_on(text) == Rests::Nothing) return take_mistake(std::move(mistake));
  out_.rejections.push_back(std::move(mistake));
}

void LeftOutFiles::take_mistake(Rejection mistake) {
  const YamlFile& file = files_[mistake.span.file];
  const auto line = 1 + std::count(file.bytes.begin(), file.bytes.begin() + mistake.span.begin, '\n');
  out_.left_out.push_back({LeftOut::Why::Wrong, file.path, "line " + std::to_string(line) + ": " + mistake.what});
  out_.mistakes.push_back(std::move(mistake));
}

bool LeftOutFiles::is_mistake_alone(Span object, const Rejection& mistake) {
  if (object.file >= files_.size()) return false;
  const std::string_view text = files_[object.file].bytes;
  if (rests_on(text.substr(std::min<std::size_t>(object.begin, text.size()), object.end - object.begin)) !=
      Rests::Nothing)
    return false;
  return take_mistake(mistake), true;
}

// What makes manifests of it, by its name and what stands beside it.
std::string LeftOutFiles::render_hint(std::string_view path) const {
  const auto templates = path.rfind("templates/");
  if (templates != std::string_view::npos && (templates == 0 || path[templates - 1] == '/')) {
    const std::string chart(path.substr(0, templates));
    if (std::ranges::any_of(files_, [&](const YamlFile& file) { return file.path == chart + "Chart.yaml"; }))
      return "`helm template " + (chart.empty() ? "." : chart.substr(0, templates - 1)) + " | gpol verify -`";
  }
  return path.ends_with(".tftpl") ? "give what Terraform renders" : "give what it renders to";
}

void LeftOutFiles::take_template(const Place& place, std::string_view text) {
  leave_out(place.index, LeftOut::Why::Template);
  const std::string &path = files_[place.index].path, file = "file `" + path + "`";
  const bool figures = rests_on(text) == Rests::Figures;
  if (!figures && shares_devices(text))
    out_.cuts.faults.push_back({GivenFault::About::Sharing,
                                file,
                                file +
                                    " says how devices are shared or cut and is a template that was not rendered: what "
                                    "Nodes offer is not known",
                                render_hint(path),
                                {place.index, place.offset, place.offset},
                                true});
  // What names no kind may render to any; beside objects of Kueue to more of them.
  if (!figures && (names_objects(text) || rests_on(files_[place.index].bytes) != Rests::Figures)) return;
  const auto line = static_cast<std::uint32_t>(std::min(text.size(), text.find('\n')));
  const char* what = rests_on_volcano(text) ? "is a template that was not rendered, and holds Queues: "
                     : figures              ? "is a template that was not rendered, and holds objects of Kueue: "
                                            : "holds a template that was not rendered beside objects of Kueue: ";
  out_.unmodelled.push_back(
      {{place.index, place.offset, place.offset + line}, "", what + render_hint(path), "file", path, true});
}

bool LeftOutFiles::is_not_applied(const Place& place, const DocumentText& document) {
  if (document.stopped_at == 0 || !unreadable_.contains(place.index)) return false;
  if (rests_on(document.bytes) == Rests::Nothing) return true;
  std::string what = "this document and what follows it are not applied: kubectl stops reading the file at line " +
                     std::to_string(document.stopped_at);
  if (stopped_.insert(place.index).second)
    out_.rejections.push_back({{place.index, place.offset, place.offset}, "", "", std::move(what), ""});
  return true;
}

void LeftOutFiles::take_template(const Place& place, const Violation& hole, const Node& object) {
  leave_out(place.index, LeftOut::Why::Template);
  const Node *api = field(object, "apiVersion"), *kind = field(object, "kind");
  const bool volcano = api != nullptr && kind != nullptr && api->text == kVolcanoApi && kind->text == "Queue";
  if (api == nullptr || kind == nullptr || (!volcano && !names_kueue(api->text))) return;
  auto& unmodelled = volcano ? out_.volcano.unmodelled : out_.unmodelled;
  unmodelled.push_back({place.span(*hole.at), hole.field,
                        "is left to a template that was not rendered: " + shown(hole.at->text), kind->text,
                        name_of(object), true});
}

bool LeftOutFiles::is_template_of_node(const Place& place, const Node& object) {
  const bool is = text_at(object, "kind") == "Node" && text_at(object, "apiVersion") == "v1" &&
                  looks_like_template(name_of(object)).has_value();
  if (is) leave_out(place.index, LeftOut::Why::Template);
  return is;
}

void LeftOutFiles::take_no_object(const Place& place, const Node& object, const NoObject& no, std::string field) {
  const Node* api = object.kind == Node::Kind::Map ? manifest::field(object, "apiVersion") : nullptr;
  if (api != nullptr && names_kueue(api->text)) with_objects_.insert(place.index);  // a mistake in any file
  if (no.kustomization) {                                                           // it may change any object
    out_.unmodelled.push_back(
        {place.span(*no.at), "", no.what + "; " + no.hint, "file", files_[place.index].path, true, true, no.directory});
    return;
  }
  no_objects_[place.index].emplace_back(place.span(object),
                                        Rejection{place.span(*no.at), std::move(field), "", no.what, no.hint});
}

namespace {

bool erase_entry(Node& node, const Node* value) {
  const auto of = [&](const Entry& entry) { return &entry.value == value; };
  if (const auto at = std::ranges::find_if(node.entries, of); at != node.entries.end())
    return node.entries.erase(at), true;
  const auto below = [&](Node& one) { return erase_entry(one, value); };
  return std::ranges::any_of(node.entries, [&](Entry& entry) { return below(entry.value); }) ||
         std::ranges::any_of(node.items, below);
}

}  // namespace

void LeftOutFiles::take_unknown_fields(const Place& place, Node& object, const std::string& path,
                                       std::vector<Violation>& refused) {
  const auto unknown = [](const Violation& v) { return v.rule == "schema:unknown-field"; };
  if (refused.empty() || !std::ranges::all_of(refused, unknown)) return;
  // A known field, misspelt: an API server that is asked strictly, as kubectl does, refuses it.
  if (std::ranges::any_of(refused, [](const Violation& v) { return v.what.find("did you mean") != std::string::npos; }))
    return;
  const std::string kind = text_at(object, "kind"), name = name_of(object);
  std::vector<const Node*> fields;
  for (const Violation& v : refused) {
    out_.unmodelled.push_back({place.span(*v.at), path + (path.empty() || v.field.empty() ? "" : ".") + v.field,
                               v.what + ": the cluster would refuse it, or runs another version of Kueue", kind, name});
    fields.push_back(v.at);
  }
  // Erasing moves what stands behind it in the same mapping: from the end on.
  for (auto at = fields.rbegin(); at != fields.rend(); ++at) erase_entry(object, *at);
  refused.clear();
}

void LeftOutFiles::look_inside(const Place& place, const Node& object, const std::string& kind) {
  if (may_hold_values(kind)) {
    read_device_values(object, files_[place.index].bytes, place, out_.cuts);
    if (std::string elsewhere = values_elsewhere(object); !elsewhere.empty()) out_.trusted.push_back(elsewhere);
  }
  const auto [known, fresh] = of_kueue_.try_emplace(place.index, false);
  if (fresh)
    known->second = names_kueue(files_[place.index].bytes) ||
                    files_[place.index].bytes.find("scheduling.volcano.sh") != std::string::npos ||
                    files_[place.index].bytes.find("featureGates") != std::string::npos;
  // What a kustomization put together may hold the text of another file.
  if (!known->second && object.file == kNoFile && kind != "CronJob" && kind != "Job") return;
  // What Kueue's own objects and their schemas hold is read, or told, elsewhere.
  const std::string api = text_at(object, "apiVersion");
  if (kind == "CustomResourceDefinition" || api.starts_with("kueue.x-k8s.io/") || api == kVolcanoApi) return;
  OfKueue found = find_of_kueue(object, kind);
  if (kind == "ConfigMap") found.configurations.clear(), found.configuration = nullptr;
  const std::string of = kind.empty() ? "file" : kind, name = kind.empty() ? files_[place.index].path : name_of(object);
  const auto doubt = [&](const Node* at, std::string what, bool dropped) {
    if (at != nullptr) out_.unmodelled.push_back({place.span(*at), "", std::move(what), of, name, dropped});
  };
  doubt(found.object, "holds objects of Kueue inside, which are not read: give what it applies", true);
  doubt(found.configuration, "holds Kueue's Configuration inside, which is not read: give it as the file or ConfigMap",
        false);
  doubt(found.gates, "sets feature gates of Kueue, which are not read: give what `helm template` prints", false);
  doubt(found.command, "changes ClusterQueues when it runs: what it leaves is not analysed", false);
  if (found.volcano != nullptr)
    out_.volcano.unmodelled.push_back(
        {place.span(*found.volcano), "", "holds or changes Queues of Volcano, which are not read", of, name, true});
  for (const Node* text : found.configurations) settings_.emplace_back(place, *text);
}

std::vector<std::pair<Place, Node>> LeftOutFiles::settings(bool configured) {
  const bool same =
      std::ranges::all_of(settings_, [&](const auto& one) { return one.second.text == settings_.front().second.text; });
  if (configured || !same) {
    for (const auto& [place, text] : settings_)
      out_.unmodelled.push_back(
          {place.span(text), "",
           "holds one of several Configurations of Kueue, and which one counts is not known: leave out the others",
           "file", files_[place.index].path});
    return {};
  }
  if (settings_.empty()) return {};
  auto [place, text] = std::move(settings_.front());
  Node data;
  data.kind = Node::Kind::Map;
  data.line = text.line, data.begin = text.begin, data.end = text.end, data.file = text.file;
  data.entries.emplace_back().key = "controller_manager_config.yaml";
  data.entries.back().value = text;
  std::vector<std::pair<Place, Node>> one;
  one.emplace_back(place, config_map_of(files_[place.index].path, std::move(data)));
  return one;
}

void LeftOutFiles::settle() {
  settle_defaults(out_.cuts, out_.trusted);
  for (auto& [file, refusals] : no_objects_) {
    if (with_objects_.contains(file)) {
      for (auto& [object, refusal] : refusals)
        if (!is_mistake_alone(object, refusal)) out_.rejections.push_back(std::move(refusal));
    } else {
      leave_out(file, why_no_object(files_[file].path));
    }
  }
  std::ranges::stable_sort(out_.left_out, {}, &LeftOut::path);
}

}  // namespace gpol::manifest
