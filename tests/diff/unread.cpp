// gpol diff of what nobody read, or what stands in several directories: nothing of it passes for "the same".
#include "tests/diff/repository.h"

using namespace gpol::test;
namespace fs = std::filesystem;

TEST_CASE("diff: what a verdict waits for and nobody read is not compared") {
  const Repository repository;
  repository.base("queues");
  // A template of queues, and its values.
  write_text("chart/Chart.yaml", "apiVersion: v2\nname: q\nversion: 1.0.0\n");
  write_text("chart/templates/q.yaml",
             "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: {{ .Values.name }}}\n");
  write_text("chart/values.yaml", "name: more\n");
  write_text("chart/README.md", "queues\n");
  repository.commit();
  edit("chart/values.yaml", "more", "most");
  CHECK(diff({"HEAD"}).code == 3);
  CHECK(says(diff({"HEAD"}), "`chart/values.yaml` differs (of a template that was not rendered)"));
  repository.commit();
  write_text("./release.yaml",
             "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: q}\n"
             "spec: {chart: {spec: {chart: ./chart}}, values: {name: a}}\n");
  repository.commit();
  edit("./release.yaml", "name: a}", "name: b}");
  CHECK(says(diff({"HEAD"}), "`release.yaml` differs (of a template that was not rendered)"));
  repository.commit();
  edit("chart/README.md", "queues", "some queues");
  CHECK(diff({"HEAD"}).out == "means the same\n");
  // Which reserves rest on it is not known, and what was read differs.
  edit("./queues.yaml", "lendingLimit: 8", "lendingLimit: 9");
  CHECK(diff({"HEAD"}).code == 3);
  CHECK(says(diff({"HEAD"}), "is undecided on both sides"));
  repository.git("rm -q -r -f chart release.yaml");
  repository.commit();
  // A kustomization that names what nobody reads, and files beside it.
  write_text("./kustomization.yaml",
             "resources: [queues.yaml, priorities.yaml]\nreplacements: [{path: r.yaml}]\ntransformers: [t]\n");
  write_text("./r.yaml", "source: {kind: ConfigMap, name: a}\n");
  write_text("t/t.yaml", "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: a-\n");
  repository.commit();
  edit("./r.yaml", "name: a", "name: b");
  CHECK(says(diff({"HEAD"}), "`r.yaml` differs (of a kustomization that is not built)"));
  repository.commit();
  edit("t/t.yaml", "a-", "b-");
  CHECK(diff({"HEAD"}).code == 3);
  repository.git("rm -q -r -f kustomization.yaml r.yaml t");
  repository.commit();
  // It stops being built: nothing is known to be lost, and nothing is said to be shut.
  write_text("./kustomization.yaml", "resources: [queues.yaml, priorities.yaml]\nopenapi: {path: s.json}\n");
  CHECK(diff({"HEAD"}).code == 3);
  CHECK_FALSE(says(diff({"HEAD"}), "does not serve any more"));
  CHECK_FALSE(says(diff({"HEAD"}), "are shut"));
  fs::remove("kustomization.yaml");
  // The chart of Kueue says which version runs.
  write_text("./kueue.yaml",
             "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: kueue}\n"
             "spec: {chart: {spec: {chart: kueue, version: 0.19.2}}}\n");
  repository.commit();
  edit("./kueue.yaml", "0.19.2", "0.16.0");
  CHECK(diff({"HEAD"}).code == 1);
  CHECK(says(diff({"HEAD"}), "Kueue v0.19.2 -> v0.16.0"));
}

TEST_CASE("diff: clusters in directories that begin or cease to differ") {
  const Repository repository;
  repository.base("queues", "queues");
  fs::rename("queues", "eu");  // gpol.yaml stands above
  fs::copy("eu", "us", fs::copy_options::recursive);
  repository.commit();
  edit("us/queues.yaml", "nominalQuota: 32", "nominalQuota: 40");
  CHECK(diff({"HEAD"}).code == 0);
  CHECK(says(diff({"HEAD"}), "40 GPUs of `spot`"));
  repository.commit();
  edit("us/queues.yaml", "nominalQuota: 40", "nominalQuota: 32");
  CHECK(diff({"HEAD"}).code == 0);
  repository.commit();
  edit("us/queues.yaml", "lendingLimit: 8", "lendingLimit: 16");
  CHECK(diff({"HEAD"}).code == 1);
  CHECK(says(diff({"HEAD"}), "EXPOSED"));
}

TEST_CASE("diff: two directories with equal files mean the same, whatever they are called") {
  const Repository repository;
  repository.base("slices", "a");
  write_text(
      "a/values.yaml",
      "devicePlugin:\n  config:\n    name: shared\n    create: true\n    default: whole\n    data:\n      whole: |-\n"
      "        version: v1\n        flags: {migStrategy: none}\n");
  write_text("a/t/q.yaml.j2", "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: {{ q }}}\n");
  fs::copy("a", "b", fs::copy_options::recursive);
  CHECK(diff({"a", "b"}).code == 0);
}

TEST_CASE("diff: blanks in a guard's expression mean nothing, but where a comment or a string holds them") {
  const Repository repository;
  repository.base("slices");
  edit("./guard.yaml", "[Warn]", "[Deny]");
  edit("./guard.yaml", "\"object.spec.containers.size() == 1\"",
       "|\n        object.spec.containers.size() == 1 // one\n        && true");
  repository.commit();
  edit("./guard.yaml", "// one\n        && true", "// one && true");
  CHECK(diff({"HEAD"}).code == 1);
}
