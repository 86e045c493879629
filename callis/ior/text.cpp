// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/iiop_profile.h>
#include <callis/ior/internal/printable.h>
#include <callis/ior/text.h>
#include <arpa/inet.h>
#include <optional>

namespace callis::ior {
namespace {

constexpr std::string_view kIorScheme = "ior:";
constexpr std::string_view kCorbalocScheme = "corbaloc:";
constexpr std::string_view kCorbanameScheme = "corbaname:";
constexpr std::uint16_t kDefaultPort = 2809;
constexpr std::size_t kMaxHostChars = 255;
// Characters besides letters and digits that stand for themselves in a key string (7.6.10.1).
constexpr std::string_view kPlainKeyCharacters = ";/:?@&=+$,-_.!~*'()";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char l = to_lower(c);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}
bool is_plain_in_key(char c) {
  return is_letter(c) || is_digit(c) || kPlainKeyCharacters.find(c) != std::string_view::npos;
}

// lower must be lower case
bool same_word(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (to_lower(text[i]) != lower[i]) return false;
  }
  return true;
}
bool has_prefix(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && same_word(text.substr(0, lower.size()), lower);
}

std::string quoted(char c) {
  std::string s = "'";
  append_escaped(s, {&c, 1}, 1);
  return s + "'";
}

// A part of the text that knows where it stands, for the offsets in errors.
struct Part {
  std::string_view text;
  std::size_t offset = 0;

  Part from(std::size_t at) const { return {text.substr(at), offset + at}; }
  Part upto(std::size_t at) const { return {text.substr(0, at), offset}; }
  TextError error(TextProblem p, std::size_t at, std::string reason) const {
    return {p, offset + at, std::move(reason)};
  }
};

// A decimal number up to max, at most 5 digits.
bool parse_number(std::string_view digits, std::uint32_t max, std::uint32_t& out) {
  if (digits.empty() || digits.size() > 5) return false;
  out = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return false;
    out = out * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return out <= max;
}

ParsedReference parse_hex(const Part& digits, const Limits& limits) {
  const std::string_view t = digits.text;
  if (t.empty()) return digits.error(TextProblem::SpecificPart, 0, "no digits after IOR:");
  if (t.size() / 2 > limits.max_message_bytes) {
    return digits.error(TextProblem::SpecificPart, 0, "the reference is too long");
  }
  Bytes bytes;
  bytes.reserve(t.size() / 2);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const int v = hex_value(t[i]);
    if (v < 0) return digits.error(TextProblem::SpecificPart, i, quoted(t[i]) + " is not a hexadecimal digit");
    if (i % 2 == 0) bytes.push_back(static_cast<Byte>(v << 4));
    else bytes.back() = static_cast<Byte>(bytes.back() | v);
  }
  if (t.size() % 2 != 0) {
    return digits.error(TextProblem::SpecificPart, t.size(), "an odd number of hexadecimal digits");
  }
  cdr::Budget budget = cdr::Budget::of(limits, bytes.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(bytes, budget);
  Ior ior;
  if (!decode(d, ior, limits)) {
    return digits.error(TextProblem::SpecificPart, 0,
                        std::string("the digits are not a reference (") + fault_name(d.fault()) + ")");
  }
  return ior;
}

std::optional<TextError> parse_key(const Part& key, Bytes& out, const Limits& limits) {
  for (std::size_t i = 0; i < key.text.size(); ++i) {
    const char c = key.text[i];
    if (out.size() == limits.max_context_bytes) {
      return key.error(TextProblem::SpecificPart, i, "the object key is too long");
    }
    if (c == '%') {
      const int high = i + 1 < key.text.size() ? hex_value(key.text[i + 1]) : -1;
      const int low = i + 2 < key.text.size() ? hex_value(key.text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return key.error(TextProblem::SpecificPart, i, "'%' is not followed by two hexadecimal digits");
      }
      out.push_back(static_cast<Byte>(high << 4 | low));
      i += 2;
    } else if (is_plain_in_key(c)) {
      out.push_back(static_cast<Byte>(c));
    } else {
      return key.error(TextProblem::SpecificPart, i, quoted(c) + " must be escaped in an object key");
    }
  }
  return std::nullopt;
}

