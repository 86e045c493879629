// SPDX-License-Identifier: Apache-2.0
// Iterators: the BindingIterators that clients have (Naming Service 1.3, 2.3.3), each a snapshot of a context as it
// was when list() was called (binding_table.h), in a table that bounds them (services/common/iterator_table.h). Any
// thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/iterator_table.h>
#include <services/naming/model.h>
#include <functional>
#include "CosNaming.h"

namespace callis::naming {

class Iterators {
 public:
  static constexpr std::size_t kMost = services::IteratorTable::kMost;
  static constexpr std::size_t kMostBindings = 2'000'000;  // over all of them; one alone may have more
  static constexpr std::chrono::minutes kIdle = services::IteratorTable::kIdle;
  using Time = services::IteratorTable::Time;

  // A child adapter of parent serves them. memory: what they take counts there; nullptr: nowhere.
  explicit Iterators(PortableServer::POA_ptr parent, services::MemoryBound* memory = nullptr);
  ~Iterators();

  // Of the bindings that the cursor has still to tell. The caller owns the reference. NO_RESOURCES where the client
  // has used up its share of memory, also when its other iterators are gone.
  CosNaming::BindingIterator_ptr make(BindingTable::Cursor&& bindings);
  // Lets those go that nobody has used since now - kIdle.
  void reap(Time now) { table_.reap(now); }
  // Both are the table's.
  Time first_due() const { return table_.first_due(); }
  void when_first(std::function<void()> tell) { table_.when_first(std::move(tell)); }
  std::size_t size() const { return table_.size(); }

  // The next `most` of the bindings, fewer when they are long.
  static void fill(BindingTable::Cursor& from, std::size_t most, CosNaming::BindingList& to);

 private:
  class Servant;

  services::MemoryBound* const memory_;
  services::IteratorTable table_{{.elements = kMostBindings}};
  PortableServer::POA_var poa_;
};

}  // namespace callis::naming
