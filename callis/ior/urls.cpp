// SPDX-License-Identifier: Apache-2.0
// "corbaloc:" and "corbaname:" URLs.
#include <callis/base/text.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/internal/printable.h>
#include <callis/ior/internal/text_reader.h>
#include <callis/ior/tls_component.h>
#include <arpa/inet.h>
#include <cstring>

CALLIS_PROVIDE(urls);

namespace callis::ior {
namespace {

constexpr std::string_view kNameService = "NameService";
constexpr std::uint16_t kDefaultPort = 2809;
constexpr std::size_t kMaxHostChars = 255;
// Characters besides letters and digits that stand for themselves in a key string (7.6.10.1).
constexpr char kPlainKeyCharacters[] = ";/:?@&=+$,-_.!~*'()";

bool is_plain_in_key(char c) {
  return is_letter(c) || is_digit(c) || (c != 0 && std::strchr(kPlainKeyCharacters, c));
}

// A decimal number up to max, at most 5 digits.
bool parse_number(std::string_view digits, std::uint32_t max, std::uint32_t& out) {
  std::uint64_t n = 0;
  if (digits.size() > 5 || !parse_decimal(digits, max, n)) return false;
  out = static_cast<std::uint32_t>(n);
  return true;
}

class UrlReader final : private TextReader {
 public:
  UrlReader(const char* begin, const Limits& of) : TextReader{begin, of, {}} {}
  ParsedReference parse(Part rest, bool name);

 private:
  bool parse_escape(TextProblem problem, Part p, std::size_t& i, char& out);
  bool parse_key(Part key);
  bool parse_version(Part p, Version& out);
  bool parse_port(Part p, std::uint16_t& out);
  bool check_name(Part host);
  bool parse_host_and_port(Part p, Address& out);
  bool parse_path(Part p, std::string& out);
  bool parse_address(Part p, bool alone);
  bool parse_addresses(Part list);
  bool parse_corbaloc(Part rest);
  bool parse_corbaname(Part rest);

  Bytes key_;
  Ior ior_;
  bool initial_reference_ = false;  // rir
  bool in_naming_ = false;          // corbaname
  std::string name_;
  Part passed_over_;                // the first address of an unknown protocol
};

// The character at p[i], an escape taken for what it stands for, i then being at its end.
bool UrlReader::parse_escape(TextProblem problem, Part p, std::size_t& i, char& out) {
  out = p[i];
  if (out != '%') return true;
  const int high = i + 1 < p.size() ? hex_value(p[i + 1]) : -1;
  const int low = i + 2 < p.size() ? hex_value(p[i + 2]) : -1;
  if (high < 0 || low < 0) return fail(problem, p.data() + i, "'%' is not followed by two hexadecimal digits");
  out = static_cast<char>(high << 4 | low);
  i += 2;
  return true;
}

bool UrlReader::parse_key(Part key) {
  constexpr auto kProblem = TextProblem::SpecificPart;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key_.size() == limits.max_context_bytes) return fail(kProblem, key.data() + i, "the object key is too long");
    if (key[i] != '%' && !is_plain_in_key(key[i]))
      return fail_quoting(kProblem, key.data() + i, "' must be escaped in an object key");
    char c;
    if (!parse_escape(kProblem, key, i, c)) return false;
    key_.push_back(static_cast<Byte>(c));
  }
  return true;
}

bool UrlReader::parse_path(Part p, std::string& out) {
  if (p.empty() || p[0] != '/') return fail(TextProblem::Address, p.data(), "not an absolute path");
  for (std::size_t i = 0; i < p.size(); ++i) {
    char c;
    if (!parse_escape(TextProblem::Address, p, i, c)) return false;
    if (c == 0) return fail(TextProblem::Address, p.data() + i, "a zero byte in the path");
    out += c;
  }
  return true;
}

