// Mistakes in classes, windows and cohorts.
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

using test::accepts;
using test::refuses;

TEST_CASE("a class is A, B or C") {
  refuses("class x : D { grace 5s ready within 5s }", "GP0208 1:11 [D] `D` is not a class of isolation",
          "write A (never held by batch), B (back within a deadline) or C (no promise)", {});
  refuses("class Fast : A { }", {"GP0209 1:7 [Fast] class `Fast` cannot be the name of a kubernetes object"});
  refuses("class x : A { } class x : C { }", {"GP0202 1:23 [x] class `x` is declared twice"});
}

TEST_CASE("each clause of a class fits one letter") {
  refuses("class x : B { }", "GP0205 1:7 [x] class `x` is B and has no `ready within`",
          "add its deadline: `ready within 4min`", {});
  refuses("class x : C { ready within 5s }",
          "GP0302 1:15 [ready within 5s] `ready within` does not fit class `x`, which is C",
          "remove it: only a class B states it", {});
  refuses("class x : A { ready within 5s }",
          {"GP0302 1:15 [ready within 5s] `ready within` does not fit class `x`, which is A"});
  refuses("class x : A { grace 5s kill margin 1s checkpoint every 1min runs Job }",
          {"GP0302 1:39 [checkpoint every 1min] `checkpoint every` does not fit class `x`, which is A",
           "GP0302 1:61 [runs Job] `runs` does not fit class `x`, which is A"});
}

TEST_CASE("the terms of a class are given once, in time units, and make sense") {
  refuses("class x : B { ready within 5s ready within 6s }",
          "GP0206 1:31 [ready within 6s] `ready within` is given twice", "keep one of them",
          {"ready within 5s: first given here"});
  refuses("class x : B { ready within 0s }", "GP0207 1:28 [0s] `ready within` of no time at all",
          "state more than `0s`", {});
  refuses("class x : B { ready within 8 gpus }",
          {"GP0203 1:28 [8 gpus] expected a duration such as `60s`, found `8 gpus`"});
}

TEST_CASE("a checkpoint is saved within the grace") {
  accepts("class x : C { grace 60s (saved in 1min) }");
  refuses("class x : C { grace 60s (saved in 90s) }",
          "GP0304 1:35 [90s] a checkpoint takes 1min 30s and the grace ends after 1min",
          "raise the grace to `90s`, or save faster", {"60s: the grace"});
}

TEST_CASE("jobs are of known kinds") {
  refuses("class x : C { runs Job, Pods }", "GP0208 1:25 [Pods] `Pods` is not a kind of job that gpol knows",
          "did you mean `Pod`?", {});
  refuses("class x : C { runs CronJob }", "GP0208 1:20 [CronJob] `CronJob` is not a kind of job that gpol knows",
          "write a kind that Kueue manages, such as `Job`, `Pod`, `JobSet` or `RayJob`", {});
  refuses("class x : C { runs Job, Job }", {"GP0206 1:25 [Job] `Job` is given twice"});
  const test::Resolved both("class x : C { runs Pod, Job }");
  CHECK(both.policy().classes[0].runs == std::vector<JobKind>{JobKind::Pod, JobKind::Job});
}

TEST_CASE("a window has two times of day, a zone and days") {
  accepts("window w = 22:00..06:00 Europe/Zurich daily");
  accepts("window w = 00:00..23:59 America/Argentina/Buenos_Aires weekends");
  accepts("window w = 08:00..20:00 UTC weekdays");
  refuses("window w = 22:00..24:00 UTC daily", "GP0207 1:19 [24:00] not a time of day",
          "times run from `00:00` to `23:59`; midnight is `00:00`, and a window may run past it", {});
  refuses("window w = 25:00..99:59 UTC daily",
          {"GP0207 1:12 [25:00] not a time of day", "GP0207 1:19 [99:59] not a time of day"});
  refuses("window w = 08:00..08:00 UTC daily", {"GP0207 1:12 [08:00..08:00] window `w` ends when it starts"});
  refuses("window w = 08:00..09:00 Zurich daily", "GP0208 1:25 [Zurich] `Zurich` is not the name of a time zone",
          "did you mean `Europe/Zurich`?", {});
  refuses("window w = 08:00..09:00 Home daily", "GP0208 1:25 [Home] `Home` is not the name of a time zone",
          "write `Area/City`, such as `Europe/Zurich`, or `UTC`", {});
  refuses("window w = 08:00..09:00 europe/zurich daily",
          {"GP0208 1:25 [europe/zurich] `europe/zurich` is not the name of a time zone"});
  refuses("window w = 08:00..09:00 UTC weekday", "GP0208 1:29 [weekday] `weekday` is not a choice of days",
          "did you mean `weekdays`?", {});
  refuses("window w = 08:00..09:00 UTC sundays", "GP0208 1:29 [sundays] `sundays` is not a choice of days",
          "write one of `daily`, `weekdays`, `weekends`", {});
  refuses("window default = 08:00..09:00 UTC daily",
          {"GP0208 1:8 [default] `default` is the name of the time outside all windows"});
  refuses("window Night = 08:00..09:00 UTC daily",
          {"GP0209 1:8 [Night] window `Night` cannot be the name of a kubernetes object"});
}

