// SPDX-License-Identifier: Apache-2.0
// The coders that must agree, behind one interface: bytes in; fault, value and bytes out.
#pragma once
#include "message.h"
#include <callis/marshal/plan.h>
#include <callis/poa/servant/skeleton.h>
#include <functional>
#include <vector>

namespace differential {

// What a coder made of a message.
struct Outcome {
  callis::Fault fault = callis::Fault::None;
  // The rest only without a fault.
  bool same = false;          // the value is the one expected
  std::size_t remaining = 0;  // bytes behind the value
  callis::cdr::Budget budget{};
  Bytes reply;                // the value, encoded again at Message::reply_phase
};

// Compares a decoded value with the one expected.
using Compare = std::function<bool(const void* value)>;

// An operation of the corpus, in both styles.
class Operation {
 public:
  explicit Operation(std::size_t index);
  static std::size_t count();
  // The entries of all operations of the file, in its order: those of Values and of Keepers.
  static std::vector<callis::marshal::Word> all_of_file();

  std::string name() const { return {interpreted_.name(), interpreted_.name_length()}; }
  const callis::marshal::Unit& unit() const { return interpreted_.unit; }
  callis::marshal::Word type() const { return interpreted_.result(); }
  callis::marshal::Word index() const {
    return static_cast<callis::marshal::Word>(interpreted_.entry - interpreted_.unit.words);
  }

  // The skeletons. An `in` argument may stay in the message; a keeper's is `inout` and does not.
  Outcome by_compiled(const Message&, const Compare&, bool keeper) const;
  Outcome by_frame(const Message&, const Compare&, bool keeper) const;

 private:
  callis::marshal::OperationView interpreted_;
};

Outcome by_plan(const callis::marshal::Plan& plan, const Message&, const Compare&);
// validate(), or skip(): no value, no reply.
Outcome by_validate(const callis::marshal::Plan& plan, const Message&);
Outcome by_skip(const callis::marshal::Plan& plan, const Message&);
// Without a Compare: gives the value itself, to be destroyed by a plan.
Outcome by_reference(const callis::marshal::Unit& unit, callis::marshal::Word type, const Message&, Byte* value);

}  // namespace differential
