// What a set of manifests means does not depend on the order of files or documents, nor on how the documents are spread
// over files: the same cluster in normal form, and the same verdicts of what can be proven from it alone.
#include <cstdio>
#include <map>

#include "checker/families/families.h"
#include "checker/observe/observe.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/cluster/roles.h"
#include "emit/emit.h"
#include "emit/revision.h"
#include "tests/independence/reports.h"
#include "tests/independence/shuffle.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;
using gpol::testing::Dice;

namespace {

using Documents = std::vector<std::string>;

std::vector<YamlFile> emitted(const Session& session) {
  const std::vector<FileId> texts{0};
  std::vector<YamlFile> files;
  for (const Artefact& artefact : emit({*session.planned, session.sources, revision(session.sources, texts)})) {
    const RenderedFile file = render(artefact);
    files.push_back({file.path, file.bytes});
  }
  return files;
}

Documents documents_of(const std::string& bytes) {
  Documents out{""};
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
    const std::string line = bytes.substr(at, end - at);
    if (line == "---\n")
      out.emplace_back();
    else
      out.back() += line;
    at = end;
  }
  std::erase_if(out, [](const std::string& text) { return text.find("apiVersion:") == std::string::npos; });
  return out;
}

std::string joined(const Documents& documents) {
  std::string out;
  for (const std::string& text : documents) out += (out.empty() ? "" : "---\n") + text;
  return out;
}

struct Meaning {
  std::string normal;
  std::vector<std::string> facts;
  friend bool operator==(const Meaning&, const Meaning&) = default;
};

Meaning meaning_of(const std::vector<YamlFile>& files) {
  const Observed observed = observe(files);
  for (const NotUnderstood& problem : observed.problems)
    FAIL(problem.file << " document " << problem.document << ": " << problem.field << ": " << problem.what);
  const Cluster& cluster = observed.cluster;
  const Intent intent = intent_from_labels(cluster);
  Origins origins;
  origins.queue.resize(cluster.queues.size());
  origins.cohort.resize(cluster.cohorts.size());
  Solver solver;
  Report report;
  prove_claim({cluster, intent, origins, solver}, report);
  prove_reclaim({cluster, intent, origins, solver}, report);
  return {normal_form(cluster), facts_of(report)};
}

}  // namespace

TEST_CASE("documents in other files and another order mean the same") {
  int policies = 0, spreads = 0;
  std::size_t documents = 0, verdicts = 0;
  for (const auto& path : planned_policies()) {
    const auto session = check_policy({path.string(), read_text(path)}, {Phase::Planned});
    const auto files = emitted(*session);
    Documents all;  // of the base alone: a flat set has one mode
    for (const YamlFile& file : files)
      if (file.path.starts_with("base/") && !file.path.ends_with("kustomization.yaml"))
        for (std::string& text : documents_of(file.bytes)) all.push_back(std::move(text));
    INFO(path.string());
    REQUIRE(all.size() >= 4);
    const Meaning one_file = meaning_of({{"all.yaml", joined(all)}});
    REQUIRE(!one_file.facts.empty());
    Dice dice(1);
    for (int spread = 0; spread < 4; ++spread, ++spreads) {
      shuffle(all, dice);
      // Every document in a file of its own, then all in one, then spread over up to five.
      const auto most = spread == 0 ? static_cast<std::int64_t>(all.size()) : spread == 1 ? 1 : 5;
      std::vector<Documents> parts(static_cast<std::size_t>(most));
      for (std::size_t i = 0; i < all.size(); ++i)
        parts[spread == 0 ? i : static_cast<std::size_t>(dice.upto(most - 1))].push_back(all[i]);
      std::vector<YamlFile> other;
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (!parts[i].empty()) other.push_back({"part-" + std::to_string(i) + ".yaml", joined(parts[i])});
      shuffle(other, dice);
      const Meaning meaning = meaning_of(other);
      CHECK(meaning.normal == one_file.normal);
      CHECK(meaning.facts == one_file.facts);
    }
    ++policies;
    documents += all.size();
    verdicts += one_file.facts.size();
  }
  std::printf("files: %d policies, %zu documents, %d ways to spread them, %zu verdicts each\n", policies, documents,
              spreads, verdicts);
  CHECK(policies >= 40);
}

TEST_CASE("what build writes means the same in every order of its files and of the documents in each") {
  for (const auto& path : planned_policies()) {
    const auto session = check_policy({path.string(), read_text(path)}, {Phase::Planned});
    auto files = emitted(*session);
    INFO(path.string());
    const std::string as_written = normal_form(observe(files).cluster);
    Dice dice(2);
    for (int order = 0; order < 3; ++order) {
      shuffle(files, dice);
      for (YamlFile& file : files) {
        if (file.path.ends_with("kustomization.yaml")) continue;
        Documents documents = documents_of(file.bytes);
        if (documents.size() < 2) continue;
        shuffle(documents, dice);
        file.bytes = joined(documents);
      }
      const Observed observed = observe(files);
      CHECK(observed.problems.empty());
      CHECK(normal_form(observed.cluster) == as_written);
    }
  }
}
