// build: check, emit, read the emitted bytes back, demand the same meaning, write. Nothing is written unless everything
// is proven or every gap is allowed by name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "checker/observe/node_commands.h"
#include "checker/observe/observe.h"
#include "cli/codes.h"
#include "cli/commands/commands.h"
#include "cli/commands/earlier.h"
#include "cli/commands/held_signals.h"
#include "cli/commands/importers.h"
#include "cli/config/config.h"
#include "cli/config/kueue_config.h"
#include "compiler/policy/constructs.h"
#include "compiler/source/text.h"
#include "emit/codes.h"
#include "emit/differences.h"
#include "emit/emit.h"
#include "emit/gpol_file.h"
#include "emit/layout.h"
#include "emit/node_setup.h"
#include "emit/partition_setup.h"
#include "emit/readme.h"
#include "emit/revision.h"
#include "emit/write.h"

namespace gpol {

namespace {

std::vector<RenderedFile> render_files(const Session& session) {
  std::vector<FileId> texts;
  for (FileId file = 0; file < session.sources.size(); ++file) texts.push_back(file);
  const EmitInput input{*session.planned, session.sources, revision(session.sources, texts)};
  std::vector<RenderedFile> files;
  for (const Artefact& artefact : emit(input)) files.push_back(render(artefact));
  return files;
}

// The scripts for people must say of nodes what the manifests say of them, once each.
template <class Planned, class Read, class Same>
void require_same(const std::vector<RenderedFile>& commands, const std::vector<Planned>& planned, const Read& read_back,
                  const Same& same, std::string_view gives, std::string_view what) {
  std::size_t scripts = 0;
  for (const RenderedFile& file : commands) {
    if (!file.path.ends_with(".sh")) continue;
    ++scripts;
    const auto read = read_back(file.path, file.bytes);
    if (!read || std::ranges::none_of(planned, [&](const Planned& one) { return same(*read, one); }))
      throw InternalError(fmt::format("{} does not give nodes {}", file.path, gives));
  }
  if (scripts != planned.size()) throw InternalError(fmt::format("{} has no commands", what));
}

bool same_pool(const NodePool& a, const NodePool& b) {
  return a.name == b.name && a.labels == b.labels && a.taints == b.taints;
}

bool same_cut(const CutNodes& a, const CutNodes& b) {
  return a.config == b.config && a.labels == b.labels && a.by == b.by;
}

// The read-back sees the bytes and nothing else.
Observed read_back(const std::vector<RenderedFile>& files) {
  std::vector<YamlFile> yaml;
  for (const RenderedFile& file : files) yaml.push_back({file.path, file.bytes});
  return observe(yaml);
}

void require_understood(const Observed& observed) {
  if (observed.problems.empty()) return;
  const NotUnderstood& first = observed.problems.front();
  throw InternalError(fmt::format("an emitted file is not understood when it is read back: {} document {} {}: {}",
                                  first.file, first.document, first.field, first.what));
}

// --kueue-config: the lines for Kueue's Configuration, which were read back and are what is proven, within the one that
// is given. What that says beside them changes nothing of the proof, or is in the report (kueue_config.h).
ConfigurationFile put_configuration(const YamlFile& given, Session& session, std::vector<RenderedFile>& files) {
  const FileId id = session.sources.add(given.path, given.bytes);
  const auto merged = merge_configuration(given, id, *session.planned, session.report.diagnostics);
  if (!merged) return ConfigurationFile::Lines;  // nothing is written
  for (RenderedFile& file : files)
    if (file.path == path_in(Folder::Controller, "controller_manager_config.yaml")) file.bytes = merged->bytes;
  using Form = GivenConfiguration::Form;
  return merged->form == Form::Itself      ? ConfigurationFile::Itself
         : merged->form == Form::ConfigMap ? ConfigurationFile::ConfigMap
                                           : ConfigurationFile::Values;
}

bool promises(const Report& report) { return std::ranges::any_of(report.obligations, &Obligation::required); }

std::string written(const WriteSummary& summary, const std::string& directory) {
  const std::string files = fmt::format("{} files", summary.files);
  return summary.changed ? fmt::format("wrote {} to `{}`", files, directory)
                         : fmt::format("`{}` already holds exactly these {}", directory, files);
}

// What a policy may say and no emitter writes yet: manifests without it would mean something else, so that no allowed
// gap lets them be written. True where there is such a thing.
bool refuse_unwritten(const Policy& policy, Report& report) {
  const std::size_t before = report.diagnostics.size();
  for (const PlannedUse& use : policy.planned) {
    if (!is_unwritten(use.construct)) continue;
    report.diagnostics.push_back(
        error_at(code::NotWritten, use.span,
                 fmt::format("`{}` of {} `{}` cannot be written as manifests yet", use.text, use.kind, use.name),
                 use.construct.starts_with("gateway")
                     ? "leave it out: a gateway counts requests alone, and answers at once what it does not let in"
                 : use.construct != "classRuns" ? "take the pool whole, and count GPUs: `gpol check` reads it as it is"
                                                : "run only `Job` and `Pod`: `gpol check` reads it as it is"));
  }
  return report.diagnostics.size() > before;
}

// Who interrupts the run gets the old directory or the new one, and nothing beside it.
Outcome<WriteSummary> write_whole(const std::string& directory, const std::vector<RenderedFile>& files,
                                  const std::string& cluster) {
  const HeldSignals held;
  return write(directory, files, [&held] { return held.waiting(); }, cluster);
}

// --check: the directory, as it would be written.
void compare_with(const std::string& directory, const std::vector<RenderedFile>& files, const std::string& cluster,
                  RunReport& run) {
  constexpr std::size_t kMost = 20;
  constexpr const char* kHow[] = {"missing", "differs", "not of this policy"};
  std::error_code error;
  const auto found = differences(directory, files, cluster, error);
  if (error) {
    run.diagnostics.push_back(
        error_at(code::CannotWrite, {}, fmt::format("`{}` cannot be read: {}", directory, error.message())));
    return;
  }
  if (found.empty()) {
    run.notes.push_back(fmt::format("`{}` holds exactly these {} files", directory, files.size()));
    return;
  }
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i)
    run.notes.push_back(fmt::format("{}: {}", kHow[static_cast<std::size_t>(found[i].how)],
                                    (std::filesystem::path(directory) / found[i].path).string()));
  if (found.size() > kMost) run.notes.push_back(fmt::format("and {} more", found.size() - kMost));
  run.unwritten = true;
  run.diagnostics.push_back(error_at(
      code::OutputDiffers, {},
      fmt::format("`{}` is not what the policy gives: {} of {} files differ", directory, found.size(), files.size()),
      "run `gpol build` with the same options (`--from`, `--kueue-config`, `--mig-config`, `--volcano-config`) but "
      "`--check`, and commit "
      "what it writes"));
}

std::string in_words(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) add_to_list(list, fmt::format("`{}`", name));
  return list;
}

