// Bad manifests: what `gpol verify` must say of what somebody else's repository or cluster holds.
#include <fmt/format.h>

#include <random>

#include "tests/hostile/cases.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

Case holds(const char* name, std::function<std::string()> text, int exit, std::string phrase) {
  return {name, [text = std::move(text)](const auto& dir) { write_text(dir / "m.yaml", text()); }, "m.yaml", exit,
          std::move(phrase)};
}

std::string times(std::size_t n, std::string_view part) {
  std::string out;
  out.reserve(n * part.size());
  for (std::size_t i = 0; i < n; ++i) out += part;
  return out;
}

std::string queue(std::string_view name, std::string_view nominal) {
  return fmt::format(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata:\n  name: {}\n  labels: {{gpol.dev/role: "
      "serving}}\n"
      "spec:\n  cohortName: gpu\n  namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: {}}}}}\n"
      "  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n    flavors:\n    - name: h100\n      resources:\n"
      "      - name: nvidia.com/gpu\n        nominalQuota: {}\n",
      name, name, nominal);
}

std::string noise(std::size_t bytes) {
  std::mt19937 random(11);
  std::string out;
  while (out.size() < bytes) out += static_cast<char>(random() % 256);
  return out;
}

// Each level holds the one below it nine times.
std::string alias_bomb() {
  std::string out = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level < 12; ++level) {
    out += fmt::format("a{0}: &a{0} [", level);
    for (int i = 0; i < 9; ++i) out += fmt::format("{}*a{}", i == 0 ? "" : ", ", level - 1);
    out += "]\n";
  }
  return out;
}

std::string dump(std::size_t queues) {
  std::string out = "apiVersion: v1\nkind: List\nitems:\n";
  for (std::size_t i = 0; i < queues; ++i)
    out += fmt::format(
        "- apiVersion: kueue.x-k8s.io/v1beta2\n  kind: ClusterQueue\n  metadata:\n    name: q{0}\n    annotations:\n"
        "      note: {1}\n  spec:\n    cohortName: c{2}\n    namespaceSelector: {{}}\n    resourceGroups:\n"
        "    - coveredResources: [nvidia.com/gpu]\n      flavors:\n      - name: h100\n        resources:\n"
        "        - name: nvidia.com/gpu\n          nominalQuota: 4\n  status:\n    pendingWorkloads: 0\n",
        i, std::string(2000, 'x'), i / 10);
  return out;
}

}  // namespace

std::vector<Case> cases_of_manifests() {
  return {
      holds(
          "an empty file", [] { return std::string(); }, 3, "nothing was read"),
      holds("an alias bomb", alias_bomb, 1, "error[GP0601]"),
      holds(
          "an alias of itself", [] { return std::string("a: &a [*a]\n"); }, 1, "error[GP0601]"),
      holds(
          "a dump of 50 MB", [] { return dump(20'000); }, 3, "no serving queue named"),
      holds(
          "lists nested 100,000 deep", [] { return "a: " + times(100'000, "[") + times(100'000, "]"); }, 1,
          "error[GP0601]"),
      holds(
          "mappings nested 100,000 deep", [] { return times(100'000, "{a: ") + times(100'000, "}"); }, 1,
          "error[GP0601]"),
      holds(
          "one line of 5 MB", [] { return "a: " + times(5'000'000, "x") + "\n"; }, 3, "left out: 1 file"),
      holds(
          "60 MB of noise", [] { return noise(60'000'000); }, 1, "error[GP0601]"),
      holds(
          "100,000 documents", [] { return times(100'000, "kind: X\napiVersion: v1\n---\n"); }, 3, "100000 X (v1)"),
      holds(
          "a NUL byte", [] { return std::string("kind: A\0\n", 9); }, 1, "error[GP0601]"),
      holds(
          "bytes that are no UTF-8", [] { return std::string("kind: \xff\xfe\n"); }, 1, "error[GP0601]"),
      holds(
          "a document that ends in a string", [] { return queue("chat", "\"8"); }, 1, "error[GP0601]"),
      holds(
          "a key twice", [] { return queue("chat", "8\n        nominalQuota: 9"); }, 1, "twice"),
      holds(
          "a template that was not rendered", [] { return queue("chat", "{{ .Values.gpus }}"); }, 3,
          "holds objects of Kueue"),
      holds(
          "a variable that was not replaced", [] { return queue("chat", "${GPUS}"); }, 3, "is left to a"),
      holds(
          "a quota of 10^30", [] { return queue("chat", "\"1000000000000000000000000000000\""); }, 3, "unlimited"),
      holds(
          "a quota of 10^30 without quotes, which JSON has no integer for",
          [] { return queue("chat", "1000000000000000000000000000000"); }, 1, "error[GP0602]"),
      holds(
          "a negative quota", [] { return queue("chat", "-1"); }, 1, "error[GP0602]"),
      holds(
          "a quota that is no number", [] { return queue("chat", "many"); }, 1, "error[GP0602]"),
      holds(
          "CRLF and a byte order mark",
          [] {
            std::string text = "\xEF\xBB\xBF" + queue("chat", "8");
            for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
            return text;
          },
          0, "proven under"),
      holds(
          "one queue twice, with other quotas", [] { return queue("chat", "8") + "---\n" + queue("chat", "9"); }, 1,
          "input:duplicate"),
      holds(
          "cohorts in a circle",
          [] {
            const auto cohort = [](const char* name, const char* parent) {
              return fmt::format(
                  "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {{name: {}}}\n"
                  "spec: {{parentName: {}}}\n",
                  name, parent);
            };
            return queue("chat", "8") + cohort("gpu", "b") + cohort("b", "gpu");
          },
          3, "cycle"),
      {"a directory without manifests", [](const auto&) {}, ".", 2, "holds no .yaml"},
      {"a directory that is not there", [](const auto&) {}, "nowhere", 2, "cannot be read"},
      {"a link out of the directory",
       [](const auto& dir) {
         write_text(dir / "q.yaml", queue("chat", "8"));
         std::filesystem::create_symlink("/etc/passwd", dir / "p.yaml");
       },
       ".", 2, "leads out of"},
      {"a link in a circle",
       [](const auto& dir) {
         write_text(dir / "q.yaml", queue("chat", "8"));
         std::filesystem::create_directory_symlink(".", dir / "again");
       },
       ".", 0, "proven under"},
      {"a link to a device", [](const auto& dir) { std::filesystem::create_symlink("/dev/zero", dir / "z.yaml"); },
       "z.yaml", 2, "leads out of the repository"},
  };
}

}  // namespace gpol::test
