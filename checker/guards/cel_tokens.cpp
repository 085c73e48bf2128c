#include "checker/guards/cel_tokens.h"

#include <charconv>

#include "compiler/source/text.h"
#include "compiler/source/utf8.h"

namespace gpol::cel {

namespace {

bool letter(char c) { return is_letter(c) || c == '_'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> run(std::string& error, std::size_t& error_at) {
    std::vector<Token> tokens;
    while (fault_.empty()) {
      skip();
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

  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else {
        break;
      }
    }
  }

  void word(Token& token) {
    const char c = peek();
    if (string_prefix(token)) return;
    if (letter(c)) {
      token.kind = Token::Kind::Ident;
      while (letter(peek()) || is_digit(peek())) token.text += text_[at_++];
      return;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number(token);
    token.kind = Token::Kind::Sign;
    for (const std::string_view two : {"&&", "||", "==", "!=", "<=", ">="})
      if (text_.substr(at_, 2) == two) {
        token.text.append(two);
        at_ += 2;
        return;
      }
    if (std::string_view("<>!?:+-*/%.,()[]{}").find(c) == std::string_view::npos) {
      fault_ = "a character that CEL has no use for";
      return;
    }
    token.text.append(1, c);
    ++at_;
  }

  void number(Token& token) {
    const std::size_t from = at_;
    token.kind = Token::Kind::Literal;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      at_ += 2;
      const std::size_t digits = at_;
      while (std::isxdigit(static_cast<unsigned char>(peek())) != 0) ++at_;
      finish_integer(token, digits, 16);
      return;
    }
    while (is_digit(peek())) ++at_;
    bool real = false;
    if (peek() == '.' && is_digit(peek(1))) {
      real = true;
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
      real = true;
      at_ += sign;
      while (is_digit(peek())) ++at_;
    }
    if (!real) return finish_integer(token, from, 10);
    double value = 0;
    const auto parsed = std::from_chars(text_.data() + from, text_.data() + at_, value);
    if (parsed.ec != std::errc{}) fault_ = "a number out of range";
    token.value = value;
  }

  // 9223372036854775808 is a number only behind a minus; it is refused here, as no guard needs it.
  void finish_integer(Token& token, std::size_t from, int base) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text_.data() + from, text_.data() + at_, value, base);
    if (parsed.ec != std::errc{} || parsed.ptr != text_.data() + at_ || from == at_) fault_ = "a number out of range";
    token.value = value;
    if (peek() == 'u' || peek() == 'U') {
      ++at_;
      token.kind = Token::Kind::Odd;
      token.text.append("unsigned");
    }
  }

  bool string_prefix(Token& token) {
    std::size_t ahead = 0;
    bool raw = false, bytes = false;
    for (; ahead < 2; ++ahead) {
      const char c = peek(ahead);
      if ((c == 'r' || c == 'R') && !raw)
        raw = true;
      else if ((c == 'b' || c == 'B') && !bytes)
        bytes = true;
      else
        break;
    }
    const char quote = peek(ahead);
    if (quote != '"' && quote != '\'') return false;
    at_ += ahead;
    const bool triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    std::string out;
    while (fault_.empty() && !closes(quote, triple)) {
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

  bool closes(char quote, bool triple) const {
    if (at_ >= text_.size()) return false;
    return peek() == quote && (!triple || (peek(1) == quote && peek(2) == quote));
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