TEST_CASE("windows that overlap in too many ways are refused") {
  std::string text;
  int i = 0;
  for (const char* zone : {"Europe/Zurich", "Asia/Tokyo", "America/New_York", "Africa/Cairo", "Asia/Kolkata",
                           "Australia/Sydney", "America/Lima"})
    text += fmt::format("window w{} = 08:00..09:00 {} daily\n", i++, zone);
  refuses(text, "GP0308 1:8 [w0] the windows overlap in more than 64 ways",
          "use fewer windows, or put them in one time zone", {});
}

TEST_CASE("cohorts form a tree below declared parents") {
  accepts("cohort a in b cohort b cohort c in b");
  refuses("cohort alpha in beto cohort beta", "GP0201 1:17 [beto] cohort `beto` is not declared",
          "did you mean `beta`?", {});
  refuses("cohort a in b\ncohort b in c\ncohort c in a\ncohort d in a", "GP0301 1:8 [a] cohort `a` contains itself",
          "remove one `in`: a tree has a root", {"b: `a` is in `b`", "c: `b` is in `c`", "a: `c` is in `a`"});
  refuses("cohort d in a cohort a in a cohort x in y cohort y in x",
          {"GP0301 1:22 [a] cohort `a` contains itself", "GP0301 1:36 [x] cohort `x` contains itself"});
  refuses(test::kCluster + "cohort east", "GP0202 2:8 [east] cohort `east` has the name of the cluster",
          "give it another name: this one is the cohort of all tenants that name none", {"east: the cluster"});
}

TEST_CASE("a cohort's quotas and limits are one per pool, sorted by pool") {
  const test::Resolved resolved(
      test::kCluster +
      "cohort top\n"
      "cohort team in top { quota 8 gpus of shared quota 4 gpus, 1 cpu of live lend at most 2 gpus of shared "
      "borrow at most 0 gpus of burst lend at most 0 gpus of live }");
  const Cohort& team = resolved.policy().cohorts[1];
  CHECK(team.parent == 0);
  REQUIRE(team.entries.size() == 3);
  CHECK(team.entries[0].pool == 0);
  CHECK(team.entries[0].quota[Resource::Gpu] == 4);
  CHECK(team.entries[0].quota[Resource::Cpu] == 1000);
  CHECK(team.entries[0].quota[Resource::Pods] == 50);
  CHECK(team.entries[1].quota[Resource::Gpu] == 8);
  REQUIRE(team.entries[1].lend_at_most);
  CHECK((*team.entries[1].lend_at_most)[Resource::Cpu] == 46000);
  CHECK_FALSE(team.entries[1].borrow_at_most);
  CHECK(team.entries[2].pool == 2);
  CHECK(team.entries[2].quota == Resources{});
  CHECK(team.entries[2].borrow_at_most == Resources{});

  const std::string start = test::kCluster + "cohort top\ncohort team in top { ";
  refuses(start + "quota 8 gpus of shared quota 4 gpus of shared }",
          "GP0206 3:45 [quota 4 gpus of shared] `quota ... of shared` is given twice", "keep one of them",
          {"quota 8 gpus of shared: first given here"});
  refuses(start + "lend at most 1 gpus of live lend without limit }",
          "GP0206 3:50 [lend without limit] `lend` is given twice", "keep one of them",
          {"lend at most 1 gpus of live: first given here"});
  refuses(start + "borrow without limit borrow at most 1 gpus of live }",
          {"GP0206 3:43 [borrow at most 1 gpus of live] `borrow` is given twice"});
  refuses(start + "lend at most 1 gpus of live lend at most 2 gpus of live }",
          {"GP0206 3:50 [lend at most 2 gpus of live] `lend at most ... of live` is given twice"});
  accepts(start + "lend without limit borrow without limit }");
}

TEST_CASE("a cohort without a parent has no limits") {
  refuses(test::kCluster + "cohort top { lend at most 8 gpus of shared }",
          "GP0208 2:14 [lend at most 8 gpus of shared] cohort `top` has no parent to lend to",
          "put it into another, `cohort top in PARENT`, or remove the limit", {});
  refuses(test::kCluster + "cohort top { borrow at most 8 gpus of shared }",
          {"GP0208 2:14 [borrow at most 8 gpus of shared] cohort `top` has no parent to borrow from"});
}

}  // namespace

}  // namespace gpol
