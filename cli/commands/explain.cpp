#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "checker/families/premises.h"
#include "checker/families/quota_ways.h"
#include "cli/commands/commands.h"
#include "compiler/policy/constructs.h"
#include "compiler/source/code.h"
#include "compiler/source/explain_pages.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr const char* kHelp =
    "Explains a code that gpol prints.\n"
    "Usage: gpol explain [CODE]\n\n"
    "  CODE   as in GP1001, or the key of a premise, as in `trust times-hold`; `premises` lists these, `quota-ways` "
    "the\n"
    "         ways round quota that versions of Kueue leave open, `constructs` what every word of the language does,\n"
    "         `preamble` is the cluster that the pages' examples share; without it all codes are listed\n";

void list_codes(std::ostream& out) {
  for (const CodeInfo& info : all_codes()) out << fmt::format("{}  {}\n", to_string(info.code), info.title);
}

// GP1001, gp1001 and 1001 name the same page.
std::string spelled(std::string word) {
  std::ranges::transform(word, word.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  if (word.size() == 4 && only_digits(word)) return "GP" + word;
  return word == "PREAMBLE" ? "preamble" : word;
}

}  // namespace

int explain(std::span<const std::string> args, const World& world) {
  if (args.size() > 1) return usage_error({"gpol explain takes one code", "as in `gpol explain GP1001`"}, world);
  if (args.empty()) {
    list_codes(world.out);
    return 0;
  }
  if (args[0] == "--help" || args[0] == "-h") {
    world.out << kHelp;
    return 0;
  }
  std::vector<std::string> known;
  constexpr std::pair<const char*, std::string (*)()> kLists[] = {
      {"premises", premise_list}, {"constructs", construct_table}, {"quota-ways", quota_way_list}};
  for (const auto& [word, list] : kLists) {
    if (args[0] == word) {
      world.out << list();
      return 0;
    }
    known.emplace_back(word);
  }
  if (const std::string page = premise_page(args[0]); !page.empty()) {
    world.out << page;
    return 0;
  }
  const std::string code = spelled(args[0]);
  for (const Premise& premise : premises()) known.emplace_back(premise.key);
  for (const ExplainPage& page : explain_pages()) {
    if (page.code == code) {
      world.out << page.text;
      return 0;
    }
    known.emplace_back(page.code);
  }
  std::string hint = did_you_mean(code, known);
  if (hint.empty()) hint = did_you_mean(args[0], known);
  if (hint.empty()) hint = "`gpol explain` lists every code, `gpol explain premises` the premises";
  return usage_error({fmt::format("there is no code and no premise `{}`", args[0]), hint}, world);
}

}  // namespace gpol
