// SPDX-License-Identifier: Apache-2.0
// TAG_CODE_SETS: which character encodings a server takes, and the choice of one for transmission
// (CORBA 3.3 part 2, 7.10.2).
#pragma once
#include <callis/ior/iiop_profile.h>
#include <callis/ior/reference.h>
#include <callis/ior/tags.h>
#include <optional>

namespace callis::ior {

// One kind of characters: what a process uses itself, and what it can convert from and to, best first.
struct CodeSets {
  std::uint32_t native = 0;
  std::vector<std::uint32_t> conversion;
  friend bool operator==(const CodeSets&, const CodeSets&) = default;
};

struct CodeSetComponent {
  CodeSets for_char;
  CodeSets for_wchar;
  friend bool operator==(const CodeSetComponent&, const CodeSetComponent&) = default;
};

// Reads and writes the data of a component with tag kCodeSets. At most Limits::max_profiles conversion
// sets of each kind.
Result<CodeSetComponent> parse_code_sets(ByteView component_data, const Limits& limits = {});
// What the reference says for that profile: in a component of the profile's, or of a MultipleComponentProfile beside
// it, where older ORBs and IIOP 1.0 put what holds for all profiles (7.10.2.4). The value is empty when it says
// nothing.
Result<std::optional<CodeSetComponent>> find_code_sets(const Ior& ior, const IiopProfile& profile,
                                                       const Limits& limits = {});
TaggedComponent code_sets_component(const CodeSetComponent& sets, ByteOrder order = kNativeOrder);

// What an ORB with these native code sets offers: conversions to and from all others that callis knows, which are
// kUtf8 and kIso8859_1 for char; kUtf16, kUcs4 and kUcs2 for wchar, in all their levels.
CodeSetComponent offered_code_sets(std::uint32_t for_char, std::uint32_t for_wchar);
// Whether it is one of these.
bool is_code_set_for_char(std::uint32_t code_set);
bool is_code_set_for_wchar(std::uint32_t code_set);

// The code set to send characters in, by 7.10.2.6: the native one when both are the same, else one that
// either side converts (the server's preference first), else the fallback that every ORB must know (kUtf8
// for char, kUtf16 for wchar), if the native ones have characters in common. Fault::NoWideCodeSet when either side
// has no native code set, so that no such characters can be sent; Fault::CodeSetsIncompatible when nothing fits.
Result<std::uint32_t> choose_code_set(const CodeSets& client, const CodeSets& server, std::uint32_t fallback);

}  // namespace callis::ior
