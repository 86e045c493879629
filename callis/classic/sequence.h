// SPDX-License-Identifier: Apache-2.0
// Sequences of the classic mapping (C++ mapping 1.3, 4.13), bounded and unbounded.
//
//   Sequence<T, Bound>            of primitives, enums, structs, sequences and arrays
//   StringSequence<Bound>         of strings: elements are char*, operator[] gives a String_element
//   WideStringSequence<Bound>     of wide strings
//   ReferenceSequence<X, Bound>   of object references: elements are X*
//   Sequence<MapEntry<K, V>, Bound>   map<K, V> of IDL 4.2: its entries in the order in which they stand there
//
// Bound 0 is unbounded. Generated code derives one class a typedef from these; the object representation is
// that of marshal::SequenceHeader and nothing else. Buffers come from allocbuf() (marshal::buffer_allocate).
// Elements of a buffer that the sequence owns are constructed, or zeros; where the buffer was given with
// release = false, only assignment through operator[] changes it, and old values are never freed.
//
// Beyond the mapping: a sequence is made of a list, and of any container of its elements,
//
//   Longs some{1, 2, 3};                     // Longs(3) is room for three; {3} is one element
//   object->take({1, 2, 3});                 // an in parameter
//   Names names{"one", std::string("two")};
//   Longs all(vector);                       // std::vector, std::array, std::span ...; of strings: what a list takes
//
// and seen as a std::span by as_span(), copied by to<std::vector<CORBA::Long>>(). A list of references holds X_var,
// or X_ptr, which it takes over as an X_var does. A list of strings copies; it takes no char*.
//
// Errors are CORBA::BAD_PARAM: an index at or beyond length(), a length beyond the bound. Exhausted memory is
// CORBA::NO_MEMORY; allocbuf() returns nullptr instead.
//
// length(n) shrinking frees the elements cut off; growing makes new ones empty: zeros, empty strings, nil.
// Growing beyond the buffer at least doubles it, so that appending one by one is linear.
#pragma once
#include <callis/classic/elements.h>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>

namespace callis::classic {

// A container whose elements go into a sequence with these Elements.
template <class Container, class Elements>
concept ContainerFor = std::is_class_v<Container> && requires(const Container& c) {
  { std::size(c) } -> std::convertible_to<std::size_t>;
  std::begin(c);
  std::end(c);
  requires Elements::template kTakes<std::remove_cvref_t<decltype(*std::begin(c))>>;
};

template <class Elements, CORBA::ULong Bound>
class SequenceOf {
  using ULong = CORBA::ULong;

 public:
  using Slot = typename Elements::Slot;

  SequenceOf() noexcept : h_{0, 0, nullptr, true} {}
  // Room for max elements.
  explicit SequenceOf(ULong max)
    requires(Bound == 0)
      : h_{max, 0, max ? must_allocate(max) : nullptr, true} {}
  // Takes the buffer as it is; owns it when release is true: it must come from allocbuf() then, else BAD_PARAM.
  SequenceOf(ULong max, ULong length, Slot* buffer, bool release = false)
    requires(Bound == 0)
      : h_{max, length, buffer, release} {
    if (length > max) throw_bad_param("sequence length beyond its maximum");
    check_owned();
  }
  SequenceOf(ULong length, Slot* buffer, bool release = false)
    requires(Bound != 0)
      : h_{Bound, length, buffer, release} {
    if (length > Bound) throw_bad_param("sequence length beyond its bound");
    check_owned();
  }
  // Copies of these, in a buffer of its own. BAD_PARAM for more than the bound.
  SequenceOf(std::initializer_list<typename Elements::Item> items)
    requires(!std::is_array_v<Slot>)
      : SequenceOf() {
    take(items.begin(), items.size());
  }
  template <class Container>
    requires(!std::is_base_of_v<SequenceOf, Container> && ContainerFor<Container, Elements>)
  explicit SequenceOf(const Container& items) : SequenceOf() {
    take(std::begin(items), std::size(items));
  }
  // A deep copy with the same maximum; owns its buffer.
  SequenceOf(const SequenceOf& o) : h_{0, 0, nullptr, true} {
    if (o.h_.buffer) copy_from(o, o.h_.maximum);
  }
  // Afterwards o is empty.
  SequenceOf(SequenceOf&& o) noexcept : h_(std::exchange(o.h_, {0, 0, nullptr, true})) {}
  ~SequenceOf() { free_owned(); }