bool UrlReader::parse_version(Part p, Version& out) {
  const std::size_t dot = find(p, '.');
  std::uint32_t major = 0, minor = 0;
  if (dot == p.size() || !parse_number(upto(p, dot), 255, major) || !parse_number(from(p, dot + 1), 255, minor))
    return fail(TextProblem::Address, p.data(), "the version in front of '@' is not of the form 1.2");
  if (major != 1) return fail(TextProblem::Address, p.data(), "the major version is not 1");
  out = {static_cast<std::uint8_t>(major), static_cast<std::uint8_t>(minor)};
  return true;
}

bool UrlReader::parse_port(Part p, std::uint16_t& out) {
  std::uint32_t port = 0;
  if (!parse_number(p, 65535, port) || port == 0)
    return fail(TextProblem::Address, p.data(), "the port is not a number from 1 to 65535");
  out = static_cast<std::uint16_t>(port);
  return true;
}

bool UrlReader::check_name(Part host) {
  if (host.size() > kMaxHostChars)
    return fail(TextProblem::Address, host.data() + kMaxHostChars, "the host name is too long");
  for (std::size_t i = 0; i < host.size(); ++i) {
    const char c = host[i];
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '.' && c != '_')
      return fail_quoting(TextProblem::Address, host.data() + i, "' in a host name");
  }
  return true;
}

bool is_ipv6(const std::string& text) {
  in6_addr ignored;
  return std::strlen(text.c_str()) == text.size() && inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
}

// An IPv6 address, with a zone behind "%25" (RFC 6874), or behind "%" as people type it.
bool parse_ipv6(std::string_view text, std::string& out) {
  const std::size_t percent = text.find('%');
  out = text.substr(0, percent);
  if (!is_ipv6(out)) return false;
  if (percent == text.npos) return true;
  std::string_view zone = text.substr(percent + 1);
  if (zone.starts_with("25")) zone.remove_prefix(2);
  for (const char c : zone)
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '.' && c != '_' && c != '~') return false;
  out += '%';
  out += zone;
  return !zone.empty();
}

// host [":" port], where the host may be missing (this host) or an IPv6 address in brackets.
bool UrlReader::parse_host_and_port(Part p, Address& out) {
  std::size_t host_end;
  if (p.size() != 0 && p[0] == '[') {
    const std::size_t bracket = find(p, ']');
    if (bracket == p.size()) return fail(TextProblem::Address, p.data(), "'[' without ']'");
    if (!parse_ipv6(from(upto(p, bracket), 1), out.host))
      return fail(TextProblem::Address, p.data() + 1, "not an IPv6 address in the brackets");
    host_end = bracket + 1;
    if (host_end < p.size() && p[host_end] != ':')
      return fail(TextProblem::Address, p.data() + host_end, "expected ':' and a port after ']'");
  } else {
    host_end = find(p, ':');
    const Part host = upto(p, host_end);
    if (!check_name(host)) return false;
    out.host = host_end == 0 ? std::string_view("localhost") : host;
  }
  out.port = kDefaultPort;
  return host_end == p.size() || parse_port(from(p, host_end + 1), out.port);
}

// protocol ":" [version "@"] [host [":" port]], or "rir:"
bool UrlReader::parse_address(Part p, bool alone) {
  const std::size_t colon = find(p, ':');
  if (colon == p.size())
    return fail(TextProblem::Address, p.data(),
                colon == 0 ? "an address is missing" : "expected a protocol and ':' in front of the address");
  const std::string_view protocol = upto(p, colon);
  Part rest = from(p, colon + 1);
  const bool socket = same_word(protocol, "uiop"), tls = same_word(protocol, "ssliop");
  if (socket || tls || colon == 0 || same_word(protocol, "iiop")) {
    Version version{1, static_cast<std::uint8_t>(tls ? 2 : 0)};
    Address address;
    const std::size_t at = socket && !rest.empty() && rest[0] == '/' ? rest.size() : find(rest, '@');
    if (at != rest.size()) {
      if (!parse_version(upto(rest, at), version)) return false;
      rest = from(rest, at + 1);
    }
    if (!(socket ? parse_path(rest, address.host) : parse_host_and_port(rest, address))) return false;
    if (tls && version.minor == 0)
      return fail(TextProblem::Address, p.data(), "ssliop needs GIOP 1.1 or 1.2, whose profiles have components");
    std::vector<TaggedComponent> components;
    if (tls) {
      add(components, tls_component({kTlsProtection, kTlsProtection, std::exchange(address.port, std::uint16_t{0})},
                                    ByteOrder::Big));
    }
    add(ior_.profiles, socket ? uiop_profile(version, address.host, key_, {}, ByteOrder::Big)
                              : to_profile(version, address, key_, components, ByteOrder::Big));
  } else if (same_word(protocol, "rir")) {
    if (!alone) return fail(TextProblem::Address, p.data(), "rir: cannot stand beside other addresses");
    if (rest.size() != 0) return fail(TextProblem::Address, rest.data(), "rir: takes no address");
    initial_reference_ = true;
  } else if (!passed_over_.data()) {
    passed_over_ = p;
  }
  return true;
}

