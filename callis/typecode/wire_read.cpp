// SPDX-License-Identifier: Apache-2.0
// Everything read comes from the peer.
#include <callis/typecode/internal/builder.h>
#include <callis/typecode/internal/indirection.h>
#include <callis/typecode/internal/received.h>
#include <callis/typecode/wire.h>
#include <algorithm>
#include <new>

namespace callis::typecode {

namespace {

// What reading takes at most, here and in the Builder, until it is done: for each type, each use of one that has been
// read, and each text beside its characters.
constexpr std::size_t kTypeBytes = 224, kUseBytes = 96, kTextBytes = 112;

class WireReader {
 public:
  explicit WireReader(const Byte* first) : first_(first) {}
  TypeCode_ptr read(cdr::Decoder& d) {
    Word root = 0;
    if (!type(d, root)) return nullptr;
    const std::size_t kept = to_.bytes();
    const TypeCode_ptr t = to_.finish(root);
    if (!t) d.set_fault(Fault::OutOfMemory);
    if (taken_ > kept) d.budget().bytes_left += taken_ - kept;
    return t;
  }
  // Of encapsulations in each other.
  std::uint32_t depth() const { return depth_; }

 private:
  // What an indirection may lead to.
  struct Place {
    Word type;
    Word guards;  // those around it; kComplete when it has been read
    unsigned height;  // of the types within it, each within the next; while it is read, so far
  };
  // The innermost type that is open has one of that height in it.
  bool within(cdr::Decoder& d, unsigned height) {
    if (height > kMaxHeight) return fail(d, Fault::TooDeep);
    if (!open_.empty() && open_.back()->height < height + 1) open_.back()->height = height + 1;
    return true;
  }
  static constexpr Word kComplete = 0xffffffff;
  using Words = std::vector<Word>;

  bool take(cdr::Decoder& d, std::size_t bytes) {
    taken_ += bytes;
    return d.charge(bytes);
  }
  static bool fail(cdr::Decoder& d, Fault f) {
    d.set_fault(f);
    return false;
  }
  bool type(cdr::Decoder& d, Word& out);
  bool short_type(cdr::Decoder& d, Word kind, Word& out);
  bool indirection(cdr::Decoder& d, Word& out);
  bool parameters(cdr::Decoder& d, Word kind, Words& w);
  bool text(cdr::Decoder& d, Words& w);
  bool content(cdr::Decoder& d, Word kind, Words& w);
  bool enumeration(cdr::Decoder& d, Words& w);
  bool structure(cdr::Decoder& d, Words& w);
  bool value(cdr::Decoder& d, Words& w);
  bool base(cdr::Decoder& d, Word& out);
  bool switched(cdr::Decoder& d, Words& w);
  // How many there are of a discriminator's type.
  std::uint64_t values_of(Word discriminator) const;
  bool label(cdr::Decoder& d, Word discriminator, std::uint64_t& out);
  // A type that values have.
  bool stored(cdr::Decoder& d, Word& out) {
    if (!type(d, out)) return false;
    const Word kind = to_.kind(out);
    return (kind != CORBA::tk_null && kind != CORBA::tk_void && kind != CORBA::tk_except) || fail(d, Fault::BadValue);
  }

