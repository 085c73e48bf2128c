#include "cli/config/propose.h"

#include <fmt/format.h>

#include "cli/render/text.h"
#include "emit/yaml.h"

namespace gpol {

std::string proposed_config(const VerifyOptions& options,
                            const std::vector<std::pair<std::string, std::string>>& likely) {
  std::string text =
      "# What gpol cannot see in the manifests. Keys: queues, kueue, exclude, include, nodes, waivers; `gpol explain "
      "GP0604` "
      "has "
      "an example of each.\n";
  yaml::Map queues;
  const auto add = [&](const std::string& queue, const char* role, const std::string& letter) {
    yaml::Map said{{"role", role}};
    if (!letter.empty()) said.emplace_back("class", letter);
    queues.emplace_back(queue, std::move(said));
  };
  for (const auto& serving : options.serving) add(serving.queue, "serving", serving.letter());
  for (const std::string& queue : options.batch) add(queue, "batch", "");
  for (const std::string& queue : options.bounded) add(queue, "bounded", "");
  if (options.serving.empty() && !likely.empty()) {
    text += "# Who serves is a guess, for you to correct:\n";
    for (const auto& [queue, reason] : likely) {
      text += fmt::format("#   {}: {}\n", printable(queue), printable(reason));
      add(queue, "serving", "A");
    }
  }
  if (queues.empty())
    return text +
           "# Nothing tells who serves. In place of {} write them, as in {chat: {role: serving, class: A}}:\n"
           "queues: {}\n";
  text +=
      "# Class A: nobody else ever holds its quota. Class B: it comes back when it is asked for. Queues that are not "
      "named here, nor labelled, are batch.\n";
  yaml::Map all{{"queues", std::move(queues)}};
  if (!options.kueue.empty()) all.emplace_back("kueue", "v" + options.kueue);
  return text + yaml::print(yaml::Value(std::move(all)));
}

}  // namespace gpol
