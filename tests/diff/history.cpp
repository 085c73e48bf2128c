// gpol diff in real repositories: a history of twenty commits, the index, work trees, bare and shallow clones, what
// hooks set, and what is not there. git itself makes them; gpol reads them through libgit2.
#include "tests/diff/repository.h"

using namespace gpol::test;
namespace fs = std::filesystem;

TEST_CASE("diff: twenty commits, each against the one before it") {
  const Repository repository;
  repository.base("queues", "queues");
  repository.base("ramp", "policy");
  repository.commit("0");
  const fs::path queues = "queues/queues.yaml", ramp = "policy/ramp.gpol", config = "./gpol.yaml";
  struct Step {
    std::function<void()> change;
    int exit;
    std::string headline;
  };
  const std::string kChat = "borrowingLimit: 0\n        lendingLimit: 0";
  const Step steps[] = {
      {[&] { edit(queues, "# chat owns", "# Chat owns"); }, 0, "means the same"},
      {[&] { edit(queues, "lendingLimit: 8", "lendingLimit: 10"); }, 1,
       "EXPOSED  no promise is lost; newly exposed: 2 GPUs"},
      {[&] { edit(queues, "lendingLimit: 10", "lendingLimit: 4"); }, 0, "SAFER"},
      {[&] { edit(queues, kChat, "borrowingLimit: 0\n        lendingLimit: 1"); }, 1, "LOST"},
      {[&] { edit(queues, "lendingLimit: 1\n", "lendingLimit: 3\n"); }, 1,
       "EXPOSED  no promise is lost; newly exposed: 2 GPUs"},
      {[&] { edit(queues, "lendingLimit: 3\n", "lendingLimit: 0\n"); }, 0, "SAFER"},
      {[&] { edit(ramp, "up to 8 gpus", "up to 12 gpus"); }, 1,
       "EXPOSED  no promise is lost; newly exposed: 4 GPUs of `search`"},
      {[&] { edit(ramp, "up to 12 gpus", "up to 8 gpus"); }, 0, "SAFER"},
      {[&] { edit(ramp, "count 6", "count 5"); }, 1, "LOST"},
      {[&] { edit(ramp, "count 5", "count 7"); }, 0, "SAFER"},
      {[&] { edit(ramp, "language 1", "language 1\n# seven nodes"); }, 0, "means the same"},
      {[&] { fs::rename("queues/queues.yaml", "queues/all.yaml"); }, 0, "means the same"},
      {[&] { write_text("./README.md", "what this is\n"); }, 0, "means the same"},
      {[&] { write_text("dashboards/gpu.json", "{\"panels\": []}\n"); }, 0, ""},
      {[&] { edit(config, "class: B", "class: A"); }, 1, "NEW"},
      {[&] { edit(config, "search: {role: serving, class: A}", "search: {role: serving, class: B}"); }, 1, "EXPOSED"},
      {[&] { edit(config, "queues:", "exclude: [old/]\nqueues:"); }, 1, "EXPOSED"},
      {[&] { write_text("policy/loans.gpol", "language 1\n"); }, 0, "means the same"},
      {[&] { edit(ramp, "language 1", "language 1\nimport \"loans.gpol\""); }, 0, "means the same"},
      {[&] { fs::remove_all("policy"); }, 1, "EXPOSED"},
  };
  int number = 0;
  for (const Step& step : steps) {
    INFO("commit " << ++number);
    step.change();
    const Ran before_commit = diff({"HEAD"});
    repository.commit(std::to_string(number));
    const Ran ran = diff({"HEAD~1..HEAD"});
    INFO(ran.out << ran.err);
    CHECK(ran.code == step.exit);
    CHECK(ran.out.starts_with(step.headline));
    CHECK(before_commit.out == ran.out);  // the work tree is what was committed then
    CHECK(diff({"HEAD"}).out == "means the same\n");
  }
  CHECK(number == 20);
  CHECK(diff({"HEAD~20..HEAD~1", "queues"}).code == 1);  // search lends 4 instead of 8; an exclusion was added
}

