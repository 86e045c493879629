// SPDX-License-Identifier: Apache-2.0
// Values of options, from text. Private to this library.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/option_list.h>

CALLIS_FEATURE(settings);

namespace callis::orb {

// What a program needs of an entry of the table; its texts are only in programs that print them.
struct OptionEntry {
  std::uint32_t least, most;
  std::uint16_t field;
  OptionKind kind;
  std::uint8_t bytes;
  bool or_zero;
};

constexpr OptionEntry option_entry(const OptionSpec& s) {
  return {s.least,  s.most, static_cast<std::uint16_t>(s.field), s.kind, static_cast<std::uint8_t>(s.bytes),
          s.or_zero};
}

// Takes a prefix off.
bool skip(std::string_view& text, std::string_view prefix);
// The part of list up to the next separator, which list then begins behind; false when there is none left.
bool next_part(std::string_view& list, char separator, std::string_view& part);

// Puts a value of an option that stands for itself (up to Choice) into its field of values: Options, or those of
// added ones. wants: the words of a choice. False when it is no such value.
bool put_value(void* values, const OptionEntry& e, std::string_view wants, std::string_view value);
// Appends one endpoint, or several with ';' between them.
bool add_endpoints(Options& o, std::string_view text);
// The rest is for programs with the feature settings.

// TAO's form of endpoints, "iiop://host:port/hostname_in_ior=name", behind the slashes; further addresses with
// commas.
CALLIS_OPTIONAL bool add_iiop_endpoints(std::string_view text, Options& o);
// Addresses to be published, with ',' between them.
CALLIS_OPTIONAL bool add_published(std::vector<ior::Address>& to, std::string_view text);
// "id=uri"; takes the place of an earlier one of the same id.
CALLIS_OPTIONAL bool set_initial_reference(Options& o, std::string_view text);

}  // namespace callis::orb
