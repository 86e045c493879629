// SPDX-License-Identifier: Apache-2.0
// ValueReader: the grammar of values on the wire (CORBA 3.3 part 2, 9.3.4.7), for reading (decode.cpp) and for
// passing over (skip.cpp).
#pragma once
#include <callis/value/internal/scope.h>
#include <callis/value/wire.h>

namespace callis::value {

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
  static constexpr std::size_t kMaxIdLength = FixedLimits::max_value_id_bytes;  // each is looked for, however many values it is the type of

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
  // Passes over what is left of the value, to its end tag.
  void finish_chunked();
  void skip_nested(std::uint32_t tag);

  CORBA::ValueBase* shared();
  CORBA::ValueBase* fresh(std::uint32_t tag, const ValueLink* formal);
  CORBA::ValueBase* make(const std::string& id, const ValueLink* formal);
  void state(CORBA::ValueBase& v, const ValueLink& link);
  void levels(CORBA::ValueBase& v, const ValueLink& link);
  void skip_levels(const ValueLink& link);

  // Who goes back behind a fault, to read the same bytes otherwise, finds the scope as it was.
  class Undo {
   public:
    explicit Undo(ValueReader& r) : r_(r), known_(r.s_.values.size()), depth_(r.s_.depth), level_(r.s_.chunk_level),
                                    ended_(r.s_.ended_level) {}
    ~Undo();
    Undo(const Undo&) = delete;
    Undo& operator=(const Undo&) = delete;

   private:
    ValueReader& r_;
    const std::size_t known_;
    const std::uint32_t depth_, level_, ended_;
  };

  cdr::Decoder& d_;
  Reader& s_;
  Ids own_ids_;  // of a value that has at most one
};

}  // namespace callis::value
