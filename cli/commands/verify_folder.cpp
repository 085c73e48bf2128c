// The bundles of what was given, each verified by itself.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "checker/observe/existing.h"
#include "checker/observe/rests.h"
#include "cli/commands/commands.h"
#include "cli/commands/observed_bundles.h"
#include "cli/commands/read_in_part.h"
#include "cli/commands/verify.h"
#include "cli/commands/verify_notes.h"
#include "cli/render/progress.h"
#include "cli/render/text.h"
#include "compiler/source/lookup.h"
#include "compiler/source/parallel.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// Parts of one folder may be applied to one cluster: what they share is then shared by more queues than each shows.
void name_shared_cohorts(Verified& verified) {
  if (verified.sessions.size() < 2) return;
  std::map<std::string, std::vector<std::size_t>> parts;  // by cohort
  for (std::size_t i = 0; i < verified.sessions.size(); ++i) {
    const Cluster& cluster = verified.sessions[i]->planned->cluster;
    std::set<std::string> names;
    for (const CohortNode& cohort : cluster.cohorts) names.insert(cohort.name);
    for (const Queue& queue : cluster.queues)
      if (!queue.cohort.empty()) names.insert(queue.cohort);
    for (const std::string& name : names) parts[name].push_back(i);
  }
  for (const auto& [cohort, sharing] : parts)
    for (const std::size_t i : sharing) {
      std::string others;
      for (const std::size_t other : sharing)
        if (other != i) add_to_list(others, fmt::format("`{}`", verified.run.policies[other].bundle));
      if (others.empty()) continue;
      verified.sessions[i]->report.trust(
          fmt::format("cohort `{}` of this part is another one than that of {}: they are applied to different clusters",
                      cohort, others));
      verified.run.policies[i].notes.push_back(fmt::format(
          "takes for granted that cohort `{}` of {} is another one, of another cluster (`--as-one`: of this one)",
          cohort, others));
    }
}

// Of tools and people; git's own apart, which nobody would miss.
bool is_hidden(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') && name != ".git";
}

// What a repository holds of other people's, or to test other people's: no part of a cluster unless somebody says so.
bool is_vendored(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name == "vendor" || name == "node_modules" || name == "testdata";
}

constexpr std::size_t kMostLooked = 10'000;

// What is passed over may hold queues and cohorts all the same: a file, or a directory below which one does.
bool holds_queues(const FileTree& tree, const std::filesystem::path& path, std::size_t& looked,
                  bool of_volcano = false) {
  const auto names = [&](const std::filesystem::path& file) {
    std::vector<Diagnostic> ignored;
    const auto text = read_manifest_file(file.string(), ignored, tree);
    if (!text || text->find("kind: CustomResourceDefinition") != std::string::npos) return false;
    if (of_volcano) return manifest::rests_on_volcano(*text);
    return manifest::names_api(*text, "config.kueue.x-k8s.io/") ||
           (manifest::names_api(*text, "kueue.x-k8s.io/") &&
            (text->find("ClusterQueue") != std::string::npos || text->find("Cohort") != std::string::npos));
  };
  if (!tree.is_directory(path)) return names(path);
  std::error_code unreadable;
  for (const FileTree::Entry& entry : tree.entries(path, unreadable)) {
    const auto extension = std::filesystem::path(entry.name).extension();
    const bool directory = entry.type == FileTree::Type::Directory;
    if (!directory && extension != ".yaml" && extension != ".yml" && extension != ".json") continue;
    if (++looked > kMostLooked) return false;
    if (directory ? holds_queues(tree, path / entry.name, looked, of_volcano) : names(path / entry.name)) return true;
  }
  return false;
}

void tell_passed_over(const std::vector<LeftOut>& passed_over, const FileTree& tree, Verified& verified) {
  std::string paths;
  for (const LeftOut& one : passed_over)
    if (std::size_t looked = 0; one.why != LeftOut::Why::Vendored && holds_queues(tree, one.path, looked))
      add_to_list(paths, fmt::format("`{}`", one.path));
  if (paths.empty()) return;
  verified.run.notes.push_back(fmt::format("left out, with queues of Kueue: {}", paths));
  for (const auto& session : verified.sessions)
    session->report.trust(fmt::format("what is left out with queues of Kueue is no part of the cluster: {}", paths));
}

// Where nothing else was read a mistake is what there is to tell.
void tell_mistakes_alone(std::vector<ObservedBundle>& observed) {
  for (auto& [bundle, existing] : observed) {
    std::move(existing.mistakes.begin(), existing.mistakes.end(), std::back_inserter(existing.rejections));
    std::erase_if(existing.left_out, [](const LeftOut& one) { return one.why == LeftOut::Why::Wrong; });
  }
}

