// SPDX-License-Identifier: Apache-2.0
// References as text: "IOR:" followed by hexadecimal digits, and "corbaloc:" and "corbaname:" URLs
// (CORBA 3.3 part 2, 7.6.9 and 7.6.10).
//
// The text is hostile. The parser reads it once, from left to right, without recursion. Other schemes are
// errors; nothing here opens files or connections.
#pragma once
#include <callis/base/feature.h>
#include <callis/ior/reference.h>
#include <string_view>
#include <variant>

CALLIS_FEATURE(urls);

namespace callis::ior {

// What is wrong, in the classes of string_to_object's BAD_PARAM minor codes.
enum class TextProblem : std::uint8_t {
  Scheme = 7,        // not a scheme we know
  Address = 8,       // a protocol, version, host or port
  SpecificPart = 9,  // any other part after the scheme
  Other = 10,
};
// The OMG minor code of BAD_PARAM, without the vendor part.
constexpr std::uint32_t bad_param_minor(TextProblem p) { return static_cast<std::uint32_t>(p); }

struct TextError {
  TextProblem problem = TextProblem::Other;
  std::size_t offset = 0;  // into the text
  std::string reason;      // for people; holds no unescaped part of the text

  std::string text() const;  // "at offset 12: port 70000 is above 65535"
};

// "corbaloc:rir:/Name": ask ORB::resolve_initial_references.
struct InitialReference {
  std::string name;
  friend bool operator==(const InitialReference&, const InitialReference&) = default;
};

// "corbaname:addresses/key#name": resolve the name in the naming context there. Without a name, the context itself.
struct NameInContext {
  Ior context;               // nil when the context is an initial reference
  InitialReference initial;  // "corbaname:rir:#name"
  std::string name;          // stringified, escapes of the URL taken for what they stand for
  friend bool operator==(const NameInContext&, const NameInContext&) = default;
};

using ParsedReference = std::variant<Ior, InitialReference, NameInContext, TextError>;

// "ssliop:1.2@host:port" is a port of TLS, as JacORB, TAO and omniORB write it; its default version is 1.2. Such an
// address makes a profile with port 0 and TAG_SSL_SEC_TRANS.
//
// "uiop:1.2@/path" is TAO's address of a Unix-domain socket; where one stands among the addresses, '|' instead of '/'
// begins the key: "corbaloc:uiop:1.2@/run/bank.sock|Bank".
//
// corbaname: as corbaloc up to '#'; the key's default is NameService.
//
// corbaloc: default version 1.0, default port 2809, one IIOP profile for each address in the order given;
// addresses of unknown protocols are passed over if there is another. "corbaloc:rir:" alone means
// NameService; an empty host means localhost. The resulting Ior has an empty type id. Blanks and line ends
// around the text do not matter, nor does the case of schemes, protocols and digits.
ParsedReference parse_reference(std::string_view text, const Limits& limits = {});

// "IOR:" and lower case digits of the big-endian encapsulation: equal references give equal text.
std::string to_text(const Ior& ior);

// An object key as the key string of a corbaloc URL, with escapes where the grammar demands them. Only with the
// feature urls, as all that reads such URLs.
CALLIS_OPTIONAL std::string escape_key(ByteView object_key);

}  // namespace callis::ior