TEST_CASE("diff: no commit yet, the index, and paths of one side alone") {
  const Repository repository;
  repository.base("queues", "queues");
  CHECK(diff({"--staged"}).code == 0);  // nothing on either side
  repository.git("add -A");
  CHECK(diff({"--staged"}).out.starts_with("NEW"));
  repository.commit();
  edit("queues/queues.yaml", "lendingLimit: 8", "lendingLimit: 9");
  CHECK(diff({"--staged"}).out == "means the same\n");
  CHECK(diff({"HEAD"}).code == 1);
  repository.git("add -A");
  CHECK(diff({"--staged"}).code == 1);
  CHECK(diff({"--staged", "queues"}).code == 1);
  edit("queues/queues.yaml", "lendingLimit: 9", "lendingLimit: 8");
  CHECK(diff({"--staged"}).code == 1);  // what is staged counts, not what stands in the work tree
  CHECK(diff({"HEAD"}).code == 0);
  // A hook of `git commit -a` has another index.
  fs::copy_file(".git/index", "/tmp/gpol-diff-index", fs::copy_options::overwrite_existing);
  repository.git("reset -q");
  CHECK(diff({"--staged"}).code == 0);
  setenv("GIT_INDEX_FILE", "/tmp/gpol-diff-index", 1);
  CHECK(diff({"--staged"}).code == 1);
  unsetenv("GIT_INDEX_FILE");
  fs::remove("/tmp/gpol-diff-index");
  // Ignored files are not compared, others are, be they tracked or not.
  write_text("./.gitignore", "rendered/\n");
  fs::copy("queues", "rendered", fs::copy_options::recursive);
  CHECK(diff({"HEAD"}).out == "means the same\n");
  // Nor are they verified, unless a PATH names them.
  CHECK(says(run_gpol({"verify"}), "left out, with queues of Kueue: `rendered`"));
  CHECK(says(run_gpol({"verify", "--list-skipped"}),
             "left out: rendered, a submodule, or file or directory that git ignores"));
  CHECK(says(run_gpol({"verify", "rendered"}), "3 queues"));
  fs::create_directories("more");
  fs::rename("queues/priorities.yaml", "queues/more.yaml");
  CHECK(diff({"HEAD"}).out == "means the same\n");
  CHECK(diff({"HEAD", "queues/priorities.yaml"}).code != 2);
  CHECK(says(diff({"HEAD", "nowhere"}), "`nowhere` is neither a revision nor a path of either side"));
}

TEST_CASE("diff: branches, bare and shallow clones, work trees, subdirectories") {
  const Repository repository;
  repository.base("queues", "queues");
  repository.commit();
  repository.git("checkout -q -b topic");
  edit("queues/queues.yaml", "lendingLimit: 8", "lendingLimit: 9");
  repository.commit();
  repository.git("checkout -q main");
  edit("queues/queues.yaml", "lendingLimit: 8", "lendingLimit: 0");
  repository.commit();
  CHECK(says(diff({"main..topic"}), "newly exposed: 9 GPUs"));
  CHECK(says(diff({"main...topic"}), "newly exposed: 1 GPU of"));  // what the topic did
  CHECK(says(diff({"main", "topic"}), "newly exposed: 9 GPUs"));
  CHECK(diff({"topic.."}).out.starts_with("SAFER"));
  CHECK(says(diff({"main..nowhere"}), "there is no revision `nowhere`"));
  CHECK(diff({"main..nowhere"}).code == 2);
  fs::current_path("queues");
  CHECK(says(diff({"main..topic"}), "newly exposed: 9 GPUs"));
  CHECK(says(diff({"main..topic", "queues.yaml", "priorities.yaml"}), "newly exposed: 9 GPUs"));
  fs::current_path("..");
  repository.git("clone -q --bare . ../bare.git");
  repository.git("clone -q --depth 1 file://" + fs::current_path().string() + " ../shallow");
  repository.git("worktree add -q ../second topic");
  fs::current_path(repository / "bare.git");
  CHECK(says(diff({"main..topic"}), "newly exposed: 9 GPUs"));
  CHECK(says(diff({"main..topic", "queues"}), "newly exposed: 9 GPUs"));
  CHECK(says(diff({"main"}), "the repository is bare"));
  fs::current_path(repository / "shallow");
  CHECK(diff({"HEAD"}).out == "means the same\n");
  CHECK(says(diff({"HEAD~1..HEAD"}), "the clone is shallow"));
  fs::current_path(repository / "second");
  CHECK(says(diff({"main"}), "newly exposed: 9 GPUs"));
  fs::current_path(repository / "work");
  setenv("GIT_DIR", (repository / "bare.git").c_str(), 1);
  CHECK(says(diff({"main..topic"}), "newly exposed: 9 GPUs"));
  unsetenv("GIT_DIR");
}

