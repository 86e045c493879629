// SPDX-License-Identifier: Apache-2.0
// Iterators: the BindingIterators that clients have (Naming Service 1.3, 2.3.3), each a list of bindings as it was
// when list() was called. Clients leave them behind; so they are bounded, the one that rested longest goes first, and
// who rests for kIdle is gone. A call to one that is gone is OBJECT_NOT_EXIST. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/naming/model.h>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>
#include "CosNaming.h"

namespace callis::naming {

class Iterators {
 public:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostBindings = 2'000'000;  // over all of them; one alone may have more
  static constexpr std::chrono::minutes kIdle{10};
  using Time = std::chrono::steady_clock::time_point;

  // A child adapter of parent serves them.
  explicit Iterators(PortableServer::POA_ptr parent);
  ~Iterators();

  // Of the bindings from `next` on. The caller owns the reference.
  CosNaming::BindingIterator_ptr make(std::vector<BindingPtr>&& bindings, std::size_t next);
  // Lets those go that nobody has used since now - kIdle.
  void reap(Time now);
  std::size_t size() const;

  // Moves up to `most` of the bindings from `next` on to the list, fewer when they are long.
  static void fill(const std::vector<BindingPtr>& from, std::size_t& next, std::size_t most,
                   CosNaming::BindingList& to);

 private:
  class Servant;
  struct Cursor {
    std::mutex mutex;
    std::vector<BindingPtr> bindings;
    std::size_t next = 0;
  };
  struct Entry {
    Number number;
    Time used;
    std::size_t bindings;
    std::shared_ptr<Cursor> cursor;
  };
  using Entries = std::list<Entry>;

  std::shared_ptr<Cursor> find(Number number);
  bool drop(Number number);
  void forget(Entries::iterator entry, std::vector<std::shared_ptr<Cursor>>& gone);

  PortableServer::POA_var poa_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;  // longest rested first
  std::unordered_map<Number, Entries::iterator> by_number_;
  std::size_t bindings_ = 0;
};


}  // namespace callis::naming
