// A validator for the part of JSON Schema (draft 2020-12) that our own report schema uses. In: a schema and a value.
// Out: what is wrong, each with its place; a keyword that is not known here is wrong too, so nothing passes unchecked.
// Of our own because the packaged C++ validator pulls in desktop libraries.
#pragma once

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace gpol::test {

class SchemaCheck {
 public:
  explicit SchemaCheck(const nlohmann::json& root) : root_(root) {}

  std::vector<std::string> operator()(const nlohmann::json& value) {
    errors_.clear();
    validate(root_, value, "$", errors_);
    return errors_;
  }

 private:
  using Json = nlohmann::json;
  using Errors = std::vector<std::string>;

  static bool has_type(const std::string& type, const Json& value) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    return type == "integer" && value.is_number_integer();
  }

  static bool type_fits(const Json& type, const Json& value) {
    if (type.is_string()) return has_type(type, value);
    for (const Json& one : type)
      if (has_type(one, value)) return true;
    return false;
  }

  static std::size_t length(const std::string& text) {  // code points
    std::size_t n = 0;
    for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return n;
  }

  void validate(const Json& schema, const Json& value, const std::string& at, Errors& errors) const {
    const auto fail = [&](const std::string& what) { errors.push_back(at + ": " + what); };
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword == "type") {
        if (!type_fits(rule, value)) fail("is not of type " + rule.dump());
      } else if (keyword == "const") {
        if (value != rule) fail("is not " + rule.dump());
      } else if (keyword == "enum") {
        if (std::find(rule.begin(), rule.end(), value) == rule.end())
          fail(value.dump() + " is not one of " + rule.dump());
      } else if (keyword == "required") {
        for (const std::string key : rule)
          if (value.is_object() && !value.contains(key)) fail("lacks `" + key + "`");
      } else if (keyword == "properties") {
        for (const auto& [key, sub] : rule.items())
          if (value.is_object() && value.contains(key)) validate(sub, value.at(key), at + "." + key, errors);
      } else if (keyword == "items") {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
          validate(rule, value[i], at + "[" + std::to_string(i) + "]", errors);
      } else if (keyword == "minItems") {
        if (value.is_array() && value.size() < rule.get<std::size_t>())
          fail("has fewer than " + rule.dump() + " items");
      } else if (keyword == "minLength") {
        if (value.is_string() && length(value) < rule.get<std::size_t>()) fail("is shorter than " + rule.dump());
      } else if (keyword == "minimum") {
        if (value.is_number() && value < rule) fail("is less than " + rule.dump());
      } else if (keyword == "pattern") {
        if (value.is_string() && !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())))
          fail(value.dump() + " does not match " + rule.dump());
      } else if (keyword == "$ref") {
        validate(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at, errors);
      } else if (keyword == "allOf") {
        for (const Json& sub : rule) validate(sub, value, at, errors);
      } else if (keyword == "if") {
        Errors unmet;
        validate(rule, value, at, unmet);
        if (unmet.empty() && schema.contains("then")) validate(schema.at("then"), value, at, errors);
      } else if (keyword != "then" && keyword != "$schema" && keyword != "$defs" && keyword != "title" &&
                 keyword != "description") {
        fail("the schema uses `" + keyword + "`, which this validator does not know");
      }
    }
  }

  const Json& root_;
  Errors errors_;
};

}  // namespace gpol::test