TEST_CASE("diff: approvals are asked of the side before, and a commit alone gives none") {
  const Repository repository;
  repository.base("ramp");
  edit("./ramp.gpol", "prove standard ready", "approve changes to standard by @governance\nprove standard ready");
  repository.commit();
  edit("./ramp.gpol", "up to 8 gpus", "up to 9 gpus");
  edit("./ramp.gpol", "approve changes to standard by @governance\n", "");
  repository.git("add -A");
  repository.git("commit -q -m 'more' -m 'Approved-by: @governance'");
  const Ran ran = diff({"HEAD~1..", "--require-approvals"});
  CHECK(ran.code == 1);
  CHECK(says(ran, "@governance is asked; a commit claims the approval: `approve changes to standard`"));
  CHECK(says(ran, "@search is asked: owner of `search`"));
  CHECK(says(ran, "removed   `approve changes to standard by @governance`"));
  write_text("./signed", "@governance  # review 12\n\n# nobody\n");
  CHECK(diff({"HEAD~1..", "--require-approvals", "--approvals", "signed"}).code == 1);
  write_text("./signed", "@governance\n@search\n");
  CHECK(diff({"HEAD~1..", "--require-approvals", "--approvals", "signed"}).code == 0);
  CHECK(diff({"HEAD~1..", "--approvals", "signed"}).code == 1);
  write_text("./signed", "governance\n");
  CHECK(says(diff({"HEAD~1..", "--approvals", "signed"}), "line 1 of `signed` names nobody: `governance`"));
  CHECK(diff({"HEAD~1..", "--approvals", "nowhere"}).code == 2);
}

TEST_CASE("diff: the commit that names for the first time who serves makes nothing worse") {
  const Repository repository;
  repository.base("queues");
  const std::string config = read_text("gpol.yaml");
  fs::remove("gpol.yaml");
  edit("./queues.yaml", "lendingLimit: 0", "lendingLimit: 5");  // chat is not protected, and nobody has asked
  repository.commit();
  write_text("./gpol.yaml", config);
  const Ran unstaged = diff({"--staged"});
  CHECK(unstaged.code == 3);
  CHECK(says(unstaged, "`git add gpol.yaml`: there is one, and it is not staged"));
  repository.git("add -A");
  const Ran named = diff({"--staged"});
  CHECK(named.code == 0);
  CHECK(says(named, "nobody served before: both sides are judged by the gpol.yaml of the side after"));
  // What such a commit loosens counts all the same.
  edit("./queues.yaml", "lendingLimit: 5", "lendingLimit: 6");
  repository.git("add -A");
  const Ran loosened = diff({"--staged"});
  CHECK(loosened.code == 1);
  CHECK(says(loosened, "newly exposed: 1 GPU"));
  edit("./queues.yaml", "lendingLimit: 6", "lendingLimit: 5");
  repository.commit();
  // Once somebody serves each side has its own.
  edit("./gpol.yaml", "class: B", "class: A");
  const Ran again = diff({"HEAD"});
  CHECK(again.code == 1);
  CHECK(!says(again, "nobody served before"));
}

TEST_CASE("diff: links, files that are no regular ones, and conflicts") {
  const Repository repository;
  repository.base("queues", "queues");
  repository.commit();
  fs::create_directories("clusters/eu");
  fs::create_symlink("../../queues/queues.yaml", "clusters/eu/queues.yaml");
  fs::create_symlink("/etc/passwd", "clusters/eu/out.yaml");
  repository.commit();
  // On the disk the second link leads out of the directory; of a commit nothing outside is ever read.
  CHECK(diff({"HEAD~1..HEAD", "clusters"}).code == 2);
  fs::remove("clusters/eu/out.yaml");
  repository.commit();
  CHECK(diff({"HEAD~2..HEAD", "clusters"}).code == 2);  // the link leads out of the PATH
  CHECK(diff({"HEAD", "clusters/eu/queues.yaml"}).out == "means the same\n");
  repository.git("checkout -q -b other HEAD~2");
  edit("queues/queues.yaml", "lendingLimit: 8", "lendingLimit: 1");
  repository.commit();
  repository.git("checkout -q main");
  edit("queues/queues.yaml", "lendingLimit: 8", "lendingLimit: 2");
  repository.commit();
  REQUIRE(std::system("git merge -q other > /dev/null 2>&1") != 0);
  CHECK(says(diff({"--staged"}), "is not merged yet"));
}

