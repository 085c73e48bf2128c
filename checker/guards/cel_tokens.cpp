#include "checker/guards/cel_tokens.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>

#include "compiler/source/text.h"
#include "compiler/source/utf8.h"

namespace gpol::cel {

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> run(std::string& error, std::size_t& error_at) {
    std::vector<Token> tokens;
    constexpr std::string_view kBegins = " \t\n\r\f/";
    static const re2::RE2 kBetween("(?:[ \\t\\n\\r\\f]|//[^\\n]*)*", re2::RE2::Latin1);
    while (fault_.empty()) {
      while (peek() == ' ') ++at_;
      if (at_ < text_.size() && kBegins.find(text_[at_]) != std::string_view::npos) take(kBetween);
      Token token;
      token.at = at_;
      if (at_ >= text_.size()) {
        tokens.push_back(token);
        break;
      }
      word(token);
      tokens.push_back(std::move(token));
    }
    error = fault_;
    error_at = at_;
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  // Takes what is of that form off the front.
  template <class... Parts>
  bool take(const re2::RE2& form, Parts*... parts) {
    re2::StringPiece rest(text_.data() + at_, text_.size() - at_);
    if (!re2::RE2::Consume(&rest, form, parts...)) return false;
    at_ = text_.size() - rest.size();
    return true;
  }

  void word(Token& token) {
    // By hand, since most of a text is these: expressions of guards are read by the hundred.
    constexpr std::string_view kTwo[] = {"&&", "||", "==", "!=", "<=", ">="}, kOne = "-<>!?:+*/%.,()[]{}";
    if (string_literal(token) || number(token)) return;
    token.kind = Token::Kind::Ident;
    std::size_t length = 0;
    while (is_alphanumeric(peek(length)) || peek(length) == '_') ++length;
    if (length == 0) {
      token.kind = Token::Kind::Sign;
      const std::string_view rest = text_.substr(at_);
      if (std::ranges::any_of(kTwo, [&](std::string_view sign) { return rest.starts_with(sign); }))
        length = 2;
      else if (kOne.find(peek()) != std::string_view::npos)
        length = 1;
      else
        fault_ = "a character that CEL has no use for";
    }
    token.text = text_.substr(at_, length);
    at_ += length;
  }

  bool number(Token& token) {
    static const re2::RE2 kHexadecimal("0[xX]([0-9A-Fa-f]*)", re2::RE2::Latin1),
        kDecimal("((?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?)", re2::RE2::Latin1),
        kUnsigned("[uU]", re2::RE2::Latin1);
    if (!is_digit(peek()) && (peek() != '.' || !is_digit(peek(1)))) return false;
    std::string digits;
    const bool hexadecimal = take(kHexadecimal, &digits);
    if (!hexadecimal && !take(kDecimal, &digits)) return false;
    token.kind = Token::Kind::Literal;
    const char* const end = digits.data() + digits.size();
    if (!hexadecimal && digits.find_first_of(".eE") != std::string::npos) {
      double value = 0;
      if (std::from_chars(digits.data(), end, value).ec != std::errc{}) fault_ = "a number out of range";
      token.value = value;
      return true;
    }
    // 9223372036854775808 is a number only behind a minus; it is refused here, as no guard needs it.
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10).ec != std::errc{})
      fault_ = "a number out of range";
    token.value = value;
    if (take(kUnsigned)) {
      token.kind = Token::Kind::Odd;
      token.text = "unsigned";
    }
    return true;
  }

  bool string_literal(Token& token) {
    static const re2::RE2 kBegin("([rR][bB]?|[bB][rR]?)?(\"\"\"|'''|[\"'])", re2::RE2::Latin1);
    constexpr std::string_view kBegins = "rRbB\"'";
    std::string prefix, quotes;
    const bool quoted = text_.substr(at_, 3).find_first_of("\"'") != std::string_view::npos;
    if (!quoted || kBegins.find(peek()) == std::string_view::npos || !take(kBegin, &prefix, &quotes)) return false;
    const bool raw = prefix.find_first_of("rR") != std::string::npos, triple = quotes.size() == 3;
    const bool bytes = prefix.find_first_of("bB") != std::string::npos;
    std::string out;
    while (fault_.empty() && !text_.substr(at_).starts_with(quotes)) {
      if (at_ >= text_.size() || (!triple && (peek() == '\n' || peek() == '\r'))) {
        fault_ = "a string without an end";
      } else if (peek() == '\\' && !raw) {
        escape(out);
      } else {
        if (peek() == '\r' && triple) {  // line ends are one character in a literal
          out += '\n';
          at_ += peek(1) == '\n' ? 2 : 1;
          continue;
        }
        out += text_[at_++];
      }
    }
    at_ += triple ? 3 : 1;
    token.kind = bytes ? Token::Kind::Odd : Token::Kind::Literal;
    if (bytes) token.text.append("bytes");
    token.value = std::move(out);
    return true;
  }

  void escape(std::string& out) {
    static constexpr std::string_view kFrom = "abfnrtv\\?\"'`", kTo = "\a\b\f\n\r\t\v\\?\"'`";
    ++at_;
    const char c = peek();
    const auto simple = c == '\0' ? std::string_view::npos : kFrom.find(c);
    if (simple != std::string_view::npos) {
      out += kTo[simple];
      ++at_;
      return;
    }
    int base = 16;
    std::size_t length = 0;
    if (c == 'x' || c == 'X') length = 2;
    if (c == 'u') length = 4;
    if (c == 'U') length = 8;
    if (length != 0) ++at_;
    if (c >= '0' && c <= '3') base = 8, length = 3;
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, length);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), code, base);
    if (length == 0 || digits.size() != length || parsed.ptr != digits.data() + length || code > 0x10FFFF ||
        (code >= 0xD800 && code < 0xE000)) {
      fault_ = "an escape that CEL does not know";
      return;
    }
    at_ += length;
    append_utf8(out, code);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string fault_;
};

}  // namespace

std::vector<Token> scan(std::string_view text, std::string& error, std::size_t& error_at) {
  return Scanner(text).run(error, error_at);
}

}  // namespace gpol::cel
