// Slips in how declarations begin (`class B {`, `tenant chat : B {`, `import from "x.gpol"`), and in what stands around
// a name or a part (`of pool main`, `memory 2 TiB`, `as mig 2 x 3g.40gb`).
#include <array>

#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

std::optional<Slip> classes_and_tenants(const Look& look) {
  if (look.before() == nullptr) return std::nullopt;
  if (look.is(Kind::LBRACE) && look.wants_only(Kind::COLON))
    return Slip{"a class has a name and a letter, A, B or C: `class standard : B { ... }`", {}};
  if (look.is(Kind::LPAREN) && look.wants_only(Kind::COLON) && look.after_is(Kind::ID) &&
      look.after_is(Kind::RPAREN, 2)) {
    const std::string letter = fmt::format(" : {}", look.word(*look.after()));
    return Slip{fmt::format("write `{}`", letter.substr(1)),
                look.replaced(look.found().begin, look.after(2)->end, letter)};
  }
  // `class A realtime {`, `class realtime isolation A {`
  const auto letter = [&](const Token* word) {
    return word != nullptr && word->kind == Kind::ID && word->end - word->begin == 1 && look.word(*word) >= "A" &&
           look.word(*word) <= "C";
  };
  if (look.is(Kind::ID) && look.wants_only(Kind::COLON) && look.after_is(Kind::LBRACE) && letter(look.before()))
    return look.mended("the name comes first:", *look.before(), look.found(),
                       fmt::format("{} : {}", look.written(), look.word(*look.before())));
  if (look.is(Kind::ID) && look.wants_only(Kind::COLON) && letter(look.after()))
    return Slip{"write `:` before the letter of the class", look.replaced(look.found(), ":")};
  if (look.is(Kind::COLON) && look.wants_only(Kind::LBRACE) && look.after_is(Kind::ID) &&
      look.after_is(Kind::LBRACE, 2))
    return Slip{fmt::format("leave out `: {}`; a class is named in the block, `class NAME`", look.word(*look.after())),
                look.kept_alone(*look.before(), look.after()->end)};
  if (look.wants(Kind::READY) && look.wants(Kind::RBRACE)) {
    if (look.is(Kind::WITHIN)) return Slip{"write `ready within`", look.put_before("ready ")};
    if (look.is(Kind::ID) && look.written() == "deadline")
      return Slip{"write `ready within`", look.replaced(look.found(), "ready within")};
  }
  if (look.is(Kind::MARGIN) && look.wants(Kind::KILL)) return Slip{"write `kill margin`", look.put_before("kill ")};
  return std::nullopt;
}

std::optional<Slip> definitions(const Look& look) {
  const Kind declaration = look.mistake().tokens.front().kind;
  const bool empty = look.is(Kind::RPAREN) && look.before_is(Kind::LPAREN);
  if ((empty && look.before_is(Kind::REFERENCE, 2)) ||
      (look.is(Kind::LBRACE) && look.before_is(Kind::REFERENCE) && look.wants(Kind::LPAREN)))
    return Slip{fmt::format("arguments stand in parentheses, `{0}(...)`; without any it is `{0}` alone",
                            look.word(*look.before(empty ? 2 : 1))),
                {}};
  if (empty && declaration == Kind::DEFINE && look.before(2) != nullptr)
    return Slip{fmt::format("leave out the `()`: `{}`", look.word(*look.before(2))),
                look.kept_alone(*look.before(2), look.found().end)};
  // `define x = class realtime : A { }`: to the end of the line, or of the block that begins in it.
  if (declaration == Kind::DEFINE && look.is(Kind::EQUALS) && look.after() != nullptr) {
    const Token& first = *look.after();
    if (first.kind == Kind::LBRACE) return Slip{"leave out the `=`", look.left_out(), true};
    constexpr std::size_t kMostWords = 64;
    const Token* last = nullptr;
    std::size_t open = 0;
    for (std::size_t n = 1; n < kMostWords && look.after(n) != nullptr && !look.after_is(Kind::END, n); ++n) {
      const Token& word = *look.after(n);
      if (last != nullptr && open == 0 && look.line_break(*last, word)) break;
      if (word.kind == Kind::LBRACE) ++open;
      if (word.kind == Kind::RBRACE && open > 0) --open;
      last = &word;
    }
    if (last == nullptr || open > 0)
      return Slip{"the words of a definition stand in braces: `define NAME { ... }`", {}};
    return Slip{"the words of a definition stand in braces: `define NAME { ... }`",
                look.replaced(look.found().begin, last->end, fmt::format("{{ {} }}", look.said(first, *last)))};
  }
  // `standard-node(8)`, where an item was expected.
  if (look.is(Kind::ID) && look.after_is(Kind::LPAREN) && Look::touch(look.found(), *look.after()) &&
      look.wants(Kind::RBRACE))
    return Slip{fmt::format("a definition is used with a `$`: `${}(...)`", look.written()), look.put_before("$")};
  if (look.is(Kind::END) && declaration == Kind::REFERENCE && look.before() != nullptr)
    return Slip{"add the missing `)`", look.put_behind(")")};
  if (look.is(Kind::REFERENCE) && look.before_is(Kind::DEFINE) && look.written().starts_with('$') &&
      !look.written().starts_with("${"))
    return Slip{"a definition is named without the `$`, which stands where it is used",
                look.replaced(look.found(), look.written().substr(1))};
  // `import a, b`, `import a as b`
  if (look.before_is(Kind::IMPORT, 2) && look.is(Kind::COMMA))
    return Slip{"each import is a line of its own", look.replaced(look.found(), "\nimport")};
  if (look.before_is(Kind::IMPORT, 2) && look.is(Kind::AS) && look.after_is(Kind::ID))
    return Slip{fmt::format("leave out `as {}`: names are one space for all files", look.word(*look.after())),
                look.kept_alone(*look.before(), look.after()->end)};
  if (look.before_is(Kind::IMPORT) && look.is(Kind::FROM) && look.after_is(Kind::STRING))
    return Slip{"leave out `from`", look.left_out(), true};
  return std::nullopt;
}

