// Policies of one run that import each other. What a file defines and declares may be meant for those who import it:
// where one of them is looked at as well, gpol knows that it is, and says nothing of its unused names. In: sessions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/commands/session.h"

namespace gpol {

// The files that a policy imports, in their canonical form.
std::set<std::string> imported_by(const Session& session, const FileTree& tree = disk());

// Without the modules that another one of them imports: those are part of that one.
std::vector<PolicyText> without_imported_modules(std::vector<PolicyText> texts);

// Drops GP0401, GP0402 and GP0403 where the policy's own file is one of `imported`, and everything where it has no
// cluster either: what is wrong in such a file is told of its importers.
void spare_imported(Session& session, const std::set<std::string>& imported, const FileTree& tree = disk());

}  // namespace gpol
