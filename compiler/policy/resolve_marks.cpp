// Labels and taints that the nodes of a pool carry already. Proofs rest on the label: a pod that Kueue admits gets it
// as its node selector, so that no node may be of two pools. The taint keeps off who was not admitted. Sources: label
// and taint syntax, k8s.io/apimachinery pkg/util/validation; who tolerates what by itself, plugin/pkg/admission
// extendedresourcetoleration and defaulttolerationseconds, pkg/controller/daemon/util AddOrUpdateDaemonPodTolerations.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

constexpr std::string_view kEffects[] = {"NoSchedule", "NoExecute"};

constexpr std::string_view kWord = "[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

bool is_value(std::string_view text) {
  static const re2::RE2 kForm{std::string(kWord)};
  return text.empty() || re2::RE2::FullMatch(text, kForm);
}

bool is_key(std::string_view text) {
  constexpr std::size_t kLongestDomain = 253;
  static const std::string kPart = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
  static const re2::RE2 kForm("(?:" + kPart + "(?:\\." + kPart + ")*/)?" + std::string(kWord));
  return re2::RE2::FullMatch(text, kForm) && text.find('/') + 1 <= kLongestDomain + 1;  // npos + 1 is 0
}

// Whether pods tolerate a taint of this key that nobody gave the toleration; nothing: none does.
std::string_view tolerated_by_itself(std::string_view key) {
  if (key.starts_with("nvidia.com/"))
    return "the API server's ExtendedResourceToleration lets every pod that asks for a GPU tolerate it, also one that "
           "Kueue has not admitted";
  if (key.starts_with("node.kubernetes.io/") || key.starts_with("node.cloudprovider.kubernetes.io/"))
    return "the control plane gives nodes such taints, takes them away, and lets pods tolerate them";
  return {};
}

// K=V, and of a taint K, K:EFFECT and K=V:EFFECT.
std::optional<NodeMark> read_mark(Resolver& r, const ast::Name& written, bool taint, std::string_view of = "nodes") {
  const char* const what = taint ? "taint" : "label";
  const std::string_view text = written.text;
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  const std::string_view pair = text.substr(0, colon);
  const std::size_t equals = std::min(pair.find('='), pair.size());
  NodeMark mark{std::string(pair.substr(0, equals)), std::string(pair.substr(std::min(equals + 1, pair.size()))),
                taint ? "NoSchedule" : ""};
  const auto bad = [&](Code code, std::string message, std::string hint) {
    error(r, code, written.span, std::move(message), std::move(hint));
    return std::nullopt;
  };
  if (!is_key(mark.key))
    return bad(code::BadValue, fmt::format("`{}` is not the key of a {} of {}", mark.key, what, of),
               "a key is a name of letters, digits, `-`, `_` and `.`, at most 63 of them, if need be behind a domain "
               "and a `/`: `example.com/node-pool`");
  if (!is_value(mark.value))
    return bad(code::BadValue, fmt::format("`{}` is not the value of a {} of {}", mark.value, what, of),
               "a value is of letters, digits, `-`, `_` and `.`, at most 63 of them, a letter or digit first and last");
  if (!taint && colon < text.size())
    return bad(code::BadValue, "a label has no effect: that is a taint's",
               fmt::format("leave out `{}`", text.substr(colon)));
  if (!taint && equals == pair.size())
    return bad(code::BadValue, fmt::format("the value of the label `{}` is missing", mark.key),
               fmt::format("write `label {0}=VALUE`, or `label \"{0}=\"` where it is empty", mark.key));
  if (!taint) return mark;
  if (colon < text.size()) mark.effect = text.substr(colon + 1);
  if (mark.effect == "PreferNoSchedule")
    return bad(code::PoolMark, "a taint with the effect `PreferNoSchedule` keeps no pod off a node",
               "taint the nodes with `NoSchedule` or `NoExecute`");
  if (!contains(kEffects, mark.effect))
    return bad(code::BadValue, fmt::format("`{}` is not the effect of a taint", mark.effect),
               choice_hint(mark.effect, kEffects));
  if (const std::string_view why = tolerated_by_itself(mark.key); !why.empty())
    return bad(code::PoolMark, fmt::format("the taint `{}` keeps nobody off a pool: {}", mark.key, why),
               "leave out `taint`: the nodes get gpol's own beside it");
  return mark;
}

// A node has one value of a label, and so is of one pool where all labels have one key. With several a node may carry
// two of them, and taints do not part their pods: whoever writes a Job may let its pods tolerate everything. False:
// they are not apart.
bool set_apart(Resolver& r, std::size_t a, std::size_t b) {
  const Pool &one = r.policy.pools[a], &other = r.policy.pools[b];
  if (!one.label && !other.label) return true;  // their names are their values
  const NodeMark label = label_of(one), other_label = label_of(other);
  if (label.key == other_label.key && label.value != other_label.value) return true;
  const auto place = [&](std::size_t pool) {
    const ast::Pool& written = *r.declared.pools[pool];
    return written.label ? written.label->span : written.span;
  };
  const bool same = label.key == other_label.key;
  error(r, code::PoolMark, place(b),
        same ? fmt::format("pools `{}` and `{}` have one label, `{}={}`: their nodes are not told apart", one.name,
                           other.name, label.key, label.value)
             : fmt::format("the labels of pools `{}` and `{}` have two keys, `{}` and `{}`: a node may carry both, and "
                           "is then of both pools",
                           one.name, other.name, label.key, other_label.key),
        same ? "give each pool a label that only its own nodes carry"
             : "give all pools a label with one key: a node has one value of it")
      .labels.push_back({place(a), fmt::format("pool `{}`", one.name)});
  return false;
}

}  // namespace

std::optional<NodeMark> label_of_pods(Resolver& r, const ast::Name& written) {
  return read_mark(r, written, false, "pods");
}

void resolve_marks(Resolver& r) {
  std::vector<std::size_t> sound;
  for (std::size_t i = 0; i < r.policy.pools.size(); ++i) {
    const ast::Pool& written = *r.declared.pools[i];
    Pool& pool = r.policy.pools[i];
    if (written.label) pool.label = read_mark(r, *written.label, false);
    if (written.taint) pool.taint = read_mark(r, *written.taint, true);
    if (written.label.has_value() == pool.label.has_value() && written.taint.has_value() == pool.taint.has_value())
      sound.push_back(i);
  }
  for (std::size_t b = 1; b < sound.size(); ++b)
    for (std::size_t a = 0; a < b && set_apart(r, sound[a], sound[b]); ++a) {
    }
}

}  // namespace gpol
