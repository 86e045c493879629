// SPDX-License-Identifier: Apache-2.0
// The properties of a stream's objects, each of which is a PropertySet (Property Service 1.0). Those that the object
// itself has defined are read only and fixed; clients define others beside them, within limits.
#pragma once
#include <services/properties/servant.h>
#include <services/streams/adapter.h>

namespace callis::streams {

inline constexpr properties::Bounds kPropertyBounds{256, 64u << 10, 256, 1u << 20};

// A servant of `Skeleton` with a set of properties of its own.
template<class Skeleton>
class WithProperties : public properties::WithOwnSet<properties::PropertySetOperations, Skeleton> {
 public:
  explicit WithProperties(const Adapter& adapter)
      : properties::WithOwnSet<properties::PropertySetOperations, Skeleton>(adapter.iterators(), kPropertyBounds) {}

 protected:
  properties::Set& own_set() { return *this->set(); }
};

}  // namespace callis::streams
