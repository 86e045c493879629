// SPDX-License-Identifier: Apache-2.0
#include <callis/base/swap_array.h>
#include <callis/cdr/encoder.h>
#include <callis/cdr/long_double.h>
#include <cstring>
#include <utility>

namespace callis::cdr {

void Encoder::begin() {
  // Without memory it stays usable: nothing fits, every ensure() tries again and reports the fault.
  if (!buffer_.reserve(256)) fault_ = Fault::OutOfMemory;
  cur_ = buffer_.data();
  end_ = buffer_.data() + buffer_.capacity();
}

bool Encoder::grow(std::size_t n) {
  const std::size_t at = position();
  if (n > SIZE_MAX - at || !buffer_.reserve(at + n)) {
    set_fault(Fault::OutOfMemory);
    return false;
  }
  cur_ = buffer_.data() + at;
  end_ = buffer_.data() + buffer_.capacity();
  return true;
}

void Encoder::put_long_double(long double v) {
  if (!align(8) || !ensure(16)) return;
  store_long_double(cur_, v, swap_);
  cur_ += 16;
}

void Encoder::put_string(std::string_view s) {
  if (s.size() >= 0xffffffffu) {
    set_fault(Fault::LimitExceeded);
    return;
  }
  put(static_cast<std::uint32_t>(s.size() + 1));
  if (!ensure(s.size() + 1)) return;
  if (!s.empty()) std::memcpy(cur_, s.data(), s.size());
  cur_[s.size()] = 0;
  cur_ += s.size() + 1;
}

void Encoder::put_bytes(ByteView bytes) {
  if (bytes.empty() || !ensure(bytes.size())) return;
  std::memcpy(cur_, bytes.data(), bytes.size());
  cur_ += bytes.size();
}

void Encoder::put_octets(ByteView bytes) {
  if (bytes.size() > 0xffffffffu) {
    set_fault(Fault::LimitExceeded);
    return;
  }
  put(static_cast<std::uint32_t>(bytes.size()));
  put_bytes(bytes);
}

void Encoder::put_array(const void* elements, std::size_t n, std::size_t size) {
  if (n == 0 || !align(size)) return;
  if (n * size >= Gather::kLeastBytes && gather_ && (!swap_ || size == 1) && gather(elements, n * size)) return;
  if (!ensure(n * size)) return;
  if (!swap_ || size == 1) std::memcpy(cur_, elements, n * size);
  else copy_swapped(cur_, elements, n, size);
  cur_ += n * size;
}

bool Encoder::gather(const void* elements, std::size_t bytes) {
  if (gather_->count == Gather::kMaxPieces || fault_ != Fault::None) return false;
  // One array may lie in a message many times, more than a std::size_t of 32 bits can count.
  if constexpr (sizeof(std::size_t) < sizeof(std::uint64_t))
    if (bytes > SIZE_MAX / 2 - gather_->bytes) return false;
  gather_->pieces[gather_->count++] = {position(), {static_cast<const Byte*>(elements), bytes}};
  gather_->bytes += bytes;
  origin_ -= bytes;  // so that what follows is as far from the origin as it will be in the message
  return true;
}

Encoder::Encapsulation Encoder::begin_encapsulation() {
  put(std::uint32_t{0});
  const Encapsulation e{position() - 4, origin_, std::exchange(gather_, nullptr), std::exchange(text_, TextForm{})};
  origin_ = position();
  put_octet(static_cast<std::uint8_t>(order()));
  return e;
}

void Encoder::end_encapsulation(const Encapsulation& e) {
  const std::size_t n = position() - e.length_at - 4;
  if (n > 0xffffffffu) set_fault(Fault::LimitExceeded);
  patch_ulong(e.length_at, static_cast<std::uint32_t>(n));
  origin_ = e.origin;
  gather_ = e.gather;
  text_ = e.text;
}

void Encoder::put_text(std::string_view s) { converts() ? put_converted(s) : put_string(s); }

}  // namespace callis::cdr
