#include "tests/golden/bundle.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/commands/verify.h"
#include "cli/commands/verify_trial.h"
#include "cli/render/render.h"
#include "tests/golden/rows.h"
#include "tests/golden/shard.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

std::vector<std::string> Bundle::told(const fs::path& where, std::vector<std::string> more) const {
  std::vector<std::string> all{"verify", where.string()};
  all.insert(all.end(), args.begin(), args.end());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Bundle> bundles() {
  std::vector<Bundle> all;
  for (const auto& entry : fs::directory_iterator("tests/bundles")) {
    if (!entry.is_directory()) continue;
    Bundle bundle{entry.path(), {}};
    if (fs::exists(bundle.beside(".args"))) {
      std::istringstream words(read_text(bundle.beside(".args")));
      for (std::string word; words >> word;) bundle.args.push_back(word);
    }
    all.push_back(std::move(bundle));
  }
  std::sort(all.begin(), all.end(), [](const Bundle& a, const Bundle& b) { return a.folder < b.folder; });
  return of_shard(std::move(all));
}

namespace {

Played play(const Bundle& bundle) {
  const std::vector<std::string> line = bundle.told(bundle.folder, {});
  const auto options = verify_options(std::span(line).subspan(1));
  std::istringstream nothing;
  Verified verified = verify_paths(std::get<VerifyOptions>(options), nothing);
  if (judged(verified.run) != Overall::Error) try_proposals(std::get<VerifyOptions>(options), nothing, verified);
  Played out;
  std::ostringstream human, json, markdown;
  render_human(verified.run, false, human);
  render_json(verified.run, json);
  render_markdown(verified.run, markdown);
  out.code = exit_code(verified.run);
  out.human = human.str();
  out.json = json.str();
  out.markdown = markdown.str();
  out.rows = rows_of(verified.run, bundle.folder.string());
  return out;
}

}  // namespace

const Played& played(const Bundle& bundle) {
  static std::map<fs::path, Played> all;
  const auto known = all.find(bundle.folder);
  return known != all.end() ? known->second : all.emplace(bundle.folder, play(bundle)).first->second;
}

}  // namespace gpol::test
