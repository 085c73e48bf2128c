#include "cli/commands/modules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "cli/codes.h"
#include "cli/commands/library.h"
#include "compiler/source/codes.h"
#include "compiler/source/edit_distance.h"
#include "compiler/syntax/parse.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kImportsItself = " imports itself: ";
constexpr std::size_t kMostFiles = 10'000, kDeepest = 64, kMostBytes = std::size_t{64} << 20U;

bool below(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

class Reader {
 public:
  Reader(SourceSet& sources, const FileTree& tree) : sources_(sources), tree_(tree) {}

  Outcome<std::vector<ast::File>> read(PolicyText policy) {
    std::error_code error;
    const fs::path given = policy.path == "-" ? fs::current_path(error) / "-" : fs::path(policy.path);
    fs::path directory = tree_.canonical(given.has_parent_path() ? given.parent_path() : fs::path("."), error);
    root_ = repository_of(directory, tree_);
    const std::string key = (directory / given.filename()).string();
    take({key, std::move(policy.path), std::move(directory)}, std::move(policy.text));
    return std::move(out_);
  }

 private:
  // A file that was found: what it is known by, how it is printed, and where its imports are looked for.
  struct Module {
    std::string key, shown;
    fs::path directory;  // empty: of the library
  };
  struct Open {
    std::string key;
    std::string shown;
    std::size_t place;  // in what is given out
    Span import;        // that led to it; of the policy itself unknown
  };

  Diagnostic& refuse(Span span, std::string message, std::string hint) {
    return out_.diagnostics.emplace_back(error_at(code::BadImport, span, std::move(message), std::move(hint)));
  }

  void take(const Module& module, std::string text, Span led_here = {}) {
    bytes_ += text.size();
    const FileId file = sources_.add(module.shown, std::move(text), module.directory.empty());
    read_.emplace(module.key, file);
    auto parsed = parse(sources_, file);
    for (Diagnostic& found : parsed.diagnostics) out_.diagnostics.push_back(std::move(found));
    const std::size_t place = out_.value.size();
    open_.push_back({module.key, module.shown, place, led_here});
    out_.value.push_back(std::move(parsed.value));
    // By index: the list grows meanwhile.
    for (std::size_t i = 0; i < out_.value[place].decls.size(); ++i) {
      const auto* import = std::get_if<ast::Import>(&out_.value[place].decls[i].node);
      if (import != nullptr) follow(module, ast::Import(*import));
    }
    open_.pop_back();
  }

  void follow(const Module& from, const ast::Import& import) {
    if (import.library)
      follow_library(from, import.target);
    else if (from.directory.empty())
      refuse(import.target.span, "a file of the library imports by name alone", "write `import gpol/...`");
    else
      follow_path(from, import.target);
  }

  void follow_library(const Module& from, const ast::Name& target) {
    for (const LibraryFile& file : library())
      if (file.name == target.text) {
        const std::string key = "library " + target.text;
        enter({key, target.text, {}}, target.span, [&] { return std::string(file.text); });
        return;
      }
    if (target.text.ends_with('/')) return;  // of `gpol/*`: said already
    Diagnostic& unknown = refuse(target.span, fmt::format("there is no `{}` in the library", target.text), {});
    std::string meant = called_in_library(target.text);
    if (meant.empty()) meant = near_in_library(target.text);
    const std::string path =
        tree_.exists(from.directory / target.text) ? target.text : near_path(from.directory, target.text);
    if (!meant.empty()) {
      unknown.hint = fmt::format("did you mean `{}`?", meant);
    } else if (!path.empty() || target.text.ends_with(".gpol")) {
      const std::string quoted = fmt::format("\"{}\"", path.empty() ? target.text : path);
      unknown.hint = fmt::format("a file is imported by its path in quotes: `{}`", quoted);
      unknown.edits.push_back({target.span, quoted});
    } else {
      std::vector<std::string_view> names;
      for (const LibraryFile& file : library()) names.push_back(file.name);
      unknown.hint = fmt::format("it has `{}`; a file is imported by its path in quotes", fmt::join(names, "`, `"));
    }
  }

  // `classes`, `gpol/classes.gpol`, `policies/classes.gpol`: what is so called in the library. Empty: nothing is.
  static std::string called_in_library(const std::string& written) {
    const std::string called = "gpol/" + fs::path(written).stem().string();
    return std::ranges::any_of(library(), [&](const LibraryFile& file) { return file.name == called; }) ? called
                                                                                                        : std::string();
  }
  static std::string near_in_library(const std::string& written) {
    std::vector<std::string_view> names;
    for (const LibraryFile& file : library()) names.push_back(file.name);
    const auto near = nearest(written, names);
    return near ? std::string(*near) : std::string();
  }

  void follow_path(const Module& from, const ast::Name& target) {
    const fs::path written(target.text);
    if (target.text.empty()) {
      refuse(target.span, "this import names no file", "write a path from this file: `import \"teams/search.gpol\"`");
      return;
    }
    if (written.is_absolute()) return refuse_absolute(from, target, tree_.weakly_canonical(written));
    std::error_code error;
    const fs::path real = tree_.canonical(from.directory / written, error);
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
      const bool circle = error == std::errc::too_many_symbolic_link_levels;
      refuse(target.span,
             circle ? fmt::format("`{}` is a link that leads in a circle", target.text)
                    : fmt::format("`{}` cannot be followed: {}", target.text, error.message()),
             circle ? "import the file itself" : "see who may read the directories on the way");
      return;
    }
    if (error) {
      const fs::path above = tree_.weakly_canonical((from.directory / written).parent_path());
      Diagnostic& absent = refuse(target.span, fmt::format("`{}` is not there", target.text),
                                  "imports reach no further than the root of the repository");
      if (!below(above, root_)) return;
      absent.hint = "paths are relative to the file that imports";
      const std::string library = called_in_library(target.text), near = near_path(from.directory, written);
      if (!library.empty()) {
        absent.hint = fmt::format("a name of the library stands without quotes: `{}`", library);
        absent.edits.push_back({target.span, library});
      } else if (!near.empty()) {
        absent.hint = fmt::format("did you mean `{}`?", near);
      }
      return;
    }
    if (!below(real, root_)) {
      refuse(target.span, fmt::format("`{}` is not in the repository", target.text),
             "imports reach no further than the root of the repository");
      return;
    }
    const fs::path shown = fs::path(from.shown == "-" ? "" : from.shown).parent_path() / written;
    if (!tree_.is_directory(real)) {
      const bool regular = tree_.is_file(real);
      if (regular && real.extension() == ".gpol") return follow_file(real, shown, target.span);
      refuse(target.span, fmt::format("`{}` is no {} file", target.text, regular ? ".gpol" : "regular"),
             "import a .gpol file, or a directory");
      return;
    }
    std::vector<fs::path> files;
    std::string link;  // passed over: it may lead anywhere
    for (const FileTree::Entry& entry : tree_.entries(real, error)) {
      if (!entry.name.ends_with(".gpol") || entry.name.front() == '.') continue;
      if (entry.type == FileTree::Type::File) files.push_back(real / entry.name);
      if (entry.type == FileTree::Type::Link && link.empty()) link = entry.name;
    }
    if (files.empty() && !link.empty())
      refuse(target.span, fmt::format("`{}` holds no .gpol file of its own: `{}` is a link", target.text, link),
             "of a directory links are passed over: import the file itself, which must be in the repository");
    else if (files.empty())
      refuse(target.span, fmt::format("`{}` holds no .gpol file", target.text), "import a file");
    for (const fs::path& file : files)
      if (file.string() != open_.back().key)  // a file may import the directory that it is in
        follow_file(file, shown / file.filename(), target.span);
  }

  void refuse_absolute(const Module& from, const ast::Name& target, const fs::path& real) {
    Diagnostic& absolute = refuse(target.span, fmt::format("`{}` is no path from this file", target.text),
                                  "imports reach no further than the root of the repository");
    if (!below(real, root_)) return;
    const std::string relative = real.lexically_relative(from.directory).string();
    absolute.hint = fmt::format("write `\"{}\"`", relative);
    absolute.edits.push_back({target.span, fmt::format("\"{}\"", relative)});
  }

  void follow_file(const fs::path& real, const fs::path& shown, Span span) {
    enter({real.string(), shown.lexically_normal().string(), real.parent_path()}, span,
          [&]() -> std::optional<std::string> {
            std::vector<Diagnostic> found;
            auto text = read_policy_file(real.string(), found, tree_, shown.lexically_normal().string());
            for (Diagnostic& diagnostic : found) {
              diagnostic.span = span;
              out_.diagnostics.push_back(std::move(diagnostic));
            }
            return text;
          });
  }

  template <class Text>
  void enter(Module module, Span span, Text text) {
    if (const auto on_the_way = std::ranges::find(open_, module.key, &Open::key); on_the_way != open_.end()) {
      refuse_circle({on_the_way, open_.end()}, span);
      return;
    }
    const auto known = read_.find(module.key);
    if (known != read_.end()) out_.value[open_.back().place].imports.push_back({span, known->second});
    if (known != read_.end() || full_) return;
    if (read_.size() >= kMostFiles || bytes_ > kMostBytes || open_.size() > kDeepest) {
      full_ = true;
      out_.diagnostics.push_back(error_at(code::TooDeepOrLarge, span,
                                          "a policy imports no more than 10,000 files and 64 MiB, 64 deep",
                                          "split the policy"));
      return;
    }
    if (std::optional<std::string> read = text()) {
      out_.value[open_.back().place].imports.push_back({span, static_cast<FileId>(sources_.size())});
      take(module, std::move(*read), span);
    }
  }

  // Told from its least file on: whichever file of it was read first, it is the same mistake.
  void refuse_circle(std::vector<Open> circle, Span back) {
    circle.front().import = back;
    std::rotate(circle.begin(), std::ranges::min_element(circle, {}, &Open::key), circle.end());
    std::string chain;
    for (const Open& file : circle) chain += fmt::format("`{}` imports ", file.shown);
    const std::string& first = circle.front().shown;
    refuse(circle.front().import, fmt::format("`{}`{}{}`{}`", first, kImportsItself, chain, first),
           "leave out one of these imports");
  }

  std::vector<std::string> entries_of(const fs::path& directory, bool directories) {
    std::vector<std::string> names;
    std::error_code error;
    for (const FileTree::Entry& entry : tree_.entries(directory, error))
      if (entry.name.front() != '.' &&
          ((!directories && entry.name.ends_with(".gpol")) || tree_.is_directory(directory / entry.name)))
        names.push_back(entry.name);
    return names;
  }

  // The path that was probably meant, from the same directory: the first part that is not there by the nearest name,
  // the file in a directory beside it. Empty: none.
  std::string near_path(const fs::path& from, const fs::path& written) {
    if (written.has_filename() && tree_.is_file(from / (written.string() + ".gpol"))) return written.string() + ".gpol";
    fs::path meant;
    for (auto part = written.begin(); part != written.end(); ++part) {
      const bool last = std::next(part) == written.end();
      if (!tree_.exists(from / meant / *part)) {
        const std::string wanted = part->stem().string() + (last ? ".gpol" : "");
        if (last)
          for (const std::string& directory : entries_of(from / meant, true))
            if (tree_.exists(from / meant / directory / wanted)) return (meant / directory / wanted).string();
        const std::vector<std::string> names = entries_of(from / meant, !last);
        std::vector<std::string_view> stems;  // letters of the ending would make short names alike
        for (const std::string& name : names) stems.push_back(std::string_view(name).substr(0, name.rfind(".gpol")));
        const auto near = nearest(part->stem().string(), stems);
        if (!near) return {};
        const auto at = static_cast<std::size_t>(std::ranges::find(stems, *near) - stems.begin());
        meant /= names[at];
      } else {
        meant /= *part;
      }
    }
    return tree_.exists(from / meant) ? meant.string() : std::string();
  }

  SourceSet& sources_;
  const FileTree& tree_;
  Outcome<std::vector<ast::File>> out_;
  fs::path root_;
  std::map<std::string, FileId> read_;
  std::vector<Open> open_;  // from the policy down to the file that is read
  std::size_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace

bool tells_of_circle(const Diagnostic& d) {
  return d.code == code::BadImport && d.message.find(kImportsItself) != std::string::npos;
}

std::filesystem::path repository_of(const std::filesystem::path& directory, const FileTree& tree) {
  for (fs::path at = directory;; at = at.parent_path()) {
    if (tree.is_repository(at)) return at;
    if (at == at.parent_path()) break;
  }
  std::error_code error;
  const fs::path working = fs::canonical(fs::current_path(error), error);
  return !error && below(directory, working) ? working : directory;
}

Outcome<std::vector<ast::File>> read_modules(PolicyText policy, SourceSet& sources, const FileTree& tree) {
  return Reader(sources, tree).read(std::move(policy));
}

}  // namespace gpol
