// SPDX-License-Identifier: Apache-2.0
// The deep copy that this thread is making.
#pragma once
#include <callis/value/value_base.h>
#include <exception>
#include <unordered_map>
#include <vector>

namespace callis::value {

struct Copies {
  // The copy of a value, made when it occurs first; its state follows in finish(). The caller owns the count. Throws.
  CORBA::ValueBase* copy(CORBA::ValueBase& value);
  // Copies the states of all. Throws.
  void finish();

  struct Pair {
    CORBA::ValueBase *from, *to;  // counted by the graph that is copied, and by `made`
  };
  std::unordered_map<const CORBA::ValueBase*, CORBA::ValueBase_var> made;
  std::vector<Pair> waiting;  // all, in the order in which they were made
  std::exception_ptr failure;  // of a value within, where no exception may pass
  // Copies of described values (callis/value/described_graph.h): slots stay null, and what they get stands here.
  struct Place {
    void* slot;
    CORBA::ValueBase* value;
    void (*put)(void* slot, CORBA::ValueBase& copy) = nullptr;  // nullptr: the slot holds a CORBA::ValueBase*
  };
  bool later = false;
  std::vector<Place> places;
};

// nullptr when there is none: values are shared then.
Copies* copies_in_progress() noexcept;

// While it lives. Other copies, by a factory that is called meanwhile, are graphs of their own.
class Copying {
 public:
  explicit Copying(Copies& copies) noexcept;
  ~Copying();
  Copying(const Copying&) = delete;
  Copying& operator=(const Copying&) = delete;

 private:
  Copies* const before_;
};

}  // namespace callis::value
