// SPDX-License-Identifier: Apache-2.0
// Buffer: growable bytes for building or receiving one message.
//
// The storage is 16-byte aligned, so an offset from data() has the same alignment as its address, and
// is followed by kSlop writable bytes past capacity(), so that wide stores and loads near the end
// never touch foreign memory. Growth keeps the contents. One owner, one thread at a time.
//
// A buffer whose size a peer decides is made kForPeer: from kFree bytes on its storage is on the account of
// PeerMemory, and growing fails when that is used up. Large ones are mapped, so that they go back to the system at
// once.
#pragma once
#include <callis/base/bytes.h>

namespace callis {

class Buffer final {
 public:
  static constexpr std::size_t kSlop = 64;

  static constexpr std::size_t kFree = 512;
  enum ForPeer { kForPeer };

  Buffer() = default;
  explicit Buffer(std::size_t capacity) { (void)reserve(capacity); }
  explicit Buffer(ForPeer) : for_peer_(true) {}
  // The storage moves, and what it is for. A buffer moved from is empty, and for what it was.
  Buffer(Buffer&& o) noexcept
      : data_(o.data_), size_(o.size_), capacity_(o.capacity_), for_peer_(o.for_peer_) { o.forget(); }
  Buffer& operator=(Buffer&& o) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  Byte* data() { return data_; }
  const Byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  ByteView view() const { return {data_, size_}; }
  ByteView view(std::size_t from) const { return {data_ + from, size_ - from}; }

  // Makes capacity() >= total, growing by at least half. False when memory is exhausted, or what there is for peers;
  // the contents are untouched then.
  [[nodiscard]] bool reserve(std::size_t total);
  // Sets size(); n <= capacity(). New bytes are not initialised.
  void set_size(std::size_t n) { size_ = n; }
  void clear() { size_ = 0; }
  // Appends; false when memory is exhausted.
  [[nodiscard]] bool append(ByteView bytes);
  // Drops the first n bytes (n <= size()) and moves the rest to the front.
  void drop_front(std::size_t n);
  // Gives the storage back when it is larger than keep bytes. Contents are lost then.
  void shrink(std::size_t keep);

 private:
  void release() noexcept;
  void forget() noexcept { data_ = nullptr; size_ = capacity_ = 0; }
  [[nodiscard]] bool grow_for_peer(std::size_t capacity) noexcept;

  Byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool for_peer_ = false;
};

}  // namespace callis
