// SPDX-License-Identifier: Apache-2.0
// Decoder: reads CDR that came from a peer (CORBA 3.3 part 2, 9.3). Everything is hostile.
//
// The bytes must outlive the decoder and whatever views it returns. Views may be unaligned. One thread.
//
// A message of GIOP 1.1 that came in fragments is read as several *segments*: alignment starts afresh
// 12 bytes before each fragment's data (9.4.9), so its fragments cannot simply be put end to end. Only
// the cold paths know of segments.
#pragma once
#include <callis/base/arena.h>
#include <callis/base/bytes.h>
#include <callis/base/endian.h>
#include <callis/base/fault.h>
#include <callis/base/feature.h>
#include <callis/cdr/text.h>
#include <string_view>

namespace callis {
struct Limits;
}

namespace callis::cdr {

// What one message may still cost: shared by the decoder of a message and those of its encapsulations.
struct Budget {
  std::size_t bytes_left;  // of what is not held back
  std::uint32_t depth_left;
  // Memory that the message may cost beyond that, once the process has so much for its peers (base/peer_memory.h).
  std::size_t held_back = 0;
  std::size_t taken = 0;  // of what was held back: bytes on the account of PeerMemory

  std::size_t all_left() const { return bytes_left + held_back; }
  // When bytes_left is less than that: takes more of what is held back. None; BudgetExceeded; OutOfMemory: the
  // process has no more for its peers.
  Fault take_more(std::size_t bytes) noexcept;

  // Of callis::Limits; a template, because what generated code includes need not know these.
  template <typename L = Limits>
  static Budget of(const L& limits, std::size_t message_bytes) {
    return {limits.decode_budget(message_bytes), limits.max_depth};
  }
};

// The budget of a message that has come: beyond kFirst bytes it is taken from PeerMemory, and given back when the
// message is done with.
struct MessageBudget final : Budget {
  static constexpr std::size_t kFirst = 256u << 10;

  template <typename L = Limits>
  MessageBudget(const L& limits, std::size_t message_bytes) : Budget(of(limits, message_bytes)) {
    if (bytes_left <= kFirst) return;
    held_back = bytes_left - kFirst;
    bytes_left = kFirst;
  }
  MessageBudget(const MessageBudget&) = delete;
  MessageBudget& operator=(const MessageBudget&) = delete;
  ~MessageBudget() {
    if (taken != 0) [[unlikely]] give_back();
  }

 private:
  void give_back() noexcept;
};

struct Segment {
  ByteView bytes;
  std::size_t phase;  // offset of bytes[0] from the origin of its alignment, mod 8
};

class Decoder final {
 public:
  // phase: offset of bytes[0] from the origin of alignment, mod 8 (12 & 7 for the body of a GIOP
  // message whose header has been cut off). budget must outlive the decoder.
  Decoder(ByteView bytes, ByteOrder order, Budget& budget, std::size_t phase = 0, WideForm wide = WideForm::Octets)
      : cur_(bytes.data() ? bytes.data() : kNothing), end_(cur_ + bytes.size()), begin_(cur_), phase_(phase & 7),
        swap_(order != kNativeOrder), text_{wide, CharForm::AsIs}, budget_(&budget) {}
  // Several segments, read one after the other; the array must outlive the decoder.
  Decoder(std::span<const Segment> segments, ByteOrder order, Budget& budget, WideForm wide = WideForm::Octets);

  ByteOrder order() const { return swap_ ? other(kNativeOrder) : kNativeOrder; }
  bool swaps() const { return swap_; }
  bool ok() const { return fault_ == Fault::None; }
  Fault fault() const { return fault_; }
  // Keeps the first fault, and makes every later read fail at once.
  void set_fault(Fault f);
  Budget& budget() { return *budget_; }
  // Whatever the caller needs while decoding (the ORB that object references will belong to). Decoders
  // of encapsulations inherit it. nullptr unless set.
  void* context() const { return context_; }
  void set_context(void* context) { context_ = context; }

  // What remembers the values that have been read, for indirections (marshal/handlers.h); nullptr: nobody does.
  void* values() const { return values_; }
  void set_values(void* values) { values_ = values; }

  // Set by servers: what is read for `in` arguments may point into the message, which then outlives them, and
  // else lies in the arena. nullptr: everything is copied to memory that its receiver owns.
  Arena* arena() const { return arena_; }
  // What is borrowed from the message may be moved there, over bytes that have been read: the message is memory that
  // may be written to then.
  void set_arena(Arena* arena) { arena_ = arena; }