// `service of chat {`, `service assistant {`, `limit chat {`, `window = ...`.
std::optional<Slip> owners_and_names(const Look& look) {
  if (look.before() == nullptr) return std::nullopt;
  const std::string_view last = look.word(*look.before());
  if (look.wants_name() && look.before() == &look.mistake().tokens.front() &&
      (look.is(Kind::OF) || look.is(Kind::ON) || look.is(Kind::AT) || look.is(Kind::EQUALS)))
    return Slip{fmt::format("give it a name: `{} NAME {} ...`", last, look.written()), {}};
  if (look.is(Kind::LBRACE) && look.wants_only(Kind::OF) && look.before_is(Kind::SERVICE, 2))
    return Slip{fmt::format("say whose it is: `service {} of TENANT {{ ... }}`", last), {}};
  if (look.is(Kind::LBRACE) && look.wants_only(Kind::AT) && look.before_is(Kind::LIMIT, 2))
    return Slip{fmt::format("say where it is kept: `limit {} at gateway NAME {{ ... }}`", last), {}};
  constexpr Kind kDeclared[] = {Kind::POOL, Kind::TENANT, Kind::CLASS, Kind::WINDOW, Kind::NODES, Kind::COHORT};
  if (look.wants_name() && contains(kDeclared, look.found().kind) && !look.on_new_line() &&
      (look.after_is(Kind::ID) || look.after_is(Kind::STRING))) {
    std::string_view name = look.word(*look.after());
    if (look.after_is(Kind::STRING)) name = name.substr(1, name.size() - 2);
    return Slip{fmt::format("leave out `{}`: the name says enough", look.written()),
                look.replaced(look.found().begin, look.after()->end, std::string(name)), true};
  }
  return std::nullopt;
}

