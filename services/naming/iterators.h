// SPDX-License-Identifier: Apache-2.0
// Iterators: the BindingIterators that clients have (Naming Service 1.3, 2.3.3), each a list of bindings as it was
// when list() was called, in a table that bounds them (services/common/iterator_table.h). Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/iterator_table.h>
#include <services/naming/model.h>
#include <vector>
#include "CosNaming.h"

namespace callis::naming {

class Iterators {
 public:
  static constexpr std::size_t kMost = services::IteratorTable::kMost;
  static constexpr std::size_t kMostBindings = 2'000'000;  // over all of them; one alone may have more
  static constexpr std::chrono::minutes kIdle = services::IteratorTable::kIdle;
  using Time = services::IteratorTable::Time;

  // A child adapter of parent serves them.
  explicit Iterators(PortableServer::POA_ptr parent);
  ~Iterators();

  // Of the bindings from `next` on. The caller owns the reference.
  CosNaming::BindingIterator_ptr make(std::vector<BindingPtr>&& bindings, std::size_t next);
  // Lets those go that nobody has used since now - kIdle.
  void reap(Time now) { table_.reap(now); }
  std::size_t size() const { return table_.size(); }

  // Moves up to `most` of the bindings from `next` on to the list, fewer when they are long.
  static void fill(const std::vector<BindingPtr>& from, std::size_t& next, std::size_t most,
                   CosNaming::BindingList& to);

 private:
  class Servant;

  services::IteratorTable table_{{.elements = kMostBindings}};
  PortableServer::POA_var poa_;
};

}  // namespace callis::naming
