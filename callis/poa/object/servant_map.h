// SPDX-License-Identifier: Apache-2.0
// ServantMap: a number for each servant of an adapter. A table of servants and numbers side by side, searched from
// the place that the servant's address gives; a std::unordered_map is three times as much code.
//
// Not safe for several threads at once. Only insert() allocates; if insert() throws std::bad_alloc, the map is as
// before.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace PortableServer::inline callis_orb {
class ServantBase;
}

namespace callis::poa {

class ServantMap final {
 public:
  using Servant = PortableServer::ServantBase*;

  // The servant's number; nullptr if it has none. The pointer is valid until the next insert() or erase().
  std::uint32_t* find(Servant servant) const noexcept;
  bool contains(Servant servant) const noexcept { return find(servant) != nullptr; }
  // The servant's number. A servant without a number gets this one.
  std::uint32_t& insert(Servant servant, std::uint32_t number);
  // Does nothing when the servant has none.
  void erase(Servant servant) noexcept;

 private:
  struct Entry {
    Servant servant = nullptr;  // nullptr: free
    std::uint32_t number = 0;
  };

  std::size_t home(Servant servant) const noexcept;
  std::size_t place(Servant servant) const noexcept;

  std::unique_ptr<Entry[]> entries_;
  std::size_t count_ = 0;  // of entries_: 0 or a power of two
  std::size_t size_ = 0;   // of them in use; at most three quarters
};

}  // namespace callis::poa
