#include "checker/observe/existing.h"

#include <algorithm>
#include <unordered_map>

#include "checker/observe/batches.h"
#include "checker/observe/bundles.h"
#include "checker/observe/checks.h"
#include "checker/observe/controller.h"
#include "checker/observe/convert.h"
#include "checker/observe/documents.h"
#include "checker/observe/dumps.h"
#include "checker/observe/edge.h"
#include "checker/observe/externals.h"
#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/left_out_files.h"
#include "checker/observe/lent.h"
#include "checker/observe/no_object.h"
#include "checker/observe/node_doubts.h"
#include "checker/observe/other_admission.h"
#include "checker/observe/pod_limits.h"
#include "checker/observe/role_labels.h"
#include "checker/observe/runtime_classes.h"
#include "checker/observe/schema/schema.h"
#include "checker/observe/spans.h"
#include "checker/observe/start.h"
#include "checker/observe/templates.h"
#include "checker/observe/volcano_objects.h"

namespace gpol {
namespace manifest {
namespace {

class ExistingReader {
 public:
  // `beside`: files that are not read; `modes`: of what was read elsewhere, may be empty.
  ExistingReader(std::span<const YamlFile> files, std::set<FileId> beside, std::vector<Mode> modes)
      : files_(files), beside_(std::move(beside)) {
    draft_.cluster.modes = std::move(modes);
  }

  Existing read(std::optional<std::vector<Node>> built) {
    if (built) read_built(std::move(*built));
    read_documents();
    for (auto& [place, config_map] : left_out_.settings(draft_.configuration_seen)) {
      draft_.problems.enter(place);
      read_config_map(config_map);
    }
    if (draft_.cluster.modes.empty()) draft_.cluster.modes.push_back({"default", {}});
    left_out_.settle();
    draft_.finish();
    for (const Reference& r : draft_.absent_flavors) out_.absent.push_back({"ResourceFlavor", r.name, r.span});
    for (const Reference& r : draft_.absent_queues) out_.absent.push_back({"ClusterQueue", r.name, r.span});
    for (const Queue& queue : draft_.cluster.queues)
      for (const std::string& check : queue.admission_checks) note_absent("AdmissionCheck", check);
    for (const Flavor& flavor : draft_.cluster.flavors)
      if (!flavor.topology.empty()) note_absent("Topology", flavor.topology);
    settle_outside(scaled_, runtimes_.plain(), out_.outside);
    controllers_.settle(draft_.configuration_seen, draft_.cluster.config, out_.runs, out_.unmodelled);
    lent_.settle(out_.pods, out_.rooms, owners_);
    externals_.settle(draft_.cluster.config.external_frameworks, out_.pods, out_.unmodelled);
    for (const std::string& unused : lent_.unused()) ++out_.others[unused];
    for (auto* pods : {&out_.pods, &out_.rooms}) settle_pods(owners_, scaled_, *pods), runtimes_.settle(*pods);
    for (const PodFacts& pods : out_.pods)
      for (const std::string& queue : {pods.of_object.queue, pods.of_pods.queue})
        if (!queue.empty() && !pods.ns.empty()) note_absent("LocalQueue", pods.ns + "/" + queue);
    out_.configured = draft_.configuration_seen;
    out_.checks_of_flavors = std::move(draft_.checks_of_flavors);
    out_.cluster = std::move(draft_.cluster);
    out_.places = std::move(draft_.places);
    volcano_.settle();
    part_volcano(files_, out_);
    out_.edge = edge_.settle(scaled_, out_.left_out, out_.others);
    doubt_checks(out_);
    node_doubts_.settle(out_);
    return std::move(out_);
  }

 private:
  void note_absent(const std::string& kind, const std::string& name) {
    const auto same = [&](const Absent& a) { return a.kind == kind && a.name == name; };
    if (known_.contains(kind + "//" + name) || known_.contains(kind + "/" + name)) return;
    if (std::ranges::none_of(out_.absent, same)) out_.absent.push_back({kind, name, {}});
  }

