#include "cli/tree/changed_lines.h"

#include <cctype>

#include "cli/tree/libgit2.h"

namespace gpol {

std::vector<ChangedLines> changed_lines(const std::string& before, const std::string& after) {
  std::vector<ChangedLines> found;
  std::string why;
  const LibGit2* git = libgit2(why);
  if (git == nullptr) return found;
  git_diff_options options;
  git->git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.context_lines = 0;
  const auto begin = [](const git_diff_delta*, const git_diff_hunk* hunk, void* into) {
    // "@@ -71 +71 @@ tenant chat {"
    std::string within(hunk->header, hunk->header_len);
    const auto at = within.find("@@ ", 2);
    within = at == std::string::npos ? "" : within.substr(at + 3);
    while (!within.empty() && (std::isspace(static_cast<unsigned char>(within.back())) != 0 || within.back() == '{'))
      within.pop_back();
    static_cast<std::vector<ChangedLines>*>(into)->push_back({hunk->new_start, std::move(within), {}, {}});
    return 0;
  };
  const auto add = [](const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line, void* into) {
    auto& all = *static_cast<std::vector<ChangedLines>*>(into);
    std::string text(line->content, line->content_len);
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    if (line->origin == GIT_DIFF_LINE_DELETION) all.back().was.push_back(std::move(text));
    if (line->origin == GIT_DIFF_LINE_ADDITION) all.back().is.push_back(std::move(text));
    return 0;
  };
  git->git_diff_buffers(before.data(), before.size(), nullptr, after.data(), after.size(), nullptr, &options, nullptr,
                        nullptr, begin, add, &found);
  return found;
}

}  // namespace gpol
