// The commands for nodes: what is written means the pool, and whatever is changed in them does not, or is not
// understood.
#include "emit/node_setup.h"

#include "checker/observe/node_commands.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

NodePool pool() {
  NodePool made;
  made.name = "live";
  made.labels = {{"gpol.dev/gpu-pool", "live"}, {"gpol.dev/team", "ml"}};
  made.taints = {{"gpol.dev/gpu-pool", "live", "NoSchedule"}, {"gpol.dev/gpu", "", "NoExecute"}};
  return made;
}

// What its nodes carry already, and a label that they get.
NodePool others() {
  NodePool made;
  made.name = "live";
  made.labels = {{"example.com/pool", "HGX.8"}, {"gpol.dev/gpu-pool", "live"}, {"node-role.kubernetes.io/gpu", ""}};
  made.taints = {{"sku", "gpu", "NoSchedule"}, {"dedicated", "", "NoExecute"}};
  return made;
}

bool same(const std::optional<NodePool>& read, const NodePool& meant = pool()) {
  return read && read->name == meant.name && read->labels == meant.labels && read->taints == meant.taints;
}

}  // namespace

TEST_CASE("node setup: the commands read back are the pool") {
  const auto files = node_setup({pool()});
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == "nodes/live.sh");
  CHECK(files[0].bytes ==
        "#!/bin/sh\n"
        "# Gives nodes the labels and taints of pool live; those that they have besides stay: sh live.sh NODE...\n"
        "set -eu\n"
        "[ \"$#\" -gt 0 ] || { echo 'usage: sh live.sh NODE...' >&2; exit 2; }\n"
        "kubectl label nodes \"$@\" --overwrite gpol.dev/gpu-pool=live gpol.dev/team=ml\n"
        "kubectl taint nodes \"$@\" --overwrite gpol.dev/gpu-pool=live:NoSchedule gpol.dev/gpu:NoExecute\n");
  CHECK(same(read_node_commands(files[0].path, files[0].bytes)));
  CHECK(files[1].path == "nodes/README.md");
  CHECK(node_setup({}).empty());
}

TEST_CASE("node setup: without any one character or line the commands are another pool's, or nobody's") {
  const std::string text = node_setup({pool()})[0].bytes;
  const std::size_t first = text.find("set -eu");
  const std::size_t usage = text.find("[ \"$#\""), label = text.find("kubectl label");
  int tried = 0;
  for (std::size_t i = first; i < text.size(); ++i) {
    if ((i >= usage && i < label) || text[i] == '\n') continue;  // what is printed to people
    std::string without = text;
    without.erase(i, 1);
    INFO(without);
    CHECK_FALSE(same(read_node_commands("nodes/live.sh", without)));
    ++tried;
  }
  CHECK(tried > 150);
  for (const char* more :
       {"rm -rf /\n", "kubectl taint nodes \"$@\" other=x:NoSchedule\n", "kubectl label nodes \"$@\" --overwrite\n",
        "kubectl label nodes \"$@\" --overwrite a=$(id)\n", "kubectl label nodes \"$@\" --overwrite b=c\n"})
    CHECK_FALSE(same(read_node_commands("nodes/live.sh", text + more)));
}

TEST_CASE("node setup: what nodes carry already is checked, not written") {
  const std::string text = node_setup({others()})[0].bytes;
  const std::string taints =
      "kubectl get node \"$node\" -o jsonpath='{range .spec.taints[*]}{.key}={.value}:{.effect}{\"\\n\"}{end}'";
  CHECK(
      text ==
      "#!/bin/sh\n"
      "# Checks that nodes carry what pool live says of them, then gives them what is gpol's own: sh live.sh NODE...\n"
      "set -eu\n"
      "[ \"$#\" -gt 0 ] || { echo 'usage: sh live.sh NODE...' >&2; exit 2; }\n"
      "missing=0\n"
      "for node in \"$@\"; do\n"
      "  kubectl get nodes -l example.com/pool=HGX.8 -o name | grep -qxF \"node/$node\" || "
      "{ echo \"$node has no label example.com/pool=HGX.8\" >&2; missing=1; }\n"
      "  kubectl get nodes -l node-role.kubernetes.io/gpu= -o name | grep -qxF \"node/$node\" || "
      "{ echo \"$node has no label node-role.kubernetes.io/gpu=\" >&2; missing=1; }\n"
      "  " +
          taints + " | grep -qxF sku=gpu:NoSchedule || " +
          "{ echo \"$node has no taint sku=gpu:NoSchedule\" >&2; missing=1; }\n"
          "  " +
          taints + " | grep -qxF dedicated=:NoExecute || " +
          "{ echo \"$node has no taint dedicated=:NoExecute\" >&2; missing=1; }\n"
          "done\n"
          "[ \"$missing\" -eq 0 ]\n"
          "kubectl label nodes \"$@\" --overwrite gpol.dev/gpu-pool=live\n");
  CHECK(same(read_node_commands("nodes/live.sh", text), others()));
  const std::size_t usage = text.find("[ \"$#\""), checks = text.find("missing=0");
  for (std::size_t i = text.find("set -eu"); i < text.size(); ++i) {
    if ((i >= usage && i < checks) || text[i] == '\n') continue;
    std::string without = text;
    without.erase(i, 1);
    INFO(without);
    CHECK_FALSE(same(read_node_commands("nodes/live.sh", without), others()));
  }
  for (std::size_t from = text.find("set -eu"); from < text.size(); from = text.find('\n', from) + 1) {
    if (from == usage) continue;
    std::string without = text;
    without.erase(from, text.find('\n', from) + 1 - from);
    INFO(without);
    CHECK_FALSE(same(read_node_commands("nodes/live.sh", without), others()));
  }
  const std::string guide = node_setup({others()})[1].bytes;
  CHECK(
      guide.find("The policy says that the nodes carry `example.com/pool=HGX.8` and `node-role.kubernetes.io/gpu=` and "
                 "`sku=gpu:NoSchedule` and `dedicated:NoExecute` already") != std::string::npos);
  CHECK(guide.find("The keys: dedicated, sku.") != std::string::npos);
}
