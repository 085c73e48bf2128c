// The spellings that the API server and the CRDs ask of text. In: bytes. Out: whether they are of the form.
// Facts: k8s.io/apimachinery pkg/api/validate/content, and the patterns of Kueue's CRDs.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpol::manifest::schema {

enum class Syntax : std::uint8_t {
  Any,
  Subdomain,  // DNS-1123 labels with dots between: names of objects
  Label,      // one DNS-1123 label
  LabelKey,   // [prefix/]name, of unbounded length, as a CRD's pattern says it
  KindWord,   // a DNS-1123 label in any case that starts with a letter
  Quantity,   // what the CRDs take for a quantity; resource.ParseQuantity takes a little less
  DateTime,   // RFC 3339
  // Of Kueue's Configuration:
  Duration,    // time.ParseDuration
  GoQuantity,  // resource.ParseQuantity, blanks around it
};

bool is_of(Syntax syntax, std::string_view text);
// "a DNS-1123 subdomain (lower-case ...)", for messages.
std::string_view described(Syntax syntax);
// "subdomain", for the comparison with the CRDs.
std::string_view name_of(Syntax syntax);

// metav1's own checks, lengths included.
bool is_label_key(std::string_view text);    // also qualified names: finalizers, resource names
bool is_label_value(std::string_view text);  // may be empty
bool is_subdomain(std::string_view text);    // at most 253 bytes
bool is_label(std::string_view text);        // at most 63 bytes
// Without the blanks around it.
std::string_view trimmed(std::string_view text);
// domain/path, as the managedBy of Jobs.
bool is_domain_prefixed_path(std::string_view text);

// Whether resource.ParseQuantity takes it, and how two that it takes compare (below 0, 0, above 0).
bool is_quantity(std::string_view text);
int compare_quantities(std::string_view left, std::string_view right);

}  // namespace gpol::manifest::schema
