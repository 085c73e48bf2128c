// The documents of tests/conformance/schema. Each says in its first comment what it breaks:
// "# breaks RULE at FIELD", or "# accepted: ...".
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/observe/documents.h"

namespace gpol {

struct RuleDocument {
  std::string file;  // without its folders
  int index = 0;
  std::string text;
  std::string rule, field;  // empty: it must be accepted
};

inline std::vector<RuleDocument> rule_documents(const std::string& path) {
  std::ifstream in(path);
  std::stringstream bytes;
  bytes << in.rdbuf();
  const std::string all = bytes.str();
  const auto split = manifest::split_documents(all);
  if (split.list.empty() || !split.refused.empty()) throw std::runtime_error(path + " cannot be read " + split.refused);
  std::vector<RuleDocument> documents;
  for (const auto& one : split.list) {
    RuleDocument document{path.substr(path.rfind('/') + 1), one.index, std::string(one.bytes), {}, {}};
    const auto from = document.text.find("# ");
    if (from == std::string::npos) throw std::runtime_error(path + ": a document does not say what it breaks");
    std::istringstream words(document.text.substr(from, document.text.find('\n', from) - from));
    std::string hash, verb, at;
    words >> hash >> verb;
    if (verb == "breaks") {
      words >> document.rule >> at >> std::ws;
      std::getline(words, document.field);  // a key may hold a space
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

inline std::vector<RuleDocument> rule_documents_below(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path().generic_string());
  std::sort(paths.begin(), paths.end());
  std::vector<RuleDocument> documents;
  for (const auto& path : paths)
    for (auto& document : rule_documents(path)) documents.push_back(std::move(document));
  return documents;
}

}  // namespace gpol