  void read_documents() {
    const auto place_of = [&](FileId file, const DocumentText& text) {
      const auto offset = text.bytes.data() == nullptr ? 0 : text.bytes.data() - files_[file].bytes.data();
      return Place{files_[file].path, text.index, text.line, file, static_cast<std::uint32_t>(offset)};
    };
    each_parsed(
        files_, beside_,
        [&](FileId file, const Documents& documents) {
          const Place place{files_[file].path, 0, 1, file, 0};
          left_out_.take_unreadable(place, files_[file].bytes,
                                    {"the file " + documents.refused, documents.refused_line, std::nullopt, true});
        },
        [&](ParsedDocument& document) {
          const Place place = place_of(document.file, document.text);
          if (is_template_file(place.file))
            left_out_.take_template(place, document.text.bytes);
          else if (left_out_.is_not_applied(place, document.text))
            return;
          else if (!document.tree.root)
            left_out_.take_unreadable(place, document.text.bytes,
                                      {"the document " + document.tree.refused, document.tree.refused_line,
                                       document.tree.refused_at, document.tree.kubectl_reads_on});
          else if (document.tree.root->kind != Node::Kind::Null)
            read_document(document, place);
        });
  }

  void read_built(std::vector<Node> objects) {
    for (Node& object : objects) {
      ParsedDocument document;
      const FileId file = std::min<FileId>(object.file, static_cast<FileId>(files_.size() - 1));
      document.refused.push_back(violations(object));
      document.tree.root = std::move(object);
      for (Violation& violation : document.refused.front())  // a move leaves all other nodes where they are
        if (violation.at == &object) violation.at = &*document.tree.root;
      read_document(document, {files_[file].path, 0, 1, file, 0});
    }
  }

  void read_document(ParsedDocument& document, const Place& place) {
    draft_.problems.enter(place);
    Node& root = *document.tree.root;
    const View view(root, draft_.problems);
    Node* items = items_of(root);
    if (items == nullptr) {
      const auto file = place.offset == 0 ? document.text.bytes : "";  // one that Kueue could be given as it is
      if (prepare(root, "", file, document.refused.front())) read_object(view, root);
      return;
    }
    const auto list = view.list("items");
    for (std::size_t i = 0; i < items->items.size(); ++i)
      if (prepare(items->items[i], "items[" + std::to_string(i) + "]", "", document.refused[i]))
        read_object(list->at(i), items->items[i]);
  }

  // What the cluster would say to it, as it is written; then as the newest version. False: it would be refused.
  bool prepare(Node& object, const std::string& path, std::string_view file, std::vector<Violation>& refused) {
    // Who applies a file names the namespace beside it.
    std::erase_if(refused, [](const Violation& v) { return v.rule == "metadata:namespace-required"; });
    const std::string api = text_at(object, "apiVersion"), kind = text_at(object, "kind");
    const auto hole =
        std::ranges::find_if(refused, [](const Violation& v) { return looks_like_template(v.at->text).has_value(); });
    if (hole != refused.end()) return left_out_.take_template(draft_.problems.place(), *hole, object), false;
    if (left_out_.is_template_of_node(draft_.problems.place(), object)) return false;
    // Kueue's own objects with a field of another version: what it does is not known, and the rest is.
    if (api.starts_with("kueue.x-k8s.io/"))
      left_out_.take_unknown_fields(draft_.problems.place(), object, path, refused);
    for (const Violation& violation : refused) {
      const auto mark = looks_like_template(violation.at->text);
      const std::string between = path.empty() || violation.field.empty() ? "" : ".";
      Rejection one{draft_.problems.place().span(*violation.at), path + between + violation.field, violation.rule,
                    violation.what, mark ? "it " + mark->says : taken_at_first(text_at(object, "kind"), violation)};
      if (violation.misspelt != nullptr)
        one.edits.push_back({one.span = draft_.problems.place().key(*violation.misspelt), violation.meant});
      if (left_out_.is_mistake_alone(draft_.problems.place().span(object), one)) return false;
      (api == kVolcanoApi ? out_.volcano.rejections : out_.rejections).push_back(std::move(one));
    }
    if (api.starts_with("config.kueue.x-k8s.io/"))
      at_start_ = look_at_start(object, path, file, draft_.problems.place());
    drop_nulls(object);
    to_newest_noted(object);
    if (text_at(object, "kind") == "ClusterQueue") give_spec(object);
    return refused.empty() || (++out_.objects, false);
  }

