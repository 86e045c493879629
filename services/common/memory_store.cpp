// SPDX-License-Identifier: Apache-2.0
#include <services/common/memory_store.h>
#include <services/common/transaction.h>

namespace callis::services {

Revision MemoryStore::read(std::string_view prefix, const std::function<void(Pair&&)>& take) {
  const std::lock_guard lock(mutex_);
  for (auto it = all_.lower_bound(prefix); it != all_.end() && it->first.starts_with(prefix); ++it)
    take({it->first, it->second.value, it->second.changed});
  return revision_;
}

Outcome MemoryStore::commit(const Transaction& transaction) {
  check(transaction);
  const std::lock_guard lock(mutex_);
  for (const Condition& c : transaction.conditions) {
    const auto found = all_.find(c.key);
    if ((found == all_.end() ? 0 : found->second.changed) != c.changed) return {false, revision_};
  }
  std::vector<Change> changes;
  const Revision now = revision_ + 1;
  for (const auto& [key, value] : transaction.puts) {
    all_.insert_or_assign(key, Entry{value, now});
    changes.push_back({key, value, now});
  }
  for (const std::string& key : transaction.erased)
    if (all_.erase(key)) changes.push_back({key, std::nullopt, now});
  if (!changes.empty()) revision_ = now;
  history_.record(now, std::move(changes));
  return {true, revision_};
}

Revision MemoryStore::latest() {
  const std::lock_guard lock(mutex_);
  return revision_;
}

void MemoryStore::announce(const std::string& text) {
  const std::lock_guard lock(mutex_);
  instances_ = {text};
}

std::vector<std::string> MemoryStore::instances() {
  const std::lock_guard lock(mutex_);
  return instances_;
}

}  // namespace callis::services