// What stands beside templates, and the releases that name the directory: all of them may hold its values.
void add_chart(const std::string& directory, const std::vector<ObservedBundle>& observed, std::vector<Unread>& all) {
  constexpr const char* kWhy = "of a template that was not rendered";
  all.push_back({directory, kWhy, true});
  const std::string name = directory.substr(directory.rfind('/') + 1);
  for (const auto& [bundle, existing] : observed)
    for (const YamlFile& file : bundle.files)
      for (const std::string_view kind : {"HelmRelease", "HelmChart", "Application", "releases:", "helmCharts:"})
        if (file.bytes.find(kind) != std::string::npos && file.bytes.find(name) != std::string::npos) {
          all.push_back({file.path, kWhy, true});
          for (const ObservedBundle& other : observed)  // `valueFiles`, from wherever they are counted
            for (const YamlFile& values : other.bundle.files)
              if (file.bytes.find(std::filesystem::path(values.path).filename().string()) != std::string::npos)
                all.push_back({values.path, kWhy, true});
        }
}

// Its files, and what else they name: values of charts, replacements, directories of transformers.
// `whole`: its files were read.
void add_kustomization(const Bundle& bundle, bool whole, std::vector<Unread>& all) {
  constexpr const char* kWhy = "of a kustomization that is not built";
  const bool counts = bundle.of_kueue || std::ranges::any_of(bundle.files, [](const YamlFile& file) {
                        return manifest::rests_on(file.bytes) == manifest::Rests::Figures;
                      });
  const auto read = [&](const std::string& path) {
    return std::ranges::any_of(
        bundle.files, [&](const YamlFile& file) { return file.path == path || file.path.starts_with(path + "/"); });
  };
  for (const YamlFile& file : bundle.files) {
    if (!whole) all.push_back({file.path, kWhy, counts});
    const std::filesystem::path path = file.path;
    if (!path.filename().string().starts_with("kustomization") && path.filename() != "Kustomization") continue;
    std::string word;
    for (const char c : file.bytes + " ") {
      if (std::isspace(static_cast<unsigned char>(c)) == 0 &&
          std::string_view("\"'[]{},:").find(c) == std::string::npos) {
        word += c;
        continue;
      }
      const std::string named = (path.parent_path() / word).lexically_normal().string();
      if (!word.empty() && word != "." && word != ".." && word != "/" && named != file.path && !(whole && read(named)))
        all.push_back({named, kWhy, counts});
      word.clear();
    }
  }
}

// What stands in the folder and says nothing here, though it may say something to the cluster.
std::vector<Unread> unread_of(const std::vector<ObservedBundle>& observed, const std::vector<std::string>& paths) {
  std::vector<Unread> all;
  const auto is_path = [&](const std::string& directory) {  // in which all else stands, too
    return std::ranges::any_of(paths, [&](const std::string& path) {
      return (std::filesystem::path(path) / "").lexically_normal() ==
             (std::filesystem::path(directory) / "").lexically_normal();
    });
  };
  for (const ObservedBundle& one : observed) add_read_in_part(one, all);
  for (const auto& [bundle, existing] : observed) {
    for (const LeftOut& one : existing.left_out) {
      using Why = LeftOut::Why;
      if (one.why == Why::Excluded || one.why == Why::NotNamed || one.why == Why::Ignored) continue;
      // The values of a chart's templates stand beside these, as the variables of a role do.
      const auto end = std::min(one.path.find("templates/"), one.path.rfind('/') + 1);
      if (one.why == Why::Template && end > 1 && end != std::string::npos &&
          contains(existing.unmodelled, one.path, &Unmodelled::name) && !is_path(one.path.substr(0, end - 1)))
        add_chart(one.path.substr(0, end - 1), observed, all);
      all.push_back({one.path, one.why == Why::Template                             ? "a template"
                               : one.why == Why::Wrong                              ? "it has a mistake"
                               : one.why == Why::Hidden || one.why == Why::Vendored ? "left out by its folder's name"
                                                                                    : "no object of Kubernetes"});
    }
    const bool whole =
        bundle.errors.empty() && bundle.not_built.empty() && std::ranges::none_of(bundle.not_read, [](const auto& one) {
          return one.what >= manifest::Built::NotRead::What::Component;
        });
    if (!bundle.not_read.empty() || !whole) add_kustomization(bundle, whole, all);
    for (const Unmodelled& one : existing.unmodelled)
      if (one.span.known() && one.span.file < bundle.files.size())
        all.push_back({bundle.files[one.span.file].path, "it says what is not understood", true});
  }
  return all;
}

