// What `gpol verify` makes of manifests, before anything is rendered. In: options, standard input. Out: the session
// with the observed cluster, who serves in it and what is proven, and the run's own findings; `texts` are the files as
// read.
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

namespace gpol {

// `classes`: the text of the file of roles; empty: none was given. `notes`: what was read and says nothing.
// What is said of roles beside labels and flags.
struct RolesSaid {
  const std::string& classes;                       // the text of the file of roles; empty: none was given
  const std::set<std::string>* elsewhere = nullptr;  // queues of other bundles, which flags may name
};
// The same of what was observed of it already.
std::unique_ptr<Session> verify_observed(Existing existing, Bundle bundle, const RolesSaid& said,
                                         const VerifyOptions& options, std::vector<std::string>& notes);
std::unique_ptr<Session> verify_manifests(std::vector<YamlFile> files, const std::string& classes,
                                          const VerifyOptions& options, std::vector<std::string>& notes);

struct Verified {
  RunReport run;  // its policies are views into the sessions, one for each bundle
  std::vector<std::unique_ptr<Session>> sessions;
};
Verified verify_paths(const VerifyOptions& options, std::istream& standard_input);

}  // namespace gpol
