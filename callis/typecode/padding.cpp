// SPDX-License-Identifier: Apache-2.0
// Everything read comes from the peer. What is not as it should be, wire_read.cpp will say.
#include <callis/base/endian.h>
#include <callis/typecode/internal/indirection.h>
#include <callis/typecode/internal/padding.h>
#include <callis/typecode/internal/view.h>
#include <algorithm>
#include <cstring>

namespace callis::typecode {

namespace {

constexpr unsigned kMaxTypes = 64;

// Where enums and aliases begin, as indirections find them; those that there is no room for are not found.
class Known {
 public:
  explicit Known(const Byte* first) : first_(first) {}
  std::int64_t offset(const Byte* at) const { return at - first_; }
  // A place that is told what is there later, in the order of their offsets.
  Word* add(const Byte* at) {
    if (count_ == kMax) return nullptr;
    all_[count_] = {offset(at), kIndirection};
    return &all_[count_++].kind;
  }
  // kIndirection: not known.
  Word find(std::int64_t at) const {
    const Place* const end = all_ + count_;
    const Place* const p =
        std::lower_bound(all_, end, at, [](const Place& place, std::int64_t o) { return place.at < o; });
    return p != end && p->at == at ? p->kind : kIndirection;
  }

 private:
  static constexpr std::size_t kMax = 128;
  struct Place {
    std::int64_t at;
    Word kind;
  };
  const Byte* const first_;
  Place all_[kMax];
  std::size_t count_ = 0;
};

// An encapsulation, or what is around the outermost. It takes for padding what WireReader (wire_read.cpp) passes
// over, and nothing else: else TypeCodes that differ would become the same.
class Cursor {
 public:
  Cursor(MutableBytes bytes, bool swaps, Known& known) : bytes_(bytes), swaps_(swaps), known_(known) {}

  bool ok() const { return ok_; }
  // A type; what is behind its aliases, kIndirection where that is not known.
  Word type(unsigned nested);

 private:
  std::uint64_t number(std::size_t size);
  Word u32() { return static_cast<Word>(number(4)); }
  void text() { skip(u32()); }
  void skip(std::size_t n) {
    if (n > bytes_.size() - at_) ok_ = false;
    else at_ += n;
  }
  Word parameters(Word kind, unsigned nested);
  void members(Word kind, unsigned nested);
  void switched(unsigned nested);

  MutableBytes bytes_;
  std::size_t at_ = 0;
  bool swaps_;
  bool ok_ = true;
  Known& known_;
};

std::uint64_t Cursor::number(std::size_t size) {
  const std::size_t pad = (0 - at_) & (size - 1);
  if (!ok_ || pad + size > bytes_.size() - at_) return ok_ = false;
  std::memset(bytes_.data() + at_, 0, pad);
  const Byte* const p = bytes_.data() + at_ + pad;
  at_ += pad + size;
  switch (size) {
    case 1: return *p;
    case 2: return load<std::uint16_t>(p, swaps_);
    case 4: return load<std::uint32_t>(p, swaps_);
    default: return load<std::uint64_t>(p, swaps_);
  }
}

Word Cursor::type(unsigned nested) {
  const Word kind = u32();
  if (!ok_ || is_simple(kind)) return kind;
  const Byte* const began = bytes_.data() + at_ - 4;
  switch (kind) {
    case kIndirection: {
      const std::int64_t at = known_.offset(bytes_.data() + at_);
      return known_.find(at + static_cast<std::int32_t>(u32()));
    }
    case CORBA::tk_string:
    case CORBA::tk_wstring: u32(); return kind;
    case CORBA::tk_fixed: number(2), number(2); return kind;
    default: break;
  }
  const std::size_t n = u32();
  if (kind > CORBA::tk_event || nested == kMaxTypes || !ok_ || n == 0 || n > bytes_.size() - at_) return ok_ = false;
  Word* const known = kind == CORBA::tk_enum || kind == CORBA::tk_alias ? known_.add(began) : nullptr;
  Cursor inside(bytes_.subspan(at_, n), (bytes_[at_] != 0) != (kNativeOrder == ByteOrder::Little), known_);
  inside.skip(1);
  const Word found = inside.parameters(kind, nested + 1);
  if (known) *known = found;
  ok_ = inside.ok_;
  at_ += n;
  return found;
}

Word Cursor::parameters(Word kind, unsigned nested) {
  if (kind == CORBA::tk_sequence || kind == CORBA::tk_array) {
    type(nested);
    u32();
    return kind;
  }
  text();
  text();
  if (has_content(kind)) {
    const Word content = type(nested);
    return kind == CORBA::tk_alias ? content : kind;
  }
  if (has_members(kind)) members(kind, nested);
  return kind;
}

void Cursor::members(Word kind, unsigned nested) {
  if (kind == CORBA::tk_union) return switched(nested);
  const bool value = is_value_kind(kind);
  if (value) {
    number(2);
    type(nested);
  }
  const Word n = u32();
  for (Word i = 0; i < n && ok_; ++i) {
    text();
    if (kind != CORBA::tk_enum) type(nested);
    if (value) number(2);
  }
}

void Cursor::switched(unsigned nested) {
  std::size_t label = 0;
  bool wide = false;
  switch (type(nested)) {
    case CORBA::tk_boolean:
    case CORBA::tk_char:
    case CORBA::tk_octet: label = 1; break;
    case CORBA::tk_short:
    case CORBA::tk_ushort: label = 2; break;
    case CORBA::tk_long:
    case CORBA::tk_ulong:
    case CORBA::tk_enum: label = 4; break;
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong: label = 8; break;
    case CORBA::tk_wchar: wide = true; break;
    default: ok_ = false;
  }
  u32();
  const Word n = u32();
  for (Word i = 0; i < n && ok_; ++i) {
    if (wide) skip(static_cast<std::size_t>(number(1)));
    else number(label);
    text();
    type(nested);
  }
}

}  // namespace

bool clear_padding(MutableBytes wire, bool swaps) noexcept {
  Known known(wire.data());
  Cursor c(wire, swaps, known);
  c.type(0);
  return c.ok();
}

}  // namespace callis::typecode
