#include "compiler/syntax/expand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <variant>

#include "compiler/source/codes.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/mistake.h"
#include "compiler/syntax/parse.h"

namespace gpol {

namespace {

constexpr std::size_t kDeepest = 16, kMostOfOne = std::size_t{1} << 20U, kMostOfAll = std::size_t{64} << 20U,
                      kMostReferences = 1'000'000;

// What names stand for among some words: arguments, which are read where they were written.
struct Scope {
  const ast::Define* define = nullptr;  // whose body it is; none: a declaration of the policy
  const ast::Reference* used = nullptr;
  const Scope* outer = nullptr;  // where the reference stands
  UseId use = kNoUse;            // of its definition
};

class Expander {
 public:
  Expander(SourceSet& sources, std::vector<Diagnostic>& found) : sources_(sources), found_(found) {}

  void know(const ast::Define& define) {
    if (const auto [at, fresh] = defines_.try_emplace(define.name.text, &define); !fresh) {
      Diagnostic& twice = error(code::DuplicateName, define.name.span,
                                fmt::format("`{}` is defined twice", define.name.text), "rename one of them");
      twice.labels.push_back({at->second->name.span, "first defined here"});
    }
    std::set<std::string_view> seen;
    for (const ast::Name& parameter : define.parameters)
      if (!seen.insert(parameter.text).second)
        error(code::DuplicateName, parameter.span, fmt::format("`{}` is a parameter twice", parameter.text),
              "rename one of them");
  }

  // The text that the words mean; nothing where that is not known: said already.
  bool expand(const ast::Words& words) {
    text_.clear();
    pieces_.clear();
    return append(words, {}) && (all_ += text_.size()) <= kMostOfAll;
  }
  const std::string& text() const { return text_; }
  syntax::Places places() const { return syntax::Places(pieces_); }
  bool over() const { return all_ > kMostOfAll || references_ > kMostReferences; }

  Diagnostic& error(Code code, Span span, std::string message, std::string hint) {
    return found_.emplace_back(error_at(code, span, std::move(message), std::move(hint)));
  }

 private:
  void copy(FileId file, std::uint32_t from, std::uint32_t to, UseId use) {
    if (from >= to) return;
    // `@$owner` of an argument that has its `@`.
    if (text_.ends_with('@') && sources_.slice({file, from, to}).starts_with('@') && ++from == to) return;
    pieces_.push_back({static_cast<std::uint32_t>(text_.size()), file, from, use});
    text_.append(sources_.slice({file, from, to}));
  }

  bool append(const ast::Words& words, const Scope& scope) {
    std::uint32_t at = words.span.begin;
    for (const ast::Reference& reference : words.references) {
      copy(words.span.file, at, reference.span.begin, scope.use);
      const std::size_t begin = text_.size();
      if (!replace(reference, scope)) return false;
      at = reference.span.end;
      if (quotes_amid_word(reference, scope, begin, at < words.span.end ? at : 0)) return false;
    }
    copy(words.span.file, at, words.span.end, scope.use);
    if (text_.size() <= kMostOfOne) return true;
    error(code::TooDeepOrLarge, in(words.span, scope), "what its definitions stand for is larger than 1 MiB",
          "split the declaration");
    return false;
  }

  // `${name}-prod` of `"chat"`: what is joined with a name has no quotes.
  bool quotes_amid_word(const ast::Reference& reference, const Scope& scope, std::size_t begin, std::uint32_t next) {
    const auto index = parameter(reference.name, scope);
    if (!index || next == 0 || begin >= text_.size() || text_[begin] != '"' || text_.back() != '"') return false;
    const Span written = scope.used->arguments[*index].span;
    const char behind = sources_.slice({reference.span.file, next, next + 1}).front();
    const bool joined = behind == '-' || behind == '_' || behind == '.' || behind == '/' || is_alphanumeric(behind);
    if (!joined) return false;
    const std::string_view text = sources_.slice(written);
    auto& found =
        error(code::BadDefinition, in(written, *scope.outer), "an argument that is joined with a name is no text",
              fmt::format("write `{}`", text.substr(1, text.size() - 2)));
    found.labels.push_back({in(reference.span, scope), "it is joined here"});
    if (scope.outer->define == nullptr) found.edits.push_back({written, std::string(text.substr(1, text.size() - 2))});
    return true;
  }

