// A kustomization with its files in one text, for tests: "entry DIRECTORY" and "expect equal|fails|not-built" on lines
// of their own, then each file behind a line ">>> PATH". Lines that begin with # in front of the first file say what it
// is about.
#pragma once

#include <deque>
#include <map>
#include <sstream>
#include <string>

#include "checker/observe/kustomize/build.h"

namespace gpol::test {

struct KustomizeCase {
  std::string entry = ".", expect = "equal";
  std::map<std::string, std::string> files;
  std::deque<std::string> paths;  // by FileId

  explicit KustomizeCase(const std::string& text) {
    std::istringstream lines(text);
    std::string* file = nullptr;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind(">>> ", 0) == 0) {
        file = &files[line.substr(4)];
      } else if (file != nullptr) {
        *file += line + "\n";
      } else if (line.rfind("entry ", 0) == 0) {
        entry = line.substr(6);
      } else if (line.rfind("expect ", 0) == 0) {
        expect = line.substr(7);
      }
    }
  }

  manifest::FileTree tree() {
    return {[this](const std::string& path) -> std::optional<manifest::FileText> {
              const auto found = files.find(path);
              if (found == files.end()) return std::nullopt;
              for (std::size_t i = 0; i < paths.size(); ++i)
                if (paths[i] == path) return manifest::FileText{static_cast<FileId>(i), found->second};
              paths.push_back(path);
              return manifest::FileText{static_cast<FileId>(paths.size() - 1), found->second};
            },
            [this](const std::string& path) {
              const auto below = files.lower_bound(path == "." ? "" : path + "/");
              return below != files.end() && (path == "." || below->first.rfind(path + "/", 0) == 0);
            }};
  }
  manifest::Built build() { return manifest::build_kustomization(tree(), entry); }
  // "PATH:LINE: what"
  std::string at(Span span) const {
    if (!span.known()) return "?";
    const std::string& path = paths.at(span.file);
    const std::string& text = files.at(path);
    return path + ":" +
           std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<long>(span.begin), '\n'));
  }
};

}  // namespace gpol::test
