// SPDX-License-Identifier: Apache-2.0
// Values of options, from text. Private to this library.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/option_list.h>

CALLIS_FEATURE(settings);

namespace callis::orb {

// The part of a table's entry that every program needs. Its texts are only in programs that print them.
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
// Moves the part of list up to the next separator into part. Returns false if nothing is left.
bool next_part(std::string_view& list, char separator, std::string_view& part);

// Puts the value of an option of a simple kind (up to Choice) into its field of values: Options, or the values of
// added options. wants: the words of a choice. Returns false for a bad value.
bool put_value(void* values, const OptionEntry& e, std::string_view wants, std::string_view value);
// Appends one endpoint, or several with ';' between them.
bool add_endpoints(Options& o, std::string_view text);
// The rest is for programs with the feature settings.

// TAO's form of endpoints, "iiop://host:port/hostname_in_ior=name", behind the slashes; further addresses with
// commas.
CALLIS_OPTIONAL bool add_iiop_endpoints(std::string_view text, Options& o);
// Addresses to be published, with ',' between them.
CALLIS_OPTIONAL bool add_published(std::vector<ior::Address>& to, std::string_view text);
// text is "id=uri". Replaces an earlier reference of the same id.
CALLIS_OPTIONAL bool set_initial_reference(Options& o, std::string_view text);

}  // namespace callis::orb
