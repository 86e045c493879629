// SPDX-License-Identifier: Apache-2.0
// DynamicServant: the second base of a servant without a skeleton, beside ServantBase. It marks such servants.
#pragma once

namespace callis::poa {

class DynamicServant {
 protected:
  DynamicServant() = default;
  ~DynamicServant() = default;
  virtual void callis_dynamic() noexcept {}  // for dynamic_cast
};

}  // namespace callis::poa
