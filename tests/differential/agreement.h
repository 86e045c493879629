// SPDX-License-Identifier: Apache-2.0
// Whether all coders make the same of a message, and what they disagree about.
#pragma once
#include "coders.h"
#include <map>

namespace differential {

struct Tally {
  std::uint64_t accepted = 0, rejected = 0;
  std::uint64_t other_fault = 0;  // rejections for which a coder names a fault that is found earlier by its ways
  std::map<callis::Fault, std::uint64_t> faults;  // by the reference codec
};

// Faults are compared by this rule. The reference codec names the first rule broken in the order of the bytes. A
// coder that checks the room of several primitives at once, and looks at booleans and enums after they have been
// moved, may name Truncated, or the other of the two, where the message breaks several rules.
bool faults_agree(callis::Fault reference, callis::Fault other);

// A type of the corpus through all coders; operation is nullptr for types that have no compiled coder. Empty when
// they agree.
std::string disagreement(const callis::marshal::Unit& unit, callis::marshal::Word type,
                         const callis::marshal::Plan& plan, const Operation* operation, const Message& message,
                         Tally& tally);

}  // namespace differential
