// SPDX-License-Identifier: Apache-2.0
// Settings: the attributes of a trader that Admin changes (Trading Object Service 1.0: ImportAttributes,
// SupportAttributes, LinkAttributes). They are kept in the store. Any thread.
#pragma once
#include <services/trading/keeper.h>
#include <mutex>
#include "CallisTrading.h"

namespace callis::trading {

class Settings final {
 public:
  using Values = CallisTrading::StoredSettings;
  // Reads the store; what is not there is as `defaults` has it. Throws services::StoreFailed.
  Settings(Keeper& keeper, const Values& defaults);

  Values get() const;
  // Calls f(values), which changes them, and keeps that. Throws what Keeper::keep() throws.
  template<class F>
  void change(const F& f) {
    const std::lock_guard changing(changing_);
    Values changed = get();
    f(changed);
    keep(changed);
  }

  // 5 hops, links followed where there is no offer here; the stem is the identity of the store.
  static Values defaults();

 private:
  void keep(const Values& values);

  Keeper& keeper_;
  std::mutex changing_;
  mutable std::mutex mutex_;  // guards what follows
  Values values_;
};

}  // namespace callis::trading
