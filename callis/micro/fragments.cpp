// SPDX-License-Identifier: Apache-2.0
// Feature micro_fragments: messages of GIOP 1.2 that come in fragments, one message after the other (CORBA 3.3 part
// 2, 9.4.9). Fragments of GIOP 1.1, and those of several messages in turn, are refused.
#include <callis/micro/socket.h>
#include <cstring>

CALLIS_PROVIDE(micro_fragments);

namespace callis::micro {

// The first part stands at from_. Data of fragments is moved to its end, over the fragments' headers, so that the
// message is in one piece in the end. Its header says then that it always was.
Inbox::State Inbox::join(const Limits& limits) {
  const auto refuse = [&](Fault why) {
    fault_ = why;
    return State::Bad;
  };
  if (!(header_.version == giop::kGiop12) || header_.body_bytes < 4 || header_.type == giop::MessageType::Fragment)
    return refuse(Fault::BadFragment);
  if (joined_ == 0) joined_ = header_.message_bytes();
  Byte* const message = bytes_.data() + from_;
  const std::size_t end = bytes_.size() - from_;
  std::size_t at = joined_;  // of the next fragment
  while (header_.more_fragments) {
    const ByteView rest(message + at, end - at);
    giop::MessageHeader next;
    const Fault fault = giop::parse_header(rest, limits, next);
    const bool known = fault == Fault::None;
    if (!known && fault != Fault::Truncated) return refuse(fault);
    wanted_ = joined_ + (known ? next.message_bytes() : giop::kFragmentHeaderBytes);
    if (known && (next.type != giop::MessageType::Fragment || !(next.version == giop::kGiop12) ||
                  next.order != header_.order || next.message_bytes() < giop::kFragmentHeaderBytes))
      return refuse(Fault::BadFragment);
    if (known && wanted_ - giop::kFragmentHeaderBytes > limits.max_message_bytes) return refuse(Fault::LimitExceeded);
    if (!known || rest.size() < next.message_bytes()) break;
    if (std::memcmp(rest.data() + giop::kHeaderBytes, message + giop::kHeaderBytes, 4) != 0)
      return refuse(Fault::BadFragment);  // of another request
    const std::size_t data = next.message_bytes() - giop::kFragmentHeaderBytes;
    std::memmove(message + joined_, rest.data() + giop::kFragmentHeaderBytes, data);
    joined_ += data;
    at += next.message_bytes();
    header_.more_fragments = next.more_fragments;
  }
  std::memmove(message + joined_, message + at, end - at);
  bytes_.set_size(from_ + joined_ + end - at);
  if (header_.more_fragments) return State::Wanting;
  header_.body_bytes = static_cast<std::uint32_t>(joined_ - giop::kHeaderBytes);
  giop::write_header(message, header_);
  whole_ = joined_;
  return State::Whole;
}

}  // namespace callis::micro
