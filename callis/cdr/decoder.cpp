// SPDX-License-Identifier: Apache-2.0
// The decoder's members that are not inline: strings, wide characters, bounds.
#include <callis/base/peer_memory.h>
#include <callis/base/swap_array.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/long_double.h>
#include <cstring>

namespace callis::cdr {

Decoder::Decoder(std::span<const Segment> segments, ByteOrder order, Budget& budget, WideForm wide)
    : Decoder(segments.empty() ? ByteView{} : segments[0].bytes, order, budget,
              segments.empty() ? 0 : segments[0].phase, wide) {
  if (segments.size() > 1) {
    rest_ = segments.data() + 1;
    rest_count_ = segments.size() - 1;
    for (const Segment& s : segments.subspan(1)) rest_bytes_ += s.bytes.size();
  }
}

void Decoder::set_fault(Fault f) {
  if (fault_ == Fault::None) fault_ = f;
  leave_chunks();
  cur_ = end_;
  rest_ = nullptr;
  rest_count_ = rest_bytes_ = 0;
}

void Decoder::next_segment() {
  const Segment& s = *rest_++;
  --rest_count_;
  rest_bytes_ -= s.bytes.size();
  cur_ = begin_ = s.bytes.data();
  end_ = cur_ + s.bytes.size();
  phase_ = s.phase;
  if (!in_chunks()) return;
  chunk_limit_ = end_;
  limit_chunk(chunk_rest_);
}

// A primitive is never split over fragments (9.4.9) or chunks (9.3.4.6), so what is left of this segment or chunk
// when one does not fit is padding, fewer than 8 bytes of it.
bool Decoder::next_segment_for(std::size_t bytes_wanted) {
  while (fault_ == Fault::None && (rest_count_ != 0 || in_chunks())) {
    if (contiguous() >= 8) break;
    if (in_chunks() && (chunk_rest_ == 0 || chunk_rest_ == kEnded)) next_chunk();
    else if (rest_count_ != 0) next_segment();
    else break;
    const std::size_t pad = bytes_wanted > 1 ? (0 - phase()) & (bytes_wanted - 1) & 7 : 0;
    if (contiguous() >= pad + bytes_wanted) return true;
  }
  set_fault(Fault::Truncated);
  return false;
}

// ---- chunks ----

// The rest of the segment, from the cursor on, has at most n bytes of the chunk in it.
void Decoder::limit_chunk(std::size_t n) {
  const std::size_t here = static_cast<std::size_t>(chunk_limit_ - cur_);
  chunk_rest_ = n > here ? n - here : 0;
  end_ = n < here ? cur_ + n : chunk_limit_;
  rest_bytes_ += static_cast<std::size_t>(chunk_limit_ - end_);
}

void Decoder::leave_chunks() {
  if (!in_chunks()) return;
  rest_bytes_ -= static_cast<std::size_t>(chunk_limit_ - end_);
  end_ = chunk_limit_;
  chunk_limit_ = nullptr;
}

void Decoder::enter_chunk(std::uint32_t n) {
  if (fault_ != Fault::None) return;
  if (n > remaining()) return set_fault(Fault::Truncated);
  chunk_limit_ = end_;
  limit_chunk(n);
}

void Decoder::begin_chunks() { enter_chunk(0); }

void Decoder::end_chunks() {
  begin_chunks();
  chunk_rest_ = kEnded;
}

std::uint32_t Decoder::chunk_tag() {
  if (in_chunks() && chunk_rest_ == kEnded) set_fault(Fault::BadValue);
  while (in_chunks() && fault_ == Fault::None) {
    cur_ = end_;
    if (chunk_rest_ == 0) break;
    if (rest_count_ == 0) set_fault(Fault::Truncated);
    else next_segment();
  }
  if (fault_ != Fault::None) return 0;
  leave_chunks();
  return get_ulong();
}

void Decoder::next_chunk() {
  constexpr std::uint32_t kFirstValueTag = 0x7fffff00;
  const std::uint32_t n = chunk_tag();
  if (fault_ != Fault::None) return;
  if (n == 0 || n >= kFirstValueTag) set_fault(Fault::BadValue);
  else enter_chunk(n);
}

bool Decoder::align_slow(std::size_t alignment) {
  // Padding that the segment's end swallows: the next segment begins with its own alignment.
  // That may be shorter than the padding, too.
  std::size_t pad;
  do {
    if (!next_segment_for(1)) return false;
    pad = (0 - phase()) & (alignment - 1);
  } while (pad > contiguous());
  cur_ += pad;
  return true;
}

bool Decoder::get_boolean() {
  const std::uint8_t v = get_octet();
  if (v > 1) set_fault(Fault::BadBoolean);
  return v == 1;
}

long double Decoder::get_long_double() {
  std::size_t pad = (0 - phase()) & 7;
  if (contiguous() < pad + 16) {
    if (!next_segment_for(16)) return 0;
    pad = (0 - phase()) & 7;
  }
  const long double v = load_long_double(cur_ + pad, swap_);
  cur_ += pad + 16;
  return v;
}

Fault Budget::take_more(std::size_t bytes) noexcept {
  std::size_t more = bytes - bytes_left;
  if (more > held_back) return Fault::BudgetExceeded;
  more = std::min(held_back, std::max(more, MessageBudget::kFirst));
  if (!PeerMemory::take(more, taken + more)) return Fault::OutOfMemory;
  taken += more;
  held_back -= more;
  bytes_left += more;
  return Fault::None;
}

void MessageBudget::give_back() noexcept { PeerMemory::give(taken); }

[[gnu::cold, gnu::noinline]] bool Decoder::charge_more(std::size_t bytes) {
  const Fault f = budget_->take_more(bytes);
  if (f == Fault::None) return true;
  set_fault(f);
  return false;
}

std::uint32_t Decoder::count(std::size_t min_wire, std::size_t native_bytes) {
  const std::uint32_t n = get_ulong();
  if (n == 0) return 0;
  const bool empty = min_wire == 0 || min_wire == kNoBytes;
  if (!empty && static_cast<std::uint64_t>(n) * min_wire > remaining()) {
    set_fault(Fault::BadCount);
    return 0;
  }
  // A native element is far below 2^31 bytes: the product fits 64 bits.
  return charge(n, std::max(native_bytes, empty ? kEmptyElementCost : 1)) ? n : 0;
}

std::uint32_t Decoder::string_length(std::uint32_t bound) {
  const std::uint32_t n = get_ulong();
  if (fault_ != Fault::None) return 0;
  if (n == 0) {
    set_fault(Fault::BadString);
    return 0;
  }
  if (n > remaining()) {
    set_fault(Fault::BadCount);
    return 0;
  }
  if (bound != 0 && n - 1 > bound) {
    set_fault(Fault::BadBound);
    return 0;
  }
  return charge(n) ? n : 0;
}

bool Decoder::get_bytes(void* to, std::size_t n) {
  if (n > remaining()) {
    set_fault(Fault::Truncated);
    return false;
  }
  Byte* out = static_cast<Byte*>(to);
  while (n != 0) {
    if (contiguous() == 0 && !next_segment_for(1)) return false;
    const std::size_t k = n < contiguous() ? n : contiguous();
    std::memcpy(out, cur_, k);
    cur_ += k;
    out += k;
    n -= k;
  }
  return true;
}

bool Decoder::get_characters(char* to, std::uint32_t length_with_nul) {
  if (length_with_nul == 0 || !get_bytes(to, length_with_nul)) {
    set_fault(Fault::BadString);
    return false;
  }
  if (std::memchr(to, 0, length_with_nul) != to + length_with_nul - 1) {
    set_fault(Fault::BadString);
    return false;
  }
  return true;
}

bool Decoder::get_array(void* to, std::size_t n, std::size_t size) {
  Byte* out = static_cast<Byte*>(to);
  std::size_t left = n;
  while (left != 0) {
    // Padding can also stand at the start of a later segment.
    const std::size_t pad = (0 - phase()) & (size - 1);
    if (contiguous() < pad + size) {
      if (!next_segment_for(size)) return false;
      continue;
    }
    cur_ += pad;
    std::size_t k = contiguous() / size;
    if (k > left) k = left;
    if (swap_ && size > 1) copy_swapped(out, cur_, k, size);
    else std::memcpy(out, cur_, k * size);
    cur_ += k * size;
    out += k * size;
    left -= k;
  }
  return true;
}

std::string_view Decoder::get_string(std::uint32_t bound) {
  const std::uint32_t n = string_length(bound);
  if (n == 0) return {};
  const ByteView v = get_view(n);
  if (v.empty()) return {};
  const char* s = reinterpret_cast<const char*>(v.data());
  if (std::memchr(s, 0, n) != s + n - 1) {
    set_fault(Fault::BadString);
    return {};
  }
  return {s, n - 1};
}

ByteView Decoder::get_octets(std::size_t max_bytes) {
  const std::uint32_t n = get_ulong();
  if (n > remaining()) {
    set_fault(Fault::BadCount);
    return {};
  }
  if (n > max_bytes) {
    set_fault(Fault::LimitExceeded);
    return {};
  }
  return get_view(n);
}

ByteView Decoder::get_view(std::size_t n) {
  if (n == 0 || fault_ != Fault::None) return {};
  if (n > contiguous()) {
    if (contiguous() == 0 && (rest_count_ != 0 || in_chunks()) && next_segment_for(1)) return get_view(n);
    if (fault_ != Fault::None) return {};
    set_fault(n > remaining() ? Fault::Truncated : Fault::BadFragment);
    return {};
  }
  const ByteView v(cur_, n);
  cur_ += n;
  return v;
}

bool Decoder::skip(std::size_t n) {
  if (n > remaining()) {
    set_fault(Fault::Truncated);
    return false;
  }
  while (n != 0) {
    if (contiguous() == 0 && !next_segment_for(1)) return false;
    const std::size_t k = n < contiguous() ? n : contiguous();
    cur_ += k;
    n -= k;
  }
  return true;
}

Decoder Decoder::of_encapsulation(ByteView bytes, Budget& budget) {
  if (bytes.empty() || bytes[0] > 1) {
    Decoder d(ByteView{}, kNativeOrder, budget);
    d.set_fault(Fault::BadEncapsulation);
    return d;
  }
  Decoder d(bytes, static_cast<ByteOrder>(bytes[0]), budget);
  d.advance(1);
  return d;
}

Decoder Decoder::get_encapsulation(std::size_t max_bytes) {
  const ByteView bytes = get_octets(max_bytes);
  Decoder d = of_encapsulation(bytes, *budget_);
  d.context_ = context_;
  if (fault_ != Fault::None) d.fault_ = fault_;  // the cause, not its consequence
  if (d.fault_ != Fault::None) set_fault(d.fault_);
  return d;
}

std::uint32_t Decoder::text_room(std::uint32_t bound) {
  return converts() ? converted_room(bound) : string_length(bound);
}
bool Decoder::get_text(char* to, std::uint32_t room, std::uint32_t bound) {
  return converts() ? get_converted(to, room, bound) : get_characters(to, room);
}

bool Decoder::get_chars(void* to, std::size_t n) {
  if (get_array(to, n, 1) && check_chars(to, n)) return true;
  std::memset(to, 0, n);
  return false;
}

}  // namespace callis::cdr
