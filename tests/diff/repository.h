// A git repository of its own that a test works in, made by git itself, and what gpol diff says there. In: files of
// tests/diff/bases. Out: the working directory is the repository's until it goes.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

class Repository {
 public:
  Repository() : before_(std::filesystem::current_path()) {
    for (const char* name : {"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"}) unsetenv(name);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    for (const char* who : {"AUTHOR", "COMMITTER"}) {
      setenv((std::string("GIT_") + who + "_NAME").c_str(), "gpol", 1);
      setenv((std::string("GIT_") + who + "_EMAIL").c_str(), "gpol@example.org", 1);
    }
    std::filesystem::create_directories(dir_ / "work");
    std::filesystem::current_path(dir_ / "work");
    git("init -q -b main .");
  }
  ~Repository() {
    unsetenv("GIT_DIR");
    unsetenv("GIT_INDEX_FILE");
    std::filesystem::current_path(before_);
  }
  Repository(const Repository&) = delete;
  Repository& operator=(const Repository&) = delete;

  void git(const std::string& words) const {
    INFO("git " << words);
    REQUIRE(std::system(("git " + words + " > /dev/null 2>&1").c_str()) == 0);
  }
  void commit(const std::string& message = "next") const {
    git("add -A");
    git("commit -q --allow-empty -m '" + message + "'");
  }
  void base(const std::string& name, const std::filesystem::path& to = ".") const {
    std::filesystem::copy(std::filesystem::path(GPOL_ROOT) / "tests/diff/bases" / name, to,
                          std::filesystem::copy_options::recursive);
    if (to == "queues") std::filesystem::rename("queues/gpol.yaml", "gpol.yaml");
  }
  std::filesystem::path operator/(const std::string& name) const { return dir_ / name; }

 private:
  Scratch dir_;
  std::filesystem::path before_;
};

inline void edit(const std::filesystem::path& file, const std::string& from, const std::string& to) {
  std::string text = read_text(file);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  write_text(file, text);
}

inline Ran diff(std::vector<std::string> words) {
  words.insert(words.begin(), "diff");
  return run_gpol(words);
}

inline bool says(const Ran& ran, const std::string& words) {
  INFO(ran.out << ran.err);
  return ran.out.find(words) != std::string::npos || ran.err.find(words) != std::string::npos;
}

}  // namespace gpol::test
