// SPDX-License-Identifier: Apache-2.0
// A Store that lives as long as its process. It keeps nothing beyond.
#pragma once
#include <services/common/history.h>
#include <map>

namespace callis::services {

class MemoryStore final : public Store {
 public:
  Revision read(std::string_view prefix, const std::function<void(Pair&&)>& take) override;
  Outcome commit(const Transaction& transaction) override;
  Revision latest() override;
  void watch(Revision from, Watcher& watcher) override { history_.watch(from, watcher); }
  bool shared() const override { return false; }
  bool in_memory() const override { return true; }
  void announce(const std::string& text) override;
  std::vector<std::string> instances() override;

 private:
  struct Entry {
    std::string value;
    Revision changed;
  };
  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> all_;
  Revision revision_ = 0;
  std::vector<std::string> instances_;
  History history_{0};
};

}  // namespace callis::services