// `as mig 2 x 3g.40gb`, `take 3 nodes mig {`, `on h100 3 nodes`, `take rest`.
std::optional<Slip> pools(const Look& look) {
  if (look.is(Kind::REST) && look.before_is(Kind::TAKE)) return Slip{"write `the rest`", look.put_before("the "), true};
  if (look.before() == nullptr || look.on_new_line()) return std::nullopt;
  if (look.wants(Kind::AS) && look.wants(Kind::POOL) && has(look.facts().first_of(Rule::partition), look.found().kind))
    return Slip{fmt::format("write `as {}`", look.written()), look.put_before("as "), true};
  if (look.wants(Kind::TAKE) && look.is(Kind::NUMBER) && look.after_is(Kind::NODES))
    return Slip{"write `take` before the number of nodes", look.put_before("take "), true};
  if (look.wants(Kind::TAKE) && look.is(Kind::LBRACE)) return Slip{"a pool has no block: leave out the braces", {}};
  if (look.wants_only(Kind::ON) && look.is(Kind::EQUALS))
    return Slip{"write `on` instead of `=`", look.replaced(look.found(), "on"), true};
  if (look.wants(Kind::MIG) && look.wants(Kind::WHOLE) && !look.wants_name() && look.is(Kind::LBRACE))
    return Slip{"write `as mig { ... }`", look.put_before("mig ")};
  if (look.wants(Kind::LBRACE) && look.wants(Kind::FOR) && look.before_is(Kind::MIG)) {
    constexpr Kind kParts[] = {Kind::NUMBER, Kind::MEASURE, Kind::TIMES, Kind::PROFILE, Kind::COMMA};
    const Token* last = nullptr;
    for (const Token* at = &look.found(); at != nullptr && contains(kParts, at->kind);
         at = look.after(static_cast<std::size_t>(at - &look.found()) + 1))
      last = at;
    if (last == nullptr) return std::nullopt;
    const std::string parts(look.said(look.found(), *last));
    if (parts.size() > 200) return std::nullopt;
    return Slip{fmt::format("the slices stand in braces: `{{ {} }}`", parts),
                look.replaced(look.found().begin, last->end, fmt::format("{{ {} }}", parts))};
  }
  // As GPUs are written elsewhere: `gpu H100-80GB x 8`.
  if (look.is(Kind::TIMES) && look.before_is(Kind::GPU, 2) && look.after_is(Kind::NUMBER))
    return Slip{
        fmt::format("leave out `x {0}`: how many a node has is said by `each {0} gpus`", look.word(*look.after())),
        look.kept_alone(*look.before(), look.after()->end)};
  return std::nullopt;
}

// `memory 2 TiB`, `cpu 192`, `2 TiB RAM`, `2 of 3g.40gb`, `8 gpus` without its pool.
std::optional<Slip> amounts(const Look& look) {
  if (look.before() == nullptr) return std::nullopt;
  // `reserve of live 8 gpus`: up to the end of the item.
  if (look.is(Kind::OF) && look.wants(Kind::MEASURE) && look.after() != nullptr && look.after(2) != nullptr &&
      (look.after_is(Kind::NUMBER, 2) || look.after_is(Kind::MEASURE, 2))) {
    const Token* last = nullptr;
    for (std::size_t n = 2; look.after(n) != nullptr && !contains(kItemEnds, look.after(n)->kind) &&
                            !look.line_break(*look.after(n - 1), *look.after(n));
         ++n)
      last = look.after(n);
    if (last == nullptr) return std::nullopt;
    const std::string_view amount = look.said(*look.after(2), *last);
    return look.mended("the amount comes first:", look.found(), *last,
                       fmt::format("{} of {}", amount, look.word(*look.after())));
  }
  constexpr std::array<std::string_view, 10> kResources = {"gpu", "gpus", "cpu", "cpus", "memory",
                                                           "mem", "ram",  "RAM", "pod",  "pods"};
  // `2 TiB of memory`
  if (look.is(Kind::OF) && look.wants(Kind::COMMA) && !look.wants(Kind::OF) && look.after() != nullptr &&
      contains(kResources, look.word(*look.after())))
    return Slip{fmt::format("leave out `of {}`: the unit says it", look.word(*look.after())),
                look.kept_alone(*look.before(), look.after()->end)};
  // `nvidia.com/mig-3g.40gb: 4`
  if (const auto slice = mended_slice(look.written());
      slice && look.wants(Kind::MEASURE) && look.after_is(Kind::COLON) && look.after_is(Kind::NUMBER, 2))
    return look.mended("the number comes first:", look.found(), *look.after(2),
                       fmt::format("{} x {}", look.word(*look.after(2)), *slice));
  // `nvidia.com/gpu: 8`, `memory: 2 TiB`
  const bool sign = look.after_is(Kind::COLON) || look.after_is(Kind::EQUALS);
  if (sign && look.wants(Kind::MEASURE) && (look.after_is(Kind::NUMBER, 2) || look.after_is(Kind::MEASURE, 2)) &&
      (look.written() == "nvidia.com/gpu" || contains(kResources, look.written())))
    return Slip{"the number comes first, then its unit: `each 8 gpus, 192 cpu, 2 TiB, 110 pods`", {}};
  const bool resource = contains(kResources, look.written());
  constexpr Kind kEnds[] = {Kind::COMMA, Kind::SEMICOLON, Kind::RBRACE, Kind::OF};
  if (resource && look.wants(Kind::MEASURE) && look.after() != nullptr) {
    const Token& number = *look.after();
    const bool named = number.kind == Kind::MEASURE ||
                       (number.kind == Kind::NUMBER && (look.after_is(Kind::ID, 2) || look.after_is(Kind::GPU, 2)));
    if (named)
      return Slip{fmt::format("leave out `{}`: the unit says it", look.written()),
                  look.replaced(look.found().begin, number.end, std::string(look.word(number)))};
    if (number.kind == Kind::NUMBER && look.after(2) != nullptr && contains(kEnds, look.after(2)->kind))
      return look.mended("the number comes first, then its unit:", look.found(), number,
                         fmt::format("{} {}", look.word(number), look.written()));
  }
  const bool multiple = look.before_is(Kind::MEASURE) && look.word(*look.before()).ends_with('x');
  if (resource && !multiple && look.wants(Kind::COMMA) && !look.on_new_line() && look.after() != nullptr &&
      (contains(kEnds, look.after()->kind) || look.line_break(look.found(), *look.after())))
    return Slip{fmt::format("leave out `{}`: the unit says it", look.written()), look.left_out()};
  if (look.is(Kind::OF) && look.wants_unit() && look.after_is(Kind::PROFILE))
    return Slip{fmt::format("write `{} x {}`", look.word(*look.before()), look.word(*look.after())),
                look.replaced(look.found(), "x"), true};
  if (look.wants(Kind::OF) && look.wants(Kind::COMMA) &&
      (look.on_new_line() || look.is(Kind::SEMICOLON) || look.is(Kind::RBRACE)))
    return Slip{"say of which pool: `8 gpus of NAME`", {}};
  if (look.is(Kind::LBRACE) && look.wants(Kind::MEASURE)) return Slip{"amounts stand without braces", {}};
  if (look.is(Kind::LOST) && look.before_is(Kind::TOLERATE) && look.after_is(Kind::NUMBER))
    return Slip{fmt::format("the number comes first: `{} lost`", look.word(*look.after())),
                look.replaced(look.found().begin, look.after()->end, fmt::format("{} lost", look.word(*look.after())))};
  if (look.a_number() && look.wants(Kind::AT) && look.wants(Kind::ELSE))
    return Slip{"write `at most` before the rates", look.put_before("at most ")};
  return std::nullopt;
}

