// SPDX-License-Identifier: Apache-2.0
// The values of Param_Test's variable types, for peers whose generated types are made of std::string and std::vector.
#pragma once
#include "text.h"

namespace bench {

template <class Strings>
Strings strings(unsigned seed) {
  Strings s;
  for (unsigned i = 0; i < kElements; ++i) s.push_back(text(seed + i));
  return s;
}
template <class VarStruct>
VarStruct var_struct(unsigned seed) {
  return {text(seed), text(seed + 1), strings<decltype(VarStruct::seq)>(seed + 2)};
}
template <class StructSeq>
StructSeq struct_sequence(unsigned seed) {
  StructSeq s;
  for (unsigned i = 0; i < kElements; ++i) s.push_back(var_struct<typename StructSeq::value_type>(seed + 10 * i));
  return s;
}

}  // namespace bench