  // Bytes that remain, over all segments.
  std::size_t remaining() const { return contiguous() + rest_bytes_; }
  // Bytes that remain in this segment: cursor()[0 .. contiguous()) may be read.
  std::size_t contiguous() const { return static_cast<std::size_t>(end_ - cur_); }
  const Byte* cursor() const { return cur_; }  // never nullptr
  // For loops that keep the cursor to themselves: up to limit() may be read, and then set_cursor().
  const Byte* limit() const { return end_; }
  void set_cursor(const Byte* cursor) { cur_ = cursor; }
  // n <= contiguous()
  void advance(std::size_t n) { cur_ += n; }
  std::size_t phase() const { return (static_cast<std::size_t>(cur_ - begin_) + phase_) & 7; }

  // Skips padding to a multiple of alignment (1, 2, 4, 8). False at the end of the message.
  bool align(std::size_t alignment) {
    const std::size_t pad = (0 - phase()) & (alignment - 1);
    if (pad > contiguous()) [[unlikely]] return align_slow(alignment);
    cur_ += pad;
    return true;
  }

  // A primitive of 1, 2, 4 or 8 bytes, aligned to its size; zero after a fault.
  template <class T>
  T get() {
    const std::size_t pad = sizeof(T) == 1 ? 0 : (0 - phase()) & (sizeof(T) - 1);
    if (contiguous() < pad + sizeof(T)) [[unlikely]] {
      if (!next_segment_for(sizeof(T))) return T{};
      return get<T>();
    }
    const T v = load<T>(cur_ + pad, swap_);
    cur_ += pad + sizeof(T);
    return v;
  }
  std::uint8_t get_octet() { return get<std::uint8_t>(); }
  std::uint16_t get_ushort() { return get<std::uint16_t>(); }
  std::uint32_t get_ulong() { return get<std::uint32_t>(); }
  std::uint64_t get_ulonglong() { return get<std::uint64_t>(); }
  // Only 0 and 1 are booleans (9.3.1.5); another value is Fault::BadBoolean.
  bool get_boolean();
  long double get_long_double();

  // The single door for counts: reads an unsigned long that says how many elements follow, each at least
  // min_wire bytes on the wire and native_bytes in memory. A count that cannot fit the bytes that remain
  // is Fault::BadCount; memory beyond the budget is Fault::BudgetExceeded. 0 after a fault.
  // min_wire 0 or kNoBytes, for elements that may take no bytes, like a struct without members: the budget alone
  // bounds their number, each is charged as kEmptyElementCost bytes at least.
  static constexpr std::uint32_t kNoBytes = UINT32_MAX;
  static constexpr std::size_t kEmptyElementCost = 16;
  std::uint32_t count(std::size_t min_wire, std::size_t native_bytes);
  // Charges memory to the message's budget; false and a fault when it is used up.
  bool charge(std::size_t bytes) {
    if (bytes > budget_->bytes_left && !charge_more(bytes)) [[unlikely]] return false;
    budget_->bytes_left -= bytes;
    return true;
  }
  // The same for n elements. Their product may be beyond a std::size_t of 32 bits: that is BudgetExceeded, too.
  bool charge(std::uint32_t n, std::size_t each_bytes) {
    if constexpr (sizeof(std::size_t) < sizeof(std::uint64_t))
      if (std::uint64_t{n} * each_bytes > SIZE_MAX) [[unlikely]] return set_fault(Fault::BudgetExceeded), false;
    return charge(n * each_bytes);
  }

  // Length of a string that follows, with its final NUL: at least 1 and at most what remains; charged
  // to the budget. bound: characters without the NUL, 0 for none. Returns 0 after a fault.
  std::uint32_t string_length(std::uint32_t bound = 0);
  // Copies n bytes, across segments; false and Fault::Truncated when fewer remain.
  bool get_bytes(void* to, std::size_t n);
  // Copies a string's characters and NUL, as announced by string_length(); checks that the last byte is
  // NUL and that there is no other.
  bool get_characters(char* to, std::uint32_t length_with_nul);
  // n elements of size bytes (1, 2, 4, 8), aligned; swapped when needed.
  bool get_array(void* to, std::size_t n, std::size_t size);

  // Wide characters in the form that is set; encapsulations have that of UTF-16 in GIOP 1.2. 0 after a fault.
  wchar_t get_wchar();
  // Of a wide string that follows, the units, which are at least as many as its characters; room for those
  // with a terminator is charged to the budget. bound: characters, 0 for none. 0 after a fault, too.
  std::uint32_t wstring_units(std::uint32_t bound = 0);
  // The string itself, to room for units + 1 characters; nullptr: it is only checked. With no units nothing is
  // written, but the terminator of GIOP 1.1 is read.
  bool get_wide(wchar_t* to, std::uint32_t units, std::uint32_t bound = 0);
  TextForm text() const { return text_; }
  void set_text(TextForm form) { text_ = form; }
  void set_wide(WideForm form) { text_.wide = form; }