  bool to_newest_noted(Node& object) {
    note_v1beta1(object, draft_.problems.place(), out_.v1beta1);
    const auto before = text_at(object, "apiVersion");
    return to_newest(object), converted_ = before != text_at(object, "apiVersion");
  }

  void refuse(const Node& node, std::string field, std::string rule, std::string what, std::string hint = {}) {
    out_.rejections.push_back({draft_.problems.place().span(node), as_written(std::move(field), converted_),
                               std::move(rule), std::move(what), std::move(hint)});
  }

  void read_object(const View& view, const Node& object) {
    const Place& here = draft_.problems.place();
    if (read_partition_file(object, here, out_.cuts)) return ++out_.objects, left_out_.found_object(here.index);
    if (auto no = no_object(object, here.file)) {
      left_out_.look_inside(here, object, "");
      return left_out_.take_no_object(here, object, *no, no->at == &object ? view.field() : no->field);
    }
    ++out_.objects;
    left_out_.found_object(here.index);
    const std::string api = text_at(object, "apiVersion"), kind = text_at(object, "kind");
    note_role_labels(object, kind, draft_.problems.place(), out_.role_labels);
    if (volcano_.read(object, here)) return;
    find_held(object, here, out_.held);
    find_quota_ways(object, here, out_.quota_ways);
    const auto admission = other_admission(object);
    if (admission) out_.admission.insert(*admission);
    if (const KindRow* row = kind_row(api, kind); row != nullptr && row->read_given != nullptr) {
      if (kind == "ClusterQueue") note_activity(object, view.field(), here, out_);
      return read_known(*row, view, object);
    }
    left_out_.look_inside(draft_.problems.place(), object, kind);
    const auto target = scaled_by(object);
    if (target) raise_to(*target, scaled_);
    runtimes_.read(object);
    const auto edge = edge_.read(object, here);
    if (kind == "Node" && api == "v1") {
      read_node(view, out_.nodes);
      once(object);
      node_doubts_.add(name_of(object), draft_.problems.take());
      return;
    }
    const std::size_t pods = out_.pods.size();
    if (!api.starts_with("kueue.x-k8s.io/") && read_pods(view, object, api, kind)) return;
    if (auto unknown = not_served(api, kind)) {
      const Place& at = draft_.problems.place();
      Rejection one{at.span(*field(object, unknown->field)), unknown->field, unknown->rule, unknown->what,
                    unknown->hint};
      if (!left_out_.is_mistake_alone(at.span(object), one)) out_.rejections.push_back(std::move(one));
      return;
    }
    if (kind == "ConfigMap" && api == "v1" && field(object, "metadata") != nullptr && read_config_map(object)) return;
    const std::string counted_as = edge.value_or(out_.pods.size() == pods && !admission ? kind + " (" + api + ")" : "");
    const Place& place = draft_.problems.place();
    if (read_about_devices(object, files_[place.index].bytes, place, out_.cuts)) return;
    if (!lent_.add(object, place, counted_as) && !counted_as.empty() && !target && kind != "AdmissionCheck" &&
        !find_pod_limits(object, place, out_.pod_limits))
      ++out_.others[counted_as];
    externals_.add(object, place);
    known_[kind + "//" + name_of(object)];
    if (kind == "Workload") find_workload(object, place, out_.pods);
    if (kind == "AdmissionCheck") note_check(object, out_);
  }

