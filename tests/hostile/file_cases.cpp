// Bad input: what stands where a policy should.
#include <sys/stat.h>

#include "tests/hostile/cases.h"
#include "tests/hostile/program.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

std::vector<Case> cases_of_files() {
  return {
      {"a file that is not there", [](const fs::path& dir) { write_text(dir / "policy.gpol", good_policy()); },
       "polciy.gpol", 2, "policy.gpol`?"},
      {"a directory that is not there", [](const fs::path&) {}, "no/where/at.gpol", 2, "No such file or directory"},
      {"an empty path", [](const fs::path&) {}, "", 2, "cannot be read"},
      {"a path of 5,000 characters", [](const fs::path&) {}, std::string(5000, 'x'), 2, "File name too long"},
      {"a directory without policies", [](const fs::path& dir) { write_text(dir / "in/readme.txt", "no policy"); },
       "in", 2, "error[GP0502]"},
      {"a directory of hidden policies", [](const fs::path& dir) { write_text(dir / "in/.git/p.gpol", "x"); }, "in", 2,
       "error[GP0502]"},
      {"directories 70 deep",
       [](const fs::path& dir) {
         fs::path deep = dir / "in";
         for (int i = 0; i < 70; ++i) deep /= "d";
         write_text(deep / "p.gpol", good_policy());
       },
       "in", 1, "directories deep"},
      {"a link to itself", [](const fs::path& dir) { fs::create_symlink("p.gpol", dir / "p.gpol"); }, "p.gpol", 2,
       "it is a link that leads in a circle"},
      {"a link to itself below a directory",
       [](const fs::path& dir) {
         fs::create_directory(dir / "in");
         fs::create_symlink("p.gpol", dir / "in/p.gpol");
       },
       "in", 2, "it is a link that leads in a circle"},
      {"a link to nothing", [](const fs::path& dir) { fs::create_symlink("nothing", dir / "p.gpol"); }, "p.gpol", 2,
       "cannot be read"},
      {"a loop of links below a directory",
       [](const fs::path& dir) {
         write_text(dir / "in/sub/p.gpol", good_policy());
         fs::create_directory_symlink("..", dir / "in/sub/up");
         fs::create_directory_symlink("../..", dir / "in/sub/up.gpol");
       },
       "in", 0, "proven under"},
      {"a link below a directory that leads out of it",
       [](const fs::path& dir) {
         fs::create_directory(dir / "in");
         fs::create_symlink("/etc/passwd", dir / "in/p.gpol");
       },
       "in", 2, "a link that leads out of"},
      {"a link below a directory that leads nowhere",
       [](const fs::path& dir) {
         fs::create_directory(dir / "in");
         fs::create_symlink("nothing", dir / "in/p.gpol");
       },
       "in", 2, "a link that leads nowhere"},
      {"a FIFO", [](const fs::path& dir) { mkfifo((dir / "p.gpol").c_str(), 0666); }, "p.gpol", 2,
       "it is not a regular file"},
      {"a FIFO below a directory",
       [](const fs::path& dir) {
         fs::create_directory(dir / "in");
         mkfifo((dir / "in/p.gpol").c_str(), 0666);
       },
       "in", 2, "it is not a regular file"},
      {"a device without end", [](const fs::path&) {}, "/dev/zero", 2, "it is not a regular file"},
      {"a policy that nobody may read",
       [](const fs::path& dir) {
         write_text(dir / "p.gpol", good_policy());
         fs::permissions(dir / "p.gpol", fs::perms::none);
       },
       "p.gpol", 2, "Permission denied"},
      {"a directory that nobody may read",
       [](const fs::path& dir) {
         write_text(dir / "in/p.gpol", good_policy());
         fs::permissions(dir / "in", fs::perms::none);
       },
       "in", 2, "ermission denied"},
      {"someone else's file is no policy", [](const fs::path&) {}, "/etc/passwd", 1, "error[GP0101]"},
  };
}

}  // namespace gpol::test