  bool replace(const ast::Reference& reference, const Scope& scope) {
    if (!reference.closed) {
      error(code::BadDefinition, in(reference.name.span, scope),
            fmt::format("the arguments of `${}` have no end", reference.name.text), "add the missing `)`");
      return false;
    }
    if (++references_ > kMostReferences) return false;  // a definition without words doubles without growing
    if (const auto index = parameter(reference.name, scope)) {
      if (!reference.arguments.empty()) {
        error(code::BadDefinition, in(reference.span, scope),
              fmt::format("`{}` is a parameter and takes no arguments", reference.name.text), "leave them out");
        return false;
      }
      return append(scope.used->arguments[*index], *scope.outer);
    }
    const auto found = defines_.find(reference.name.text);
    if (found == defines_.end()) return unknown(reference, scope);
    const ast::Define& define = *found->second;
    if (!may_be_used(define, reference, scope)) return false;
    return append(define.body, {&define, &reference, &scope, sources_.add_use(in(reference.span, scope))});
  }

  static std::optional<std::size_t> parameter(const ast::Name& name, const Scope& scope) {
    if (scope.define == nullptr) return std::nullopt;
    const auto& all = scope.define->parameters;
    const auto at = std::ranges::find(all, name.text, &ast::Name::text);
    if (at == all.end()) return std::nullopt;
    return static_cast<std::size_t>(at - all.begin());
  }

  // What the library defines, and by which import.
  static std::string_view library_of(std::string_view name) {
    if (name == "classes") return "gpol/classes";
    if (name == "never-held" || name == "trust-the-platform") return "gpol/guard-rails";
    return {};
  }

  // Once of each name, with where else it is used.
  bool unknown(const ast::Reference& reference, const Scope& scope) {
    constexpr std::size_t kOthersShown = 3;
    if (const auto [told, fresh] = unknown_.try_emplace(reference.name.text, found_.size()); !fresh) {
      auto& labels = found_[told->second].labels;
      if (labels.size() < kOthersShown) labels.push_back({in(reference.name.span, scope), "also used here"});
      return false;
    }
    if (const auto library = library_of(reference.name.text); !library.empty()) {
      error(code::UnknownName, in(reference.name.span, scope), fmt::format("`${}` is not defined", reference.name.text),
            fmt::format("add the line `import {}`, which defines it", library));
      return false;
    }
    std::vector<std::string_view> names;
    if (scope.define != nullptr)
      for (const ast::Name& p : scope.define->parameters) names.push_back(p.text);
    for (const auto& [name, define] : defines_) names.push_back(name);
    const auto near = nearest(reference.name.text, names);
    error(code::UnknownName, in(reference.name.span, scope), fmt::format("`${}` is not defined", reference.name.text),
          near ? fmt::format("did you mean `${}`?", *near)
               : fmt::format("add `define {} {{ ... }}`, or import the file that does", reference.name.text));
    return false;
  }

  bool may_be_used(const ast::Define& define, const ast::Reference& reference, const Scope& scope) {
    std::vector<std::string_view> chain{define.name.text};
    std::size_t depth = 0;
    for (const Scope* above = &scope; above->define != nullptr; above = above->outer, ++depth) {
      chain.push_back(above->define->name.text);
      if (above->define != &define) continue;
      std::ranges::reverse(chain);
      error(code::BadDefinition, in(reference.span, scope),
            fmt::format("`{}` is made of itself: `{}`", define.name.text, fmt::join(chain, "` of `")),
            "leave out one of these references");
      return false;
    }
    if (depth >= kDeepest) {
      error(code::TooDeepOrLarge, in(reference.span, scope),
            fmt::format("definitions stand more than {} deep in each other", kDeepest), "make them of fewer parts");
      return false;
    }
    if (named_argument(define, reference, scope)) return false;
    if (reference.arguments.size() == define.parameters.size()) return true;
    std::vector<std::string_view> names;
    for (const ast::Name& p : define.parameters) names.push_back(p.text);
    const auto count = [](std::size_t n) { return fmt::format("{} argument{}", n, n == 1 ? "" : "s"); };
    const bool too_many = !names.empty() && reference.arguments.size() > names.size();
    Diagnostic& found =
        error(code::BadDefinition, in(reference.span, scope),
              fmt::format("`{}` takes {}, and is given {}", define.name.text, count(names.size()),
                          reference.arguments.empty() ? "none" : count(reference.arguments.size())),
              names.empty() ? fmt::format("write `${}`", define.name.text)
              : too_many    ? "an argument that holds a comma stands in parentheses of its own"
              : names.size() == 1
                  ? fmt::format("write `${}(...)`, with its `{}` and nothing before the parenthesis", define.name.text,
                                names.front())
                  : fmt::format("write `${}(...)`, with its `{}` in this order and nothing before the parenthesis",
                                define.name.text, fmt::join(names, "`, `")));
    found.labels.push_back({define.name.span, "defined here"});
    if (too_many && names.size() == 1) {
      const Span all = join(reference.arguments.front().span, reference.arguments.back().span);
      const std::string mended = fmt::format("({})", sources_.slice(all));
      found.hint += fmt::format(": `${}({})`", define.name.text, mended);
      if (scope.define == nullptr) found.edits.push_back({all, mended});
    }
    return false;
  }