// Whether the queues in there are of this cluster nobody has said: no kustomization names any of it.
void doubt_vendored(const std::vector<LeftOut>& passed_over, const FileTree& tree,
                    std::vector<ObservedBundle>& observed) {
  for (const LeftOut& one : passed_over) {
    if (one.why != LeftOut::Why::Vendored) continue;
    const std::string below = (std::filesystem::path(one.path).lexically_normal() / "").string();
    const bool named = std::ranges::any_of(observed, [&](const ObservedBundle& bundle) {
      return std::ranges::any_of(bundle.bundle.files,
                                 [&](const YamlFile& file) { return file.path.starts_with(below); });
    });
    for (const bool of_volcano : {false, true}) {
      if (std::size_t looked = 0; named || !holds_queues(tree, one.path, looked, of_volcano)) continue;
      for (ObservedBundle& bundle : observed)
        if (of_volcano ? bundle.existing.volcano.any() : !bundle.existing.cluster.queues.empty())
          (of_volcano ? bundle.existing.volcano.unmodelled : bundle.existing.unmodelled)
              .push_back({{},
                          "",
                          fmt::format("is left out by its name and holds queues of {}: `include` or `exclude` it in "
                                      "gpol.yaml",
                                      of_volcano ? "Volcano" : "Kueue"),
                          "folder",
                          one.path,
                          true});
    }
  }
}

std::string kueue_in_words(const std::set<std::string>& versions, bool timed) {
  return fmt::format("Kueue {}{}", fmt::join(versions, ", "), timed ? "" : ", untimed");
}

}  // namespace

