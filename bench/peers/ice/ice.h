// SPDX-License-Identifier: Apache-2.0
// What server and client have in common: the communicator's properties.
#pragma once
#include <Ice/Ice.h>
#include "../common/elements.h"
#include "Bench.h"
#include "Demux.h"

inline Ice::InitializationData properties() {
  Ice::InitializationData data;
  data.properties = Ice::createProperties();
  data.properties->setProperty("Ice.MessageSizeMax", "0");  // no limit; the default would be 1 MB
  data.properties->setProperty("Ice.BatchAutoFlushSize", "1024");
  return data;
}

namespace bench {
template <>
inline Bench::BinStruct element<Bench::BinStruct>(std::size_t i) {
  Bench::BinStruct b{};
  fill(b, i);
  b.pad = static_cast<long long>(kPad);
  return b;
}
template <>
inline bool is_element<Bench::BinStruct>(const Bench::BinStruct& b, std::size_t i) {
  return filled(b, i) && b.pad == static_cast<long long>(kPad);
}
}  // namespace bench
