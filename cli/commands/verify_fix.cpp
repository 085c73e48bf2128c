// verify --fix: the edits that were tried, written into the manifests.
#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <map>
#include <set>

#include "cli/commands/verify.h"
#include "compiler/source/edit.h"
#include "emit/rewrite.h"

namespace gpol {

namespace {

constexpr int kMostEdits = 100;

struct Proposal {
  const PolicyReport* bundle = nullptr;
  const Obligation* of = nullptr;
  const Fix& fix() const { return *of->detail->fix; }
};

std::string name_of(const PolicyReport& bundle, const Obligation& o) {
  return fmt::format("{} {} {} {} {} {}", bundle.bundle, family_name(o.family), o.subject.kind, o.subject.name,
                     o.subject.flavor, o.subject.resource);
}

// What is wrong: an edit may add nothing to it.
std::set<std::string> broken(const Verified& verified) {
  std::set<std::string> all;
  for (const PolicyReport& bundle : verified.run.policies)
    for (const Obligation& o : bundle.report->obligations)
      if (stands_in_the_way(o, verified.run.allowed_gaps)) all.insert(name_of(bundle, o));
  return all;
}

std::vector<Proposal> proposals(const Verified& verified) {
  std::vector<Proposal> list;
  for (const PolicyReport& bundle : verified.run.policies)
    for (const Obligation& o : bundle.report->obligations)
      if (stands_in_the_way(o, verified.run.allowed_gaps) && verified.run.waivers.of(o) == nullptr && o.detail &&
          o.detail->fix && !o.detail->fix->tried.empty())
        list.push_back({&bundle, &o});
  return list;
}

// Why it is left to people; empty: it is written.
std::string_view why_not(const Proposal& one) {
  const auto& tried = one.fix().tried;
  if (std::any_of(tried.begin(), tried.end(), [](const FieldEdit& edit) { return edit.ends_loan; }))
    return "it ends the loan of class B, which class A says openly";
  if (one.bundle->built) return "kustomize builds the object: say it where your kustomizations do";
  if (one.fix().edits.empty()) return "the text there stands for other fields, too";
  return {};
}

class Fixer {
 public:
  Fixer(const VerifyOptions& options, std::istream& in) : options_(options), in_(in) {}

  Verified run() {
    Verified now = verify_paths(options_, in_);
    std::vector<std::string> notes;
    std::vector<Diagnostic> problems;
    for (int written = 0; written < kMostEdits && judged(now.run) != Overall::Error && problems.empty();) {
      const auto list = proposals(now);
      const auto next = std::find_if(list.begin(), list.end(), [&](const Proposal& one) {
        const auto why = why_not(one);
        const bool fresh = seen_.insert(fmt::format("{} {}", one.bundle->bundle, one.fix().text)).second;
        if (fresh && !why.empty()) notes.push_back(fmt::format("not written, as {}: {}", why, one.fix().text));
        return fresh && why.empty();
      });
      if (next == list.end()) break;
      written += attempt(*next, now, notes, problems) ? 1 : 0;
    }
    std::move(problems.begin(), problems.end(), std::back_inserter(now.run.diagnostics));
    now.run.notes.insert(now.run.notes.begin(), notes.begin(), notes.end());
    return now;
  }

 private:
  bool attempt(const Proposal& one, Verified& now, std::vector<std::string>& notes, std::vector<Diagnostic>& problems) {
    std::map<FileId, std::vector<Edit>> edits;
    for (const Edit& edit : one.fix().edits) edits[edit.replace.file].push_back(edit);
    struct Text {
      std::string path, before, after;
    };
    std::vector<Text> texts;
    for (const auto& [file, of] : edits)
      texts.push_back({one.bundle->sources->path(file), std::string(one.bundle->sources->text(file)),
                       edited(*one.bundle->sources, file, of)});
    std::size_t made = 0;
    for (; made < texts.size() && problems.empty(); ++made)
      if (auto problem = rewrite(texts[made].path, texts[made].before, texts[made].after)) {
        problems.push_back(std::move(*problem));
        break;
      }
    const std::string name = name_of(*one.bundle, *one.of), text = one.fix().text;
    const auto before = broken(now);
    bool keep = problems.empty();
    if (keep) {
      Verified then = verify_paths(options_, in_);
      const auto after = broken(then);
      keep = judged(then.run) != Overall::Error && !after.contains(name) &&
             std::includes(before.begin(), before.end(), after.begin(), after.end());
      if (keep) {
        for (const Text& file : texts) notes.push_back(fmt::format("wrote `{}`: {}", file.path, text));
        now = std::move(then);
        return true;
      }
      notes.push_back(fmt::format("not written, as something else would break: {}", text));
    }
    while (made-- > 0)
      if (auto problem = rewrite(texts[made].path, texts[made].after, texts[made].before))
        problems.push_back(std::move(*problem));
    return false;
  }

  const VerifyOptions& options_;
  std::istream& in_;
  std::set<std::string> seen_;
};

}  // namespace

Verified fix_manifests(const VerifyOptions& options, std::istream& standard_input) {
  return Fixer(options, standard_input).run();
}

}  // namespace gpol