Verified verify_paths(const VerifyOptions& options, std::istream& standard_input, Progress* progress,
                      const Known* known) {
  const FileTree& tree = *options.tree;
  Verified verified;
  RunReport& run = verified.run;
  run.version = GPOL_VERSION;
  run.allowed_gaps = options.allowed_gaps;
  run.fail_on = options.fail_on;
  const Config config = find_config(options.paths, run.diagnostics, tree);
  run.waivers = {config.said.waivers, options.as_of};
  verified.config = config.said;
  VerifyOptions settled = options;
  if (settled.kueue.empty()) settled.kueue = config.said.kueue;
  std::vector<LeftOut> passed_over;
  auto texts = read_manifests(
      options.paths, standard_input,
      [&](const std::string& path) {
        const bool excluded = config.excludes(path);
        if (excluded) passed_over.push_back({LeftOut::Why::Excluded, path});
        if (!excluded && is_hidden(path) && tree.is_directory(path))
          passed_over.push_back({LeftOut::Why::Hidden, path});
        const bool vendored = !excluded && is_vendored(path) && tree.is_directory(path) && !config.includes(path);
        if (vendored) passed_over.push_back({LeftOut::Why::Vendored, path});
        return excluded || vendored || config.is(path);
      },
      tree);
  if (options.tells_ignored)
    for (const std::filesystem::path& path : tree.passed_over())
      if (tree.is_directory(path) || manifest::is_manifest_file(path.string()))
        passed_over.push_back({LeftOut::Why::Ignored, path.lexically_normal().string()});
  std::move(texts.diagnostics.begin(), texts.diagnostics.end(), std::back_inserter(run.diagnostics));
  std::string classes;
  if (!options.classes.empty())
    if (auto text = read_policy_file(options.classes, run.diagnostics)) classes = text->empty() ? "\n" : *text;
  std::vector<YamlFile> files, nodes;
  for (const std::string& path : options.nodes)
    if (auto text = read_manifest_file(path, run.diagnostics)) nodes.push_back({path, std::move(*text)});
  // Kustomizations name files without `./`.
  for (PolicyText& text : texts.value)
    files.push_back({std::filesystem::path(text.path).lexically_normal().string(), std::move(text.text)});
  const ReadMore more{[&](const std::string& path) { return read_beside(options.paths, path, tree); },
                      [&](const std::string& path) { return is_outside(options.paths, path, tree); }};
  auto observed = observe_bundles(bundles_of(files, more), nodes, options.as_one);
  if (observed.size() > 1) join_configurations(observed, files, more, nodes);
  drop_changes_elsewhere(observed);
  for (const ObservedBundle& one : observed)
    for (const std::string& path : one.bundle.not_named) passed_over.push_back({LeftOut::Why::NotNamed, path});
  if (!observed.empty()) {
    auto& left_out = observed.front().existing.left_out;
    left_out.insert(left_out.end(), passed_over.begin(), passed_over.end());
  }
  verified.unread = unread_of(observed, options.paths);
  std::set<std::string> queues = options.elsewhere;  // and of all bundles: a flag may name one of any
  for (const ObservedBundle& one : observed) {
    for (const Queue& queue : one.existing.cluster.queues) queues.insert(queue.name);
    for (const volcano::Queue& queue : one.existing.volcano.setup.queues) queues.insert(queue.name);
  }
  for (const ObservedBundle& one : observed)
    for (auto& server : likely_servers(one.existing))
      if (!contains(verified.likely, server)) verified.likely.push_back(std::move(server));
  auto speaks = std::ranges::find_if(observed, [](const auto& one) { return one.existing.objects > 0; });
  if (speaks == observed.end()) {
    tell_mistakes_alone(observed);
    speaks = observed.begin();
  }
  part_schedulers(observed);
  const bool all_say_nothing = std::ranges::all_of(observed, says_nothing);
  share_running(observed);
  doubt_vendored(passed_over, tree, observed);
  std::set<std::string> versions, assumed;
  bool any_timed = false;
  struct Judged {
    ObservedBundle& one;
    PolicyReport shown;
    std::unique_ptr<Session> session = {};
  };
  std::vector<Judged> judged;
  for (ObservedBundle& one : observed) {
    const bool whole = one.bundle.path == "." && options.paths.size() == 1;
    const std::string name =
        (whole ? options.paths.front() : one.bundle.path) + (one.existing.volcano.beside ? " (Volcano)" : "");
    // Where nothing is said at all, the first one that was read says so.
    if (observed.size() > 1 && says_nothing(one) && !options.kept.contains(name) && !finds_at_gateways(one) &&
        (!all_say_nothing || &one != &*speaks)) {
      if (one.existing.objects > 0)
        run.notes.push_back(fmt::format("left out: {} in `{}`, without a queue", plural(one.existing.objects, "object"),
                                        one.bundle.path));
      if (!one.bundle.errors.empty() || !one.bundle.not_built.empty() || !one.bundle.not_read.empty())
        run.notes.push_back(
            fmt::format("left out: `{}`, a kustomization that is not built as a whole and names nothing of Kueue",
                        one.bundle.path));
      for (std::string& text : left_out_texts(one.existing, options.list_skipped)) run.notes.push_back(std::move(text));
      continue;
    }
    PolicyReport shown;
    shown.verified = true;
    shown.bundle = name;
    shown.built = one.bundle.built;
    shown.nodes = !one.existing.nodes.empty() || !config.said.nodes.empty();
    judged.push_back({one, std::move(shown)});
  }
  const auto is_known = [&](std::size_t i) {
    return known != nullptr && known->verified.run.policies.size() == judged.size() &&
           known->verified.run.policies[i].bundle == judged[i].shown.bundle &&
           std::ranges::none_of(judged[i].one.bundle.files,
                                [&](const YamlFile& file) { return known->edited.contains(file.path); });
  };
  if (progress != nullptr) progress->begin("bundles", judged.size());
  in_parallel(judged.size(), settled.jobs == 0 ? processors() : settled.jobs, [&](std::size_t i) {
    auto& [one, shown, session] = judged[i];
    if (is_known(i)) return;
    const Said all{classes, &queues, &config};
    session = one.existing.volcano.any()
                  ? verify_volcano(one.existing.volcano, one.existing, one.bundle, all, settled, shown.notes)
                  : verify_observed(std::move(one.existing), std::move(one.bundle), all, settled, shown.notes);
    if (progress != nullptr) progress->done_one();
  });
  for (auto& [one, shown, session] : judged) {
    if (session == nullptr) {
      run.policies.push_back(known->verified.run.policies[run.policies.size()]);
      verified.sessions.push_back(nullptr);
      continue;
    }
    const Cluster& cluster = session->planned->cluster;
    if (one.existing.volcano.beside && no_volcano_queue_serves(*session)) {
      run.notes.push_back(fmt::format("left out: {} of Volcano in `{}`, none of which is said to serve",
                                      plural(cluster.volcano->queues.size(), "Queue"), one.bundle.path));
      continue;
    }
    const auto& roles = session->planned->intent.roles;
    const bool timed = std::ranges::any_of(roles, [](const QueueRole& r) { return r.deadline.has_value(); });
    any_timed = any_timed || timed;
    shown.assumed = cluster.volcano ? "Volcano v" + cluster.volcano->version
                                    : kueue_in_words({"v" + cluster.config.version}, timed);
    if (cluster.volcano)
      assumed.insert(shown.assumed);
    else
      versions.insert("v" + cluster.config.version);
    const PolicyReport report = report_of(*session);
    shown.sources = report.sources;
    shown.report = report.report;
    shown.planned = report.planned;
    shown.module = report.module;
    run.policies.push_back(std::move(shown));
    verified.sessions.push_back(std::move(session));
  }
  if (known != nullptr) return verified;
  name_shared_cohorts(verified);
  tell_passed_over(passed_over, tree, verified);
  for (std::string& text : waiver_texts(run)) run.notes.push_back(std::move(text));
  if (versions.empty() && assumed.empty())
    versions.insert("v" + (settled.kueue.empty() ? KueueConfig().version : settled.kueue));
  if (!versions.empty()) assumed.insert(kueue_in_words(versions, any_timed));
  run.assumed = fmt::format("{}", fmt::join(assumed, "; "));
  return verified;
}

}  // namespace gpol