// `allow a to borrow up to 8 gpus of shared during night`: nobody lends; or says so last.
std::optional<Slip> lender(const Look& look) {
  if (look.mistake().tokens.front().kind != Kind::ALLOW || !look.wants_only(Kind::FROM)) return std::nullopt;
  if (look.is(Kind::DURING) && look.after_is(Kind::FROM, 2) && look.after_is(Kind::ID, 3))
    return look.mended("who lends comes first:", look.found(), *look.after(3),
                       fmt::format("from {} during {}", look.word(*look.after(3)), look.word(*look.after())));
  if (look.is(Kind::DURING) || look.is(Kind::BACK) || look.is(Kind::COMMA) || look.is(Kind::END))
    return Slip{"say whose they are: `of POOL from TENANT`", {}};
  return std::nullopt;
}

// `price 2.50 EUR/h of burst`, `2.50 EUR per h of burst`, `2.50 EUR/gpu-h`.
std::optional<Slip> price(const Look& look) {
  // `budget 5000 EUR/month`
  if (look.wants_only(Kind::PER) && look.before_is(Kind::ID) && look.mistake().tokens.front().kind == Kind::TENANT)
    if (const auto slash = look.word(*look.before()).find('/'); slash != std::string_view::npos) {
      return look.mended("write", *look.before(), std::string(look.word(*look.before())).replace(slash, 1, " per "));
    }
  if (look.mistake().tokens.front().kind != Kind::PRICE || look.before() == nullptr) return std::nullopt;
  if (look.wants_only(Kind::PER) && look.before_is(Kind::ID)) {
    const std::string_view unit = look.word(*look.before());
    if (const auto slash = unit.find('/'); slash != std::string_view::npos)
      return Slip{"a price is per hour of a GPU: `per gpu h`",
                  look.replaced(*look.before(), fmt::format("{} per gpu h", unit.substr(0, slash)))};
  }
  if (look.wants_only(Kind::GPU) && look.before_is(Kind::PER) && look.is(Kind::ID) && look.after_is(Kind::OF))
    return Slip{"a price is per hour of a GPU: `per gpu h`", look.replaced(look.found(), "gpu h")};
  return std::nullopt;
}

