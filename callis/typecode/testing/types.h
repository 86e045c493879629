// SPDX-License-Identifier: Apache-2.0
// TypeCodes for tests, and their wire form built by hand.
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/typecode/create.h>
#include <callis/typecode/wire.h>
#include <string>
#include <vector>

namespace callis::typecode::testing {

using CORBA::TypeCode_ptr;
using CORBA::TypeCode_var;

inline TypeCode_ptr dup(TypeCode_ptr t) { return CORBA::TypeCode::_duplicate(t); }

struct Member {
  const char* name;
  TypeCode_ptr type;  // not taken over
};
inline CORBA::StructMemberSeq members(const std::vector<Member>& list) {
  CORBA::StructMemberSeq s;
  s.length(static_cast<CORBA::ULong>(list.size()));
  for (CORBA::ULong i = 0; i < s.length(); ++i) {
    s[i].name = list[i].name;
    s[i].type = dup(list[i].type);
  }
  return s;
}

inline TypeCode_ptr make_struct(const char* id, const char* name, const std::vector<Member>& list) {
  return create_struct_tc(id, name, members(list));
}
inline TypeCode_ptr make_enum(const char* id, const char* name, const std::vector<const char*>& list) {
  CORBA::EnumMemberSeq s;
  s.length(static_cast<CORBA::ULong>(list.size()));
  for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = list[i];
  return create_enum_tc(id, name, s);
}
inline CORBA::UnionMember union_member(const char* name, const CORBA::Any& label, TypeCode_ptr type) {
  CORBA::UnionMember m;
  m.name = name;
  m.label = label;
  m.type = dup(type);
  return m;
}
inline CORBA::UnionMemberSeq union_members(const std::vector<CORBA::UnionMember>& list) {
  CORBA::UnionMemberSeq s;
  s.length(static_cast<CORBA::ULong>(list.size()));
  for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = list[i];
  return s;
}
template <class T>
CORBA::Any any_of(T v) {
  CORBA::Any a;
  a <<= v;
  return a;
}
inline CORBA::Any default_label() {
  CORBA::Any a;
  a <<= CORBA::Any::from_octet(0);
  return a;
}
// struct Node { long value; sequence<Node> next; };
inline TypeCode_ptr make_node() {
  const TypeCode_var self = create_recursive_tc("IDL:Node:1.0");
  const TypeCode_var next = create_sequence_tc(0, self);
  return make_struct("IDL:Node:1.0", "Node", {{"value", CORBA::_tc_long}, {"next", next}});
}

inline std::vector<Byte> written(TypeCode_ptr t, ByteOrder order) {
  Buffer b;
  cdr::Encoder e(b, order);
  put_type_code(e, t);
  e.finish();
  return {b.view().begin(), b.view().end()};
}
inline TypeCode_ptr read(ByteView bytes, ByteOrder order, Fault* fault = nullptr, std::uint32_t depth = 64) {
  cdr::Budget budget{1u << 20, depth};
  cdr::Decoder d(bytes, order, budget);
  const TypeCode_ptr t = get_type_code(d);
  if (fault) *fault = t && d.remaining() != 0 ? Fault::BadCount : d.fault();
  return t;
}

// Bytes of CDR written out: numbers at their alignment, strings, encapsulations.
class Cdr {
 public:
  explicit Cdr(ByteOrder order, Byte padding = 0) : order_(order), padding_(padding) {}
  Cdr& u8(unsigned v) { return bytes_.push_back(static_cast<Byte>(v)), *this; }
  Cdr& u16(unsigned v) { return number(v, 2); }
  Cdr& u32(std::uint64_t v) { return number(v, 4); }
  Cdr& u64(std::uint64_t v) { return number(v, 8); }
  Cdr& text(const std::string& s) {
    u32(s.size() + 1);
    for (char c : s) u8(static_cast<unsigned char>(c));
    return u8(0);
  }
  // What `inside` writes, as an encapsulation.
  template <class F>
  Cdr& within(F inside) {
    Cdr c(order_, padding_);
    c.u8(order_ == ByteOrder::Little);
    inside(c);
    u32(c.bytes_.size());
    bytes_.insert(bytes_.end(), c.bytes_.begin(), c.bytes_.end());
    return *this;
  }
  // An indirection to offset 0, where what is written here begins at offset `at`.
  Cdr& back_to_start(std::size_t at) {
    u32(0xffffffff);
    return u32(static_cast<std::uint32_t>(0 - (at + bytes_.size())));
  }
  std::size_t size() const { return bytes_.size(); }
  const std::vector<Byte>& bytes() const { return bytes_; }
  operator ByteView() const { return {bytes_.data(), bytes_.size()}; }

 private:
  Cdr& number(std::uint64_t v, unsigned n) {
    while (bytes_.size() % n != 0) bytes_.push_back(padding_);
    for (unsigned i = 0; i < n; ++i)
      bytes_.push_back(static_cast<Byte>(v >> 8 * (order_ == ByteOrder::Little ? i : n - 1 - i)));
    return *this;
  }
  ByteOrder order_;
  Byte padding_;
  std::vector<Byte> bytes_;
};

}  // namespace callis::typecode::testing
