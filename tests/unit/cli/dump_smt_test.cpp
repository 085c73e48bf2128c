// `--dump=smt` shows what the solver was asked: no more, no less. It is compared with what was heard at the solver; too
// long for a golden, since a question about guards spells a whole request out.
#include <algorithm>
#include <set>

#include "cli/commands/commands.h"
#include "cli/commands/session.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;

namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++found;
  return found;
}

}  // namespace

TEST_CASE("the dump of a policy holds every question that the solver is asked, each once", "[slow]") {
  const std::string path = GPOL_ROOT "/examples/morning-ramp/morning-ramp.gpol";
  std::set<std::string> heard, families;
  SessionOptions options;
  options.keep_formulas = true;
  options.ear = [&](const Formula& formula, const Answer& answer) {
    CHECK(answer.kind != Answer::Kind::Unknown);
    heard.insert(smtlib(formula));
    families.insert(formula.name.substr(0, formula.name.find('/')));
  };
  const auto session = check_policy({path, read_text(path)}, options);
  CHECK(heard.size() > 50);
  CHECK(families == std::set<std::string>{"bypass", "capacity", "claim", "fragmentation", "placement", "reclaim"});
  std::set<std::string> kept;
  for (const Formula& formula : session->formulas) kept.insert(smtlib(formula));
  CHECK(kept == heard);
  CHECK(session->formulas.size() == heard.size());

  const Ran ran = run_gpol({"check", "--dump=smt", path});
  CHECK(ran.code == 0);
  CHECK(ran.out == dump_smt(session->formulas));
  // One head for all of them, and nothing of one question reaches into the next.
  CHECK(count(ran.out, "(set-logic") == 1);
  CHECK(count(ran.out, "(set-option") == 1);
  for (const char* line : {"\n(push 1)\n", "\n(check-sat)\n", "\n(pop 1)\n"})
    CHECK(count(ran.out, line) == heard.size());
}
