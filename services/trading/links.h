// SPDX-License-Identifier: Apache-2.0
// Links: other traders that queries are passed on to (Trading Object Service 1.0, Link). Kept in the store. Any
// thread.
#pragma once
#include <services/common/memory_bound.h>
#include <services/trading/keeper.h>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "CosTrading.h"

namespace callis::trading {

class Links final {
 public:
  static constexpr std::size_t kMost = 1'000;
  using Info = CosTrading::Link::LinkInfo;

  // Reads the store. Throws services::StoreFailed.
  Links(Keeper& keeper, services::MemoryBound& memory);

  // The following throw the user exceptions of the IDL, and what Keeper::keep() throws.
  void add(const char* name, const Info& info, CosTrading::FollowOption most);
  void remove(const char* name);
  Info describe(const char* name) const;
  void modify(const char* name, CosTrading::FollowOption pass_on, CosTrading::FollowOption limit,
              CosTrading::FollowOption most);
  std::vector<std::pair<std::string, Info>> all() const;
  std::size_t size() const;
  std::optional<Info> find(const std::string& name) const;

 private:
  struct Entry {
    Info info;
    services::MemoryBound::Hold held;
  };
  void keep(const std::string& name, const Info& info);

  Keeper& keeper_;
  services::MemoryBound& memory_;
  std::mutex changing_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, Entry, std::less<>> links_;
};

}  // namespace callis::trading