  // What has pods: Kueue itself, what serves outside the queue (true: no more is to be said of it), whoever asks for
  // devices.
  bool read_pods(const View& view, const Node& object, const std::string& api, const std::string& kind) {
    const Place& place = draft_.problems.place();
    if (std::vector<PodFacts> asks_nothing; controllers_.read(object, view.field(), place, out_.unmodelled))
      return find_pods(object, place, asks_nothing, out_.rooms), true;  // it asks for no device
    const std::size_t before = out_.outside.size(), pods = out_.pods.size(), rooms = out_.rooms.size();
    if (find_pods(object, place, out_.pods, out_.rooms)) owners_.emplace(full_name_of(object), owner_of(object));
    read_workload_owner(view, api, kind, out_.outside);
    const auto problems = draft_.problems.take();
    if (out_.outside.size() == before) return false;
    out_.rooms.resize(rooms);
    OutsideFacts& facts = out_.outside.back();
    if (facts.unknown.empty() && !problems.empty())
      facts.unknown = problems.front().field + " " + problems.front().what;
    if (facts.isolation != "C") out_.pods.resize(pods);  // what is said of them is said there
    for (std::size_t i = pods; i < out_.pods.size(); ++i) out_.pods[i].class_c = true;
    const auto [known, fresh] = known_.try_emplace(full_name_of(object), Known{meaning_of(object), facts.span});
    if (fresh) return true;
    if (known->second.meaning != meaning_of(object)) twice(object, kind, facts.name, known->second.at);
    out_.outside.pop_back();
    return true;
  }

  void twice(const Node& object, const std::string& kind, const std::string& name, Span first) {
    const Node* metadata = field(object, "metadata");
    const Node* at = metadata == nullptr ? nullptr : field(*metadata, "name");
    out_.conflicts.emplace_back(first.file, draft_.problems.place().span(object).file);
    refuse(at == nullptr ? object : *at, "metadata.name", "input:duplicate",
           kind + " " + shown(name) + " is there twice, first at " + line_in(files_, first), "leave one of them out");
  }

  // One machine is one Node, however often it was dumped.
  void once(const Node& object) {
    if (out_.nodes.empty()) return;
    const NodeFacts& last = out_.nodes.back();
    const auto [known, fresh] = nodes_.try_emplace(last.name, out_.nodes.size() - 1);
    if (fresh || known->second == out_.nodes.size() - 1) return;
    NodeFacts& before = out_.nodes[known->second];
    if (before.labels != last.labels || before.taints != last.taints) twice(object, "Node", last.name, before.span);
    take_worst(last, before);
    out_.nodes.pop_back();
  }

  void read_known(const KindRow& row, const View& view, const Node& object) {
    const std::size_t before = out_.unmodelled.size();
    read_once(row, view, object);
    if (row.whose == Whose::Config)
      add_start(std::exchange(at_start_, {}), before, "Configuration", "", out_.unmodelled);
  }

  void read_once(const KindRow& row, const View& view, const Node& object) {
    const Node* metadata = field(object, "metadata");
    const std::string kind(row.kind), name = text_at(metadata, "name"), said = text_at(metadata, "namespace");
    const std::string ns = row.scope == Scope::Cluster ? "" : said.empty() ? "default" : said;
    Span first;  // where an object of this name was met before, or here
    if (!name.empty() || kind == "Configuration") {
      const Known here{meaning_of(object),
                       draft_.problems.place().span(name.empty() ? object : *field(*metadata, "name"))};
      const auto [before, fresh] = known_.try_emplace(kind + "/" + ns + "/" + name, here);
      if (!fresh && before->second.meaning == here.meaning) {  // the same, said twice
        out_.copies.emplace_back(before->second.at, here.at);
        return;
      }
      if (!fresh) first = before->second.at;
      if (!fresh && kind == "LocalQueue")
        out_.twice.push_back(kind + " " + shown(ns + "/" + name) + " is there twice, first at " +
                             line_in(files_, first) + ": both count, as two ways in");
    }
    const std::size_t guards = draft_.cluster.admission_policies.size(),
                      bindings = draft_.cluster.admission_bindings.size();
    view.ignore("apiVersion"), view.ignore("kind");
    row.read_given(view, draft_);
    auto problems = draft_.problems.take();
    if (row.whose == Whose::Hook) std::erase_if(problems, [](const NotUnderstood& one) { return !one.not_modelled; });
    if (problems.empty()) return;
    if (row.whose == Whose::Guard) {  // what is not understood as a whole denies nothing
      draft_.cluster.admission_policies.resize(guards);
      draft_.cluster.admission_bindings.resize(bindings);
      out_.guards_in_part.insert(problems.front().span.file);
    }
    if (row.whose == Whose::Guard || row.whose == Whose::Other) {
      const NotUnderstood& worst = problems.front();
      if (worst.what.ends_with("is there twice"))
        out_.twice.push_back(worst.what + ", first at " + line_in(files_, first) + ": that one counts");
      else
        out_.passed_over.push_back(kind + " " + shown(name) + ": " + worst.field + " " + worst.what);
      return;
    }
    for (const NotUnderstood& problem : problems) {
      if (problem.what.ends_with("is there twice")) {  // with another content: which one counts is not known
        if (first.known()) out_.conflicts.emplace_back(first.file, problem.span.file);
        out_.rejections.push_back({problem.span, problem.field, "input:duplicate",
                                   problem.what + (first.known() ? ", first at " + line_in(files_, first) : ""),
                                   "leave one of them out, as `exclude` of gpol.yaml does"});
      } else {  // what the cluster takes and no reader here knows
        out_.unmodelled.push_back({problem.span, as_written(problem.field, converted_), problem.what, kind, name});
      }
    }
  }

