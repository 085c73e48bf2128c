// why: the clauses that a tenant's guarantee needs, found by taking clauses out and proving again (docs/why.md).
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <span>

#include "cli/commands/commands.h"
#include "cli/commands/guarantee.h"
#include "cli/render/json_parts.h"
#include "cli/render/render.h"
#include "cli/render/text.h"
#include "cli/tree/with_file.h"
#include "compiler/lint/clauses.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

// A smallest set of clauses that something rests on. In: clauses in which blocks come before what is in them, and
// whether it holds without some of them. Out: the clauses that are left out. Without all of them it holds, and without
// any other clause as well (a block with all that is in it) it does not.
using Holds = std::function<bool(const std::vector<bool>& out)>;

class Shrinker {
 public:
  Shrinker(std::span<const Clause> clauses, const Holds& holds) : holds_(holds), out_(clauses.size()) {
    inside_.resize(clauses.size());
    // What uses a name mostly stands behind what declares it: from the end on, fewer attempts fail.
    for (std::size_t i = clauses.size(); i-- > 0;)
      (clauses[i].within ? inside_[*clauses[i].within] : top_).push_back(i);
  }

  // A clause that had to stay may be superfluous once others are out: until no attempt succeeds any more.
  std::vector<bool> shrunk() {
    while (shrink(top_)) continue;
    return out_;
  }

 private:
  void take_out(std::size_t clause, std::vector<bool>& out) const {
    out[clause] = true;
    for (const std::size_t part : inside_[clause]) take_out(part, out);
  }

  // Many at once first: most of a policy is about others.
  bool shrink(std::span<const std::size_t> some) {
    std::vector<std::size_t> left;
    for (const std::size_t clause : some)
      if (!out_[clause]) left.push_back(clause);
    if (left.empty()) return false;
    std::vector<bool> without = out_;
    for (const std::size_t clause : left) take_out(clause, without);
    if (hold(without)) {
      out_ = without;
      return true;
    }
    if (left.size() == 1) return shrink(inside_[left.front()]);
    const std::span all(left);
    const std::size_t half = left.size() / 2;
    const bool first = shrink(all.first(half));
    return shrink(all.subspan(half)) || first;
  }

  bool hold(const std::vector<bool>& out) {
    const auto [known, fresh] = known_.try_emplace(out, false);
    if (fresh) known->second = holds_(out);
    return known->second;
  }

  const Holds& holds_;
  std::vector<std::vector<std::size_t>> inside_;
  std::vector<std::size_t> top_;
  std::vector<bool> out_;
  std::map<std::vector<bool>, bool> known_;
};

// A policy, and what becomes of its guarantee without some of its clauses.
class Trials {
 public:
  Trials(const SourceSet& sources, std::vector<Clause> clauses, std::string tenant, const Guarantee& promised)
      : sources_(sources), clauses_(std::move(clauses)), tenant_(std::move(tenant)), promised_(promised) {
    for (FileId file = 0; file < sources_.size(); ++file) {
      std::error_code error;
      paths_.push_back(file == 0 || sources_.built_in(file) ? ""
                                                            : disk().canonical(sources_.path(file), error).string());
    }
  }
  const std::vector<Clause>& clauses() const { return clauses_; }

  // `alone`: other families than those of the guarantee are not asked, which find a mistake at times.
  bool hold(const std::vector<bool>& out, bool alone) const {
    const FileTree* tree = &disk();
    std::vector<std::unique_ptr<FileTree>> edited;  // each the one before, with one file's clauses out
    for (FileId file = 1; file < sources_.size(); ++file)
      if (!paths_[file].empty())
        tree = edited
                   .emplace_back(
                       std::make_unique<WithFile>(*tree, paths_[file], text_without(sources_, file, clauses_, out)))
                   .get();
    const auto session = check_policy({sources_.path(0), text_without(sources_, 0, clauses_, out)},
                                      {.quotas_alone = alone, .tree = tree});
    return kept(promised_, guarantee_of(*session, tenant_));
  }

  std::vector<bool> superfluous() const {
    std::vector<bool> out = Shrinker(clauses_, [&](const auto& some) { return hold(some, true); }).shrunk();
    if (!hold(out, false)) out = Shrinker(clauses_, [&](const auto& some) { return hold(some, false); }).shrunk();
    return out;
  }

 private:
  const SourceSet& sources_;
  std::vector<Clause> clauses_;
  std::string tenant_;
  const Guarantee& promised_;
  std::vector<std::string> paths_;  // by file; empty: its text is given, or it is of the library
};

