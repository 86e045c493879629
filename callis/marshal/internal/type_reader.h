// SPDX-License-Identifier: Apache-2.0
// Reads one TypeCode into a TypeDescription. All data come from the peer. Throws std::bad_alloc if memory is
// exhausted, or the work that the peer's message may cost. type_description.cpp has the simple kinds, and
// type_entries.cpp the kinds with parts. type_sharing.cpp finds types that have been read before.
#pragma once
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/type_description.h>
#include <callis/marshal/work.h>
#include <algorithm>
#include <string_view>

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
  TypeReader(TypeDescription& to, const Byte* first, LinkOf link_of, void* context, Work& work)
      : t_(to),
        work_(work),
        first_(first),
        link_of_(link_of),
        context_(context),
        known_(&work),
        links_(&work),
        facts_(&work),
        open_(&work),
        entries_(&work),
        by_words_(&work),
        cycles_(&work),
        in_cycle_(&work) {}
  bool read(cdr::Decoder& d) {
    return type(d, t_.type_);
  }

 private:
  // A struct, union or sequence that is being read.
  struct Frame {
    Word place;         // of its entry
    std::size_t depth;  // in open_
    std::size_t lowest; // of what is around it
  };
  static constexpr std::size_t kClosed = SIZE_MAX;

  bool type(cdr::Decoder& d, Word& out);
  bool parameters(cdr::Decoder& d, std::uint32_t tc, Word at, Word& out);
  bool indirection(cdr::Decoder& d, Word& out);
  bool linked(cdr::Decoder& d, Kind kind, Word& out);
  bool enumeration(cdr::Decoder& d, Word& out);
  bool structure(cdr::Decoder& d, Word at, bool exception, Word& out);
  bool one_of(cdr::Decoder& d, Word at, Word& out);
  bool label(cdr::Decoder& d, const Resolved& discriminator, std::uint64_t& out);
  // The members of a union with their labels, as they are sent: all lines of one member follow each other.
  struct UnionLines {
    explicit UnionLines(Work* work) : lines(work), members(work) {}
    struct Line {
      std::uint64_t label;
      Word member;
    };
    Array<Line> lines;  // but that of the default member
    Array<Word> members;
    Word otherwise = kNoDefault;
  };
  bool lines_of_union(cdr::Decoder& d, std::uint32_t n, std::uint32_t otherwise, const Resolved& discriminator,
                      UnionLines& to);
  bool value(cdr::Decoder& d, Word at, bool boxed, Word& out);
  bool state(cdr::Decoder& d);
  bool fixed(cdr::Decoder& d, Word& out);
  bool sequence(cdr::Decoder& d, Word at, Word& out);
  bool array(cdr::Decoder& d, Word& out);
  bool string(cdr::Decoder& d, Kind kind, Word& out);
  bool element(cdr::Decoder& d, Word& out) {
    return type(d, out) && (is_value(out) || fail(d, Fault::BadValue));
  }
  // Reads an element that lies in the value itself, so its type must have been read whole.
  bool member(cdr::Decoder& d, Word& out) {
    return element(d, out) && (kind_of(resolved(out)) != Kind::Op || fail(d, Fault::BadValue));
  }

  Word resolved(Word w) const { return kind_of(w) == Kind::Ref ? t_.words_[payload_of(w)] : w; }
  // Void and exceptions stand for themselves only.
  bool is_value(Word w) const {
    const Kind k = kind_of(resolved(w));
    return k != Kind::Void && k != Kind::Exception;
  }
  // Its parts have been bounded before. Sizes beyond a std::size_t of 32 bits stay at kLargestSize.
  bool within_limits(cdr::Decoder& d, Word type) {
    const TypeFacts f = facts_of(t_.unit(), type, &facts_);
    return (f.weight <= kMaxTypeWeight && f.layout.size <= kMaxNativeTypeBytes) || fail(d, Fault::LimitExceeded);
  }
  Word link(Kind kind, std::string_view id);
  void set_known(Word at, Word type);
  // n more words, zeros; where they begin.
  Word add_words(std::size_t n);
  Word* words(Word place) { return t_.words_.data() + place; }

  // ---- type_sharing.cpp
  // An entry that lies at the end of the words and leads to no type that is being read. Or the same from before.
  Word entry(std::initializer_list<Word> words);
  // A struct, union or sequence begins, with so many words; types within it may lead back to it.
  Frame begin(Word head, std::size_t words, Word at);
  // Called when the entry has been read. Its first `length` words identify it among entries of that repository id.
  // Returns the type word of the entry that stands for the type from now on.
  Word finish(const Frame& frame, std::string_view id, Word length);
  Word shared(Word place, Word length, std::string_view id);
  Word same_cycle(Word place, std::string_view id);
  bool same(Word a, Word b, WordMap& by_pair, Array<std::pair<Word, Word>>& supposed);
  std::size_t where_open(Word place) const;
  void lead_back(Word place);

  static bool fail(cdr::Decoder& d, Fault f) {
    d.set_fault(f);
    return false;
  }

  TypeDescription& t_;
  Work& work_;
  const Byte* const first_;
  const LinkOf link_of_;
  void* const context_;
  WordMap known_;  // by the offset of the TCKind; what may be recursive already while it is read
  WordMap links_;  // by a part of the address
  FactsMemo facts_;
  Array<Word> open_;            // the places of those that are being read, each in the one before
  std::size_t lowest_ = kClosed;  // the outermost of these that what has been read in the innermost leads back to
  struct Entry {
    Word place, length;
    std::string_view id;  // in the message
  };
  Array<Entry> entries_;
  WordMap by_words_;  // entries, by what they say
  WordMap cycles_;    // entries that the types of a cycle begin with, by repository id and first word
  WordMap in_cycle_;  // places of entries that lead back to themselves or to what is around them; to where
};

}  // namespace callis::marshal
