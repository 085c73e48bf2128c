// A request that gets in is shown in its simplest form, wherever the solver's came from.
#include "checker/guards/simplest.h"
#include "checker/guards/cel_eval.h"
#include "checker/guards/guard.h"
#include "tests/support/catch.h"

namespace gpol {
namespace {

constexpr const char* kBad =
    "request.namespace in ['ml', 'web'] && request.userInfo.username != 'kueue' && "
    "(has(object.spec.priority) && object.spec.priority > 5 || "
    "object.spec.containers.exists(c, c.resources.limits.exists(k, k.startsWith('nvidia.com/'))))";

cel::Value simple(cel::Value request) {
  const cel::Parsed bad = cel::parse(kBad);
  REQUIRE(bad.expr);
  const auto keeps = [&](const cel::Value& one) {
    const cel::Result result = cel::evaluate(bad.expr, activation_of(one));
    return result.boolean() != nullptr && *result.boolean();
  };
  REQUIRE(keeps(request));
  return simplest(std::move(request), {{{"object", "metadata"}}}, texts_of(*bad.expr), {"chat", "ml"}, keeps);
}

cel::Value request(const char* ns, const char* user, cel::Map spec) {
  return cel::Map{{"operation", "CREATE"},
                  {"namespace", ns},
                  {"oldObject", cel::Null{}},
                  {"userInfo", cel::Map{{"username", user}, {"uid", "7"}}},
                  {"object", cel::Map{{"spec", std::move(spec)}, {"metadata", cel::Map{}}}}};
}

TEST_CASE("what a request does not need is left out, and the rest is plain") {
  const cel::Map container{{"name", "a"}, {"resources", cel::Map{{"limits", cel::Map{{"nvidia.com/zz", "q"}}}}}};
  CHECK(
      cel::to_json(simple(request("web", "system:x", {{"containers", cel::List{container, container}}}))) ==
      R"({"namespace":"ml","object":{"metadata":{},"spec":{"containers":[{"resources":{"limits":{"nvidia.com/gpu":"1"}}}]}},)"
      R"("operation":"CREATE","userInfo":{"username":"somebody"}})");
  CHECK(
      cel::to_json(simple(request("ml", "b", {{"priority", 900}, {"containers", cel::List{}}}))) ==
      R"({"namespace":"ml","object":{"metadata":{},"spec":{"priority":6}},"operation":"CREATE","userInfo":{"username":"somebody"}})");
}

}  // namespace
}  // namespace gpol
