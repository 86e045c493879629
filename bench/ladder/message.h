// SPDX-License-Identifier: Apache-2.0
// The messages between the ttcp programs of a rung: 12 bytes in the form of a GIOP header, then the sequence in CDR,
// whose alignment counts from the header. The message's type says what it is: a ttcp type by its number in kSubjects,
// or one of the two below.
#pragma once
#include <memory>
#include <optional>
#include "../peers/common/flood.h"
#include "../peers/common/tcp.h"
#include "subjects.h"

namespace ladder {

inline constexpr std::uint8_t kAsk = 16;  // no body; the answer has one of three unsigned long longs
inline constexpr std::size_t kHeaderBytes = 12;
inline constexpr std::uint32_t kMostBytes = 64u << 20;

// Leaves a header whose size end_message() fills in.
inline void begin_message(callis::Buffer& message, std::uint8_t type) {
  message.clear();
  const callis::Byte header[kHeaderBytes] = {
      'G', 'I', 'O', 'P', 1, 0, static_cast<callis::Byte>(callis::kNativeOrder), type};
  bench::expect(message.append(header), "memory");
}
inline void end_message(callis::Buffer& message) {
  callis::store(message.data() + 8, static_cast<std::uint32_t>(message.size() - kHeaderBytes));
}

struct Header {
  std::uint8_t type;
  callis::ByteOrder order;
};

// Reads a whole message; nothing at the end of the connection. Everything is from the peer.
inline std::optional<Header> receive_message(int fd, callis::Buffer& message) {
  bench::expect(message.reserve(kHeaderBytes), "memory");
  if (!bench::tcp::read_all(fd, message.data(), kHeaderBytes)) return std::nullopt;
  const callis::Byte* const h = message.data();
  bench::expect(std::memcmp(h, "GIOP\1\0", 6) == 0 && h[6] <= 1, "a message's header");
  const Header header{h[7], static_cast<callis::ByteOrder>(h[6])};
  const auto bytes = callis::load<std::uint32_t>(h + 8, header.order != callis::kNativeOrder);
  bench::expect(bytes <= kMostBytes, "a message's size");
  message.set_size(kHeaderBytes);
  bench::expect(message.reserve(kHeaderBytes + bytes), "memory");
  if (!bench::tcp::read_all(fd, message.data() + kHeaderBytes, bytes)) return std::nullopt;
  message.set_size(kHeaderBytes + bytes);
  return header;
}

}  // namespace ladder