bool UrlReader::parse_addresses(Part list) {
  Part left = list;
  for (std::size_t n = 1;; ++n) {
    if (n > limits.max_profiles) return fail(TextProblem::Address, left.data(), "too many addresses");
    const std::size_t comma = find(left, ',');
    const bool last = comma == left.size();
    if (!parse_address(upto(left, comma), last && n == 1)) return false;
    if (last) break;
    left = from(left, comma + 1);
  }
  if (ior_.profiles.empty() && !initial_reference_)
    return fail(TextProblem::Address, passed_over_.data(), "a protocol other than iiop, ssliop, uiop and rir");
  return true;
}

// Whether a Unix-domain socket stands among the addresses, in whose path '/' may be.
bool names_socket(Part list) {
  for (;;) {
    const std::size_t comma = find(list, ',');
    const Part address = upto(list, comma);
    if (has_prefix(address, "uiop:")) return true;
    if (comma == list.size() || find(address, '/') != comma) return false;
    list = from(list, comma + 1);
  }
}

bool UrlReader::parse_corbaloc(Part rest) {
  const std::size_t slash = find(rest, names_socket(rest) ? '|' : '/');
  const bool has_key = slash != rest.size();
  // The key is read first, for the profiles, but what is wrong in front of it is told first.
  const bool key_read = !has_key || parse_key(from(rest, slash + 1));
  if (in_naming_ && key_.empty()) key_.assign(kNameService.begin(), kNameService.end());
  TextError key_error = std::move(error);
  if (!parse_addresses(upto(rest, slash))) return false;
  if (!key_read) error = std::move(key_error);
  else if (initial_reference_ && !key_.empty() && std::memchr(key_.data(), 0, key_.size()))
    return fail(TextProblem::SpecificPart, rest.data() + slash + 1, "a zero byte in the name");
  return key_read;
}

bool UrlReader::parse_corbaname(Part rest) {
  in_naming_ = true;
  const std::size_t hash = find(rest, '#');
  if (!parse_corbaloc(upto(rest, hash))) return false;
  for (std::size_t i = hash + 1; i < rest.size(); ++i) {
    if (rest[i] != '%' && !is_plain_in_key(rest[i]))
      return fail_quoting(TextProblem::SpecificPart, rest.data() + i, "' must be escaped in a name");
    char c;
    if (!parse_escape(TextProblem::SpecificPart, rest, i, c)) return false;
    name_ += c;
  }
  return true;
}

ParsedReference UrlReader::parse(Part rest, bool name) {
  if (!(name ? parse_corbaname(rest) : parse_corbaloc(rest))) return std::move(error);
  std::string id;
  if (initial_reference_) {
    if (key_.empty()) id = kNameService;
    else id.assign(reinterpret_cast<const char*>(key_.data()), key_.size());
  }
  if (in_naming_) return NameInContext{std::move(ior_), {std::move(id)}, std::move(name_)};
  if (initial_reference_) return InitialReference{std::move(id)};
  return std::move(ior_);
}

}  // namespace

ParsedReference parse_url(Part rest, bool name, const char* start, const Limits& limits) {
  return UrlReader(start, limits).parse(rest, name);
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
