// SPDX-License-Identifier: Apache-2.0
#include <callis/imr/key.h>
#include <algorithm>

namespace callis::imr {

namespace {

constexpr Byte kMagic[4] = {0xca, 0x11, 0x15, 'R'};

}  // namespace

bool is_server_name(std::string_view name) {
  if (name.empty() || name.size() > kMostNameBytes || name[0] == '.' || name[0] == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  });
}

std::optional<LeadingKey> parse_key(ByteView key) {
  if (key.size() < sizeof kMagic + 1 || !std::equal(std::begin(kMagic), std::end(kMagic), key.begin())) return {};
  const std::size_t n = key[sizeof kMagic];
  const ByteView rest = key.subspan(sizeof kMagic + 1);
  if (rest.size() < n) return {};
  const std::string_view name(reinterpret_cast<const char*>(rest.data()), n);
  if (!is_server_name(name)) return {};
  return LeadingKey{name, rest.subspan(n)};
}

std::vector<Byte> make_key(std::string_view server, ByteView object_key) {
  std::vector<Byte> key(std::begin(kMagic), std::end(kMagic));
  key.push_back(static_cast<Byte>(server.size()));
  key.insert(key.end(), server.begin(), server.end());
  key.insert(key.end(), object_key.begin(), object_key.end());
  return key;
}

}  // namespace callis::imr
