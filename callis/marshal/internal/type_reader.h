// SPDX-License-Identifier: Apache-2.0
// Reads one TypeCode into a TypeDescription. Everything read comes from the peer; std::bad_alloc leaves it.
// type_description.cpp has the simple kinds, type_entries.cpp those with parts.
#pragma once
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/type_description.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace callis::marshal {

namespace tc {
// TCKind (CORBA 3.3 part 1, 8.11.1).
enum Tc : std::uint32_t {
  Null, Void, Short, Long, UShort, ULong, Float, Double, Boolean, Char, Octet, Any, TypeCode, Principal, ObjRef,
  Struct, Union, Enum, String, Sequence, Array, Alias, Except, LongLong, ULongLong, LongDouble, WChar, WString, Fixed,
  Value, ValueBox, Native, AbstractInterface, LocalInterface, Component, Home, Event,
  Last = Event,
  Indirection = 0xffffffff,
};
}  // namespace tc

class TypeReader {
 public:
  TypeReader(TypeDescription& to, const Byte* first, LinkOf link_of, void* context)
      : t_(to), first_(first), link_of_(link_of), context_(context) {}
  bool read(cdr::Decoder& d) {
    return type(d, t_.type_);
  }

 private:
  // What an entry adds up to, nested entries included but for what lies in sequences.
  struct Sum {
    std::size_t weight, bytes;
  };

  bool type(cdr::Decoder& d, Word& out);
  bool parameters(cdr::Decoder& d, std::uint32_t tc, std::size_t at, Word& out);
  bool indirection(cdr::Decoder& d, Word& out);
  bool linked(cdr::Decoder& d, Kind kind, Word& out);
  bool enumeration(cdr::Decoder& d, Word& out);
  bool structure(cdr::Decoder& d, std::size_t at, bool exception, Word& out);
  bool one_of(cdr::Decoder& d, std::size_t at, Word& out);
  bool label(cdr::Decoder& d, const Resolved& discriminator, std::uint64_t& out);
  // The members of a union with their labels, as they are sent: all lines of one member follow each other.
  struct UnionLines {
    struct Line {
      std::uint64_t label;
      Word member;
    };
    std::vector<Line> lines;  // but that of the default member
    std::vector<Word> members;
    Word otherwise = kNoDefault;
  };
  bool lines_of_union(cdr::Decoder& d, std::uint32_t n, std::uint32_t otherwise, const Resolved& discriminator, UnionLines& to,
                      Sum& s);
  bool value(cdr::Decoder& d, std::size_t at, bool boxed, Word& out);
  bool state(cdr::Decoder& d);
  bool fixed(cdr::Decoder& d, Word& out);
  void deduplicate(const std::string& id, Word& ref);
  bool sequence(cdr::Decoder& d, std::size_t at, Word& out);
  bool array(cdr::Decoder& d, Word& out);
  bool string(cdr::Decoder& d, Kind kind, Word& out);
  bool element(cdr::Decoder& d, Word& out) {
    return type(d, out) && (is_value(out) || fail(d, Fault::BadValue));
  }

  Word resolved(Word w) const { return kind_of(w) == Kind::Ref ? t_.words_[payload_of(w)] : w; }
  // Void and exceptions stand for themselves only.
  bool is_value(Word w) const {
    const Kind k = kind_of(resolved(w));
    return k != Kind::Void && k != Kind::Exception;
  }
  Word entry(std::initializer_list<Word> words);
  bool sum(cdr::Decoder& d, Word type, std::size_t times, Sum& s) const;
  Word link(Kind kind, std::string_view id);
  using Pairs = std::set<std::pair<Word, Word>>;
  bool same(Word a, Word b, Pairs& supposed) const;
  static bool fail(cdr::Decoder& d, Fault f) {
    d.set_fault(f);
    return false;
  }

  TypeDescription& t_;
  const Byte* const first_;
  const LinkOf link_of_;
  void* const context_;
  std::map<std::size_t, Word> known_;         // by the offset of the TCKind; what may be recursive already while it is read
  std::map<std::vector<Word>, Word> shared_;  // sequences, arrays, strings: the entry's words
  std::multimap<std::string, Word> structs_;  // and unions that are complete, by repository id
  std::map<Word, Sum> sums_;                  // of structs, unions and arrays that are complete
  std::size_t total_ = 0;  // weights of all entries: what building the plan may cost
};

}  // namespace callis::marshal
