// SPDX-License-Identifier: Apache-2.0
// Encoder: appends CDR to a Buffer (CORBA 3.3 part 2, 9.3).
//
// Writes at the end of the buffer, which may already hold bytes (a GIOP header); alignment counts from
// the buffer's first byte, or from the origin given. The buffer's size() is right only after finish().
// Memory exhaustion is the only fault, but for what wide characters and fixed numbers may have; it is sticky. One
// thread.
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/endian.h>
#include <callis/base/fault.h>
#include <callis/base/feature.h>
#include <callis/cdr/text.h>
#include <string_view>

namespace callis::cdr {

// Arrays that a message does not copy: whoever sends it takes their bytes from where they lie. They must not
// change until then.
struct Gather {
  static constexpr std::size_t kMaxPieces = 16;  // more are copied
  static constexpr std::size_t kLeastBytes = 16u << 10;  // shorter ones are copied: that is faster

  struct Piece {
    std::size_t at;  // the offset in the buffer in front of which the bytes belong
    ByteView bytes;
  };
  Piece pieces[kMaxPieces];
  std::size_t count = 0;
  std::size_t bytes = 0;  // of all pieces

  void clear() { count = bytes = 0; }
};

class Encoder final {
 public:
  // The buffer must outlive the encoder, and nobody else may touch it until finish().
  explicit Encoder(Buffer& buffer, ByteOrder order = kNativeOrder)
      : cur_(buffer.data() + buffer.size()), end_(buffer.data() + buffer.capacity()), buffer_(buffer),
        swap_(order != kNativeOrder) {
    if (buffer.capacity() == 0) [[unlikely]] begin();
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() { finish(); }

  ByteOrder order() const { return swap_ ? other(kNativeOrder) : kNativeOrder; }
  bool swaps() const { return swap_; }
  Fault fault() const { return fault_; }
  // Native order, chars as they are, and no fault.
  bool plain() const {
    return (static_cast<unsigned>(swap_) | static_cast<unsigned>(fault_) | static_cast<unsigned>(text_.chars)) == 0;
  }
  void set_fault(Fault f) { if (fault_ == Fault::None) fault_ = f; }

  // Bytes from the buffer's start to the next byte to write.
  std::size_t position() const { return static_cast<std::size_t>(cur_ - buffer_.data()); }
  // Offset that alignment counts from the origin, mod 8.
  // (The buffer's first byte is aligned, so an address will do for an offset.)
  std::size_t phase() const { return (reinterpret_cast<std::uintptr_t>(cur_) - origin_) & 7; }

  // Makes room for n bytes; false (and a fault) when memory is exhausted. After it, up to n bytes may be
  // written at cursor() and then advance()d over. Up to Buffer::kSlop bytes more may be scribbled on.
  bool ensure(std::size_t n) {
    if (static_cast<std::size_t>(end_ - cur_) >= n) [[likely]] return true;
    return grow(n);
  }
  Byte* cursor() { return cur_; }
  void advance(std::size_t n) { cur_ += n; }
  // For loops that keep the cursor to themselves: up to limit() may be written, and then set_cursor().
  Byte* limit() { return end_; }
  void set_cursor(Byte* cursor) { cur_ = cursor; }

  // Zero bytes up to the next multiple of alignment (1, 2, 4 or 8).
  bool align(std::size_t alignment) {
    const std::size_t off = position() - origin_;
    const std::size_t pad = align_up(off, alignment) - off;
    if (!ensure(pad)) return false;
    for (std::size_t i = 0; i < pad; ++i) cur_[i] = 0;
    cur_ += pad;
    return true;
  }

  // A primitive of 1, 2, 4 or 8 bytes, aligned to its size.
  template <class T>
  void put(T value) {
    if constexpr (sizeof(T) > 1) {
      if (!align(sizeof(T))) return;
    }
    if (!ensure(sizeof(T))) return;
    store(cur_, value, swap_);
    cur_ += sizeof(T);
  }
  void put_octet(std::uint8_t v) { put(v); }
  void put_boolean(bool v) { put(static_cast<std::uint8_t>(v)); }
  void put_ushort(std::uint16_t v) { put(v); }
  void put_ulong(std::uint32_t v) { put(v); }
  void put_ulonglong(std::uint64_t v) { put(v); }
  void put_long_double(long double v);

  // Length with the final NUL, the characters, the NUL. A string longer than 2^32-2 is a fault.
  void put_string(std::string_view s);
  // Wide characters in the form that is set; s may be nullptr, which is Fault::NullPointer. bound: characters, 0 for
  // none.
  void put_wchar(wchar_t c);
  void put_wstring(const wchar_t* s, std::uint32_t bound = 0);
  TextForm text() const { return text_; }
  void set_text(TextForm form) { text_ = form; }
  void set_wide(WideForm form) { text_.wide = form; }
  // Chars of the application's are not sent as they are. put_string() does not convert: it is for text of the
  // protocol.
  bool converts() const { return text_.chars != CharForm::AsIs; }
  // Bytes that are not as they are in memory: swaps() or converts().
  bool transforms() const { return (static_cast<unsigned>(swap_) | static_cast<unsigned>(text_.chars)) != 0; }
  // A string of the application's. s: without a NUL inside.
  void put_text(std::string_view s);
  // The same for chars by themselves: what put_array() would send, checked.
  void put_chars(const void* chars, std::size_t n) {
    if (check_chars(chars, n)) put_array(chars, n, 1);
  }
  // Chars that will be sent as they are: false and a fault when they would have to be converted.
  bool check_chars(const void* chars, std::size_t n) { return !converts() || chars_as_they_are(chars, n); }

  // Raw bytes without count or alignment.
  void put_bytes(ByteView bytes);
  // sequence<octet>
  void put_octets(ByteView bytes);
  // n elements of size bytes each (1, 2, 4, 8), aligned to size; no count. Goes to the Gather, if there is one,
  // when it is long and needs no swapping.
  void put_array(const void* elements, std::size_t n, std::size_t size);

  // An encapsulation: sequence<octet> whose first octet is the byte order and whose alignment starts
  // afresh, and in which characters have the form of GIOP 1.2 without conversion. Nest freely; end in reverse order.
  struct Encapsulation {
    std::size_t length_at, origin;
    Gather* gather;
    TextForm text;
  };
  Encapsulation begin_encapsulation();
  void end_encapsulation(const Encapsulation& e);

  // Overwrites 4 bytes already written.
  void patch_ulong(std::size_t position, std::uint32_t value) {
    if (fault_ == Fault::None) store(buffer_.data() + position, value, swap_);
  }
  // Moves the origin of alignment to the buffer position given.
  void set_origin(std::size_t position) { origin_ = position; }
  // From here on long arrays are left where they are and noted in to, which must be clear; nullptr: they are
  // copied. position() does not count them, phase() and the alignment do. Encapsulations copy.
  void set_gather(Gather* to) { gather_ = to; }
  Gather* gather() const { return gather_; }
  std::size_t gathered() const { return gather_ ? gather_->bytes : 0; }
  // What remembers the values that have been written, for indirections (marshal/handlers.h); nullptr: nobody does.
  void* values() const { return values_; }
  void set_values(void* values) { values_ = values; }
  // Writes the size back to the buffer. More may be written afterwards.
  void finish() { buffer_.set_size(position()); }
  // Goes back to an earlier position(), dropping what follows; not behind an array in the Gather.
  void rewind(std::size_t position) { cur_ = buffer_.data() + position; }

 private:
  void begin();
  // As the Decoder's.
  CALLIS_OPTIONAL void put_converted(std::string_view s);
  CALLIS_OPTIONAL bool chars_as_they_are(const void* chars, std::size_t n);
  bool wide_allowed();
  bool grow(std::size_t n);
  bool gather(const void* elements, std::size_t bytes);

  Byte* cur_;
  Byte* end_;
  Buffer& buffer_;
  std::size_t origin_ = 0;
  Gather* gather_ = nullptr;
  void* values_ = nullptr;
  bool swap_;
  Fault fault_ = Fault::None;
  TextForm text_;
};

}  // namespace callis::cdr
