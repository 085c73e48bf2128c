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
  made.labels = {{"gpol.dev/gpu-pool", "live"}, {"team", "ml"}};
  made.taints = {{"gpol.dev/gpu-pool", "live", "NoSchedule"}, {"gpu", "", "NoExecute"}};
  return made;
}

bool same(const std::optional<NodePool>& read) {
  const NodePool meant = pool();
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
        "kubectl label nodes \"$@\" --overwrite gpol.dev/gpu-pool=live team=ml\n"
        "kubectl taint nodes \"$@\" --overwrite gpol.dev/gpu-pool=live:NoSchedule gpu:NoExecute\n");
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
