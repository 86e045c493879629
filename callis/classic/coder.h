// SPDX-License-Identifier: Apache-2.0
// What compiled stubs and skeletons marshal with, beyond cdr::Encoder and cdr::Decoder: strings, enums, arrays
// and sequences of the classic mapping. Applications do not include this.
//
// put_x() writes; a value that cannot be sent (a null string, an enum beyond its enumerators, more elements
// than the bound) sets the encoder's fault. get_x() reads into a valid value or zeros, frees what it held, and
// leaves a valid value behind whatever arrives; faults are the decoder's and sticky. Nothing throws.
//
// While a decoder has an arena, what is read belongs to the request: strings and sequences of primitives stay in the
// message where they are, whole, aligned and in this machine's byte order; everything else is taken from the arena.
// Such values must not be destroyed (Borrowed), and slots must hold zeros before. Owned turns the arena off.
//
// Counts pass Decoder::count() only, strings Decoder::string_length(); elements of variable length count as one
// level of nesting, as they do for the marshaling engine. Bound 0 is none.
#pragma once
#include <callis/classic/item_coder.h>
#include <callis/classic/sequence.h>

namespace callis::classic {

// ---- sequences ----

// False when the sequence is longer than its bound.
template <class Seq>
bool put_length(cdr::Encoder& e, const Seq& s, std::uint32_t bound) {
  if (bound != 0 && s.length() > bound) {
    e.set_fault(Fault::BadBound);
    return false;
  }
  put_primitive(e, s.length());
  return true;
}

// Memory for n elements: the arena's, or a buffer that the sequence will own.
inline void* element_buffer(cdr::Decoder& d, std::uint32_t n, std::size_t size) {
  void* p = d.arena() ? d.arena()->allocate(n * size) : marshal::buffer_allocate(n, size);
  if (!p) d.set_fault(Fault::OutOfMemory);
  return p;
}

// Reads the count and empties the sequence. 0 after a fault.
template <class Seq>
std::uint32_t get_count(cdr::Decoder& d, Seq& s, std::size_t min_wire, std::uint32_t bound) {
  using Slot = typename Seq::Slot;
  const std::uint32_t n = d.count(min_wire, sizeof(Slot));
  if (!d.ok()) return 0;
  if (bound != 0 && n > bound) {
    d.set_fault(Fault::BadBound);
    return 0;
  }
  marshal::SequenceHeader& h = s.callis_header();
  if (h.release) Seq::freebuf(static_cast<Slot*>(h.buffer));
  h = {0, 0, nullptr, d.arena() == nullptr};
  return n;
}
// Gives the sequence a buffer of n elements, all zero unless fill is false. nullptr for none and after a fault.
template <class Seq>
typename Seq::Slot* get_buffer(cdr::Decoder& d, Seq& s, std::uint32_t n, bool fill) {
  using Slot = typename Seq::Slot;
  if (n == 0) return nullptr;
  void* buffer = element_buffer(d, n, sizeof(Slot));
  if (!buffer) return nullptr;
  if (fill) std::memset(buffer, 0, n * sizeof(Slot));
  s.callis_header() = {n, n, buffer, d.arena() == nullptr};
  return static_cast<Slot*>(buffer);
}
template <class Seq>
typename Seq::Slot* get_length(cdr::Decoder& d, Seq& s, std::size_t min_wire, std::uint32_t bound, bool fill) {
  return get_buffer(d, s, get_count(d, s, min_wire, bound), fill);
}

// n > 0 elements of size bytes, where they lie in the message, when that is possible.
inline const Byte* view_elements(cdr::Decoder& d, std::uint32_t n, std::size_t size) {
  const std::size_t pad = (0 - d.phase()) & (size - 1), bytes = n * size;
  if (!d.arena() || (d.swaps() && size != 1) || d.contiguous() < pad + bytes) return nullptr;
  const Byte* from = d.cursor() + pad;
  if ((reinterpret_cast<std::uintptr_t>(from) & (size - 1)) != 0) return nullptr;
  d.advance(pad + bytes);
  return from;
}

template <class Seq>
void put_primitive_sequence(cdr::Encoder& e, const Seq& s, std::uint32_t bound) {
  if (put_length(e, s, bound)) put_primitives(e, s.get_buffer(), s.length());
}
template <class Seq>
void get_primitive_sequence(cdr::Decoder& d, Seq& s, std::uint32_t bound) {
  using T = typename Seq::Slot;
  const std::uint32_t n = get_count(d, s, std::is_same_v<T, wchar_t> ? 2 : sizeof(T), bound);
  if (n == 0) return;
  if constexpr (!kOneByOne<T>) {
    if (const Byte* from = view_elements(d, n, sizeof(T))) {
      if constexpr (std::is_same_v<T, char>)
        if (!d.check_chars(from, n)) return;
      if constexpr (std::is_same_v<T, bool>) {
        for (std::uint32_t i = 0; i < n; ++i)
          if (from[i] > 1) return d.set_fault(Fault::BadBoolean);
      }
      s.callis_header() = {n, n, const_cast<Byte*>(from), false};  // for a servant that gets it as const
      return;
    }
  }
  T* p = get_buffer(d, s, n, false);
  if (!p) return;
  get_primitives(d, p, n);
  if (!d.ok()) std::memset(p, 0, n * sizeof(T));
}

template <class Seq>
void put_enum_sequence(cdr::Encoder& e, const Seq& s, std::uint32_t enumerators, std::uint32_t bound) {
  if (put_length(e, s, bound)) put_enums(e, s.get_buffer(), s.length(), enumerators);
}
template <class Seq>
void get_enum_sequence(cdr::Decoder& d, Seq& s, std::uint32_t enumerators, std::uint32_t bound) {
  auto* p = get_length(d, s, 4, bound, true);
  if (p) get_enums(d, p, s.length(), enumerators);
}

template <class Seq>
void put_string_sequence(cdr::Encoder& e, const Seq& s, std::uint32_t string_bound, std::uint32_t bound) {
  if (!put_length(e, s, bound)) return;
  for (const auto* x : s) put_string(e, x, string_bound);
}
template <class Seq>
void get_string_sequence(cdr::Decoder& d, Seq& s, std::uint32_t string_bound, std::uint32_t bound) {
  const bool wide = std::is_same_v<typename Seq::Slot, wchar_t*>;
  auto* p = get_length(d, s, wide ? 4 : 5, bound, true);
  if (!p || !d.enter()) return;
  for (std::uint32_t i = 0, n = s.length(); i < n && d.ok(); ++i) get_string(d, p[i], string_bound);
  d.leave();
}

// Elements of any other type, by functions of their own. An array goes by its innermost elements.
template <class Seq, class Put>
void put_sequence(cdr::Encoder& e, const Seq& s, std::uint32_t bound, Put put) {
  if (!put_length(e, s, bound)) return;
  const auto* p = s.get_buffer();
  for (std::uint32_t i = 0, n = s.length(); i < n; ++i) {
    if constexpr (std::is_array_v<typename Seq::Slot>) put(e, flat(&p[i]));
    else put(e, p[i]);
  }
}
// nested: the elements are of variable length.
template <class Seq, class Get>
void get_sequence(cdr::Decoder& d, Seq& s, std::size_t min_wire, std::uint32_t bound, bool nested, Get get) {
  auto* p = get_length(d, s, min_wire, bound, true);
  if (!p || (nested && !d.enter())) return;
  for (std::uint32_t i = 0, n = s.length(); i < n && d.ok(); ++i) {
    if constexpr (std::is_array_v<typename Seq::Slot>) get(d, flat(&p[i]));
    else get(d, p[i]);
  }
  if (nested) d.leave();
}

// ---- structs of fixed length ----
//
// Not where chars are converted: then members go one by one. A generated Layout says where the members of a T stand
// when it starts at phase kPhase (mod kMask + 1), in kBytes bytes; kFirst is the alignment of the first member.
// Elements of a sequence are kStride apart once they start at the phase of the layout given: from the second element
// on at the latest.

// False, and nothing done but padding, when the value starts at another phase.
template <class Layout, class T>
inline bool put_at(cdr::Encoder& e, const T& v) {
  if (!e.align(Layout::kFirst)) return true;
  if ((e.phase() & Layout::kMask) != Layout::kPhase || e.converts()) return false;
  if (!Layout::valid(v)) e.set_fault(Fault::BadEnum);
  if (!e.ensure(Layout::kBytes)) return true;
  Layout::store(e.cursor(), v, e.swaps());
  e.advance(Layout::kBytes);
  return true;
}
// False also near the end of the message.
template <class Layout, class T>
inline bool get_at(cdr::Decoder& d, T& v) {
  if (!d.align(Layout::kFirst)) return true;
  if ((d.phase() & Layout::kMask) != Layout::kPhase || d.contiguous() < Layout::kBytes || d.converts()) return false;
  const Byte* from = d.cursor();
  d.advance(Layout::kBytes);  // first: a fault found in a value ends the message
  Layout::load(d, from, v, d.swaps());
  return true;
}

// What a message begins with. False, and nothing done, where it begins elsewhere than at phase 0, near the end of the
// message, and for an encoder that swaps, as the ORB's never do.
template <class Layout, class T>
inline bool put_start(cdr::Encoder& e, const T& v) {
  if ((e.phase() & Layout::kMask) != 0 || e.transforms() || !Layout::valid(v) || !e.ensure(Layout::kBytes))
    return false;
  Layout::store(e.cursor(), v, false);
  e.advance(Layout::kBytes);
  return true;
}
template <class Layout, class T>
inline bool get_start(cdr::Decoder& d, T& v) {
  if ((d.phase() & Layout::kMask) != 0 || d.contiguous() < Layout::kBytes || d.converts()) return false;
  const Byte* from = d.cursor();
  d.advance(Layout::kBytes);  // first: a fault found in a value ends the message
  if (d.swaps()) Layout::load(d, from, v, true);
  else Layout::load(d, from, v, false);
  return true;
}

// n > 0 elements that are kStride apart; their room has been made.
template <class Layout, class T>
inline void store_elements(Byte* to, const T* p, std::uint32_t n, bool swap) {
  for (; n > 1; --n, to += Layout::kStride) {
    Layout::store(to, *p++, swap);
    for (unsigned pad = Layout::kBytes; pad < Layout::kStride; ++pad) to[pad] = 0;
  }
  Layout::store(to, *p, swap);
}

template <class Layout, class Seq, class Put>
void put_fixed_sequence(cdr::Encoder& e, const Seq& s, std::uint32_t bound, Put put) {
  if (!put_length(e, s, bound)) return;
  const auto* p = s.get_buffer();
  for (std::uint32_t n = s.length(); n != 0; --n, ++p) {
    if (!e.align(Layout::kFirst)) return;
    if ((e.phase() & Layout::kMask) != Layout::kPhase || e.converts()) {
      put(e, *p);
      continue;
    }
    for (std::uint32_t i = 0; i < n; ++i)
      if (!Layout::valid(p[i])) return e.set_fault(Fault::BadEnum);
    const std::size_t bytes = std::size_t{n - 1} * Layout::kStride + Layout::kBytes;
    if (!e.ensure(bytes)) return;
    if (e.swaps()) store_elements<Layout>(e.cursor(), p, n, true);
    else store_elements<Layout>(e.cursor(), p, n, false);
    return e.advance(bytes);
  }
}

template <class Layout, class T>
inline void load_elements(cdr::Decoder& d, const Byte* from, T* p, std::uint32_t n, bool swap) {
  for (; n != 0; --n, from += Layout::kStride) Layout::load(d, from, *p++, swap);
}

template <class Layout, class Seq, class Get>
void get_fixed_elements(cdr::Decoder& d, typename Seq::Slot* p, std::uint32_t n, Get get) {
  for (; n != 0 && d.ok(); --n, ++p) {
    if (!d.align(Layout::kFirst)) return;
    const std::size_t bytes = std::size_t{n - 1} * Layout::kStride + Layout::kBytes;
    if ((d.phase() & Layout::kMask) != Layout::kPhase || d.contiguous() < bytes || d.converts()) {
      get(d, *p);
      continue;
    }
    const Byte* from = d.cursor();
    d.advance(bytes);
    if (d.swaps()) load_elements<Layout>(d, from, p, n, true);
    else load_elements<Layout>(d, from, p, n, false);
    return;
  }
}

template <class Layout, class Seq, class Get>
void get_fixed_sequence(cdr::Decoder& d, Seq& s, std::size_t min_wire, std::uint32_t bound, Get get) {
  auto* p = get_length(d, s, min_wire, bound, false);
  if (!p) return;
  get_fixed_elements<Layout, Seq>(d, p, s.length(), get);
  if (!d.ok()) std::memset(static_cast<void*>(p), 0, s.length() * sizeof *p);
}

// ---- in arguments of skeletons ----

// Storage of an argument that belongs to the request: zeros, and never destroyed.
template <class T>
class Borrowed {
 public:
  T& value() { return *reinterpret_cast<T*>(memory_); }

