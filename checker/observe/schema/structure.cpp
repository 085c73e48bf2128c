#include "checker/observe/schema/structure.h"

#include <algorithm>
#include <set>

#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"
#include "compiler/source/text.h"
#include "compiler/source/utf8.h"

namespace gpol::manifest::schema {
namespace {

constexpr std::string_view kRules[] = {
    "schema:unknown-field", "schema:required",       "schema:type",          "schema:enum",     "schema:syntax",
    "schema:too-short",     "schema:too-long",       "schema:too-few",       "schema:too-many", "schema:too-low",
    "schema:too-high",      "schema:duplicate-item", "schema:duplicate-key",
};

std::string_view said(Json type) {
  constexpr std::string_view kNames[] = {"null",      "text",   "an integer", "a number with a fraction or an exponent",
                                         "a boolean", "a list", "a mapping"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view said(Type::Is is) {
  constexpr std::string_view kNames[] = {"anything",   "text",      "an integer", "true or false",
                                         "a quantity", "a mapping", "a mapping",  "a list"};
  return kNames[static_cast<std::size_t>(is)];
}

bool fits(Type::Is is, Json type) {
  constexpr auto bit = [](Json one) { return 1U << static_cast<unsigned>(one); };
  constexpr unsigned kTypes[] = {~0U,
                                 bit(Json::Text),
                                 bit(Json::Integer),
                                 bit(Json::Bool),
                                 bit(Json::Text) | bit(Json::Integer),
                                 bit(Json::Map),
                                 bit(Json::Map),
                                 bit(Json::List)};
  static_assert(std::size(kTypes) == static_cast<std::size_t>(Type::Is::List) + 1);
  return (kTypes[static_cast<std::size_t>(is)] & bit(type)) != 0;
}

std::string words_in_quotes(std::string_view words) {
  constexpr std::ptrdiff_t kMostListed = 12;
  const auto spaces = std::ranges::count(words, ' ');
  if (spaces >= kMostListed) return "the " + std::to_string(spaces + 1) + " words that are known here";
  std::string all;
  for (const std::string_view word : split(words, ' ')) add_to_list(all, "`" + std::string(word) + "`");
  return all;
}

class Walk {
 public:
  explicit Walk(Findings& findings, bool decoded = false) : findings_(findings), decoded_(decoded) {}

  void value(const Look& self, const Type& type) {
    if (findings_.full()) return;
    const Json is = json_type(*self.node());
    if (decoded_ && is == Json::Null) return zero(self, type);
    if (decoded_ && type.is == Type::Is::Quantity && is == Json::Number) return word(self, type);
    if (!fits(type.is, is)) return wrong_type(self, type, is);
    switch (type.is) {
      case Type::Is::Any:
      case Type::Is::Bool:
        return;
      case Type::Is::Integer:
        return integer(self, type);
      case Type::Is::Text:
        return word(self, type);
      case Type::Is::Quantity:
        if (is == Json::Text || decoded_) word(self, type);
        return;
      case Type::Is::Object:
        return object(self, type);
      case Type::Is::Map:
        return map(self, type);
      case Type::Is::List:
        return list(self, type);
    }
  }

 private:
  void add(std::string_view rule, const Look& at, std::string what) {
    findings_.add(rule, at.field(), std::move(what), at.nearest());
  }

  // Null that Go decodes: what absent is, and of an item of a list nothing, empty text, an object without fields.
  void zero(const Look& self, const Type& type) {
    if (type.never_null) return wrong_type(self, type, Json::Null);
    if (type.is == Type::Is::Text) word(self, type);
    if (type.is == Type::Is::Object) object(self, type);
  }

  void wrong_type(const Look& self, const Type& type, Json is) {
    const bool time = type.syntax == Syntax::Duration;
    std::string what =
        "must be " + std::string(time ? described(type.syntax) : said(type.is)) + ", is " + std::string(said(is));
    if (time) return add("schema:type", self, std::move(what));
    const bool quote = type.is == Type::Is::Text && (is == Json::Integer || is == Json::Number || is == Json::Bool);
    if (quote || (type.is == Type::Is::Quantity && is == Json::Number)) what += ": quote it";
    add("schema:type", self, std::move(what));
  }

  void integer(const Look& self, const Type& type) {
    const auto value = self.integer();
    if (!value) return;
    if (*value < type.least) add("schema:too-low", self, "must be at least " + std::to_string(type.least));
    if (*value > type.most) add("schema:too-high", self, "must be at most " + std::to_string(type.most));
  }

  void word(const Look& self, const Type& type) {
    const std::string_view text = self.is(Json::Null) ? std::string_view() : self.node()->text;
    const auto length = static_cast<std::int64_t>(code_points(text));
    if (length < type.least) return add("schema:too-short", self, "must not be empty");
    if (length > type.most)
      return add("schema:too-long", self, "must have at most " + std::to_string(type.most) + " characters");
    if (!is_of(type.syntax, text))
      return add("schema:syntax", self, shown(text) + " is not " + std::string(described(type.syntax)));
    if (!type.words.empty() && !is_among(type.words, text))
      add("schema:enum", self, shown(text) + " is none of " + words_in_quotes(type.words));
  }

  void object(const Look& self, const Type& type) {
    for (const Entry& entry : self.entries()) {
      const Field* known = field_of(type, entry.key);
      if (known == nullptr) {
        if (!type.open && (type.words.empty() || !is_among(type.words, entry.key))) unknown(self, entry, type);
      } else if (entry.value.kind != Node::Kind::Null || known->type.never_null) {
        value(self.entry(entry), known->type);
      }
    }
    for (const Field& field : type.all_fields()) {
      if (!field.type.demanded || !field.type.fallback.empty()) continue;
      if (const Look found = self.get(field.name); !found.present()) add("schema:required", found, "is required");
    }
  }

  static const Field* field_of(const Type& type, std::string_view name) {
    return find_by(type.all_fields(), name, &Field::name);
  }

  void unknown(const Look& self, const Entry& entry, const Type& type) {
    std::vector<std::string_view> names = split(type.words, ' ');
    for (const Field& field : type.all_fields()) names.push_back(field.name);
    std::string what = "is not a field here";
    auto meant = nearest(entry.key, names);
    // v1beta1's `cohort`, `parent` and `admissionChecks` became longer, and each is met under the other's version.
    const auto grew = [](std::string_view from, std::string_view to) {
      return from.size() > 4 && to.starts_with(from);
    };
    for (const auto name : names)
      if (!meant && (grew(entry.key, name) || grew(name, entry.key))) meant = std::string(name);
    if (meant) what += "; did you mean `" + *meant + "`?";
    add("schema:unknown-field", self.entry(entry), std::move(what));
    if (meant && !self.get(*meant).present()) findings_.is_misspelt(entry, *meant);
  }

  void map(const Look& self, const Type& type) {
    std::int64_t count = 0;
    for (const Entry& entry : self.entries()) {
      if (entry.value.kind == Node::Kind::Null) continue;
      ++count;
      value(self.entry(entry), *type.item);
    }
    size(self, type, count);
  }

  void list(const Look& self, const Type& type) {
    const Type item = type.item != nullptr ? *type.item : items_of(type);
    for (const Look one : self.items()) value(one, item);
    if (!type.key.empty()) same_key(self, type);
    if (type.distinct) same_item(self);
    size(self, type, static_cast<std::int64_t>(self.size()));
  }

  static Type items_of(const Type& list) {
    return {.is = Type::Is::Object, .open = list.open, .fields = list.fields, .field_count = list.field_count};
  }

  void size(const Look& self, const Type& type, std::int64_t count) {
    if (count < type.least) add("schema:too-few", self, "must not be empty");
    if (count > type.most) add("schema:too-many", self, "must hold at most " + std::to_string(type.most));
  }

  void same_key(const Look& self, const Type& type) {
    const Field* key = field_of(type, type.key);
    std::set<std::string_view> seen;
    for (const Look item : self.items()) {
      const Look found = item.get(type.key);
      const bool absent = !found.present() && key != nullptr && !key->type.fallback.empty();
      if (!absent && !found.is(Json::Text)) continue;  // said already
      const std::string_view name = absent ? key->type.fallback : found.text();
      if (seen.insert(name).second) continue;
      add("schema:duplicate-key", found, "another item of the list has " + std::string(type.key) + " " + shown(name));
    }
  }

  void same_item(const Look& self) {
    std::set<std::string_view> seen;
    for (const Look item : self.items()) {
      if (item.is(Json::Text) && !seen.insert(item.text()).second)
        add("schema:duplicate-item", item, shown(item.text()) + " is in the list twice");
    }
  }

  Findings& findings_;
  const bool decoded_;
};

}  // namespace

bool is_among(std::string_view words, std::string_view word) { return contains(split(words, ' '), word); }

void check_structure(const Look& object, const Type& type, Findings& findings) { Walk(findings).value(object, type); }

void check_decoded(const Look& object, const Type& type, Findings& findings) {
  Walk(findings, true).value(object, type);
}

std::span<const std::string_view> structure_rules() { return kRules; }

}  // namespace gpol::manifest::schema