  Builder to_;
  const Byte* const first_;
  std::map<std::size_t, Place> known_;  // by the offset of the TCKind
  std::vector<Place*> open_;            // those around what is being read
  std::size_t taken_ = 0;  // what has been charged and goes back when the TypeCode is made, but for its own size
  std::uint32_t depth_ = 0;
  Word guards_ = 0;  // sequences and values around what is being read: through them a type may contain itself
};

bool WireReader::type(cdr::Decoder& d, Word& out) {
  if (!d.align(4)) return false;
  const auto at = static_cast<std::size_t>(d.cursor() - first_);
  const std::uint32_t kind = d.get_ulong();
  if (!d.ok()) return false;
  if (kind == kIndirection) return take(d, kUseBytes) && indirection(d, out);
  if (kind > CORBA::tk_event) return fail(d, Fault::BadValue);
  if (!take(d, kTypeBytes)) return false;
  if (is_simple(kind) || kind == CORBA::tk_string || kind == CORBA::tk_wstring || kind == CORBA::tk_fixed) {
    if (!short_type(d, kind, out)) return false;
    known_[at] = {out, kComplete, 0};
    return within(d, 0);
  }
  if (!d.enter()) return false;
  Place& place = known_[at] = {to_.reserve(kind), guards_, 0};
  open_.push_back(&place);
  depth_ = std::max(depth_, static_cast<std::uint32_t>(open_.size()));
  cdr::Decoder inside = d.get_encapsulation(kMaxWireBytes);
  Words w{kind};
  if (!parameters(inside, kind, w)) return fail(d, inside.fault());
  d.leave();
  to_.fill(place.type, w);
  open_.pop_back();
  place.guards = kComplete;
  out = place.type;
  return within(d, place.height);
}

bool WireReader::short_type(cdr::Decoder& d, Word kind, Word& out) {
  Word parameter = 0;
  if (kind == CORBA::tk_fixed) {
    const Word digits = d.get_ushort(), scale = d.get_ushort();
    if (d.ok() && (digits == 0 || digits > 31 || scale > digits)) return fail(d, Fault::BadValue);
    parameter = digits | scale << 16;
  } else if (!is_simple(kind)) {
    parameter = d.get_ulong();
  }
  out = parameter == 0 ? basic(static_cast<CORBA::TCKind>(kind)) : to_.add({kind, parameter});
  return d.ok();
}

// A type that stands earlier in the same TypeCode, or one around this.
bool WireReader::indirection(cdr::Decoder& d, Word& out) {
  const auto at = d.cursor() - first_;
  const auto offset = static_cast<std::int32_t>(d.get_ulong());
  if (!d.ok()) return false;
  const auto target = at + offset;
  const auto known = target >= 0 ? known_.find(static_cast<std::size_t>(target)) : known_.end();
  if (known == known_.end() || known->second.guards == guards_) return fail(d, Fault::BadValue);
  out = known->second.type;
  return within(d, known->second.guards == kComplete ? known->second.height : 0);
}

bool WireReader::text(cdr::Decoder& d, Words& w) {
  const std::string_view s = d.get_string();
  if (!d.ok() || (!s.empty() && !take(d, 4 * s.size() + kTextBytes))) return false;
  w.push_back(to_.text(s));
  return true;
}

bool WireReader::parameters(cdr::Decoder& d, Word kind, Words& w) {
  if (kind == CORBA::tk_sequence || kind == CORBA::tk_array) {
    w.push_back(0);
    if (!content(d, kind, w)) return false;
    w[1] = d.get_ulong();
    if (d.ok() && w[1] == 0 && kind == CORBA::tk_array) return fail(d, Fault::BadValue);
    return d.ok();
  }
  if (!text(d, w) || !text(d, w)) return false;
  w[0] |= kNoLink << 8;
  if (has_content(kind)) return content(d, kind, w);
  if (!has_members(kind)) return true;
  if (kind == CORBA::tk_enum) return enumeration(d, w);
  if (kind == CORBA::tk_union) return switched(d, w);
  return is_value_kind(kind) ? value(d, w) : structure(d, w);
}

bool WireReader::content(cdr::Decoder& d, Word kind, Words& w) {
  Word of = 0;
  // What is boxed may lead back to the box, which is a value.
  const Word guard = kind == CORBA::tk_sequence || kind == CORBA::tk_value_box;
  guards_ += guard;
  if (!stored(d, of)) return false;
  guards_ -= guard;
  w.push_back(of);
  return true;
}

bool WireReader::enumeration(cdr::Decoder& d, Words& w) {
  const Word n = d.count(5, 1);
  if (d.ok() && n == 0) return fail(d, Fault::BadValue);
  w.push_back(n);
  w.push_back(to_.texts_begin());
  for (Word i = 0; i < n && d.ok(); ++i) {
    const std::string_view s = d.get_string();
    if (take(d, 4 * s.size() + 4)) to_.texts_add(s);
  }
  return d.ok();
}

bool WireReader::structure(cdr::Decoder& d, Words& w) {
  const Word n = d.count(8, 2 * sizeof(Word));
  w.push_back(n);
  for (Word i = 0; i < n && d.ok(); ++i) {
    Word of = 0;
    if (!text(d, w) || !stored(d, of)) return false;
    w.push_back(of);
  }
  return d.ok();
}

// Null, or a value that is complete, so that the chain of bases ends.
bool WireReader::base(cdr::Decoder& d, Word& out) {
  const Word around = guards_;
  std::vector<Word> of_open;
  for (Place* p : open_) of_open.push_back(std::exchange(p->guards, 0));
  guards_ = 0;  // as theirs: they cannot be meant, but by the members of the base
  const bool ok = type(d, out);
  for (std::size_t i = 0; i < of_open.size(); ++i) open_[i]->guards = of_open[i];
  guards_ = around;
  if (!ok) return false;
  const Word kind = to_.kind(out);
  return kind == CORBA::tk_null || is_value_kind(kind) || fail(d, Fault::BadValue);
}

bool WireReader::value(cdr::Decoder& d, Words& w) {
  const Word modifier = d.get_ushort();
  Word of_base = 0;
  if (!d.ok() || !base(d, of_base)) return false;
  const Word n = d.count(10, 3 * sizeof(Word));
  if (d.ok() && modifier > CORBA::VM_TRUNCATABLE) return fail(d, Fault::BadValue);
  w.insert(w.end(), {n, modifier, of_base});
  ++guards_;
  for (Word i = 0; i < n && d.ok(); ++i) {
    Word of = 0;
    if (!text(d, w) || !stored(d, of)) return false;
    w.push_back(of);
    w.push_back(d.get_ushort());
    if (d.ok() && w.back() > CORBA::PUBLIC_MEMBER) return fail(d, Fault::BadValue);
  }
  --guards_;
  return d.ok();
}

bool WireReader::switched(cdr::Decoder& d, Words& w) {
  Word discriminator = 0;
  if (!type(d, discriminator)) return false;
  const Word by = to_.resolved(discriminator);
  if (!is_discriminator(to_.kind(by))) return fail(d, Fault::BadValue);
  auto default_index = static_cast<std::int32_t>(d.get_ulong());
  const Word n = d.count(9, 4 * sizeof(Word));
  // omniORB's way to say that there is no default, and no value for one.
  if (default_index == -2 && n == values_of(by)) default_index = -1;
  if (d.ok() && (default_index < -1 || default_index >= static_cast<std::int64_t>(n)))
    return fail(d, Fault::BadValue);
  w.insert(w.end(), {n, discriminator, static_cast<Word>(default_index)});
  std::vector<std::uint64_t> labels;
  for (Word i = 0; i < n && d.ok(); ++i) {
    std::uint64_t value = 0;
    Word of = 0;
    if (!label(d, by, value)) return false;
    const bool is_default = static_cast<std::int32_t>(i) == default_index;
    if (!is_default) labels.push_back(value);
    if (!text(d, w) || !stored(d, of)) return false;
    w.insert(w.end(), {of, static_cast<Word>(value), static_cast<Word>(value >> 32)});
  }
  std::sort(labels.begin(), labels.end());
  if (std::adjacent_find(labels.begin(), labels.end()) != labels.end()) return fail(d, Fault::BadValue);
  return d.ok();
}

std::uint64_t WireReader::values_of(Word by) const {
  switch (to_.kind(by)) {
    case CORBA::tk_boolean: return 2;
    case CORBA::tk_char:
    case CORBA::tk_octet: return 1u << 8;
    case CORBA::tk_short:
    case CORBA::tk_ushort: return 1u << 16;
    case CORBA::tk_enum: return to_.entry_of(by)[3];
    default: return std::uint64_t{1} << 32;  // more than there can be labels
  }
}

bool WireReader::label(cdr::Decoder& d, Word by, std::uint64_t& out) {
  const auto sign = [](auto v) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(v)); };
  switch (to_.kind(by)) {
    case CORBA::tk_boolean: out = d.get_boolean(); break;
    case CORBA::tk_char:
    case CORBA::tk_octet: out = d.get_octet(); break;
    case CORBA::tk_short: out = sign(static_cast<std::int16_t>(d.get_ushort())); break;
    case CORBA::tk_ushort: out = d.get_ushort(); break;
    case CORBA::tk_long: out = sign(static_cast<std::int32_t>(d.get_ulong())); break;
    case CORBA::tk_ulong: out = d.get_ulong(); break;
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong: out = d.get_ulonglong(); break;
    case CORBA::tk_wchar:
      if (d.get_octet() != 2) return fail(d, Fault::BadValue);
      out = static_cast<std::uint64_t>(d.get_octet()) << 8;
      out |= d.get_octet();
      break;
    default:  // enum
      out = d.get_ulong();
      if (d.ok() && out >= to_.entry_of(by)[3]) return fail(d, Fault::BadEnum);
  }
  return d.ok();
}

}  // namespace

