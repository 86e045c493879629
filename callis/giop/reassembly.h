// SPDX-License-Identifier: Apache-2.0
// Reassembly: a message that comes in fragments, as far as it has come (CORBA 3.3 part 2, 9.4.9). Memory
// grows with the bytes received, never with what a header promises.
#pragma once
#include <callis/base/clock.h>
#include <callis/giop/message.h>
#include <memory>

namespace callis::giop {

// How many fragments a message may have: Limits::max_fragments.
std::size_t most_fragments(const Limits& limits);

// Movable: the views of message() stay valid when it moves, and end with it.
class Reassembly final {
 public:
  // Starts with the first message. request_id: 1.2 only.
  Reassembly(const MessageHeader& first, std::uint32_t request_id) : header_(first), request_id_(request_id) {}
  Reassembly(Reassembly&&) = default;
  Reassembly& operator=(Reassembly&&) = default;

  // Adds one fragment's data. LimitExceeded beyond max_fragments, counting the first; OutOfMemory.
  [[nodiscard]] Fault add(ByteView data, const Limits& limits);

  // When it began, as the caller has noted it; zero before.
  TimePoint began{};

  // The request id of a request of GIOP 1.1, which stands behind the service contexts; false while it has not come.
  // Each call reads on from where the last one ended. words: counts the numbers that are read.
  bool find_request_id(std::uint64_t& words, std::uint32_t& id);

  const MessageHeader& header() const { return header_; }
  std::uint32_t request_id() const { return request_id_; }
  std::size_t bytes() const { return bytes_.size(); }
  std::uint32_t fragments() const { return fragments_; }

  // What has come, as one message: for 1.2 one body, for 1.1 segments.
  Message message();

 private:
  std::uint32_t end_of(std::size_t fragment) const;
  bool read_word(std::uint32_t& word);

  MessageHeader header_;
  std::uint32_t request_id_;
  // How far find_request_id() has come.
  enum class Search : std::uint8_t { Contexts, Ids, Found } search_ = Search::Contexts;
  std::uint32_t found_id_ = 0;
  std::uint32_t fragment_ = 0;     // that it reads
  std::uint32_t at_ = 0;           // in bytes_
  std::uint32_t skip_ = 0;         // bytes of a context
  std::uint64_t words_to_go_ = 0;  // two for each context, and the id
  Buffer bytes_{Buffer::kForPeer};
  std::uint32_t fragments_ = 0;
  Buffer ends_{Buffer::kForPeer};  // of each fragment in bytes_, as 32-bit numbers; of GIOP 1.1 alone
  std::unique_ptr<cdr::Segment[]> segments_;
};

}  // namespace callis::giop