  // The controller's own file, where it is mounted from, whatever its key: what cannot be read of it may say anything.
  bool read_config_map(const Node& object) {
    const Place place = draft_.problems.place();
    auto files = mounted_files(object, files_[place.index].bytes, place);
    const std::string name = text_at(*field(object, "metadata"), "name");
    for (MountedFile& file : files) {
      if (!file.refused.empty()) {
        out_.unmodelled.push_back({file.refused_at, file.path, file.refused, "ConfigMap", name});
        continue;
      }
      at_start_ = std::move(file.at_start);
      Node& root = *file.tree.root;
      drop_nulls(root);
      to_newest_noted(root);
      const std::size_t before = out_.unmodelled.size();
      read_known(*kind_row(kConfigApi, "Configuration"), View(root, draft_.problems), root);
      for (std::size_t i = before; i < out_.unmodelled.size(); ++i) {
        Unmodelled& found_in = out_.unmodelled[i];
        if (file.inside) found_in.span = place.span(*file.value);  // its offsets are those of the text within the text
        found_in.field = file.path + (found_in.field.empty() ? "" : ".") + found_in.field;
        found_in.kind = "ConfigMap", found_in.name = name;
      }
    }
    return !files.empty();
  }

  std::span<const YamlFile> files_;
  const std::set<FileId> beside_;
  Draft draft_{Scale::Part};
  Existing out_;
  LeftOutFiles left_out_{files_, out_};
  struct Known {
    std::size_t meaning = 0;
    Span at;  // of the name
  };
  std::unordered_map<std::string, Known> known_;
  bool converted_ = false;
  std::vector<Unmodelled> at_start_;                    // of the Configuration that is being read
  std::unordered_map<std::string, std::size_t> nodes_;  // by name, into Existing::nodes
  NodeDoubts node_doubts_;
  Controllers controllers_;
  Externals externals_;
  EdgeReader edge_;
  VolcanoReader volcano_{files_, out_.volcano, out_.conflicts};
  Owners owners_;  // of what has pods
  Lent lent_;
  Scaled scaled_;
  RuntimeClasses runtimes_;
};

}  // namespace
}  // namespace manifest
Existing observe_existing(std::span<const YamlFile> files) {
  OwnLayout own = own_layout(files);
  return manifest::ExistingReader(files, std::move(own.beside), std::move(own.modes)).read(std::nullopt);
}

Existing observe_built(std::span<const YamlFile> files, std::vector<manifest::Node> objects, std::size_t built) {
  std::set<FileId> beside;
  for (FileId file = 0; file < built; ++file) beside.insert(file);
  return manifest::ExistingReader(files, std::move(beside), {}).read(std::move(objects));
}

}  // namespace gpol