int code_of(Overall verdict) { return verdict == Overall::Proven ? 0 : verdict == Overall::Undecided ? 3 : 1; }

// On one line, and not wider than a screen.
std::string in_short(std::string_view text) {
  constexpr std::size_t kWidest = 120;
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      out.push_back(c);
    else if (!out.empty() && out.back() != ' ')
      out.push_back(' ');
  }
  if (out.size() <= kWidest) return printable(out);
  std::size_t cut = kWidest;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0U) == 0x80U) --cut;
  return printable(out.substr(0, cut)) + " ...";
}

void print_json(const SourceSet& sources, const std::string& subject, Overall verdict, const std::string& says,
                const std::vector<Span>& needed, std::size_t all, std::ostream& out) {
  out << fmt::format(
      "{{\"schema\":1,\"subject\":{},\"verdict\":{},\"guarantee\":{},\"clauses_in_all\":{},\"clauses\":[",
      json_string(subject), json_string(overall_name(verdict)), json_string_or_null(says), all);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const LineColumn at = sources.position(needed[i].file, needed[i].begin);
    out << fmt::format("{}{{\"file\":{},\"line\":{},\"column\":{},\"text\":{}}}", i > 0 ? "," : "",
                       json_string(sources.path(needed[i].file)), at.line, at.column,
                       json_string(sources.slice(needed[i])));
  }
  out << "]}\n";
}

int nobody(const Session& session, const WhyOptions& options, const World& world) {
  const std::vector<std::string> served = promised_tenants(session);
  std::string hint = did_you_mean(options.subject, served);
  for (const QueueRole& role : session.planned->intent.roles)
    if (role.tenant == options.subject) hint = "its class promises nothing";
  if (served.empty())
    return usage_error({"the policy promises nothing to any tenant", "give a tenant a class A or B"}, world);
  hint +=
      fmt::format("{}tenants to whom something is promised: `{}`", hint.empty() ? "" : "; ", fmt::join(served, "`, `"));
  return usage_error({fmt::format("nothing is promised to a tenant `{}`", options.subject), hint}, world);
}

// The mistakes, or why there is nothing to explain.
int unproven(const Session& session, const WhyOptions& options, Overall verdict, const World& world) {
  if (options.format == Format::Json) print_json(session.sources, options.subject, verdict, "", {}, 0, world.out);
  if (verdict == Overall::Error)
    render_diagnostics(&session.sources, session.report.diagnostics, world.colour, world.err);
  else
    world.err << fmt::format("the guarantee of `{}` is {}: `gpol check {}` says why\n", printable(options.subject),
                             overall_name(verdict), printable(options.path));
  return code_of(verdict);
}

}  // namespace

int why(const WhyOptions& options, const World& world) {
  auto texts = read_policies(std::vector{options.path}, world.in);
  if (!texts.ok()) {
    render_diagnostics(nullptr, texts.diagnostics, world.colour, world.err);
    return 2;
  }
  if (texts.value.size() != 1) return usage_error({"gpol why takes one policy", "give a single .gpol file"}, world);
  const auto session = check_policy(std::move(texts.value.front()));
  const Guarantee promised = guarantee_of(*session, options.subject);
  if (promised.mistakes) return unproven(*session, options, Overall::Error, world);
  if (!session->planned)
    return usage_error({"the policy declares no cluster: it promises nothing", "give a policy with a `cluster`"},
                       world);
  if (!promised.isolation) return nobody(*session, options, world);
  if (promised.verdict() != Overall::Proven) return unproven(*session, options, promised.verdict(), world);

  const SourceSet& sources = session->sources;
  const Trials trials(sources, clauses_of(sources), options.subject, promised);
  const std::vector<bool> out = trials.superfluous();
  std::vector<Span> needed;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!out[i]) needed.push_back(trials.clauses()[i].shown);
  const std::string says = words_of(promised);
  if (options.format == Format::Json) {
    print_json(sources, options.subject, Overall::Proven, says, needed, out.size(), world.out);
    return 0;
  }
  world.out << fmt::format("proven for `{}`: {}; it needs {} of {}\n", printable(options.subject), printable(says),
                           needed.size(), plural(out.size(), "clause"));
  for (const Span& clause : needed)
    world.out << fmt::format("{}:{}: {}\n", printable(sources.path(clause.file)),
                             sources.position(clause.file, clause.begin).line, in_short(sources.slice(clause)));
  return 0;
}

}  // namespace gpol
