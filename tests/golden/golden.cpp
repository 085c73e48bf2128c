#include "tests/golden/golden.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "tests/golden/rows.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::vector<fs::path> policies_in(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const auto& topic : fs::directory_iterator(directory)) {
    if (!topic.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(topic))
      if (entry.path().extension() == ".gpol") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Golden golden_of(const fs::path& root, const fs::path& policy) {
  Golden golden;
  golden.policy = fs::relative(policy, root);
  golden.expected = fs::path(golden.policy).replace_extension(".expected");
  golden.premises = fs::path(golden.policy).replace_extension(".premises");
  golden.written = fs::path(golden.policy).replace_extension(".out");
  return golden;
}

void default_args(Golden& golden) {
  const std::string topic = golden.policy.parent_path().filename().string();
  golden.args = topic == "build" ? std::vector<std::string>{"build", "{}", "-o", "{out}"}
                : topic == "fmt" ? std::vector<std::string>{"fmt", "-"}
                                 : std::vector<std::string>{"check", "{}"};
  golden.reads_stdin = topic == "fmt";
}

void read_directive(Golden& golden, const std::string& first_line) {
  static const std::regex kDirective("^# ([a-z]+): (.*)$");
  std::smatch match;
  if (!std::regex_match(first_line, match, kDirective)) return;
  if (match[1] != "args")
    throw std::runtime_error(golden.policy.string() + ": unknown directive `" + match[1].str() + "`");
  golden.args = words(match[2]);
  golden.reads_stdin = std::find(golden.args.begin(), golden.args.end(), "-") != golden.args.end();
}

}  // namespace

std::vector<Golden> goldens(const fs::path& root) {
  std::vector<Golden> all;
  for (const fs::path& policy : policies_in(root / "tests/golden")) {
    Golden golden = golden_of(root, policy);
    default_args(golden);
    const std::string text = read_text(policy);
    read_directive(golden, text.substr(0, text.find('\n')));
    all.push_back(std::move(golden));
  }
  return all;
}

std::vector<Golden> examples(const fs::path& root) {
  std::vector<Golden> all;
  for (const fs::path& policy : policies_in(root / "examples")) {
    Golden golden = golden_of(root, policy);
    golden.args = {"check", "{}"};
    all.push_back(std::move(golden));
  }
  return all;
}

Outcome play(const Golden& golden, const fs::path& scratch) {
  const fs::path out = scratch / "out";
  std::vector<std::string> args;
  for (std::string arg : golden.args) {
    arg = replaced(arg, "{}", golden.policy.string());
    arg = replaced(arg, "{stem}", fs::path(golden.policy).replace_extension().string());
    args.push_back(replaced(arg, "{out}", out.string()));
  }
  const Ran ran = run_gpol(args, golden.reads_stdin ? read_text(golden.policy) : std::string());
  Outcome outcome;
  outcome.code = ran.code;
  outcome.text = ran.out;
  if (!ran.err.empty()) outcome.text += "--- stderr\n" + ran.err;
  outcome.text += "--- exit " + std::to_string(ran.code) + "\n";
  outcome.text = replaced(outcome.text, out.string(), "<out>");
  outcome.text = replaced(outcome.text, fs::current_path().string(), "<root>");
  outcome.files = files_below(out);
  return outcome;
}

const std::string& json_report(const fs::path& policy) {
  static std::map<fs::path, std::string> all;
  const auto known = all.find(policy);
  if (known != all.end()) return known->second;
  return all.emplace(policy, run_gpol({"check", "--format", "json", policy.string()}).out).first->second;
}

Findings annotations(const std::string& policy) {
  Findings found;
  std::istringstream lines(policy);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto at = line.find("#~ ");
    if (at == std::string::npos) continue;
    for (const std::string& code : words(line.substr(at + 3))) found.emplace(number, code);
  }
  return found;
}

Findings findings(const std::string& json_report, const std::string& file) {
  Findings found;
  const auto add = [&](const nlohmann::json& item) {
    const auto& location = item.at("location");
    if (!location.is_null() && location.at("file") == file && !location.at("line").is_null())
      found.emplace(location.at("line").get<int>(), item.at("code").get<std::string>());
  };
  const auto report = nlohmann::json::parse(json_report);
  for (const auto& diagnostic : report.at("diagnostics")) add(diagnostic);
  for (const auto& obligation : report.at("obligations"))
    if (obligation.at("required") == true && obligation.at("verdict") != "proven") add(obligation);
  return found;
}

Files files_below(const fs::path& directory) {
  Files files;
  if (!fs::exists(directory)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      files.emplace_back(fs::relative(entry.path(), directory).string(), read_text(entry.path()));
  std::sort(files.begin(), files.end());
  return files;
}

Parted parted(const std::string& report) {
  const std::string text = "\n" + without_the_count(report);
  const auto from = text.find("\npremise ");
  const auto to = from == std::string::npos ? from : text.find("\n\n", from);
  if (to == std::string::npos) return {text.substr(1), {}};
  return {(text.substr(0, from) + text.substr(to + 1)).substr(1), text.substr(from + 1, to - from)};
}

std::set<std::string> revisions(const Files& files) {
  static const std::regex kRevision("gpol\\.dev/revision: \"([0-9a-f]{16})\"");
  std::set<std::string> all;
  for (const auto& [name, text] : files)
    for (auto it = std::sregex_iterator(text.begin(), text.end(), kRevision); it != std::sregex_iterator(); ++it)
      all.insert((*it)[1]);
  return all;
}

std::string speaks_of_the_proof(const std::string& report) {
  static const std::regex kWords("\\b(unsat|sat|smt|z3|solver|lemma|formula|model(?!-len)|inductive)\\b",
                                 std::regex::icase);
  std::smatch found;
  return std::regex_search(report, found, kWords) ? found.str() : std::string();
}

std::size_t offset_of(const std::string& text, std::size_t line, std::size_t column) {
  std::size_t at = 0;
  for (; line > 1; --line) at = text.find('\n', at) + 1;
  if (at == 0 && text.starts_with("\xEF\xBB\xBF")) at = 3;
  for (; column > 1; --column) do
      ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  return at;
}

bool updating() {
  const char* value = std::getenv("GPOL_UPDATE_GOLDEN");
  return value != nullptr && *value != '\0';  // set to nothing is not set
}

int update_file(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_text(path) == text) return 0;
  write_text(path, text);
  return 1;
}

std::string difference(const std::string& expected, const std::string& found) {
  if (expected == found) return {};
  std::istringstream left(expected);
  std::istringstream right(found);
  std::string a;
  std::string b;
  for (int number = 1;; ++number) {
    const bool more_left = static_cast<bool>(std::getline(left, a));
    const bool more_right = static_cast<bool>(std::getline(right, b));
    if (!more_left && !more_right) return "they differ in line breaks";
    if (more_left && more_right && a == b) continue;
    return "line " + std::to_string(number) + "\n  expected: " + (more_left ? a : "(the end)") +
           "\n  found:    " + (more_right ? b : "(the end)");
  }
}

}  // namespace gpol::test
