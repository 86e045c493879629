// SPDX-License-Identifier: Apache-2.0
// References as text (CORBA 3.3 part 2, 7.6.9 and 7.6.10), in a fifth of the code of callis/ior: the same texts are
// read, but for sockets, TLS and corbaname.
#include <callis/base/text.h>
#include <callis/ior/text.h>
#include <callis/micro/reference.h>
#include <callis/orb/base/minor_codes.h>
#include <cstring>

namespace callis::micro {
namespace {

using ior::TextProblem;
constexpr std::uint16_t kDefaultPort = 2809;

[[noreturn]] void wrong(TextProblem problem, std::string_view at) {
  orb::raise<CORBA::BAD_PARAM>(orb::omg(ior::bad_param_minor(problem)), CORBA::COMPLETED_NO,
                               concat({"a reference goes wrong at \"", at.substr(0, 40), "\""}));
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

int hex_value(char c) {
  c = lower(c);
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Takes the word off the front of the text; case does not matter.
bool take(std::string_view& text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(text[i]) != word[i]) return false;
  text.remove_prefix(word.size());
  return true;
}

// Takes off the part in front of the character, and the character; all if there is none. Returns the part.
std::string_view take_to(std::string_view& text, char c) {
  const std::size_t n = text.find(c);
  const std::string_view part = text.substr(0, n);
  text.remove_prefix(n == text.npos ? text.size() : n + 1);
  return part;
}

// Two digits; -1 if they are none.
int take_hex(std::string_view text) {
  const int high = text.empty() ? -1 : hex_value(text[0]);
  const int low = text.size() < 2 ? -1 : hex_value(text[1]);
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

ior::Ior read_digits(std::string_view digits, const Limits& limits) {
  if (digits.empty() || digits.size() / 2 > limits.max_message_bytes) wrong(TextProblem::SpecificPart, digits);
  ior::Bytes bytes(digits.size() / 2 + 1);
  for (Byte* to = bytes.data(); !digits.empty(); digits.remove_prefix(2)) {
    const int byte = take_hex(digits);
    if (byte < 0) wrong(TextProblem::SpecificPart, digits);
    *to++ = static_cast<Byte>(byte);
  }
  cdr::Budget budget = cdr::Budget::of(limits, bytes.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(bytes, budget);
  ior::Ior read;
  if (!ior::decode(d, read, limits)) wrong(TextProblem::SpecificPart, fault_name(d.fault()));
  return read;
}

bool is_plain(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         (c != 0 && std::strchr(";/:?@&=+$,-_.!~*'()", c));
}

ior::Bytes read_key(std::string_view text, const Limits& limits) {
  ior::Bytes key(text.size());
  std::size_t n = 0;
  if (text.size() > limits.max_context_bytes) wrong(TextProblem::SpecificPart, text);
  for (; !text.empty(); text.remove_prefix(1)) {
    int c = static_cast<unsigned char>(text[0]);
    if (c == '%') {
      c = take_hex(text.substr(1));
      if (c >= 0) text.remove_prefix(2);
    } else if (!is_plain(text[0])) {
      c = -1;
    }
    if (c < 0) wrong(TextProblem::SpecificPart, text);
    key[n++] = static_cast<Byte>(c);
  }
  key.resize(n);
  return key;
}

// [VERSION "@"] [HOST] [":" PORT], the host an IPv6 address in brackets or without a colon.
void read_address(std::string_view text, ior::Version& version, ior::Address& to) {
  const std::string_view all = text;
  std::uint64_t minor = 0, port = kDefaultPort;
  if (text.find('@') != text.npos) {
    std::string_view number = take_to(text, '@');
    if (!take(number, "1.") || !parse_decimal(number, 255, minor)) wrong(TextProblem::Address, all);
  }
  version = {1, static_cast<std::uint8_t>(minor)};
  if (take(text, "[")) {
    if (text.find(']') == text.npos) wrong(TextProblem::Address, all);
    to.host = take_to(text, ']');
    if (!text.empty() && !take(text, ":")) wrong(TextProblem::Address, text);
  } else {
    to.host = take_to(text, ':');
    if (to.host.empty()) to.host = "127.0.0.1";
  }
  for (const char c : to.host)
    if (!is_plain(c)) wrong(TextProblem::Address, all);
  if (!text.empty() && (!parse_decimal(text, 65535, port) || port == 0)) wrong(TextProblem::Address, text);
  to.port = static_cast<std::uint16_t>(port);
}

ior::Ior read_corbaloc(std::string_view text, const Limits& limits, std::string& initial) {
  std::string_view addresses = take_to(text, '/');
  const ior::Bytes key = read_key(text, limits);
  ior::Ior made;
  if (take(addresses, "rir:")) {
    if (!addresses.empty()) wrong(TextProblem::Address, addresses);
    initial.assign(key.begin(), key.end());
    if (initial.empty()) initial = "NameService";
    return made;
  }
  const std::string_view all = addresses;
  for (bool last = false; !last;) {
    last = addresses.find(',') == addresses.npos;
    std::string_view one = take_to(addresses, ',');
    if (!take(one, ":") && !take(one, "iiop:")) {
      const std::size_t colon = one.find(':');
      if (colon == 0 || colon == one.npos) wrong(TextProblem::Address, one);
      continue;  // of another protocol
    }
    ior::Version version;
    ior::Address address;
    read_address(one, version, address);
    if (made.profiles.size() == limits.max_profiles) wrong(TextProblem::Address, one);
    ior::add(made.profiles, ior::to_profile(version, address, key, {}, ByteOrder::Big));
  }
  if (made.profiles.empty()) wrong(TextProblem::Address, all);
  return made;
}

}  // namespace

ior::Ior parse_text(std::string_view text, const Limits& limits, std::string& initial) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  text = begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
  if (take(text, "ior:")) return read_digits(text, limits);
  if (take(text, "corbaloc:")) return read_corbaloc(text, limits, initial);
  wrong(TextProblem::Scheme, text);
}

}  // namespace callis::micro
