// What `gpol verify` makes of manifests, and `gpol check` of policies, before anything is rendered. In: options,
// standard input. Out: the session with the observed cluster, who serves in it and what is proven, and the run's own
// findings; `texts` are the files as read.
#pragma once

#include <iosfwd>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "checker/observe/bundles.h"
#include "checker/observe/existing.h"
#include "checker/observe/observe.h"
#include "cli/commands/options.h"
#include "cli/commands/session.h"
#include "cli/config/config.h"

namespace gpol {

// What is said beside labels and flags.
struct Said {
  const std::string& classes;                        // the text of the file of roles; empty: none was given
  const std::set<std::string>* elsewhere = nullptr;  // queues of other bundles, which flags may name
  const Config* config = nullptr;                    // gpol.yaml; null: there is none
};
// `notes`: what was read and says nothing.
std::unique_ptr<Session> verify_observed(Existing existing, Bundle bundle, const Said& said,
                                         const VerifyOptions& options, std::vector<std::string>& notes);
// Of what is there of Volcano. `existing`: the rest of the bundle, with what could not be read of it.
std::unique_ptr<Session> verify_volcano(VolcanoFacts facts, const Existing& existing, const Bundle& bundle,
                                        const Said& said, const VerifyOptions& options,
                                        std::vector<std::string>& notes);
// Nothing was found, and nobody is said to serve.
bool no_volcano_queue_serves(const Session& session);
// The same of files alone. `classes`: the text of the file of roles; empty: none was given.
std::unique_ptr<Session> verify_manifests(std::vector<YamlFile> files, const std::string& classes,
                                          const VerifyOptions& options, std::vector<std::string>& notes);

// A file, or a folder, that nobody read.
struct Unread {
  std::string path;
  std::string_view why;  // "a template"
  bool counts = false;   // a verdict is undecided because of it, whatever its text names
  bool in_part = false;  // it was read, but for that
};

struct Verified {
  RunReport run;  // its policies are views into the sessions, one for each bundle or policy
  std::vector<std::unique_ptr<Session>> sessions;
  ConfigFile config;  // what gpol.yaml says
  std::vector<Unread> unread;
  std::vector<std::pair<std::string, std::string>> likely;  // queues that probably serve, and why
};
// verify_fix.cpp: writes the edits that were tried, one after another, each kept only where it breaks nothing. Out:
// what is there then; notes say what was written and what was not.
Verified fix_manifests(const VerifyOptions& options, std::istream& standard_input);
class Progress;
// Judge what the PATHs hold, policies (check.cpp) or manifests (verify_folder.cpp), and count on `progress`, if any.
Verified check_paths(const CheckOptions& options, std::istream& standard_input, const FileTree& tree,
                     Progress* progress = nullptr);
// `known` (may be null) is of the same paths, in which the files `edited` were others: bundles that list none of these
// are not judged again. Their reports are `known`'s, which must outlive the result, and they have no session.
struct Known {
  const Verified& verified;
  const std::set<std::string>& edited;
};
Verified verify_paths(const VerifyOptions& options, std::istream& standard_input, Progress* progress = nullptr,
                      const Known* known = nullptr);

}  // namespace gpol