namespace {

// Moves on to where the next unsigned long lies, which may be behind the size of a chunk; positions count from there.
bool at_number(cdr::Decoder& d) {
  return d.align(4) && (d.contiguous() >= 4 || (d.next_segment_for(4) && d.align(4)));
}

// One that lies in several fragments of GIOP 1.1: its bytes, put together. False when it does not, or after a fault.
bool gather(cdr::Decoder& d, Buffer& to) {
  cdr::Decoder ahead = d;
  const std::uint32_t kind = ahead.get_ulong();
  if (is_simple(kind) || kind == CORBA::tk_string || kind == CORBA::tk_wstring || kind == CORBA::tk_fixed)
    return false;
  const std::uint32_t n = ahead.get_ulong();
  if (!ahead.ok() || n <= ahead.contiguous() || n > ahead.remaining()) return false;
  if (n > kMaxWireBytes) return d.set_fault(Fault::LimitExceeded), false;
  if (!d.charge(n)) return false;
  if (!to.reserve(n + 8)) return d.set_fault(Fault::OutOfMemory), false;
  to.set_size(n + 8);
  store(to.data(), kind, d.swaps());
  store(to.data() + 4, n, d.swaps());
  d = ahead;
  return d.get_bytes(to.data() + 8, n);
}

}  // namespace

