// SPDX-License-Identifier: Apache-2.0
// ValueReader: the grammar of values on the wire (CORBA 3.3 part 2, 9.3.4.7), for reading (decode.cpp) and for
// passing over (skip.cpp).
#pragma once
#include <callis/value/internal/open_value.h>
#include <callis/value/internal/scope.h>
#include <callis/value/wire.h>

namespace callis::value {

// Around a value that is read or passed over. One that is not a member of the state around it, but in a sequence, a
// union, an any or the like of it, nests on the stack: it takes a level of the decoder's. A fault of the decoder when
// there is none.
class Nesting {
 public:
  Nesting(cdr::Decoder& d, Reader& scope) : d_(d), s_(scope), took_(s_.nested != 0 && d.enter()) { ++s_.nested; }
  ~Nesting() {
    --s_.nested;
    if (took_) d_.leave();
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  cdr::Decoder& d_;
  Reader& s_;
  const bool took_;
};

class ValueReader {
 public:
  ValueReader(cdr::Decoder& d, Reader& scope) : d_(d), s_(scope) { s_.begin(d); }

  // The caller owns the count.
  CORBA::ValueBase* value(const ValueLink* formal);
  // Keeps nothing but positions.
  void skip(const ValueLink* formal);

 private:
  static constexpr std::size_t kValueBytes = 48;    // charged for a value and what remembers it, beside its state
  static constexpr std::size_t kMaxIds = FixedLimits::max_value_ids;
  static constexpr std::size_t kMaxIdLength =
      FixedLimits::max_value_id_bytes;  // each is looked for, however many values it is the type of

  // ---- grammar.cpp: faults are the decoder's; results are zeros then ----
  // What a value begins with; from within a chunk when data comes in chunks and the tag is null or an indirection.
  std::uint32_t tag();
  // The position that the offset which follows leads to.
  std::size_t indirection();
  // Codebase and type information behind a tag: the ids, the most derived first. nullptr after a fault.
  const Ids* header(std::uint32_t tag, const ValueLink* formal);
  const std::string* text();
  const std::string* repository_id();
  const Ids* id_list();
  void begin_chunked();
  // Passes over what is left of the value, to its end tag, and over the values in it.
  void finish_chunked();
  bool begin_nested(std::uint32_t tag);
  // Whether nothing of the chunked value is left before its end tag.
  bool ends_here() const;

  using Open = OpenValue;

  void graph(Open& open);
  // Reads what a value begins with, and its state where it is custom: `open` is what is left to be read. False:
  // nothing is, and the value is in `to`, or there is a fault.
  bool begin(const ValueLink* formal, Open& open, CORBA::ValueBase_var& to);
  void shared(CORBA::ValueBase_var& to);
  bool fresh(std::uint32_t tag, const ValueLink* formal, Open& open, CORBA::ValueBase_var& to);
  bool begin_skipped(const ValueLink* formal, Open& open);
  CORBA::ValueBase* make(const std::string& id, const ValueLink* formal);
  // The link by which a value of that type is made of the any's TypeCode; nullptr: by a factory, if at all.
  const ValueLink* described(const std::string& id, const ValueLink* formal) const;
  // The place of the first such type; 0: there is none.
  std::size_t first_described(const Ids& ids, const ValueLink* formal) const;
  void custom(CORBA::ValueBase& v);
  // The levels of a type: what is left to be read of an open value.
  void open_levels(Open& open, const ValueLink& link);
  // Goes on to the next value that is a member. False: there is none, or a fault.
  bool next_member(Open& open);
  bool begin_level(Open& open);
  void put(const Open& open, CORBA::ValueBase_var& member);
  void end(const Open& open);
  // Whether the value may stand where the type is the formal one.
  void check(CORBA::ValueBase* v, const ValueLink* formal);

  // Who goes back behind a fault, to read the same bytes otherwise, finds the scope as it was.
  class Undo {
   public:
    explicit Undo(ValueReader& r) : r_(r), mark_(r.s_.mark()), depth_(r.s_.depth), level_(r.s_.chunk_level),
                                    ended_(r.s_.ended_level) {}
    ~Undo();
    Undo(const Undo&) = delete;
    Undo& operator=(const Undo&) = delete;

   private:
    ValueReader& r_;
    const marshal::ScopeMark mark_;
    const std::uint32_t depth_, level_, ended_;
  };

  cdr::Decoder& d_;
  Reader& s_;
  Ids own_ids_;  // of a value that has at most one
  Levels levels_;
};

}  // namespace callis::value