std::optional<TextError> parse_version(const Part& p, Version& out) {
  const std::size_t dot = p.text.find('.');
  std::uint32_t major = 0, minor = 0;
  if (dot == std::string_view::npos || !parse_number(p.text.substr(0, dot), 255, major) ||
      !parse_number(p.text.substr(dot + 1), 255, minor)) {
    return p.error(TextProblem::Address, 0, "the version in front of '@' is not of the form 1.2");
  }
  if (major != 1) return p.error(TextProblem::Address, 0, "the major version is not 1");
  out = {static_cast<std::uint8_t>(major), static_cast<std::uint8_t>(minor)};
  return std::nullopt;
}

std::optional<TextError> parse_port(const Part& p, std::uint16_t& out) {
  std::uint32_t port = 0;
  if (!parse_number(p.text, 65535, port) || port == 0) {
    return p.error(TextProblem::Address, 0, "the port is not a number from 1 to 65535");
  }
  out = static_cast<std::uint16_t>(port);
  return std::nullopt;
}

std::optional<TextError> check_name(const Part& host) {
  if (host.text.size() > kMaxHostChars) return host.error(TextProblem::Address, kMaxHostChars, "the host name is too long");
  for (std::size_t i = 0; i < host.text.size(); ++i) {
    const char c = host.text[i];
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '.' && c != '_') {
      return host.error(TextProblem::Address, i, quoted(c) + " in a host name");
    }
  }
  return std::nullopt;
}

bool is_ipv6(const std::string& text) {
  in6_addr ignored;
  return inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
}

// host [":" port], where the host may be missing (this host) or an IPv6 address in brackets.
std::optional<TextError> parse_host_and_port(const Part& p, Address& out) {
  std::size_t host_end;
  if (p.text.starts_with('[')) {
    const std::size_t bracket = p.text.find(']');
    if (bracket == std::string_view::npos) return p.error(TextProblem::Address, 0, "'[' without ']'");
    out.host = p.text.substr(1, bracket - 1);
    if (out.host.find('\0') != std::string::npos || !is_ipv6(out.host)) {
      return p.error(TextProblem::Address, 1, "not an IPv6 address in the brackets");
    }
    host_end = bracket + 1;
    if (host_end < p.text.size() && p.text[host_end] != ':') {
      return p.error(TextProblem::Address, host_end, "expected ':' and a port after ']'");
    }
  } else {
    host_end = p.text.find(':');
    if (host_end == std::string_view::npos) host_end = p.text.size();
    const Part host = p.upto(host_end);
    if (auto e = check_name(host)) return e;
    out.host = host.text.empty() ? std::string_view("localhost") : host.text;
  }
  out.port = kDefaultPort;
  if (host_end == p.text.size()) return std::nullopt;
  return parse_port(p.from(host_end + 1), out.port);
}

// What follows the protocol of an IIOP address: [version "@"] [host [":" port]]
std::optional<TextError> parse_iiop_address(Part p, IiopProfile& out) {
  out.version = {1, 0};
  const std::size_t at = p.text.find('@');
  if (at != std::string_view::npos) {
    if (auto e = parse_version(p.upto(at), out.version)) return e;
    p = p.from(at + 1);
  }
  return parse_host_and_port(p, out.address);
}

struct Addresses {
  std::vector<IiopProfile> iiop;
  bool initial_reference = false;         // rir
  std::optional<TextError> passed_over;   // the first unknown protocol
};

