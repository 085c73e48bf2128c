#include "checker/observe/left_out.h"

#include <algorithm>

#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "checker/observe/left_out_files.h"
#include "checker/observe/templates.h"

namespace gpol::manifest {

bool names_objects(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("apiVersion") && has("kind");
}

bool names_kueue(std::string_view text) { return text.find("kueue.x-k8s.io") != std::string_view::npos; }

bool is_template_file(std::string_view path) {
  constexpr std::string_view kEnds[] = {".tpl", ".tftpl", ".j2"};
  return std::any_of(std::begin(kEnds), std::end(kEnds), [&](std::string_view end) { return path.ends_with(end); });
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
  out_.rejections.push_back({{place.index, offset, offset}, "", "", refusal.what, ""});
  unreadable_.insert(place.index);
}

void LeftOutFiles::take_template(const Place& place, std::string_view text) {
  leave_out(place.index, LeftOut::Why::Template);
  if (!names_kueue(text)) return;
  const auto line = static_cast<std::uint32_t>(std::min(text.size(), text.find('\n')));
  out_.unmodelled.push_back({{place.index, place.offset, place.offset + line},
                             "",
                             "is a template that was not rendered, and holds objects of Kueue",
                             "file",
                             files_[place.index].path,
                             true});
}

bool LeftOutFiles::is_not_applied(const Place& place, const DocumentText& document) {
  if (document.stopped_at == 0 || !unreadable_.contains(place.index)) return false;
  if (stopped_.insert(place.index).second)
    out_.rejections.push_back(
        {{place.index, place.offset, place.offset},
         "",
         "",
         "this document and what follows it are not applied: kubectl stops reading the file at line " +
             std::to_string(document.stopped_at),
         ""});
  return true;
}

void LeftOutFiles::take_template(const Place& place, const Violation& hole, const Node& object) {
  leave_out(place.index, LeftOut::Why::Template);
  const Node *api = field(object, "apiVersion"), *kind = field(object, "kind");
  if (api == nullptr || kind == nullptr || !names_kueue(api->text)) return;
  out_.unmodelled.push_back({place.span(*hole.at), hole.field,
                             "is left to a template that was not rendered: " + shown(hole.at->text), kind->text,
                             name_of(object), true});
}

void LeftOutFiles::take_no_object(const Place& place, const Node& object, const NoObject& no, std::string field) {
  const Node* api = object.kind == Node::Kind::Map ? manifest::field(object, "apiVersion") : nullptr;
  if (api != nullptr && names_kueue(api->text)) with_objects_.insert(place.index);  // a mistake in any file
  if (no.kustomization) {                                                           // it may change any object
    out_.unmodelled.push_back({place.span(*no.at), "", no.what, "file", files_[place.index].path, true});
    return;
  }
  no_objects_[place.index].push_back({place.span(*no.at), std::move(field), "", no.what, no.hint});
}

// The values of Kueue's chart may hold its Configuration.
void LeftOutFiles::leave_out_beside(FileId file, Span at) {
  const YamlFile& left = files_[file];
  leave_out(file, why_no_object(left.path));
  if (left.bytes.find("config.kueue.x-k8s.io") != std::string::npos)
    out_.unmodelled.push_back(
        {at, "", "names Kueue's Configuration and is no object: give what `helm template` prints", "file", left.path});
}

void LeftOutFiles::settle() {
  for (auto& [file, refusals] : no_objects_) {
    if (with_objects_.contains(file))
      for (Rejection& one : refusals) out_.rejections.push_back(std::move(one));
    else
      leave_out_beside(file, refusals.front().span);
  }
  std::stable_sort(out_.left_out.begin(), out_.left_out.end(),
                   [](const LeftOut& a, const LeftOut& b) { return a.path < b.path; });
}

}  // namespace gpol::manifest
