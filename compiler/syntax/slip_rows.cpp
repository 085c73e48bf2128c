#include "compiler/syntax/slip_rows.h"

#include <fmt/format.h>

#include <vector>

#include "compiler/syntax/slips.h"

namespace gpol::syntax {

namespace {

constexpr Synonym kSynonyms[] = {
    // declarations
    {"team", "tenant"},
    {"version", "language"},
    {"proof assert ensure", "prove"},
    {"permit", "allow"},
    {"include require use", "import"},
    // items
    {"nominal", "quota"},
    {"nodegroup nodepool node-group node-pool", "nodes"},
    {"gracePeriod", "grace"},
    {"kinds", "runs"},
    {"variance cv", "variation"},
    {"profile", "mig"},
    {"deadline", "ready within"},
    {"max", "at most"},
    {"otherwise", "else"},
    {"disallow", "no allow"},
    // words within them
    {"on in from at for", "of"},
    {"to until", ".."},
    {"in at on", "during"},
    {"in after by", "within"},
    {"within", "back within"},
    {"return returned reclaim reclaimed", "back"},
    {"a an", "per"},
    {"use take have claim", "borrow"},
    {"may can", "to"},
    {"and", ","},
    {"below under", "<"},
    {"excluding not but", "except"},
    {"till", "until"},
    {"around about", "at"},
    {"since as", "because"},
    {"isolation", ":"},
    {"all everything", "the rest"},
    {"time-slicing timeslicing timeslices", "time-slices"},
    {"guessed assumed estimated", "declared"},
};

constexpr std::string_view kFillers =
    "with is are be been has have get the that this will must should always may can least about around after before up "
    "every each node period GiB GB time";

constexpr std::string_view kAmountFirst = "the amount comes first, then the pool";
constexpr std::string_view kOneNumber = "write the number in full";
constexpr std::string_view kQueue = "it stands in the tenant's queue: `queue { ... }`";
constexpr std::string_view kSetting = "it stands in the queue of a tenant: `queue { ... }`";
constexpr std::string_view kReason = "put the text in double quotes";
constexpr std::string_view kSource = "where the times come from stands in parentheses";
constexpr std::string_view kWhichSource = "say whether the times are `measured`, `declared` or `derived`";
constexpr std::string_view kUnitSays = "the unit says what it is";
constexpr std::string_view kRate = "a rate says of what: write its unit, such as `req/s`, `tokens/min` or `samples/s`";
constexpr std::string_view kPrice = "a price is per hour of a GPU: `per gpu h`";
constexpr std::string_view kAllow = "it is written as in `allow train to borrow up to 8 gpus of shared from search`";
constexpr std::string_view kPoolFirst = "the pool comes first, then who lends it";

constexpr Rewrite kRewrites[] = {
    // how declarations begin
    {R"(\bclass ([A-C]) (<n>))", R"(class \2 : \1)", "the name comes first, then `:` and the letter"},
    {R"(\bclass (<n>)~\(([A-C])\))", R"(class \1 : \2)"},
    {R"(\btenant (<n>)~:~<n>$)", R"(tenant \1)", "a tenant names its class in its block: `class NAME`"},
    {R"(\bclass (<n>)~:~[A-C]$)", R"(class \1)", "a tenant names its class alone"},
    {R"(\bclass <n>~\{)", "", "a class has a name and a letter, A, B or C: `class standard : B { ... }`"},
    {R"(\blanguage [vV']?1(?:\.0)?'?)", "language 1", "", true},
    {R"(\bdefine (<n>)~\(~\))", R"(define \1)"},
    {R"(\bdefine \$(<n>))", R"(define \1)", "a definition is named without the `$`, which stands where it is used"},
    {R"(\bdefine (<n>) = \{)", R"(define \1 {)", "leave out the `=`"},
    {R"(\bdefine (<n>) = ([^\n{}]*\{[^\n]*\}|[^\n{}]+)$)", R"(define \1 { \2 })", "its words stand in braces"},
    {R"(\$(<n>)~\(~\))", R"($\1)", "without arguments a definition is used by its name alone"},
    {R"(\$<n>~\(~\)|\$<n>~\{)", "", "arguments stand in parentheses, `$NAME(...)`; without any it is `$NAME` alone"},
    {R"(\bimport (<n>) as <n>)", R"(import \1)", "names are one space for all files: leave out the `as`"},
    {R"(\bimport <n>,)", "", "each import is a line of its own"},
    {R"(^(?:apiVersion|kind|metadata|spec)~:)", "",
     "this is YAML: a policy is written in gpol, and `gpol build` writes the YAML", true},
    {R"(^(?:variable|locals|let|var|const|def|macro|function) )", "",
     "words are given a name by `define NAME { ... }`, and `$NAME` stands for them", true},
    {R"(^(?:forbid|deny) )", "", "what no `allow` permits is refused", true},
    // amounts, and where they stand
    {R"(\b(<#>)[xX]~(<p>))", R"(\1 x \2)", "", true},
    {R"(\b(<#>) (?:x )?(?:MIG|mig|X|slices|of|x)~(<p>))", R"(\1 x \2)", "", true},
    {R"(\b(<#>) (<p>))", R"(\1 x \2)", "", true},
    {R"(\b(?:nvidia\.com/)?mig-(<p>)~[:=]~(<#>))", R"(\2 x \1)", "the number comes first"},
    {R"(\b(<p>)~,?~(<p>))", R"(\1, 1 x \2)", "separate the slices with `,`, and say how many of each"},
    {R"(\b(reserve|quota|replica|shape|each|most|to|\{|,)~(<p>))", R"(\1 1 x \2)", "say how many: `1 x ...`"},
    {R"(\bas mig (<#> x <p>(?:~,~<#> x <p>)*))", R"(as mig { \1 })", "the slices stand in braces"},
    {R"(\b(<#>)x (gpus?))", R"(\1 \2)", "`x` stands before slices alone", true},
    {R"(\b(<#>) x (?:[A-Z][A-Za-z0-9-]*|gpus?))", R"(\1 gpus)", "`x` stands before slices alone: `8 gpus`"},
    {R"((^|[^0-9.,])([1-9][0-9]{0,2}),([0-9]{3}),([0-9]{3})\b)", R"(\1\2\3\4)", "a number stands without separators"},
    {R"((^|[^0-9.,])([1-9][0-9]{0,2}),([0-9]{3})\b)", R"(\1\2\3)", "a number stands without separators"},
    {R"((^|[^0-9.,])([0-9]+),([0-9]+)\b)", R"(\1\2.\3)", "the fraction follows a point"},
    {R"((^|[^0-9.,])([0-9]+)\.([0-9])k (<n>))", R"(\1\2\300 \4)", kOneNumber},
    {R"((^|[^0-9.,])([0-9]+)k (<n>))", R"(\1\2000 \3)", kOneNumber},
    {R"((^|[^0-9.,])([0-9]+)M (gpus?|cpus?|pods))", R"(\1\2000000 \3)", kOneNumber},
    {R"((^|[^0-9.,])([0-9]+)000m (cpus?))", R"(\1\2 \3)", kOneNumber},
    {R"(\b(<#>) ([kMG]) ((?:req|tokens|samples)/[a-z]+))", R"(\1\2 \3)", "the multiple touches its number"},
    {R"(\b(?:memory|mem|ram|RAM)~(<#>~[MGT]i?B?))", R"(\1)", kUnitSays},
    {R"(\b(<#>~[MGT]i?B?) (?:of )?(?:memory|mem|ram|RAM))", R"(\1)", kUnitSays},
    {R"(\b(cpus?|gpus?|pods) (<#>))", R"(\2 \1)", "the number comes first, then its unit"},
    {R"(\b(?:cpus?|gpus?|nvidia\.com/gpu|memory|mem|pods)~[:=]~<#>)", "",
     "amounts stand in one list, the number first: `each 8 gpus, 192 cpu, 2 TiB, 110 pods`"},
    {R"(\b(<#>) of (<n>) (gpus?))", R"(\1 \3 of \2)"},
    {R"(\b(reserve|quota|shape|most) of (<n>) (<#><r>)$)", R"(\1 \3 of \2)", kAmountFirst},
    {R"(\b(reserve|quota|shape|most) (<n>)~[:=]?~(<#><r>)$)", R"(\1 \3 of \2)", kAmountFirst},
    {R"(\bof (?:the )?pool '(<n>)')", R"(of \1)", "a name stands alone, without quotes"},
    {R"(\bof <n>(?: and|,) <n>)", "", "each pool has a clause of its own, with its amount"},
    {R"(\b(?:reserve|quota|shape) <#> [a-zA-Z]+$)", "", "say of which pool: `8 gpus of NAME`"},
    {R"(\b(<n>)\(([^()\n]*)\))", R"(\1 \2)", "leave out the parentheses"},
    // nodes and pools
    {R"(\b(<#>) nodes?$)", R"(count \1)"},
    {R"(\btolerate lost (<#>))", R"(tolerate \1 lost)", "the number comes first"},
    {R"(\b(?:loss|losses|lose) (<#>))", R"(tolerate \1 lost)"},
    {R"(\bas (<#>) (mps|time-slices|fractions))", R"(as \2 \1)", "the number follows", true},
    {R"(\b(mps|time-slices|fractions) (<#>)[xX])", R"(\1 \2)", "the number stands alone"},
    {R"(\b(?:mps|time-slices|fractions)$)", "", "say how many share a device, such as `time-slices 4`"},
    {R"(\b(mig|mps|time-slices|fractions|dra|whole))", R"(as \1)", "", true},
    {R"(\bas <#>)", "", "say how its devices are shared, such as `as time-slices 4` or `as mig { 2 x 3g.40gb }`", true},
    {R"(\b(label|taint) ([A-Za-z0-9_./-]+=[A-Za-z0-9_.:-]*))", R"(\1 '\2')", "put it in double quotes"},
    {R"(\b(<#> gpus?,<r>)$)", R"(each \1)", "write `each` before the amounts"},
    {R"(\bcount (<#>)~[a-z]+$)", R"(count \1)", "a count is a plain number"},
    // classes and services
    {R"(\bslo (<n>) p?~([0-9.]+)(?:%|th|p)?)", R"(slo \1 p\2)", "a percentile is written `p99`"},
    {R"(\bslo (ttft|itl|tpot|e2e)~<)", R"(slo \1 p99 <)", "say of which percentile: `p99`"},
    {R"(\b(ttft|itl|tpot|e2e) (p[0-9.]+))", R"(slo \1 \2)", "a service level begins with `slo`"},
    {R"(\b(p[0-9.]+) (ttft|itl|tpot|e2e))", R"(slo \2 \1)", "a service level begins with `slo`"},
    {R"(\bburst x(<#>))", R"(burst \1x)", "", true},
    {R"(\bburst (<#>) [xX])", R"(burst \1x)", "", true},
    {R"(\b(grace <q>)~,?~saved in (<q>))", R"(\1 (saved in \2))", "it stands in parentheses"},
    {R"(\b(?:terminationG|g)racePeriodSeconds~[:=]?~([0-9]+))", R"(grace \1s)"},
    {R"(\bvariation (<#>)x)", R"(variation \1)", "this is a plain number"},
    {R"(\b(at most|,) (<#>)s$)", R"(\1 \2 req/s)", kRate},
    {R"(\bfloor (<#>)s$)", R"(floor \1 samples/s)", kRate},
    {R"(\b(<#>[kMG])$)", R"(\1 tokens/min)", kRate},
    {R"(\b(req|tokens|samples) per s(?:ec|econd)?s?\b)", R"(\1/s)"},
    {R"(\b(req|tokens|samples) per min(?:ute)?s?\b)", R"(\1/min)"},
    // tenants
    {R"(\breplicas (<#>)$)", R"(replicas \1, surge 1)",
     "say how many more there may be during an update, those included that still end: `replicas 2, surge 1`"},
    {R"(\breplicas (<#> gpus?))", R"(replica \1)", "what one of them asks for is said by `replica`"},
    {R"(\((?:[a-z]+ )?('[^'\n]*')\))", R"((declared \1))", kWhichSource},
    {R"(\(([0-9]{4}-[0-9-]+)\))", R"((measured \1))", kWhichSource},
    {R"(\((measured|declared|derived) ([^'()\n]+)\))", R"((\1 '\2'))", kReason},
    {R"(\b(<q>) ((?:measured|declared|derived)(?: [0-9]{4}-[0-9-]+| '[^'\n]*')?))", R"(\1 (\2))", kSource, true},
    {R"(\b(?:schedule|image|weights|load|warm) <#>)", "",
     "it is a term of `start`: `start schedule 5s, image 20s, weights 40s, load 25s, warm 20s`"},
    {R"(\b(outside the queue) (preempts batch))", R"(\1, \2)", "", true},
    {R"(\bpreempts batch)", "outside the queue, preempts batch", "only what stands outside the queue preempts"},
    {R"(\bpreempts <n>)", "preempts batch", "a tenant preempts class C as a whole"},
    {R"(\bowner @<n>~,?~@<n>)", "", "a tenant has one owner, a word that begins with `@`, such as `@chat`", true},
    {R"(\bbudget (<#>) ([A-Z]{3})/(<n>))", R"(budget \1 \2 per \3)"},
    {R"(\b(?:may|can|allow|borrows) (?:to )?borrow)", "",
     "what it may borrow is said outside of it: `allow TENANT to borrow up to 8 gpus of POOL from TENANT`"},
    // what stands in the queue of a tenant
    {R"(\b(?:queue )?(?:queueing[-_ ]?[sS]trategy )?(StrictFIFO|BestEffortFIFO))", R"(queue { queueingStrategy \1 })",
     kQueue},
    {R"(\b(?:queueing[-_ ][sS]trategy )?(StrictFIFO|BestEffortFIFO))", R"(queueingStrategy \1)"},
    {R"(\breclaim within cohort)", "reclaimWithinCohort"},
    {R"(\b((?:reclaimWithinCohort|withinClusterQueue|borrowWithinCohort|whenCanBorrow|whenCanPreempt|stopPolicy|)"
     R"(namespaceSelector) <n>))",
     R"(queue { \1 })", kQueue},
    {R"(\b((?:cohort <n>|(?:lend|borrow) (?:at most <r>|without limit)))$)", R"(queue { \1 })", kQueue},
    {R"(\b(?:queueingStrategy|reclaimWithinCohort|withinClusterQueue|borrowWithinCohort|stopPolicy|namespaceSelector))",
     "", kSetting},
    {R"(\b(lend|borrow)ing at most)", R"(\1 at most)", "", true},
    {R"(\b(lend|borrow) up to)", R"(\1 at most)", "", true},
    {R"(\b(?:lend|borrow)(?:ing)?Limit)", "", "it is written `lend at most 8 gpus of POOL`, likewise with `borrow`"},
    {R"(\b(?:lend|borrow)(?:ing)? [a-z]+)", "", "write `at most 0 gpus of POOL`, or `without limit`"},
    // windows and calendars
    {R"(\bevery day)", "daily", "", true},
    {R"(\b(\.\.[0-9:]+ [A-Z][A-Za-z_/]*)$)", R"(\1 daily)",
     "the days follow the time zone, `daily`, `weekdays` or `weekends`"},
    {R"(\b(\.\.[0-9:]+ [A-Z][A-Za-z_/]*) except)", R"(\1 daily except)", "the days stand before `except`"},
    {R"(\b([A-Z][A-Za-z]*/[A-Z][a-z]+) ([A-Z][a-z]+) (daily|weekdays|weekends))", R"(\1_\2 \3)",
     "a time zone is one word"},
    {R"(\b(?:daily|weekdays|weekends)~,?~<n>)", "",
     "a window has one choice of days, `daily`, `weekdays` or `weekends`: make a window of others each"},
    {R"(\bexcept [0-9'])", "", "days are declared by a calendar, `calendar holidays { 2026-12-25 }`, and named here"},
    {R"(\bwindow (<n>)~\{~([^{}\n]+?)~\})", R"(window \1 = \2)", "a window has no block: write `=`"},
    {R"(\b([0-9]{2}:[0-9]{2}):[0-9]{2})", R"(\1)", "a time has hours and minutes alone"},
    {R"(=~(?:'[-0-9*,/?A-Za-z]+(?: [-0-9*,/?A-Za-z]+){4,5}'|'?@[a-z]+'?))", "", kNoCron},
    {R"(\b([0-9]{2})[.]([0-9]{2})[.]([0-9]{4}))", R"(\3-\2-\1)", "a date has the year first"},
    // sentences
    {R"(\bfrom (<n>) of (<n>))", R"(of \1 from \2)", kPoolFirst, false, 2},
    {R"(\bfrom (<n>) of (<n>))", R"(of \2 from \1)", kPoolFirst},
    {R"(\b(during <n>) (from <n>))", R"(\2 \1)", "who lends comes first"},
    {R"(\bborrow at most)", "borrow up to", "", true},
    {R"(\bduring [0-9])", "",
     "times are declared by a window, `window night = 22:00..06:00 Europe/Zurich daily`, and named here: `during "
     "night`"},
    {R"(\b(<n>) (?:may|can) (borrow up to))", R"(allow \1 to \2)", "an allow begins with its word"},
    {R"(\b(?:lend|borrow) <n> up to)", "", kAllow},
    {R"(\b<n>(?: may| can)? (?:borrows?|lends?) )", "", kAllow},
    {R"(\b(<n>) never held by (<n>))", R"(\2 never holds \1)"},
    {R"(\b(<n>) (never holds <n>))", R"(prove \1 \2)"},
    {R"(\b(<n>) (ready within <q>))", R"(prove \1 \2)"},
    {R"(\b<n>(?: may| must)? never hold)", "", "it is written as in `prove batch never holds realtime`"},
    {R"(\btrust (<n>) (<n>) because)", R"(trust \1-\2 because)", "the key of a premise is one word"},
    {R"(\b((?:by|until) [@0-9]\S*) (because '[^'\n]*'))", R"(\2 \1)", "the reason comes first"},
    {R"(\b(until [0-9]\S*) (because '[^'\n]*' by @\S+))", R"(\2 \1)", "`until` stands last"},
    {R"(\bbecause ([^'\n;{}]{1,200}?)( by @\S+|$))", R"(because '\1'\2)", kReason},
    {R"(\bbecause '[^'\n]*' until)", "",
     "say who answers for it: `because \"...\" by @owner`, and behind that `until`, if it ends"},
    {R"(\b(EUR|USD|CHF|GBP|JPY) (<#>))", R"(\2 \1)", "the number comes first"},
    {R"(\b([A-Z]{3})/(?:gpu-)?h(?:our)?\b)", R"(\1 per gpu h)", kPrice},
    {R"(\bper (?:h|hour|gpu-h|gpu-hour|gpuh) of)", "per gpu h of", kPrice},
    {R"(\bapprove (<n>) changes)", R"(approve changes to \1)"},
};

}  // namespace

std::span<const Synonym> synonyms() { return kSynonyms; }
std::span<const Rewrite> rewrites() { return kRewrites; }

bool in_list(std::string_view list, std::string_view word) {
  return fmt::format(" {} ", list).find(fmt::format(" {} ", word)) != std::string::npos;
}

bool is_filler(std::string_view word) { return in_list(kFillers, word); }

std::optional<Patterns::Groups> matched(std::size_t row, std::string_view text, std::size_t from) {
  static const Patterns patterns([] {
    std::vector<std::string_view> rows;
    for (const Rewrite& rewrite : kRewrites) rows.push_back(rewrite.written);
    return rows;
  }());
  return patterns.match(row, text, from);
}

}  // namespace gpol::syntax