std::optional<TextError> parse_address(const Part& p, bool alone, Addresses& out) {
  const std::size_t colon = p.text.find(':');
  if (colon == std::string_view::npos) {
    return p.error(TextProblem::Address, 0,
                   p.text.empty() ? "an address is missing" : "expected a protocol and ':' in front of the address");
  }
  const std::string_view protocol = p.text.substr(0, colon);
  const Part rest = p.from(colon + 1);
  if (protocol.empty() || same_word(protocol, "iiop")) {
    IiopProfile profile;
    if (auto e = parse_iiop_address(rest, profile)) return e;
    out.iiop.push_back(std::move(profile));
  } else if (same_word(protocol, "rir")) {
    if (!alone) return p.error(TextProblem::Address, 0, "rir: cannot stand beside other addresses");
    if (!rest.text.empty()) return rest.error(TextProblem::Address, 0, "rir: takes no address");
    out.initial_reference = true;
  } else if (!out.passed_over) {
    out.passed_over = p.error(TextProblem::Address, 0, "a protocol other than iiop and rir");
  }
  return std::nullopt;
}

std::optional<TextError> parse_addresses(const Part& list, Addresses& out, const Limits& limits) {
  Part left = list;
  for (std::size_t n = 1;; ++n) {
    if (n > limits.max_profiles) return left.error(TextProblem::Address, 0, "too many addresses");
    const std::size_t comma = left.text.find(',');
    const bool last = comma == std::string_view::npos;
    if (auto e = parse_address(last ? left : left.upto(comma), last && n == 1, out)) return e;
    if (last) break;
    left = left.from(comma + 1);
  }
  if (out.iiop.empty() && !out.initial_reference) return out.passed_over;
  return std::nullopt;
}

ParsedReference parse_corbaloc(const Part& rest, const Limits& limits) {
  const std::size_t slash = rest.text.find('/');
  const bool has_key = slash != std::string_view::npos;
  Addresses addresses;
  if (auto e = parse_addresses(has_key ? rest.upto(slash) : rest, addresses, limits)) return *e;
  Bytes key;
  if (has_key) {
    if (auto e = parse_key(rest.from(slash + 1), key, limits)) return *e;
  }
  if (addresses.initial_reference) {
    for (const Byte b : key) {
      if (b == 0) return rest.error(TextProblem::SpecificPart, slash + 1, "a zero byte in the name");
    }
    if (key.empty()) return InitialReference{"NameService"};
    return InitialReference{std::string(key.begin(), key.end())};
  }
  Ior ior;
  for (IiopProfile& p : addresses.iiop) {
    p.object_key = key;
    ior.profiles.push_back(to_profile(p, ByteOrder::Big));
  }
  return ior;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::string TextError::text() const { return "at offset " + std::to_string(offset) + ": " + reason; }

ParsedReference parse_reference(std::string_view text, const Limits& limits) {
  Part all{text, 0};
  std::size_t blanks = 0;
  while (blanks < text.size() && is_blank(text[blanks])) ++blanks;
  all = all.from(blanks);
  while (!all.text.empty() && is_blank(all.text.back())) all.text.remove_suffix(1);

  if (has_prefix(all.text, kIorScheme)) return parse_hex(all.from(kIorScheme.size()), limits);
  if (has_prefix(all.text, kCorbalocScheme)) return parse_corbaloc(all.from(kCorbalocScheme.size()), limits);
  if (has_prefix(all.text, kCorbanameScheme)) {
    return all.error(TextProblem::Scheme, 0, "corbaname: is not supported yet");
  }
  if (all.text.empty()) return all.error(TextProblem::Scheme, 0, "the reference is empty");
  return all.error(TextProblem::Scheme, 0, "the scheme is neither IOR: nor corbaloc:");
}

std::string to_text(const Ior& ior) {
  Buffer b;
  cdr::Encoder e(b, ByteOrder::Big);
  e.put_octet(static_cast<std::uint8_t>(ByteOrder::Big));
  encode(e, ior);
  e.finish();
  std::string s = "IOR:";
  s.reserve(4 + 2 * b.size());
  append_hex(s, b.view(), b.size());
  return s;
}

std::string escape_key(ByteView object_key) {
  std::string s;
  s.reserve(object_key.size());
  for (const Byte b : object_key) {
    if (is_plain_in_key(static_cast<char>(b))) {
      s += static_cast<char>(b);
    } else {
      s += '%';
      s += kHexDigits[b >> 4];
      s += kHexDigits[b & 15];
    }
  }
  return s;
}

}  // namespace callis::ior
