#include "emit/yaml.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

#include "compiler/source/overloaded.h"
#include "emit/plain.h"

namespace gpol::yaml {

namespace {

// A scalar that reads_as_itself() has vouched for. Handed to the emitter as a string it would be matched against the
// emitter's own, looser grammar of plain scalars: 2.8 us for 14 characters, ten times the rest of the work.
struct Plain {
  const std::string& text;
  friend std::ostream& operator<<(std::ostream& out, const Plain& plain) { return out << plain.text; }
};

const std::string kNull = "null";

// A text of whole lines that a reader sees as it is between `|` and the next key: a manifest in a manifest.
bool is_block(const std::string& text) {
  if (text.size() < 2 || !text.ends_with('\n') || text.front() == ' ' || text.front() == '\n') return false;
  if (text[text.size() - 2] == '\n') return false;
  return std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

void put_in_line(YAML::Emitter& out, const std::string& text) {
  if (reads_as_itself(text)) {
    out.WriteIntegralType(Plain{text});
    return;
  }
  // YAML 1.1 takes U+2028 and U+2029 for line breaks and no version takes DEL; left alone, the emitter writes them raw.
  if (text.find("\xE2\x80") != std::string::npos || text.find('\x7F') != std::string::npos) out << YAML::EscapeNonAscii;
  out << YAML::DoubleQuoted << text;
}

void put(YAML::Emitter& out, const Value& value) {
  std::visit(overloaded{
                 [&](const std::string& text) {
                   if (is_block(text))
                     out << YAML::Literal
                         << text.substr(0, text.size() - 1);  // the line break after a block is its last
                   else
                     put_in_line(out, text);
                 },
                 [&](std::int64_t number) { out << number; },
                 [&](const Number& number) { out << number.text; },
                 [&](bool flag) { out << flag; },
                 [&](std::nullptr_t) { out.WriteIntegralType(Plain{kNull}); },
                 [&](const Map& map) {
                   if (map.empty()) out << YAML::Flow;  // {} has no block form
                   out << YAML::BeginMap;
                   for (const auto& [key, entry] : map) {
                     put_in_line(out, key);
                     put(out, entry);
                   }
                   out << YAML::EndMap;
                 },
                 [&](const List& list) {
                   if (list.empty()) out << YAML::Flow;
                   out << YAML::BeginSeq;
                   for (const Value& entry : list) put(out, entry);
                   out << YAML::EndSeq;
                 },
             },
             value.node);
}

}  // namespace

std::string print(const Value& document) {
  YAML::Emitter out;
  put(out, document);
  if (!out.good()) throw std::logic_error("internal error: the YAML emitter refused a tree: " + out.GetLastError());
  std::string text(out.c_str(), out.size());
  text += '\n';
  return text;
}

Value::Value(std::string text) : node(std::move(text)) {}
Value::Value(const char* text) : node(std::string(text)) {}
Value::Value(std::int64_t number) : node(number) {}
Value::Value(Number number) : node(std::move(number)) {}
Value::Value(bool flag) : node(flag) {}
Value::Value(Map map) : node(std::move(map)) {}
Value::Value(List list) : node(std::move(list)) {}
Value::Value(std::nullptr_t null) : node(null) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

}  // namespace gpol::yaml
