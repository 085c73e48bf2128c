// What of a policy's report a reader must see in full: obligations that stand in the way, those of one queue and one
// cause folded into one (a reclaim verdict is the same for every resource of its queue; of the others the GPUs are
// told), uses of what one family is to prove folded into one, and what follows from another finding told with it.
#pragma once

#include <string_view>
#include <vector>

#include "cli/render/run_report.h"

namespace gpol {

struct Finding {
  const Obligation* told = nullptr;            // never null
  std::vector<std::string_view> also = {};     // other resources of which the same is true, sorted
  std::vector<const Obligation*> folded = {};  // theirs, in the report's order
  std::vector<const Obligation*> same =
      {};  // uses of other constructs that wait for the same family, in the report's order
  std::vector<const Obligation*> consequences = {};  // what is only not known, or broken, because this is

  // What is told, and what is folded into it.
  std::vector<const Obligation*> all() const {
    std::vector<const Obligation*> list{told};
    list.insert(list.end(), folded.begin(), folded.end());
    return list;
  }
};

// In the report's order.
std::vector<Finding> findings(const PolicyReport& policy, const std::vector<Family>& allowed_gaps);
// What would stand in the way if its family's gap were not allowed: told all the same, uses of planned constructs
// apart.
std::vector<Finding> allowed_findings(const PolicyReport& policy, const std::vector<Family>& allowed_gaps);
// What is refuted but not required, and no figure of the table either: quota of batch beyond its nodes.
std::vector<Finding> side_findings(const PolicyReport& policy);

// What to do about it, each once: of several resources each may have an edit of its own.
std::vector<std::string_view> fixes_of(const Finding& finding);
// A story with equal steps in a row told once: "..., 6 times".
std::vector<StoryStep> told_once(const std::vector<StoryStep>& story);

}  // namespace gpol
