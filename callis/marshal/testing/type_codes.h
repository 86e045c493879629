// SPDX-License-Identifier: Apache-2.0
// TypeCodes of described types, as an ORB sends them (CORBA 3.3 part 2, 9.3.5). The senders' free choices are made at
// random: aliases, indirections or repetition, one array or an array of arrays. Also a comparison of two plans,
// member by member. This is only for tests.
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/testing/reference_codec.h>
#include <map>
#include <string>

namespace callis::marshal::testing {

// Repository ids are made from the places in the unit: "IDL:S12:1.0" for a struct, "IDL:I0:1.0" for an interface, a
// value or an abstract interface.
class TypeCodeWriter {
 public:
  TypeCodeWriter(const Unit& unit, cdr::Encoder& e, Random& random) : u_(unit), e_(e), random_(random) {}

  void write(Word type) {
    const Resolved r = resolve(u_, type);
    const Word* const entry = u_.words + r.entry;
    if (maybe(4)) return alias(type);
    if (kind_of(type) == Kind::Ref && known_.count(type) != 0 && (open_.count(type) != 0 || maybe(2))) {
      e_.put_ulong(0xffffffff);
      return e_.put_ulong(static_cast<std::uint32_t>(known_[type] - e_.position()));
    }
    e_.align(4);
    if (kind_of(type) == Kind::Ref) known_[type] = e_.position();
    switch (r.kind) {
      case Kind::ObjRef: {
        e_.put_ulong(14);
        const auto in = e_.begin_encapsulation();
        e_.put_string(r.payload == kNoLink ? "IDL:omg.org/CORBA/Object:1.0" : id('I', r.payload));
        e_.put_string("name");
        return e_.end_encapsulation(in);
      }
      case Kind::Struct: case Kind::Exception: {
        const Word skip = r.kind == Kind::Exception ? 2 : 1;
        e_.put_ulong(r.kind == Kind::Exception ? 22 : 15);
        const auto in = e_.begin_encapsulation();
        open_[type] = true;
        e_.put_string(id('S', r.entry));
        e_.put_string("name");
        e_.put_ulong(r.payload);
        for (Word i = 0; i < r.payload; ++i) {
          e_.put_string("m" + std::to_string(i));
          write(entry[skip + i]);
        }
        open_.erase(type);
        return e_.end_encapsulation(in);
      }
      case Kind::Enum: {
        e_.put_ulong(17);
        const auto in = e_.begin_encapsulation();
        e_.put_string("IDL:E:1.0");
        e_.put_string("name");
        e_.put_ulong(r.payload);
        for (Word i = 0; i < r.payload; ++i) e_.put_string("e" + std::to_string(i));
        return e_.end_encapsulation(in);
      }
      case Kind::String: e_.put_ulong(18); return e_.put_ulong(string_bound(u_, r));
      case Kind::WString: e_.put_ulong(27); return e_.put_ulong(string_bound(u_, r));
      case Kind::Fixed:
        e_.put_ulong(28);
        e_.put_ushort(static_cast<std::uint16_t>(r.payload & 0xff));
        return e_.put_ushort(static_cast<std::uint16_t>(r.payload >> 8));
      case Kind::Abstract: return abstract_interface(r);
      case Kind::Value: return value(r);
      case Kind::Union: return one_of(type, UnionView{entry});
      case Kind::Sequence: {
        e_.put_ulong(19);
        const auto in = e_.begin_encapsulation();
        write(entry[2]);
        e_.put_ulong(entry[1]);
        return e_.end_encapsulation(in);
      }
      case Kind::Array: return array(entry[2], entry[1]);
      default: return e_.put_ulong(simple(r.kind));
    }
  }

