#include "tests/diff/pair.h"

#include <sstream>
#include <stdexcept>

#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

namespace {

std::string unescaped(std::string text) {
  for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at)) text.replace(at, 2, "\n");
  return text;
}

// "A => B"
std::pair<std::string, std::string> both_of(const std::string& text) {
  const std::size_t at = text.find(" =>");
  if (at == std::string::npos) throw std::runtime_error("OLD => NEW");
  std::string to = text.substr(at + 3);
  if (to.starts_with(' ')) to.erase(0, 1);
  return {unescaped(text.substr(0, at)), unescaped(to)};
}

std::size_t only_place(const std::string& text, const std::string& what) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos || text.find(what, at + 1) != std::string::npos)
    throw std::runtime_error("not there exactly once: " + what);
  return at;
}

void replace_in(const fs::path& file, const std::string& change) {
  const auto [from, to] = both_of(change);
  std::string text = read_text(file);
  text.replace(only_place(text, from), from.size(), to);
  write_text(file, text);
}

std::vector<std::string> documents_of(const fs::path& file) {
  std::vector<std::string> documents;
  std::string text = read_text(file), separator = "---\n";
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    documents.push_back(text.substr(at, end - at));
    if (end == std::string::npos) return documents;
    at = end + separator.size();
  }
}

void reverse_documents(const fs::path& file) {
  std::string text;
  for (const std::string& document : documents_of(file)) text = document + (text.empty() ? "" : "---\n") + text;
  write_text(file, text);
}

void make_list(const fs::path& file) {
  std::string text = "apiVersion: v1\nkind: List\nitems:\n";
  for (const std::string& document : documents_of(file)) {
    std::istringstream lines(document);
    bool first = true;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) continue;
      text += (first ? "- " : "  ") + line + "\n";
      first = false;
    }
  }
  write_text(file, text);
}

void split(const fs::path& file, const std::string& change) {
  const auto [from, name] = both_of(change);
  std::string text = read_text(file);
  const std::size_t at = only_place(text, from);
  write_text(file.parent_path() / name, "language 1\nimport gpol/guard-rails\n" + text.substr(at));
  text.resize(at);
  const std::string after = "import gpol/guard-rails\n";
  text.replace(only_place(text, after), after.size(), after + "import \"" + name + "\"\n");
  write_text(file, text);
}

void apply(const std::string& word, const std::string& rest, const fs::path& into, Pair& pair) {
  std::istringstream words(rest);
  std::string file;
  words >> file;
  if (file.ends_with(':')) file.pop_back();
  const std::string change = rest.size() > file.size() + 2 ? rest.substr(file.size() + 2) : "";
  if (word == "base") {
    for (const char* side : {"before", "after"})
      fs::copy(fs::path(GPOL_ROOT) / "tests/diff/bases" / rest, into / side, fs::copy_options::recursive);
  } else if (word == "before") {
    for (const char* side : {"before", "after"}) replace_in(into / side / file, change);
  } else if (word == "edit") {
    replace_in(into / "after" / file, change);
  } else if (word == "reverse") {
    reverse_documents(into / "after" / file);
  } else if (word == "list") {
    make_list(into / "after" / file);
  } else if (word == "split-document") {
    const auto [name, to] = both_of(change);
    std::string kept, moved;
    for (const std::string& document : documents_of(into / "after" / file)) {
      std::string& text = document.find(name) != std::string::npos ? moved : kept;
      text += (text.empty() ? "" : "---\n") + document;
    }
    write_text(into / "after" / file, kept);
    write_text(into / "after" / to, moved);
  } else if (word == "split") {
    split(into / "after" / file, change);
  } else if (word == "move") {
    const auto [from, to] = both_of(rest);
    fs::create_directories((into / "after" / to).parent_path());
    fs::rename(into / "after" / from, into / "after" / to);
  } else if (word == "exit") {
    pair.exit = std::stoi(rest);
  } else if (word == "headline") {
    pair.headline = rest;
  } else if (word == "says") {
    pair.says.push_back(rest);
  } else if (word == "exposed") {
    std::istringstream parts(rest);
    Pair::Exposed one;
    parts >> one.name >> one.flavor >> one.resource >> one.units;
    pair.exposed.push_back(one);
  } else {
    throw std::runtime_error("no line begins with " + word);
  }
}

}  // namespace

Pair set_up(const fs::path& file, const fs::path& into) {
  Pair pair;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      pair.title = line.substr(2);
      continue;
    }
    const std::size_t at = line.find(' ');
    apply(line.substr(0, at), at == std::string::npos ? "" : line.substr(at + 1), into, pair);
  }
  return pair;
}

}  // namespace gpol::test