TypeCode_ptr read_type_code(cdr::Decoder& d, std::uint32_t& depth) noexcept try {
  depth = 0;
  if (!at_number(d)) return nullptr;
  const auto kind = load<std::uint32_t>(d.cursor(), d.swaps());
  if (is_simple(kind)) {  // a constant: nothing is made, so nothing is charged
    d.advance(4);
    return basic_type(kind);
  }
  if ((kind == CORBA::tk_string || kind == CORBA::tk_wstring) && d.contiguous() >= 8 &&
      load<std::uint32_t>(d.cursor() + 4) == 0) {
    d.advance(8);
    return basic_type(kind);
  }
  Buffer together;
  if (d.contiguous() < d.remaining() && gather(d, together)) {
    cdr::Decoder whole(together.view(), d.order(), d.budget());
    const TypeCode_ptr t = WireReader(whole.cursor()).read(whole);
    if (!t) d.set_fault(whole.fault());
    return t;
  }
  if (!d.ok()) return nullptr;
  WireReader reader(d.cursor());
  const TypeCode_ptr t = reader.read(d);
  depth = reader.depth();
  return t;
} catch (const std::bad_alloc&) {
  d.set_fault(Fault::OutOfMemory);
  return nullptr;
}

TypeCode_ptr get_type_code(cdr::Decoder& d) noexcept {
  if (const TypeCode_ptr known = Received(d).find(d)) return known;
  std::uint32_t depth;
  return read_type_code(d, depth);
}

bool skip_type_code(cdr::Decoder& d) noexcept {
  const std::uint32_t kind = d.get_ulong();
  if (!d.ok() || is_simple(kind)) return d.ok();
  if (kind > CORBA::tk_event) {
    d.set_fault(Fault::BadValue);
    return false;
  }
  const std::uint32_t n = d.get_ulong();  // a bound, the two numbers of a fixed, or the length of an encapsulation
  if (kind == CORBA::tk_string || kind == CORBA::tk_wstring || kind == CORBA::tk_fixed) return d.ok();
  return d.ok() && d.skip(n);
}

}  // namespace callis::typecode
