// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/object/servant_map.h>

namespace callis::poa {

std::size_t ServantMap::home(Servant servant) const noexcept {
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(servant) * std::uint64_t{0x9e3779b97f4a7c15};
  return static_cast<std::size_t>(mixed >> 32) & (count_ - 1);
}

// The servant's entry, or the free entry for it. There is a free entry.
std::size_t ServantMap::place(Servant servant) const noexcept {
  std::size_t i = home(servant);
  while (entries_[i].servant && entries_[i].servant != servant) i = (i + 1) & (count_ - 1);
  return i;
}

std::uint32_t* ServantMap::find(Servant servant) const noexcept {
  if (count_ == 0) return nullptr;
  Entry& e = entries_[place(servant)];
  return e.servant ? &e.number : nullptr;
}

std::uint32_t& ServantMap::insert(Servant servant, std::uint32_t number) {
  if (size_ >= count_ - count_ / 4) {
    const std::size_t before = count_, count = before == 0 ? 8 : before * 2;
    std::unique_ptr<Entry[]> entries(new Entry[count]);
    entries.swap(entries_);
    count_ = count;
    for (std::size_t i = 0; i != before; ++i)
      if (entries[i].servant) entries_[place(entries[i].servant)] = entries[i];
  }
  Entry& e = entries_[place(servant)];
  if (!e.servant) {
    e = {servant, number};
    ++size_;
  }
  return e.number;
}

// Entries that searches find past the gap move into it, so that no search ends there.
void ServantMap::erase(Servant servant) noexcept {
  if (!contains(servant)) return;
  const std::size_t mask = count_ - 1;
  std::size_t gap = place(servant);
  for (std::size_t i = (gap + 1) & mask; entries_[i].servant; i = (i + 1) & mask) {
    const std::size_t searched = (i - home(entries_[i].servant)) & mask;
    if (searched < ((i - gap) & mask)) continue;  // its search begins behind the gap
    entries_[gap] = entries_[i];
    gap = i;
  }
  entries_[gap].servant = nullptr;
  --size_;
}

}  // namespace callis::poa