// Which queues of an earlier build are kept, and until when.
void tell_kept(const Cluster& planned, RunReport& run) {
  std::map<std::string, std::vector<std::string>> queues;  // by tenant
  for (const auto& [queue, tenant] : kept_queues(planned)) queues[tenant].push_back(queue);
  for (const auto& [tenant, names] : queues)
    run.notes.push_back(fmt::format(
        "kept from the earlier build, with LocalQueues on Hold: {} of tenant `{}`; until its work has ended, leave the "
        "nodes of its pools where they are; then build with `--retired {}`",
        in_words(names), tenant, tenant));
}

// Who applies the new directory and prunes deletes them, and what runs there then holds what Kueue no longer takes
// back.
void tell_leaving(const std::string& directory, const std::vector<std::string>& queues, RunReport& run) {
  if (queues.empty()) return;
  run.notes.push_back(
      fmt::format("leaves the output: {}; while work of a tenant that left the policy may still run, "
                  "restore the earlier files and build with `--from {}`",
                  in_words(queues), directory));
}

}  // namespace

int build(const CheckOptions& options, const World& world) {
  std::vector<Diagnostic> problems;
  const Config config = find_config(options.paths, problems);
  auto texts = read_policies(options.paths, world.in, [&](const std::string& path) { return config.excludes(path); });
  texts.diagnostics.insert(texts.diagnostics.begin(), problems.begin(), problems.end());
  RunReport run;
  run.version = GPOL_VERSION;
  run.allowed_gaps = options.allowed_gaps;
  run.diagnostics = std::move(texts.diagnostics);
  if (texts.value.size() > 1) texts.value = without_imported_modules(std::move(texts.value));
  if (texts.value.size() > 1)
    return usage_error({"gpol build takes one policy", "build each policy into its own directory"}, world);
  std::vector<std::unique_ptr<Session>> sessions;
  YamlFile kueue_config{options.kueue_config, {}}, mig_config{options.mig_config, {}},
      volcano_config{options.volcano_config, {}};
  for (YamlFile* given : {&kueue_config, &mig_config, &volcano_config}) {
    if (given->path.empty()) continue;
    auto bytes = read_manifest_file(given->path, run.diagnostics);
    if (!bytes) return finish(run, sessions, {options.format, options.timings}, world);
    given->bytes = *std::move(bytes);
  }
  Earlier earlier;
  if (!options.from.empty() && !texts.value.empty()) {
    auto read = read_earlier(options.from);
    if (!read.ok()) {
      run.diagnostics.insert(run.diagnostics.end(), read.diagnostics.begin(), read.diagnostics.end());
      run.notes.push_back("nothing is written");
      return finish(run, sessions, {options.format, options.timings}, world);
    }
    earlier = std::move(read.value);
    earlier.retired = options.retired;
  }
  for (PolicyText& text : texts.value)
    sessions.push_back(
        check_policy(std::move(text), {.as_of = options.as_of,
                                       .solver = {.solve_all = options.solve_all},
                                       .earlier = options.from.empty() ? nullptr : &earlier,
                                       .mig_config = options.mig_config.empty() ? nullptr : &mig_config,
                                       .volcano_config = options.volcano_config.empty() ? nullptr : &volcano_config}));
  if (sessions.empty()) return finish(run, sessions, {options.format, options.timings}, world);

  Session& session = *sessions.front();
  if (session.policy && session.policy->cluster.empty())
    session.report.diagnostics.push_back(
        error_at(code::NotWritten, {},
                 fmt::format("`{}` declares no cluster: there is nothing to build", session.sources.path(0)),
                 "build the policy that imports it"));
  const bool unwritten = session.policy && refuse_unwritten(*session.policy, session.report);
  std::vector<RenderedFile> files;
  if (session.planned && promises(session.report) && !unwritten) {  // else there is nothing to build for
    files = render_files(session);
    const Observed observed = read_back(files);
    require_understood(observed);
    prove_artefact(session.planned->cluster, observed.cluster, options.out, session.report);
    const auto configuration = !kueue_config.path.empty() && !session.planned->cluster.volcano
                                   ? put_configuration(kueue_config, session, files)
                                   : ConfigurationFile::Lines;
    const auto commands = node_setup(session.planned->cluster.node_pools);
    require_same(commands, observed.cluster.node_pools, read_node_commands, same_pool,
                 "the labels and taints of its pool", "a pool of nodes");
    files.insert(files.end(), commands.begin(), commands.end());
    const auto cuts = partition_setup(session.planned->cluster);
    require_same(cuts, session.planned->cluster.cut_nodes, read_cut_commands, same_cut, "their configuration",
                 "a configuration of MIG");
    files.insert(files.end(), cuts.begin(), cuts.end());
    files.push_back(gpol_file(*session.planned));
    files.push_back(readme(*session.planned, session.policy->cluster, files, configuration));
  }
  run.policies.push_back(report_of(session));
  if (options.mig_config.empty())
    for (const MigConfigMap& map : earlier.cluster.mig_config_maps)
      for (const MigConfig& kept : map.configs)
        if (!kept.name.starts_with("gpol") && kept.name != "all-disabled")
          run.notes.push_back(
              fmt::format("the earlier build has configuration `{}` of MIG, which is no policy's: give "
                          "`--mig-config` again, or it is gone",
                          kept.name));
  if (session.planned && !options.volcano_config.empty() && !session.planned->cluster.volcano)
    run.notes.push_back(
        fmt::format("`{}` is not looked at: the scheduler of this policy is Kueue", options.volcano_config));
  if (session.planned && !kueue_config.path.empty() && session.planned->cluster.volcano)
    run.notes.push_back(
        fmt::format("`{}` is not looked at: the scheduler of this policy is Volcano", options.kueue_config));
  if (session.planned && !options.mig_config.empty() && session.planned->cluster.mig_config_maps.empty())
    run.notes.push_back(fmt::format("`{}` is not looked at: gpol cuts no pool of this policy", options.mig_config));
  if (session.planned && judged(run) == Overall::Proven && options.compare) {
    compare_with(options.out, files, session.policy->cluster, run);
  } else if (session.planned && judged(run) == Overall::Proven) {
    const auto leave = options.from.empty() ? queues_that_leave(options.out, files) : std::vector<std::string>();
    auto done = write_whole(options.out, files, session.policy->cluster);
    run.unwritten = !done.ok();
    if (done.ok()) {
      run.notes.push_back(written(done.value, options.out));
      tell_kept(session.planned->cluster, run);
      tell_leaving(options.out, leave, run);
    }
    for (Diagnostic& d : done.diagnostics) run.diagnostics.push_back(std::move(d));
  } else {
    run.notes.push_back("nothing is written");
  }
  return finish(run, sessions, {options.format, options.timings}, world);
}

}  // namespace gpol