// `trust times hold because`, `trust x by @a because "..."`; days of a calendar that are not separated with `,`.
std::optional<Slip> trusts_and_dates(const Look& look) {
  const Kind declaration = look.mistake().tokens.front().kind;
  if (declaration == Kind::TRUST && look.wants_only(Kind::BECAUSE) && look.before() != nullptr) {
    if (look.is(Kind::BY) && look.after_is(Kind::HANDLE) && look.after_is(Kind::BECAUSE, 2) &&
        look.after_is(Kind::STRING, 3)) {
      const std::string who(look.said(look.found(), *look.after()));
      const std::string why(look.said(*look.after(2), *look.after(3)));
      return Slip{"the reason comes first, then who answers for it",
                  look.replaced(look.found().begin, look.after(3)->end, why + " " + who)};
    }
    if (look.is(Kind::UNTIL) && look.after_is(Kind::DATE) && look.after_is(Kind::BECAUSE, 2))
      return Slip{"`until` stands last: `because \"...\" by @owner until 2027-01-01`", {}};
    if (look.is(Kind::COMMA)) return Slip{"a `trust` names one premise: write one for each", {}};
    std::string key(look.word(*look.before()));
    const Token* at = &look.found();
    std::uint32_t end = 0;
    for (std::size_t n = 1; n < 8 && at != nullptr && at->kind != Kind::BECAUSE && look.names(at->kind);
         at = look.after(n++)) {
      key += fmt::format("-{}", look.word(*at));
      end = at->end;
    }
    if (at != nullptr && at->kind == Kind::BECAUSE && end > 0 && key.size() < 64)
      return Slip{fmt::format("the key of a premise is one word: `{}`", key),
                  look.replaced(look.before()->begin, end, key)};
  }
  if (declaration == Kind::TRUST && look.wants_only(Kind::BY)) {
    if (look.is(Kind::COMMA) && look.after_is(Kind::BY)) return Slip{"leave out the `,`", look.left_out(), true};
    if (!look.is(Kind::HANDLE))
      return Slip{"say who answers for it: `because \"...\" by @owner`, and behind that `until`, if it ends", {}};
  }
  if (declaration == Kind::CALENDAR && look.wants(Kind::COMMA)) {
    if (look.is(Kind::DATE)) return Slip{"put a `,` between the days", look.put_behind(","), true};
    if (look.is(Kind::SEMICOLON)) return Slip{"put a `,` between the days", look.replaced(look.found(), ","), true};
    if (look.is(Kind::DOTS)) return Slip{"name each day: `2026-12-24, 2026-12-25`", {}};
  }
  return std::nullopt;
}

// The items of the block that is to be opened here.
std::optional<Rule> block_before(const Look& look) {
  for (std::size_t n = 1; look.before(n) != nullptr; ++n)
    if (const auto items = items_of(look.before(n)->kind)) return items;
  return std::nullopt;
}

// A block without its `{`.
std::optional<Slip> brace(const Look& look) {
  if (!look.wants_only(Kind::LBRACE) || look.before() == nullptr) return std::nullopt;
  if (!starts_item(look.found().kind, look.facts()) && !look.is(Kind::RBRACE)) return std::nullopt;
  if (look.is(Kind::ID) && look.after_is(Kind::LBRACE)) return std::nullopt;  // `tenant chat is {`
  const auto block = block_before(look);
  if (block && !has(look.facts().first_of(*block), look.found().kind) && !look.is(Kind::RBRACE))
    return Slip{fmt::format("write `{{ ... }}` behind `{}`", look.word(*look.before())), {}};
  // Where its `}` stands, the brace alone is missing.
  std::size_t open = 0;
  const Token* at = &look.found();
  for (std::size_t n = 1; at != nullptr; at = look.after(n++)) {
    const bool outside = block && look.before() != nullptr && open == 0 && starts_item(at->kind, look.facts()) &&
                         !has(look.facts().first_of(*block), at->kind) &&
                         look.line_break(n == 1   ? *look.before()
                                         : n == 2 ? look.found()
                                                  : *look.after(n - 2),
                                         *at);
    if (outside) break;
    if (at->kind == Kind::LBRACE) ++open;
    if (at->kind == Kind::RBRACE && open-- == 0) return Slip{"add the missing `{`", look.put_behind(" {")};
  }
  return Slip{"the items stand in braces: `{ ... }`", {}};
}

}  // namespace

std::optional<Slip> slip_of_place(const Look& look) {
  return first_of(look, {classes_and_tenants, definitions, owners_and_names, pools, amounts, lender, price,
                         trusts_and_dates, brace});
}

}  // namespace gpol::syntax
