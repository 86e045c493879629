// SPDX-License-Identifier: Apache-2.0
// The deep copy that this thread is making.
#pragma once
#include <callis/value/value_base.h>
#include <exception>
#include <unordered_map>

namespace callis::value {

struct Copies {
  // The copy of a value, made when it occurs first. The caller owns the count. Throws.
  CORBA::ValueBase* copy(CORBA::ValueBase& value);

  std::unordered_map<const CORBA::ValueBase*, CORBA::ValueBase_var> made;
  std::uint32_t depth = 0;
  std::exception_ptr failure;  // of a value within, where no exception may pass
};

// nullptr when there is none: values are shared then.
Copies* copies_in_progress() noexcept;

}  // namespace callis::value