 private:
  bool maybe(unsigned n) { return random_() % n == 0; }
  static std::string id(char what, Word place) { return std::string("IDL:") + what + std::to_string(place) + ":1.0"; }
  static std::uint32_t simple(Kind k) {
    switch (k) {
      case Kind::Void: return 1;
      case Kind::Short: return 2;
      case Kind::Long: return 3;
      case Kind::UShort: return 4;
      case Kind::ULong: return 5;
      case Kind::Float: return 6;
      case Kind::Double: return 7;
      case Kind::Boolean: return 8;
      case Kind::Char: return 9;
      case Kind::Octet: return 10;
      case Kind::LongLong: return 23;
      case Kind::ULongLong: return 24;
      case Kind::WChar: return 26;
      case Kind::Any: return 11;
      case Kind::TypeCode: return 12;
      default: return 25;  // long double
    }
  }
  void abstract_interface(const Resolved& r) {
    e_.put_ulong(32);
    const auto in = e_.begin_encapsulation();
    e_.put_string(r.payload == kNoLink ? "IDL:omg.org/CORBA/AbstractBase:1.0" : id('I', r.payload));
    e_.put_string("name");
    e_.end_encapsulation(in);
  }
  // A boxed string, or a value with a base and two members.
  void value(const Resolved& r) {
    const std::string about = r.payload == kNoLink ? "IDL:omg.org/CORBA/ValueBase:1.0" : id('I', r.payload);
    const bool boxed = r.payload != kNoLink && maybe(3);
    e_.put_ulong(boxed ? 30 : 29);
    const std::size_t at = e_.position() - 4;
    const auto in = e_.begin_encapsulation();
    e_.put_string(about);
    e_.put_string("name");
    if (boxed) {
      e_.put_ulong(18);
      e_.put_ulong(0);
      return e_.end_encapsulation(in);
    }
    e_.put(std::int16_t{0});
    e_.put_ulong(0);  // no base
    e_.put_ulong(2);
    e_.put_string("number");
    e_.put_ulong(3);
    e_.put(std::int16_t{1});
    e_.put_string("next");
    e_.put_ulong(0xffffffff);
    e_.put_ulong(static_cast<std::uint32_t>(at - e_.position()));
    e_.put(std::int16_t{0});
    e_.end_encapsulation(in);
  }
  void label(const Resolved& d, std::uint64_t v) {
    switch (layout_of(u_, type_word(d.kind, d.payload)).size) {
      case 1: return e_.put(static_cast<std::uint8_t>(v));
      case 2: return e_.put(static_cast<std::uint16_t>(v));
      case 4:
        return d.kind == Kind::WChar ? e_.put_wchar(static_cast<wchar_t>(v)) : e_.put(static_cast<std::uint32_t>(v));
      default: return e_.put(v);
    }
  }
  // A line for each label, with its member. A member that nothing selects cannot be said.
  void one_of(Word type, const UnionView& view) {
    e_.put_ulong(16);
    const auto in = e_.begin_encapsulation();
    open_[type] = true;
    e_.put_string(id('U', payload_of(type)));
    e_.put_string("name");
    write(view.discriminator());
    const Resolved d = resolve(u_, view.discriminator());
    // By member: members of several labels repeat.
    std::vector<std::pair<Word, Word>> lines;  // member, label; the default's is label_count()
    for (Word i = 0; i < view.label_count(); ++i) lines.emplace_back(view.selected(i), i);
    if (view.default_member() != kNoDefault) lines.emplace_back(view.default_member(), view.label_count());
    std::stable_sort(lines.begin(), lines.end());
    Word otherwise = 0xffffffff;
    for (Word i = 0; i < lines.size(); ++i)
      if (lines[i].second == view.label_count()) otherwise = i;
    e_.put_ulong(otherwise);
    e_.put_ulong(static_cast<std::uint32_t>(lines.size()));
    for (const auto& [member, at] : lines) {
      label(d, at == view.label_count() ? 0 : view.label(at));  // whose value means nothing for the default
      e_.put_string("m" + std::to_string(member));
      write(view.member(member));
    }
    open_.erase(type);
    e_.end_encapsulation(in);
  }
  void alias(Word type) {
    e_.put_ulong(21);
    const auto in = e_.begin_encapsulation();
    e_.put_string("IDL:A:1.0");
    e_.put_string("name");
    write(type);
    e_.end_encapsulation(in);
  }
  // Sometimes in two dimensions. An array as an element is an alias in IDL, or it would be another dimension.
  void array(Word element, Word count) {
    Word outer = 1;
    for (Word n = 2; n < 5; ++n)
      if (count % n == 0 && count > n && maybe(2)) outer = n;
    e_.put_ulong(20);
    const auto in = e_.begin_encapsulation();
    if (outer != 1) array(element, count / outer);
    else if (resolve(u_, element).kind == Kind::Array) alias(element);
    else write(element);
    e_.put_ulong(outer == 1 ? count : outer);
    e_.end_encapsulation(in);
  }

  const Unit& u_;
  cdr::Encoder& e_;
  Random& random_;
  std::map<Word, std::size_t> known_;
  std::map<Word, bool> open_;
};

// The first thing that differs between two plans, or nothing.
inline std::string difference(const Plan& a, const Plan& b) {
  const Program &p = *a.program, &q = *b.program;
  if (bytes_of_tables(p) != bytes_of_tables(q)) return "sizes";
  if (std::memcmp(p.tables, q.tables, bytes_of_tables(p)) != 0) return "tables";
  const auto flat = [](const Plan& plan) { return plan.flat ? plan.flat - plan.program->tables : 0; };
  if (flat(a) != flat(b) || a.flat_encode != b.flat_encode || a.flat_decode != b.flat_decode) return "short ways";
  if (a.block != b.block || a.size != b.size || a.log2_alignment != b.log2_alignment ||
      a.minimum_wire != b.minimum_wire || a.owns != b.owns || a.way() != b.way())
    return "heads";
  for (Word k = 0; k < instructions(p); ++k) {
    const Instruction& i = first_instruction(p)[k];
    const bool linked = i.op == Op::Reference || i.op == Op::Slot;
    if (linked && p.link(i.a) != q.link(i.a)) return "links";
  }
  return "";
}

}  // namespace callis::marshal::testing
