// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/reassembly.h>
#include <cstring>

namespace callis::giop {

Fault Reassembly::add(ByteView data, const Limits& limits) {
  if (fragments_ >= limits.max_fragments) return Fault::LimitExceeded;
  if (!bytes_.append(data)) return Fault::OutOfMemory;
  ++fragments_;
  if (header_.version >= kGiop12) return Fault::None;
  const auto end = static_cast<std::uint32_t>(bytes_.size());  // max_message_bytes is at most 4 GiB - 1
  return ends_.append({reinterpret_cast<const Byte*>(&end), sizeof end}) ? Fault::None : Fault::OutOfMemory;
}

bool Reassembly::find_request_id(const Limits& limits, std::uint64_t& reads, std::uint32_t& id) {
  id = found_id_;
  if (has_found_id_ || bytes() / 2 < looked_at_) return has_found_id_;
  looked_at_ = bytes() + 1;
  ++reads;
  cdr::Budget budget = cdr::Budget::of(limits, bytes());
  cdr::Decoder d = message().decoder(budget);
  // Behind the service contexts, which are judged when the request has come.
  for (std::uint32_t n = d.count(2 * sizeof n, 0); n != 0 && d.ok(); --n) {
    d.get_ulong();
    d.skip(d.get_ulong());
  }
  id = found_id_ = d.get_ulong();
  has_found_id_ = d.ok();
  std::vector<cdr::Segment>().swap(segments_);  // they are on nobody's account, and more fragments may never come
  return has_found_id_;
}

Message Reassembly::message() {
  Message m;
  m.header = header_;
  m.header.more_fragments = false;
  m.header.body_bytes = static_cast<std::uint32_t>(bytes_.size());
  m.reassembled = true;
  if (header_.version >= kGiop12) {
    m.body = bytes_.view();
    return m;
  }
  // Each fragment of 1.1 aligns from its own header.
  segments_.clear();
  std::uint32_t begin = 0, end;
  for (std::size_t i = 0; i != ends_.size(); i += sizeof end) {
    std::memcpy(&end, ends_.data() + i, sizeof end);
    segments_.push_back({ByteView(bytes_.data() + begin, end - begin), kBodyPhase});
    begin = end;
  }
  m.segments = segments_;
  return m;
}

}  // namespace callis::giop
