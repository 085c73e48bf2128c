// verify --fix: the edits that were tried, written into the manifests.
#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <set>

#include "cli/commands/verify_trial.h"
#include "emit/rewrite.h"

namespace gpol {

namespace {

constexpr int kMostEdits = 100;

class Fixer {
 public:
  Fixer(const VerifyOptions& options, std::istream& in) : options_(options), in_(in) {}

  Verified run() {
    Verified now = verify_paths(options_, in_);
    std::vector<std::string> notes;
    std::vector<Diagnostic> problems;
    if (Trial keys = try_keys(options_, in_, now); keys.holds)
      write(keys, now, "the keys that were meant", notes, problems);
    for (int written = 0; written < kMostEdits && problems.empty();) {
      const auto list = proposals(now);
      const auto next = std::ranges::find_if(list, [&](const Proposal& one) {
        const auto why = why_not_written(now, one);
        const std::string& text = fix_of(now, one).text;
        const bool fresh = seen_.insert(fmt::format("{} {}", now.run.policies[one.bundle].bundle, text)).second;
        if (fresh && !why.empty()) notes.push_back(fmt::format("not written, as {}: {}", why, text));
        return fresh && why.empty();
      });
      if (next == list.end()) break;
      written += attempt(*next, now, notes, problems) ? 1 : 0;
    }
    std::move(problems.begin(), problems.end(), std::back_inserter(now.run.diagnostics));
    now.run.notes.insert(now.run.notes.begin(), notes.begin(), notes.end());
    return now;
  }

 private:
  bool attempt(const Proposal& one, Verified& now, std::vector<std::string>& notes, std::vector<Diagnostic>& problems) {
    const std::string text = fix_of(now, one).text;
    Trial trial = try_edits(options_, in_, now, {one});
    if (!trial.holds) {
      notes.push_back(fmt::format("not written, as something else would break: {}", text));
      return false;
    }
    return write(trial, now, text, notes, problems);
  }

  static bool write(Trial& trial, Verified& now, const std::string& text, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& problems) {
    for (std::size_t made = 0; made < trial.texts.size(); ++made)
      if (auto problem = rewrite(trial.texts[made].path, trial.texts[made].before, trial.texts[made].after)) {
        problems.push_back(std::move(*problem));
        while (made-- > 0)
          if (auto again = rewrite(trial.texts[made].path, trial.texts[made].after, trial.texts[made].before))
            problems.push_back(std::move(*again));
        return false;
      }
    for (const Trial::Text& file : trial.texts) notes.push_back(fmt::format("wrote `{}`: {}", file.path, text));
    now = std::move(trial.then);
    return true;
  }

  const VerifyOptions& options_;
  std::istream& in_;
  std::set<std::string> seen_;
};

}  // namespace

Verified fix_manifests(const VerifyOptions& options, std::istream& standard_input) {
  return Fixer(options, standard_input).run();
}

}  // namespace gpol
