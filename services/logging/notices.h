// SPDX-License-Identifier: Apache-2.0
// What logs tell of themselves (Telecom Log Service 1.1, 2.4): events of module DsLogNotification.
#pragma once
#include <services/logging/archive.h>
#include "DsLogNotification.h"

namespace callis::logs {

// Where they go. Any thread; never waits for a peer, nor throws.
class Notices {
 public:
  virtual ~Notices() = default;
  virtual void tell(const CORBA::Any& event) noexcept = 0;
};

}  // namespace callis::logs