 private:
  alignas(T) Byte memory_[sizeof(T)] = {};
};
// Before the first of them is read.
inline bool has_arena(cdr::Decoder& d) {
  if (d.arena()) [[likely]] return true;
  d.set_fault(Fault::OutOfMemory);
  return false;
}

// For its life, what is read is its receiver's own.
class Owned {
 public:
  explicit Owned(cdr::Decoder& d) : d_(d), arena_(d.arena()) { d.set_arena(nullptr); }
  ~Owned() { d_.set_arena(arena_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

 private:
  cdr::Decoder& d_;
  Arena* const arena_;
};

// ---- results and out parameters of variable length ----

// Zeroed storage for a T that the caller will own, charged to the message's budget; nullptr after a fault.
template <class T>
T* new_value(cdr::Decoder& d) {
  if (!d.ok() || !d.charge(sizeof(T))) return nullptr;
  void* p = marshal::value_allocate(sizeof(T));
  if (!p) d.set_fault(Fault::OutOfMemory);
  return static_cast<T*>(p);
}

// What a stub gives up when its reply was bad.
inline void drop_string(char*& s) { marshal::string_free(std::exchange(s, nullptr)); }
inline void drop_string(wchar_t*& s) { marshal::wide_free(std::exchange(s, nullptr)); }
template <class X>
void drop_reference(X*& p) {
  release_reference(std::exchange(p, nullptr));
}
template <class T>
void drop_value(T*& p) {
  delete std::exchange(p, nullptr);
}
template <class A>
void drop_array(Slice<A>*& p) {
  array_free<A>(std::exchange(p, nullptr));
}

}  // namespace callis::classic