  // `$serving(name=chat)`
  bool named_argument(const ast::Define& define, const ast::Reference& reference, const Scope& scope) {
    for (const ast::Words& argument : reference.arguments) {
      const std::string_view written = sources_.slice(argument.span);
      for (const ast::Name& p : define.parameters) {
        if (!written.starts_with(p.text)) continue;
        const auto sign = written.find_first_not_of(" \t", p.text.size());
        if (sign == std::string_view::npos || (written[sign] != '=' && written[sign] != ':')) continue;
        const auto value = std::min(written.find_first_not_of(" \t", sign + 1), written.size());
        const Span name{argument.span.file, argument.span.begin,
                        argument.span.begin + static_cast<std::uint32_t>(value), argument.span.use};
        auto& found = error(code::BadDefinition, in(name, scope), "an argument has no name: arguments stand in order",
                            fmt::format("leave out `{}`", written.substr(0, sign + 1)));
        if (scope.define == nullptr) found.edits.push_back({name, ""});
        found.labels.push_back({define.name.span, "defined here"});
        return true;
      }
    }
    return false;
  }

  // A place among the words of a scope.
  static Span in(Span span, const Scope& scope) {
    span.use = scope.use;
    return span;
  }

  SourceSet& sources_;
  std::vector<Diagnostic>& found_;
  std::map<std::string_view, const ast::Define*> defines_;
  std::map<std::string, std::size_t, std::less<>> unknown_;  // where in found_ it is told
  std::string text_;
  std::vector<syntax::Piece> pieces_;
  std::size_t all_ = 0, references_ = 0;
};

Expander expander(SourceSet& sources, std::span<const ast::File> files, std::vector<Diagnostic>& found) {
  Expander out(sources, found);
  for (const ast::File& file : files)
    for (const ast::Decl& decl : file.decls)
      if (const auto* define = std::get_if<ast::Define>(&decl.node)) out.know(*define);
  return out;
}

bool of_a_policy(const ast::Decl& decl) {
  return !std::holds_alternative<ast::Define>(decl.node) && !std::holds_alternative<ast::Import>(decl.node) &&
         !std::holds_alternative<ast::Language>(decl.node) && !std::holds_alternative<ast::Unexpanded>(decl.node);
}

}  // namespace

std::vector<Diagnostic> expand(SourceSet& sources, std::span<ast::File> files) {
  std::vector<Diagnostic> found;
  Expander expander = gpol::expander(sources, files, found);
  std::vector<std::optional<std::vector<ast::Decl>>> all;  // of the files that change
  std::size_t tries = syntax::kMostTries;
  for (const ast::File& file : files) {
    all.emplace_back();
    if (std::ranges::none_of(file.decls,
                             [](const ast::Decl& decl) { return std::holds_alternative<ast::Unexpanded>(decl.node); }))
      continue;
    auto& decls = all.back().emplace();
    for (const ast::Decl& decl : file.decls) {
      const auto* held = std::get_if<ast::Unexpanded>(&decl.node);
      if (held == nullptr) {
        decls.push_back(decl);
        continue;
      }
      if (expander.over() || !expander.expand(held->words)) continue;
      auto read = parse_expansion(expander.text(), expander.places(), tries);
      std::move(read.diagnostics.begin(), read.diagnostics.end(), std::back_inserter(found));
      for (ast::Decl& made : read.value) {
        if (of_a_policy(made))
          decls.push_back(std::move(made));
        else
          expander.error(code::BadDefinition, made.span, "this cannot stand in a definition",
                         "write it at the top of a file");
      }
    }
  }
  if (expander.over())
    expander.error(code::TooDeepOrLarge, {},
                   "the definitions of the policy stand for more than 64 MiB, or are used more than 1,000,000 times",
                   "use fewer of them");
  for (std::size_t i = 0; i < files.size(); ++i)
    if (all[i]) files[i].decls = std::move(*all[i]);
  std::ranges::stable_sort(found, {}, &Diagnostic::span);
  return found;
}

std::string expanded_text(SourceSet& sources, std::span<const ast::File> files) {
  std::vector<Diagnostic> found;
  Expander expander = gpol::expander(sources, files, found);
  std::string out = "language 1\n";
  for (const ast::File& file : files)
    for (const ast::Decl& decl : file.decls) {
      if (const auto* held = std::get_if<ast::Unexpanded>(&decl.node)) {
        if (expander.expand(held->words)) out += fmt::format("\n{}\n", expander.text());
      } else if (of_a_policy(decl)) {
        out += fmt::format("\n{}\n", sources.slice(decl.span));
      }
    }
  return out;
}

}  // namespace gpol
