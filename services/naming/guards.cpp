// SPDX-License-Identifier: Apache-2.0
#include <services/naming/guards.h>
#include <utility>

namespace callis::naming {

bool Guards::is_free(const std::string& alone, const std::string& shared) const {
  if (!alone.empty() && held_.contains(alone)) return false;
  const auto found = held_.find(shared);
  return found == held_.end() || found->second > 0;
}

Guards::Hold::Hold(Guards& guards, std::string alone, std::string shared)
    : guards_(guards), alone_(std::move(alone)), shared_(std::move(shared)) {
  std::unique_lock lock(guards_.mutex_);
  guards_.changed_.wait(lock, [&] { return guards_.is_free(alone_, shared_); });
  if (!alone_.empty()) guards_.held_[alone_] = -1;
  if (!shared_.empty()) ++guards_.held_[shared_];
}

Guards::Hold::~Hold() {
  const std::lock_guard lock(guards_.mutex_);
  guards_.drop(alone_);
  guards_.drop(shared_);
  guards_.changed_.notify_all();
}

void Guards::drop(const std::string& key) {
  const auto found = held_.find(key);
  if (found == held_.end()) return;
  if (found->second > 1) {
    --found->second;
  } else {
    held_.erase(found);
  }
}

}  // namespace callis::naming
