// SPDX-License-Identifier: Apache-2.0
// A place of a store: the parameter of the suite that all back ends pass.
#pragma once
#include <services/common/testing/folder.h>
#include <services/common/testing/reading.h>
#include <memory>

namespace callis::services::testing {

// One store, in memory, a file, or an etcd of the test's own.
class Place {
 public:
  virtual ~Place() = default;
  virtual std::string where() const = 0;  // of open_store()
  virtual bool keeps() const = 0;         // what was committed is there when the store is opened again
  virtual bool shared() const = 0;
};

// Makes the place "memory", "sqlite" or "etcd". Returns nullptr if its program or library is missing: the test is
// skipped.
std::unique_ptr<Place> make_place(const std::string& name);

inline StoreKind test_kind() { return {"test", 1, {}}; }

}  // namespace callis::services::testing
