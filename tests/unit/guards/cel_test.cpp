#include "checker/guards/cel_eval.h"
#include "checker/guards/types.h"
#include "tests/support/catch.h"
#include "tests/unit/guards/support.h"

using namespace gpol;
using namespace gpol::guard_test;

namespace {

std::string worth(const std::string& text, const std::string& object = "{}") {
  const auto parsed = cel::parse(text);
  if (!parsed.expr) return "no syntax";
  cel::Activation activation;
  activation.names["object"] = json(object);
  const auto result = cel::evaluate(parsed.expr, activation);
  if (result.is_error()) return "error";
  return result.is_unknown() ? "unknown" : cel::to_json(result.value);
}

std::string type(const std::string& text) {
  const auto parsed = cel::parse(text);
  if (!parsed.expr) return "no syntax";
  const auto checked = cel::check(parsed.expr, {{}, true});
  if (checked.verdict == cel::Checked::Verdict::Refused) return "refused";
  if (!checked.ok()) return "cannot tell";
  return checked.type.kind == cel::Type::Kind::Bool  ? "bool"
         : checked.type.kind == cel::Type::Kind::Dyn ? "dyn"
                                                     : "other";
}

}  // namespace

TEST_CASE("CEL: literals and operators") {
  CHECK(worth("1 + 2 * 3 - -4") == "11");
  CHECK(worth("'a' + \"b\" + r'\\n' + '\\x41\\u0042\\103'") == R"("ab\\nABC")");
  CHECK(worth("'''a'b\nc'''") == R"("a'b\u000ac")");
  CHECK(worth("[1, 2.5, 'x', null, true][1] == 2.5") == "true");
  CHECK(worth("{'a': 1}.a == 1.0 && 1 < 1.5 && 'b' > 'a' && 0x10 == 16") == "true");
  CHECK(worth("7 / 2 == 3 && -7 % 3 == -1") == "true");
  CHECK(worth("true ? 1 : 1 / 0") == "1");
  CHECK(worth("!!true") == "true");
  CHECK(worth("1 in [1, 2] && !('c' in {'a': 1})") == "true");
  CHECK(worth("9223372036854775807 + 1") == "error");
  CHECK(worth("1 / 0") == "error");
  CHECK(worth("// nothing\n1 // one") == "1");
}

TEST_CASE("CEL: errors, and what absorbs them") {
  CHECK(worth("object.a") == "error");
  CHECK(worth("object.a == 1 || true") == "true");
  CHECK(worth("true || object.a == 1") == "true");
  CHECK(worth("object.a == 1 && false") == "false");
  CHECK(worth("object.a == 1 || false") == "error");
  CHECK(worth("1 || true") == "true");
  CHECK(worth("1 || false") == "error");
  CHECK(worth("has(object.a)") == "false");
  CHECK(worth("has(object.a.b)") == "error");
  CHECK(worth("has(object.a.b)", R"({"a": 1})") == "false");
  CHECK(worth("has(object.a.b)", R"({"a": [1]})") == "error");
  CHECK(worth("[1, 0].exists(x, 1 / x == 1)") == "true");
  CHECK(worth("[2, 0].exists(x, 1 / x == 1)") == "error");
  CHECK(worth("[1, 0].all(x, 1 / x == 2)") == "false");
  CHECK(worth("[1, 0].exists_one(x, 1 / x == 1)") == "error");
  CHECK(worth("'a' < 1") == "error");
  CHECK(worth("'a' == 1") == "false");
  CHECK(worth("nobody || true") == "true");
  CHECK(worth("nobody || false") == "unknown");
}

TEST_CASE("CEL: functions, optionals, macros") {
  CHECK(worth("'gpol.dev/x'.startsWith('gpol.dev/') && 'ab'.endsWith('b') && 'abc'.contains('b')") == "true");
  CHECK(worth("'ab'.matches('^a') && !'ab'.matches('a$') && 'a.b'.matches('a\\\\.b')") == "true");
  CHECK(worth("'ab'.matches('[a-z]+')") == "unknown");
  CHECK(worth("size('äb') + [1].size() + size({'a': 1})") == "4");
  CHECK(worth("int('12') + int(3.9) == 15 && string(4) == '4' && string(true) == 'true'") == "true");
  CHECK(worth("int('x')") == "error");
  CHECK(worth("quantity('1Ki').compareTo(quantity('1024')) == 0 && quantity('1.5').isLessThan(quantity('1501m'))") ==
        "true");
  CHECK(worth("quantity('x')") == "error");
  CHECK(worth("object.?a.?b.orValue(7)") == "7");
  CHECK(worth("object.?a.b.orValue(7)", R"({"a": {"b": 3}})") == "3");
  CHECK(worth("object.?l[?'k'].hasValue()", R"({"l": {"k": 3}})") == "true");
  CHECK(worth("[1, 2, 3].filter(x, x > 1).map(y, y * 2)") == "[4,6]");
  CHECK(worth("{'b': 1, 'a': 2}.exists(k, k == 'a')") == "true");
}

TEST_CASE("CEL: hostile text is refused, not followed") {
  for (const char* text : {"", "(", "a.", "a..b", "'", "1 +", "a ? b", "[1", "{'a'}", "if", "for.x", "1 2", "\\",
                           "'\\q'", "a.exists(1, x)", "has(a)", "99999999999999999999", "a.in"})
    CHECK(worth(text) == "no syntax");
  CHECK(worth(std::string(5000, '(') + "1" + std::string(5000, ')')) == "no syntax");
  CHECK(worth(std::string(70000, 'a')) == "no syntax");
  std::string sum = "1";
  for (int i = 0; i < 3000; ++i) sum += "+1";
  CHECK(worth(sum) == "no syntax");
  std::string dots = "object";
  for (int i = 0; i < 3000; ++i) dots += ".a";
  CHECK(worth(dots) == "no syntax");
  CHECK(worth("[1,2,3,4,5,6,7,8,9,0].all(a, [1,2,3,4,5,6,7,8,9,0].all(b, [1,2,3,4,5,6,7,8,9,0].all(c, "
              "[1,2,3,4,5,6,7,8,9,0].all(d, [1,2,3,4,5,6,7,8,9,0].all(e, [1,2,3,4,5,6,7,8,9,0].all(f, a + b + c + d + "
              "e < 999))))))") == "unknown");
}

TEST_CASE("CEL: what the API server would not take") {
  CHECK(type("object.spec.x <= 60") == "bool");
  CHECK(type("object.spec.x") == "dyn");
  CHECK(type("request.userInfo.groups.exists(g, g == 'a')") == "bool");
  CHECK(type("request.user == 'a'") == "refused");
  CHECK(type("objekt.a == 1") == "refused");
  CHECK(type("1 == 'a'") == "refused");
  CHECK(type("variables.none") == "refused");
  CHECK(type("request.name + 1 == ''") == "refused");
  CHECK(type("int('x') == 1") == "refused");
  CHECK(type("authorizer.group('').check('x').allowed()") == "cannot tell");
  CHECK(type("object.a.matches('[')") == "cannot tell");
}