  // Chars for the application are not taken as they are. string_length(), get_characters(), get_string() and
  // get_array() do not convert: they are for text of the protocol, and where converts() is false.
  bool converts() const { return text_.chars != CharForm::AsIs; }
  // Bytes that are not as they are in memory: swaps() or converts().
  bool transforms() const { return (static_cast<unsigned>(swap_) | static_cast<unsigned>(text_.chars)) != 0; }
  // Of a string that follows, the room that it takes in memory at most, with the NUL; charged to the budget. bound:
  // chars in memory, 0 for none. 0 after a fault.
  std::uint32_t text_room(std::uint32_t bound = 0);
  // The string itself, as announced by text_room().
  bool get_text(char* to, std::uint32_t room, std::uint32_t bound = 0);
  // n chars by themselves. After a fault zeros stand there.
  bool get_chars(void* to, std::size_t n);
  // Chars that have been read as they are, looked at: false and a fault when they would have to be converted.
  bool check_chars(const void* chars, std::size_t n) { return !converts() || chars_as_they_are(chars, n); }

  // Views into the message, without a copy. A string or sequence split over GIOP 1.1 fragments cannot be
  // viewed: Fault::BadFragment.
  std::string_view get_string(std::uint32_t bound = 0);
  ByteView get_octets(std::size_t max_bytes = SIZE_MAX);  // sequence<octet>; longer: LimitExceeded
  ByteView get_view(std::size_t n);
  bool skip(std::size_t n);

  // The decoder of an encapsulation that follows (sequence<octet> with a byte order octet in front). It
  // shares this decoder's budget. On a fault the result is empty and faulty, and so is this decoder.
  Decoder get_encapsulation(std::size_t max_bytes = SIZE_MAX);
  // The decoder of an encapsulation whose bytes are at hand (a profile's data).
  static Decoder of_encapsulation(ByteView bytes, Budget& budget);

  // Nesting: enter() before a nested value, leave() after it. False and Fault::TooDeep at the limit.
  bool enter() {
    if (budget_->depth_left == 0) [[unlikely]] {
      set_fault(Fault::TooDeep);
      return false;
    }
    --budget_->depth_left;
    return true;
  }
  void leave() { ++budget_->depth_left; }

  // Moves on to the next segment or chunk when this one is used up but for padding; false and Fault::Truncated
  // when there is none. For callers that work on cursor() themselves.
  bool next_segment_for(std::size_t bytes_wanted);

  // The chunks of values (9.3.4.6). While data comes in chunks the end of one limits contiguous() as that of a
  // segment does, and reading goes on in the next by itself: one that follows at once, with its size in front.
  // Anything else there (a nested value, the end of this one) is Fault::BadValue.
  //
  // begin_chunks(): from here on. No chunk is open: the next byte read is behind a chunk's size.
  void begin_chunks();
  // Data comes in chunks. Ends with chunk_tag() or leave_chunks().
  bool in_chunks() const { return chunk_limit_ != nullptr; }
  // Bytes of the chunk that remain.
  std::size_t chunk_remaining() const { return in_chunks() ? contiguous() + chunk_rest_ : 0; }
  // Passes over what is left of the chunk, and reads the long behind it. Data does not come in chunks any more.
  std::uint32_t chunk_tag();
  // As begin_chunks(), in a chunk of n bytes whose size has been read by chunk_tag().
  void enter_chunk(std::uint32_t n);
  // Every byte read from here on is Fault::BadValue: the value has ended already.
  void end_chunks();
  // Data does not come in chunks any more. What is left of the chunk is read as it is.
  void leave_chunks();

 private:
  bool charge_more(std::size_t bytes);
  // In text.cpp, which is part of the feature code_sets: without it converts() is always false.
  CALLIS_OPTIONAL std::uint32_t converted_room(std::uint32_t bound);
  CALLIS_OPTIONAL bool get_converted(char* to, std::uint32_t room, std::uint32_t bound);
  CALLIS_OPTIONAL bool chars_as_they_are(const void* chars, std::size_t n);
  bool align_slow(std::size_t alignment);
  bool wide_allowed();
  std::uint32_t get_unit();
  void next_segment();
  void next_chunk();
  void limit_chunk(std::size_t n);

  static constexpr Byte kNothing[1] = {};  // where an empty message is
  const Byte* cur_;
  const Byte* end_;
  const Byte* begin_;   // of this segment
  std::size_t phase_;   // of begin_
  bool swap_;
  Fault fault_ = Fault::None;
  TextForm text_;
  Budget* budget_;
  void* context_ = nullptr;
  void* values_ = nullptr;
  Arena* arena_ = nullptr;
  const Segment* rest_ = nullptr;  // segments after this one
  std::size_t rest_count_ = 0;
  std::size_t rest_bytes_ = 0;     // behind end_
  static constexpr std::size_t kEnded = SIZE_MAX;
  const Byte* chunk_limit_ = nullptr;  // in chunks: the end of the segment; end_ is that of the chunk's part in it
  std::size_t chunk_rest_;             // in chunks: bytes of the chunk in later segments; or kEnded
};

}  // namespace callis::cdr
