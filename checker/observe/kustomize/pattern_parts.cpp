#include "checker/observe/kustomize/pattern_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gpol::manifest::kustomize {
namespace {

using ByteSet = std::bitset<256>;

constexpr int kMostRepeats = 1000;
constexpr int kMostNested = 32;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  PatternPart parse() {
    PatternPart part = choice(0);
    if (at_ != text_.size()) throw WrongPattern{};
    return part;
  }

 private:
  bool eat(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  PatternPart choice(int depth) {
    if (depth > kMostNested) throw UnknownPattern{};
    PatternPart result{PatternPart::Is::Choice};
    do result.parts.push_back(sequence(depth));
    while (eat('|'));
    return result;
  }

  PatternPart sequence(int depth) {
    PatternPart result{PatternPart::Is::Sequence};
    while (at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')') {
      PatternPart part = atom(depth);
      bool repeated = false;
      while (const auto bounds = repetition()) {
        if (std::exchange(repeated, true)) throw WrongPattern{};
        PatternPart repeat{PatternPart::Is::Repeat};
        repeat.least = bounds->first, repeat.most = bounds->second;
        repeat.parts.push_back(std::move(part));
        part = std::move(repeat);
        eat('?');  // which of several matches it is does not matter
      }
      result.parts.push_back(std::move(part));
    }
    return result;
  }

  std::optional<std::pair<int, int>> repetition() {
    if (eat('*')) return std::pair{0, -1};
    if (eat('+')) return std::pair{1, -1};
    if (eat('?')) return std::pair{0, 1};
    const auto begin = at_;
    if (!eat('{')) return std::nullopt;
    const auto least = number();
    const bool comma = least && eat(',');
    const auto most = comma ? number() : least;
    if (!least || !eat('}')) {
      at_ = begin;  // a brace of the text
      return std::nullopt;
    }
    const int upper = comma && !most ? -1 : *most;
    if (*least > kMostRepeats || upper > kMostRepeats || (upper >= 0 && upper < *least)) throw WrongPattern{};
    return std::pair{*least, upper};
  }

  std::optional<int> number() {
    std::optional<int> result;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      result = std::min(result.value_or(0) * 10 + (text_[at_] - '0'), kMostRepeats + 1);
    return result;
  }

  static PatternPart of(ByteSet set) {
    PatternPart part{PatternPart::Is::Set};
    part.set = set;
    return part;
  }
  static ByteSet one(char c) { return ByteSet().set(static_cast<unsigned char>(c)); }
  static ByteSet range(unsigned from, unsigned to) {
    ByteSet set;
    for (; from <= to; ++from) set.set(from);
    return set;
  }

  PatternPart atom(int depth) {
    const char c = text_[at_++];
    switch (c) {
      case '(': {
        if (eat('?')) {
          if (eat('P') && !eat('<')) throw WrongPattern{};
          if (at_ > 0 && text_[at_ - 1] == '<') {
            at_ = text_.find('>', at_);
            if (at_ == std::string_view::npos) throw WrongPattern{};
            ++at_;
          } else if (!eat(':')) {
            throw UnknownPattern{};  // flags
          }
        }
        PatternPart part = choice(depth + 1);
        if (!eat(')')) throw WrongPattern{};
        return part;
      }
      case '[':
        return of(brackets());
      case '.':
        return of(~one('\n'));
      case '^':
        return PatternPart{PatternPart::Is::Begin};
      case '$':
        return PatternPart{PatternPart::Is::End};
      case '*':
      case '+':
      case '?':
        throw WrongPattern{};
      case '\\':
        if (at_ < text_.size() && text_[at_] == 'A') return ++at_, PatternPart{PatternPart::Is::Begin};
        if (at_ < text_.size() && text_[at_] == 'z') return ++at_, PatternPart{PatternPart::Is::End};
        return of(escape());
      default:
        if (static_cast<unsigned char>(c) >= 0x80) throw UnknownPattern{};
        return of(one(c));
    }
  }

  ByteSet escape() {
    if (at_ == text_.size()) throw WrongPattern{};
    const char c = text_[at_++];
    const ByteSet digits = range('0', '9'), word = digits | range('a', 'z') | range('A', 'Z') | one('_');
    const ByteSet space = one(' ') | one('\t') | one('\n') | one('\f') | one('\r');
    switch (c) {
      case 'd':
        return digits;
      case 'D':
        return ~digits;
      case 'w':
        return word;
      case 'W':
        return ~word;
      case 's':
        return space;
      case 'S':
        return ~space;
      case 'n':
        return one('\n');
      case 't':
        return one('\t');
      default:
        if (word.test(static_cast<unsigned char>(c))) throw UnknownPattern{};
        return one(c);
    }
  }

  ByteSet brackets() {
    const bool negated = eat('^');
    ByteSet set;
    for (bool first = true; first || at_ >= text_.size() || text_[at_] != ']'; first = false) {
      if (at_ >= text_.size()) throw WrongPattern{};
      if (text_[at_] == '[' && text_.substr(at_ + 1, 1) == ":") throw UnknownPattern{};
      const char from = text_[at_++];
      if (static_cast<unsigned char>(from) >= 0x80) throw UnknownPattern{};
      const ByteSet lower = from == '\\' ? escape() : one(from);
      if (text_.substr(at_, 1) == "-" && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        const char to = text_[at_++];
        if (lower.count() != 1 || to == '\\') throw UnknownPattern{};
        if (to < from) throw WrongPattern{};
        set |= range(static_cast<unsigned char>(from), static_cast<unsigned char>(to));
      } else {
        set |= lower;
      }
    }
    ++at_;
    return negated ? ~set : set;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

PatternPart parse_pattern(std::string_view text) { return Parser(text).parse(); }

}  // namespace gpol::manifest::kustomize