  SequenceOf& operator=(const SequenceOf& o) {
    if (this == &o) return *this;
    if (Elements::trivial() && owned() && h_.maximum >= o.h_.length && h_.maximum >= o.h_.maximum) {
      Elements::copy_into(slots(), o.slots(), o.h_.length);
      h_.length = o.h_.length;
      return *this;
    }
    if constexpr (std::is_same_v<Elements, Strings>) {
      if (owned() && h_.length == o.h_.length && h_.maximum >= o.h_.maximum) {
        Elements::assign(slots(), o.slots(), o.h_.length);
        return *this;
      }
    }
    SequenceOf copy(o);
    std::swap(h_, copy.h_);
    return *this;
  }
  SequenceOf& operator=(SequenceOf&& o) noexcept {
    if (this != &o) {
      free_owned();
      h_ = std::exchange(o.h_, {0, 0, nullptr, true});
    }
    return *this;
  }

  ULong maximum() const noexcept { return Bound ? Bound : h_.maximum; }
  ULong length() const noexcept { return h_.length; }
  // True also while there is no buffer.
  bool release() const noexcept { return h_.release || !h_.buffer; }

  void length(ULong n) {
    if (Bound && n > Bound) [[unlikely]] throw_bad_param("sequence length beyond its bound");
    if (n > h_.maximum || (n && !h_.buffer)) {
      grow(n);
    } else if (owned()) {
      const ULong low = n < h_.length ? n : h_.length, high = larger(n, h_.length);
      // Elements beyond the length may still hold something: zeros, or what get_buffer() let in.
      if (n > h_.length || !Elements::trivial()) {
        Elements::destroy(slots() + low, high - low);
        Elements::fill_empty(slots() + low, high - low);
      }
    }
    h_.length = n;
  }

  decltype(auto) operator[](ULong index) {
    check(index);
    return Elements::element(slots()[index], h_.release);
  }
  decltype(auto) operator[](ULong index) const {
    check(index);
    return Elements::value(slots()[index]);
  }

  // As the constructor of the same arguments.
  void replace(ULong max, ULong length, Slot* buffer, bool release = false)
    requires(Bound == 0)
  {
    *this = SequenceOf(max, length, buffer, release);
  }
  void replace(ULong length, Slot* buffer, bool release = false)
    requires(Bound != 0)
  {
    *this = SequenceOf(length, buffer, release);
  }

  // The buffer, allocated if need be, with room for maximum() elements. orphan: the caller owns it and this
  // is empty afterwards; nullptr when this does not own it.
  Slot* get_buffer(bool orphan = false) {
    if (!h_.buffer || (Bound > h_.maximum && owned())) grow(larger(maximum(), ULong{1}));
    if (!orphan) return slots();
    if (!h_.release) return nullptr;
    return static_cast<Slot*>(std::exchange(h_, {0, 0, nullptr, true}).buffer);
  }
  const Slot* get_buffer() const noexcept { return slots(); }

  static Slot* allocbuf(ULong n) {
    auto* p = static_cast<Slot*>(marshal::buffer_allocate(n, sizeof(Slot)));
    if (p) Elements::fill_empty(p, n);
    return p;
  }
  static Slot* allocbuf()
    requires(Bound != 0)
  {
    return allocbuf(Bound);
  }
  static void freebuf(Slot* buffer) noexcept {
    if (!buffer) return;
    Elements::destroy(buffer, marshal::buffer_count(buffer));
    marshal::buffer_free(buffer);
  }

  // For marshaling code: the representation itself.
  marshal::SequenceHeader& callis_header() noexcept { return h_; }

  // For range-based for; elements as they lie in the buffer.
  const Slot* begin() const noexcept { return slots(); }
  const Slot* end() const noexcept { return slots() + h_.length; }
  Slot* begin() noexcept
    requires std::same_as<Elements, Values<Slot>>
  {
    return slots();
  }
  Slot* end() noexcept
    requires std::same_as<Elements, Values<Slot>>
  {
    return slots() + h_.length;
  }

