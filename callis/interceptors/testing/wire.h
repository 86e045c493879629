// SPDX-License-Identifier: Apache-2.0
// Wire: messages spelled out, to compare with.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/endian.h>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace callis::interceptors::testing {

// The parts of a message, in our byte order, without padding but where the test puts it.
struct Wire {
  std::vector<Byte> bytes;
  Wire& octets(std::initializer_list<int> all) {
    for (const int o : all) bytes.push_back(static_cast<Byte>(o));
    return *this;
  }
  Wire& ulong(std::uint32_t v) {
    Byte b[4];
    store(b, v);
    bytes.insert(bytes.end(), b, b + 4);
    return *this;
  }
  Wire& text(std::string_view s) {
    for (const char c : s) bytes.push_back(static_cast<Byte>(c));
    return *this;
  }
  // Returns the bytes with the header of GIOP in front.
  std::vector<Byte> message(int minor, int type) const {
    Wire whole;
    whole.text("GIOP").octets({1, minor, static_cast<int>(kNativeOrder), type});
    whole.ulong(static_cast<std::uint32_t>(bytes.size()));
    whole.bytes.insert(whole.bytes.end(), bytes.begin(), bytes.end());
    return whole.bytes;
  }
};

}  // namespace callis::interceptors::testing
