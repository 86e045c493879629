// SPDX-License-Identifier: Apache-2.0
// Reassembly: a message that comes in fragments, as far as it has come (CORBA 3.3 part 2, 9.4.9). Memory
// grows with the bytes received, never with what a header promises.
#pragma once
#include <callis/giop/message.h>
#include <vector>

namespace callis::giop {

// Movable: the views of message() stay valid when it moves, and end with it.
class Reassembly final {
 public:
  // Starts with the first message. request_id: 1.2 only.
  Reassembly(const MessageHeader& first, std::uint32_t request_id) : header_(first), request_id_(request_id) {}
  Reassembly(Reassembly&&) = default;
  Reassembly& operator=(Reassembly&&) = default;

  // Adds one fragment's data. LimitExceeded beyond max_fragments, counting the first; OutOfMemory.
  [[nodiscard]] Fault add(ByteView data, const Limits& limits);

  const MessageHeader& header() const { return header_; }
  std::uint32_t request_id() const { return request_id_; }
  std::size_t bytes() const { return bytes_.size(); }
  std::uint32_t fragments() const { return static_cast<std::uint32_t>(ends_.size()); }

  // What has come, as one message: for 1.2 one body, for 1.1 segments.
  Message message();

 private:
  MessageHeader header_;
  std::uint32_t request_id_;
  Buffer bytes_;
  std::vector<std::size_t> ends_;  // of each fragment in bytes_
  std::vector<cdr::Segment> segments_;
};

}  // namespace callis::giop