  // Valid until the length or the buffer changes. Strings and references are not to be changed through it.
  std::span<const Slot> as_span() const noexcept { return {slots(), h_.length}; }
  std::span<Slot> as_span() noexcept
    requires std::same_as<Elements, Values<Slot>>
  {
    return {slots(), h_.length};
  }
  // A std::vector or the like with copies of the elements: of strings as std::string, of references as X_var.
  template <class Container>
  Container to() const {
    Container all;
    if constexpr (requires { all.reserve(h_.length); }) all.reserve(h_.length);
    for (const Slot& slot : *this) all.emplace_back(Elements::item_of(slot));
    return all;
  }

 private:
  // Of an empty one.
  template <class Iterator>
  void take(Iterator from, std::size_t n) {
    if (n > (Bound ? Bound : UINT32_MAX)) [[unlikely]] throw_bad_param("sequence length beyond its bound");
    length(static_cast<ULong>(n));
    for (Slot* to = slots(); n != 0; --n) Elements::put(*to++, *from++);
  }

  Slot* slots() const noexcept { return static_cast<Slot*>(h_.buffer); }
  bool owned() const noexcept { return h_.release && h_.buffer; }
  void free_owned() noexcept {
    if (h_.release) freebuf(slots());
  }
  // For a buffer of `new T[n]`, which would only be noticed when it is freed.
  void check_owned() const {
    if (owned() && !marshal::is_buffer(h_.buffer)) [[unlikely]]
      throw_bad_param("a sequence that is to release its buffer takes one of allocbuf(), not of new");
  }
  void check(ULong index) const {
    if (index >= h_.length) [[unlikely]] throw_bad_param("sequence index beyond its length");
  }

  static Slot* must_allocate(ULong n) {
    Slot* p = allocbuf(n);
    if (!p) throw_no_memory();
    return p;
  }
  static Slot* must_allocate_raw(ULong n) {
    auto* p = static_cast<Slot*>(marshal::buffer_allocate(n, sizeof(Slot)));
    if (!p) throw_no_memory();
    return p;
  }

  static constexpr ULong larger(ULong a, ULong b) { return a < b ? b : a; }
  void copy_from(const SequenceOf& o, ULong max) {
    Slot* to = must_allocate_raw(max);
    try {
      Elements::copy_into(to, o.slots(), o.h_.length);
    } catch (...) {
      marshal::buffer_free(to);
      throw;
    }
    Elements::fill_empty(to + o.h_.length, max - o.h_.length);
    h_ = {max, o.h_.length, to, true};
  }

  // A larger buffer with the same elements, owned by this.
  void grow(ULong n) {
    ULong max = n;
    if (owned() && h_.maximum <= UINT32_MAX / 2) max = larger(n, h_.maximum * 2);
    if (Bound && max > Bound) max = larger(n, Bound);
    if (!h_.release && h_.buffer) {
      copy_from(*this, max);
      return;
    }
    Slot* to = must_allocate_raw(max);
    Elements::move_into(to, slots(), h_.length);
    Elements::fill_empty(to + h_.length, max - h_.length);
    if (h_.buffer) {
      Elements::destroy(slots() + h_.length, marshal::buffer_count(h_.buffer) - h_.length);
      marshal::buffer_free(h_.buffer);
    }
    h_ = {max, h_.length, to, true};
  }

  marshal::SequenceHeader h_;
};

template <class T, CORBA::ULong Bound = 0>
using Sequence = SequenceOf<Values<T>, Bound>;
template <CORBA::ULong Bound = 0>
using StringSequence = SequenceOf<Strings, Bound>;
template <CORBA::ULong Bound = 0>
using WideStringSequence = SequenceOf<WideStrings, Bound>;
template <class X, CORBA::ULong Bound = 0>
using ReferenceSequence = SequenceOf<References<X>, Bound>;

static_assert(sizeof(Sequence<char>) == sizeof(marshal::SequenceHeader));
static_assert(std::is_standard_layout_v<Sequence<char>>);

// Of a map (IDL 4.2, 7.4.13.4.3.1). K and V as members of structs are.
template <class K, class V>
struct MapEntry {
  K key;
  V value;
};

}  // namespace callis::classic
