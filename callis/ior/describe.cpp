// SPDX-License-Identifier: Apache-2.0
// References as text for people.
#include <callis/ior/code_sets.h>
#include <callis/ior/describe.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/internal/printable.h>
#include <callis/ior/memory_profile.h>

namespace callis::ior {

void append_escaped(std::string& out, std::string_view text, std::size_t max_chars) {
  for (const char c : text.substr(0, max_chars)) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x20 && u < 0x7f && c != '\\') {
      out += c;
    } else {
      out += "\\x";
      out += kHexDigits[u >> 4];
      out += kHexDigits[u & 15];
    }
  }
  if (text.size() > max_chars) out += "...";
}

void append_hex(std::string& out, ByteView bytes, std::size_t max_bytes) {
  for (const Byte b : bytes.subspan(0, bytes.size() < max_bytes ? bytes.size() : max_bytes)) {
    out += kHexDigits[b >> 4];
    out += kHexDigits[b & 15];
  }
  if (bytes.size() > max_bytes) out += "...";
}

namespace {

constexpr std::size_t kMaxChars = 256;
constexpr std::size_t kMaxKeyBytes = 64;
constexpr std::size_t kMaxListed = 64;

std::string hex_number(std::uint32_t n) {
  std::string s = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) s += kHexDigits[(n >> shift) & 15];
  return s;
}

void put_bytes_line(std::string& s, const char* what, ByteView bytes) {
  s += "  ";
  s += what;
  s += ": " + std::to_string(bytes.size()) + " bytes";
  if (!bytes.empty()) {
    s += ", ";
    append_hex(s, bytes, kMaxKeyBytes);
    s += " \"";
    append_escaped(s, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, kMaxKeyBytes);
    s += '"';
  }
  s += '\n';
}

void put_address(std::string& s, const Address& a) {
  const bool v6 = a.host.find(':') != std::string::npos;
  if (v6) s += '[';
  append_escaped(s, a.host, kMaxChars);
  if (v6) s += ']';
  s += ':' + std::to_string(a.port);
}

void put_code_set(std::string& s, std::uint32_t code_set) {
  const char* name = code_set_name(code_set);
  s += name ? std::string(name) : hex_number(code_set);
}

void put_code_sets(std::string& s, const char* kind, const CodeSets& sets) {
  s += kind;
  s += ": native ";
  put_code_set(s, sets.native);
  if (sets.conversion.empty()) return;
  s += ", converts";
  for (const std::uint32_t c : sets.conversion) {
    s += ' ';
    put_code_set(s, c);
  }
}

// "ATO" and the like: ORBs choose numbers that read as three letters.
void put_orb_type(std::string& s, std::uint32_t type) {
  s += hex_number(type) + " \"";
  const char letters[4] = {static_cast<char>(type >> 24), static_cast<char>(type >> 16),
                           static_cast<char>(type >> 8), static_cast<char>(type)};
  append_escaped(s, {letters, letters[3] == 0 ? 3u : 4u}, 4);
  s += '"';
}

bool put_known_component(std::string& s, const IiopProfile& p, const TaggedComponent& c) {
  if (c.tag == kOrbType) {
    const auto type = orb_type(p);
    if (!type) return false;
    put_orb_type(s, *type);
    return true;
  }
  if (c.tag == kCodeSets) {
    const auto sets = parse_code_sets(c.data);
    if (!sets.ok()) return false;
    put_code_sets(s, "char", sets.value().for_char);
    put_code_sets(s, "; wchar", sets.value().for_wchar);
    return true;
  }
  if (c.tag == kOmniUnixTransport) {
    const auto a = parse_unix_address(c.data);
    if (!a.ok()) return false;
    append_escaped(s, a.value().path, kMaxChars);
    s += " on host ";
    append_escaped(s, a.value().host, kMaxChars);
    return true;
  }
  if (c.tag == kAlternateIiopAddress) {
    const auto a = parse_alternate_address(c.data);
    if (!a.ok()) return false;
    put_address(s, a.value());
    return true;
  }
  return false;
}

void put_component(std::string& s, const IiopProfile& p, const TaggedComponent& c) {
  s += "  component ";
  const char* name = component_tag_name(c.tag);
  s += name ? std::string(name) : hex_number(c.tag);
  s += ": ";
  if (!put_known_component(s, p, c)) {
    s += std::to_string(c.data.size()) + " bytes";
    if (!c.data.empty()) s += ", ";
    append_hex(s, c.data, kMaxKeyBytes);
  }
  s += '\n';
}

void put_iiop(std::string& s, const IiopProfile& p, bool socket = false) {
  s += socket ? "UIOP " : "IIOP ";
  s += std::to_string(p.version.major) + '.' + std::to_string(p.version.minor) + ", ";
  if (socket) append_escaped(s, p.address.host, kMaxChars);
  else put_address(s, p.address);
  s += '\n';
  put_bytes_line(s, "object key", p.object_key);
  std::size_t listed = 0;
  for (const TaggedComponent& c : p.components) {
    if (listed++ == kMaxListed) break;
    put_component(s, p, c);
  }
}

void put_profile(std::string& s, const TaggedProfile& t) {
  if (t.tag == kInternetProfile) {
    const auto p = parse_iiop(t.data);
    if (p.ok()) return put_iiop(s, p.value());
    s += "malformed, " + p.error().text() + '\n';
  } else if (t.tag == kUiopProfile) {
    const auto p = parse_uiop(t.data);
    if (p.ok()) return put_iiop(s, p.value(), true);
    s += "malformed, " + p.error().text() + '\n';
  } else if (t.tag == kMemoryProfile) {
    const auto p = parse_memory(t.data);
    if (p.ok()) {
      s += "memory, endpoint ";
      append_escaped(s, p.value().endpoint, kMaxChars);
      s += '\n';
      return put_bytes_line(s, "object key", p.value().object_key);
    }
    s += "malformed, " + p.error().text() + '\n';
  } else {
    const char* name = profile_tag_name(t.tag);
    s += name ? std::string(name) : "tag " + hex_number(t.tag);
    s += '\n';
  }
  put_bytes_line(s, "data", t.data);
}

}  // namespace

std::string describe(const Ior& ior) {
  std::string s = "type id: ";
  append_escaped(s, ior.type_id, kMaxChars);
  s += ior.type_id.empty() ? "(none)\n" : "\n";
  if (ior.is_nil()) s += "nil reference: no profiles\n";
  for (std::size_t i = 0; i < ior.profiles.size() && i < kMaxListed; ++i) {
    s += "profile " + std::to_string(i) + ": ";
    put_profile(s, ior.profiles[i]);
  }
  if (ior.profiles.size() > kMaxListed) s += "and more profiles\n";
  return s;
}

}  // namespace callis::ior