TEST_CASE("diff: two directories win over revisions of the same name, and need no repository") {
  const Repository repository;
  repository.base("queues", "main");
  repository.commit();
  repository.base("queues", "topic");
  edit("topic/queues.yaml", "lendingLimit: 8", "lendingLimit: 9");
  CHECK(says(diff({"main", "topic"}), "newly exposed: 1 GPU of `chat`, 1 GPU of `search`"));
  fs::remove_all(".git");
  CHECK(says(diff({"main", "topic"}), "newly exposed: 1 GPU of `chat`, 1 GPU of `search`"));
  CHECK(diff({"HEAD"}).code == 2);
  CHECK(says(diff({"HEAD"}), "is in no git repository"));
}

TEST_CASE("diff: a queue that is still there and not read any more is removed, wherever it went") {
  const Repository repository;
  repository.base("queues", "queues");
  // train in a file of its own
  std::string text = read_text("queues/queues.yaml");
  const std::size_t at = text.rfind("---\n");
  write_text("queues/train.yaml", text.substr(at + 4));
  write_text("queues/queues.yaml", text.substr(0, at));
  repository.commit();
  const std::string train = read_text("queues/train.yaml");
  fs::create_directories("other");
  fs::rename("queues/train.yaml", "other/train.yaml");
  repository.commit();
  const Ran moved = diff({"HEAD~1..HEAD", "queues"});
  CHECK(moved.code == 1);
  CHECK(says(moved, "`train` is not looked at beside the others any more, and stands in `other/train.yaml`"));
  CHECK(diff({"HEAD~1..HEAD"}).code == 0);  // all of it is read
  fs::rename("other/train.yaml", "queues/train.yaml");
  repository.commit();
  write_text("queues/train.yaml", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
  repository.commit();
  CHECK(says(diff({"HEAD~1..HEAD"}), "stands in a pointer of git-lfs"));
  fs::remove("queues/train.yaml");
  repository.commit();
  CHECK(diff({"HEAD~3..HEAD"}).code == 0);  // it is simply gone
}

TEST_CASE("diff: gpol.yaml as a PATH is its directory; paths outside of the repository, sparse checkouts") {
  const Repository repository;
  repository.base("queues");
  repository.commit();
  edit("./gpol.yaml", "\n  chat: {role: serving, class: A}", "");
  repository.commit();
  CHECK(says(diff({"HEAD~1..HEAD", "gpol.yaml"}), "`chat` does not serve any more"));
  CHECK(diff({"HEAD", ".."}).code == 2);
  CHECK(says(diff({"HEAD", ".."}), "is outside of the repository"));
  repository.git("update-index --skip-worktree priorities.yaml");
  fs::remove("priorities.yaml");
  CHECK(diff({"HEAD"}).code == 2);
  CHECK(says(diff({"HEAD"}), "the checkout is sparse"));
  CHECK(diff({"--staged"}).code == 0);
}

TEST_CASE("diff: the working directory is compared, and what changed outside of it is counted", "[history]") {
  const Repository repository;
  repository.base("queues", "queues");
  write_text("apps/web.txt", "1\n");
  repository.commit();
  edit("queues/queues.yaml", "lendingLimit: 8", "lendingLimit: 9");
  write_text("apps/new.txt", "1\n");
  const auto counted = [](const std::vector<std::string>& args, const std::string& count) {
    CHECK(says(diff(args), "outside   " + count + " outside of what is compared"));
  };
  CHECK_FALSE(says(diff({"HEAD"}), "outside of what is compared"));
  fs::current_path("queues");
  CHECK(says(diff({"HEAD"}), "newly exposed: 1 GPU of"));
  counted({"HEAD"}, "1 changed file is");
  CHECK(run_gpol({"verify"}).out == run_gpol({"verify", "."}).out);
  fs::current_path("..");
  counted({"HEAD", "apps", "queues/priorities.yaml"}, "1 changed file is");
  repository.git("add queues");
  counted({"--staged", "queues/priorities.yaml"}, "1 changed file is");
  repository.commit();
  edit("./gpol.yaml", "serving, class: A", "serving, class: B");
  repository.commit();
  counted({"HEAD~2..HEAD", "queues"}, "1 changed file is");  // gpol.yaml counts for the queues below it
}
