// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/reassembly.h>

namespace callis::giop {

Fault Reassembly::add(ByteView data, const Limits& limits) {
  if (ends_.size() >= limits.max_fragments) return Fault::LimitExceeded;
  if (!bytes_.append(data)) return Fault::OutOfMemory;
  ends_.push_back(bytes_.size());
  return Fault::None;
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
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    segments_.push_back({ByteView(bytes_.data() + begin, end - begin), kBodyPhase});
    begin = end;
  }
  m.segments = segments_;
  return m;
}

}  // namespace callis::giop
