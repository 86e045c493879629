// SPDX-License-Identifier: Apache-2.0
// HeaderCache: the request headers that a connection's client sent last. A message whose bytes differ only in size
// and request id has the same header, which needs no second reading. The ORB keeps the header, and the object adapter
// uses its note in the memo. Used by one thread.
//
// A client in a loop over a few operations is foreseen: each header remembers the header that followed it. So is a
// client that goes round among many objects: if a message differs only in the bytes of the key, the rest is known.
#pragma once
#include <callis/giop/request.h>
#include <callis/orb/context/server_request.h>
#include <cstring>

namespace callis::orb {

class HeaderCache final {
 public:
  static constexpr std::size_t kCount = 4;
  static constexpr std::size_t kMaxBytes = 1024;  // longer headers are not kept

  struct Entry {
    // Its views point into bytes, except the key's view while other_key is true. The id is the last request's.
    giop::RequestHeader header;
    bool other_key = false;  // found without the key, which is in the message: the memo does not apply
    ByteOrder order = kNativeOrder;
    bool has_body = false;
    bool is_native_call = false;  // in our byte order, aligned to 8, and results are waited for
    Buffer bytes;  // of the message, up to its body; empty: unused
    ServerRequest::Memo memo;

   private:
    friend class HeaderCache;
    bool begins(ByteView message) const {
      const std::size_t n = bytes.size();
      return n != 0 && message.size() >= n &&
             load<std::uint64_t>(message.data()) == load<std::uint64_t>(bytes.data()) &&  // up to the type
             std::memcmp(message.data() + kAfterId, bytes.data() + kAfterId, n - kAfterId) == 0;
    }
    bool begins_but_for_key(ByteView message) const {
      const std::size_t n = bytes.size(), after_key = giop::kKeyAt + header.target.object_key.size();
      return n != 0 && message.size() >= n &&
             load<std::uint64_t>(message.data()) == load<std::uint64_t>(bytes.data()) &&
             std::memcmp(message.data() + kAfterId, bytes.data() + kAfterId, giop::kKeyAt - kAfterId) == 0 &&
             std::memcmp(message.data() + after_key, bytes.data() + after_key, n - after_key) == 0;
    }
    void take_key(ByteView message);
    void own_key() {
      header.target.object_key = {bytes.data() + giop::kKeyAt, header.target.object_key.size()};
      other_key = false;
    }
    Entry* next = this;  // the header that followed last time
    std::uint32_t others = 0;  // how often other_key
  };

  HeaderCache() = default;
  HeaderCache(const HeaderCache&) = delete;
  HeaderCache& operator=(const HeaderCache&) = delete;

  // The kept header that the bytes begin with; nullptr if there is none.
  Entry* find(ByteView bytes) {
    Entry* s = last_->next;
    if (!s->begins(bytes)) [[unlikely]] {
      s = find_other(bytes);
      if (!s) return nullptr;
    } else if (s->other_key) [[unlikely]] {
      s->own_key();
    }
    last_ = s;
    return s;
  }
  // Keeps the header of a message that was received in one piece, with body_bytes of body, if an ordinary client will
  // send it again. Such a header is of GIOP 1.2, with a key, and without contexts but RTCorbaPriority. It replaces
  // the header kept for longest. Returns nullptr if the header is not kept.
  Entry* remember(const giop::Message& m, const giop::RequestHeader& header, std::size_t body_bytes);
  void forget() {
    for (Entry& s : all_) s.bytes.clear();
  }

 private:
  static constexpr std::size_t kAfterId = giop::kHeaderBytes + 4;
  static constexpr std::uint32_t kOthers = 16;  // then the header takes the key that came last

  Entry* find_other(ByteView bytes);

  Entry all_[kCount];
  Entry* last_ = &all_[0];
  std::size_t oldest_ = 0;
};

}  // namespace callis::orb
