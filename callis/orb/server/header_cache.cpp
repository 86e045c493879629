// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/server/header_cache.h>

namespace callis::orb {

HeaderCache::Entry* HeaderCache::find_other(ByteView bytes) {
  for (Entry& s : all_) {
    if (!s.begins(bytes)) continue;
    last_->next = &s;
    if (s.other_key) s.own_key();
    return &s;
  }
  if (all_[oldest_].bytes.empty()) return nullptr;  // there is room for one more
  for (Entry& s : all_) {
    if (!s.begins_but_for_key(bytes)) continue;
    last_->next = &s;
    s.take_key(bytes);
    return &s;
  }
  return nullptr;
}

// A client that has turned to another object for good is to be known by that.
void HeaderCache::Entry::take_key(ByteView message) {
  Byte* const own = bytes.data() + giop::kKeyAt;
  const std::size_t n = header.target.object_key.size();
  if (++others % kOthers == 0) {
    std::memcpy(own, message.data() + giop::kKeyAt, n);
    memo = {};
    own_key();
  } else {
    header.target.object_key = message.subspan(giop::kKeyAt, n);
    other_key = true;
  }
}

namespace {

// A thread's priority changes seldom.
bool are_kept(const giop::ServiceContexts& contexts) {
  return contexts.empty() || (contexts.size() == 1 && contexts[0].id == giop::kRtCorbaPriorityContext);
}

}  // namespace

HeaderCache::Entry* HeaderCache::remember(const giop::Message& m, const giop::RequestHeader& header,
                                          std::size_t body_bytes) {
  if (m.reassembled || m.header.version != giop::kGiop12 || !are_kept(header.contexts) ||
      header.target.how != giop::AddressingDisposition::Key || header.response == giop::ResponseFlags::WithServer)
    return nullptr;
  const std::size_t header_bytes = giop::kHeaderBytes + m.body.size() - body_bytes;
  if (header_bytes > kMaxBytes) return nullptr;
  Entry& s = all_[oldest_];
  const Byte* const start = m.body.data() - giop::kHeaderBytes;
  s.bytes.clear();
  if (!s.bytes.append({start, header_bytes})) return nullptr;
  // In numbers, since a view of no bytes may point nowhere.
  const auto by = reinterpret_cast<std::uintptr_t>(s.bytes.data()) - reinterpret_cast<std::uintptr_t>(start);
  const auto moved = [by](const void* p) {
    return reinterpret_cast<const Byte*>(reinterpret_cast<std::uintptr_t>(p) + by);
  };
  s.header.request_id = header.request_id;
  s.header.response = header.response;
  s.header.target = header.target;
  s.header.target.object_key = {moved(header.target.object_key.data()), header.target.object_key.size()};
  s.header.contexts.clear();
  if (!header.contexts.empty()) {
    const ByteView data = header.contexts[0].data;
    s.header.contexts.set(
        {giop::kRtCorbaPriorityContext, data.empty() ? ByteView() : ByteView(moved(data.data()), data.size())});
  }
  s.header.operation = {reinterpret_cast<const char*>(moved(header.operation.data())), header.operation.size()};
  s.other_key = false;
  s.order = m.header.order;
  s.has_body = body_bytes != 0;
  s.is_native_call = s.order == kNativeOrder && header.response == giop::ResponseFlags::WithTarget &&
                     (!s.has_body || header_bytes % 8 == 0);
  s.memo = {};
  last_->next = &s;
  s.next = &s;
  last_ = &s;
  oldest_ = (oldest_ + 1) % kCount;
  return &s;
}

}  // namespace callis::orb
