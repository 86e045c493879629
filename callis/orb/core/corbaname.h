// SPDX-License-Identifier: Apache-2.0
// Names in a naming service, as text and as an operation: the part of CosNaming that "corbaname:" needs (Naming
// Service 1.3).
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/base/object.h>
#include <string>
#include <string_view>
#include <vector>

CALLIS_FEATURE(corbaname);

namespace callis::orb {

// CosNaming::NameComponent
struct NameComponent {
  std::string id, kind;
  friend bool operator==(const NameComponent&, const NameComponent&) = default;
};

// A stringified name (2.4): components between '/', id and kind on the two sides of '.', these characters and '\'
// itself escaped by '\'. Returns a text about the fault, or an empty text.
std::string parse_name(std::string_view text, std::vector<NameComponent>& out);

// Calls NamingContext::resolve(). The caller owns a count of the result. Throws BAD_PARAM, OMG minor 9, if the text
// is no name. Throws minor 10 if the naming service raises an exception of its own, which the text tells. System
// exceptions pass.
CALLIS_OPTIONAL CORBA::Object_ptr resolve_name(CORBA::Object_ptr context, std::string_view name);

}  // namespace callis::orb
