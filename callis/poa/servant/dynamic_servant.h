// SPDX-License-Identifier: Apache-2.0
// DynamicServant: what a servant without a skeleton derives from, beside ServantBase, so that others can tell.
#pragma once

namespace callis::poa {

class DynamicServant {
 protected:
  DynamicServant() = default;
  ~DynamicServant() = default;
  virtual void callis_dynamic() noexcept {}  // for dynamic_cast
};

}  // namespace callis::poa
