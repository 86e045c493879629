// SPDX-License-Identifier: Apache-2.0
// A value whose state is being written, read or passed over, and the levels of its type: the state of each base lies
// in front of that of what derives from it.
#pragma once
#include <callis/marshal/stops.h>
#include <callis/value/value_base.h>
#include <vector>

namespace callis::value {

// One that is a member of another's state is walked by the loop that walks this, with the other in a list: lists of
// values of any length take no more of the stack.
struct OpenValue {
  CORBA::ValueBase* value =
      nullptr;  // counted by the scope of a reader, by the caller of a writer; nullptr: it is passed over
  const ValueLink* level = nullptr;   // whose state is being walked
  std::size_t levels = 0;             // that follow
  const marshal::Plan* plan = nullptr;
  void* state = nullptr;
  marshal::Stop stop;
  bool chunked = false;
  bool begun = false;  // the level's state
  bool described = false;  // a DescribedValue, whose state was charged when it was made
  bool truncated = false;  // to a base of its type
};

// The levels that open values have still to be walked.
class Levels {
 public:
  // Those of a value's type. Throws std::bad_alloc.
  void open(OpenValue& open, const ValueLink& link) {
    const ValueLink* l = &link;
    for (; l->base; l = l->base) {
      if (l->state == 0) continue;
      follow_.push_back(l);
      ++open.levels;
    }
    open.level = l;
  }
  // Goes on to the next level of the value that was opened last and is not at its end. False: it is.
  bool next(OpenValue& open) {
    if (open.levels == 0) return false;
    --open.levels;
    open.level = follow_.back();
    follow_.pop_back();
    open.begun = false;
    return true;
  }

 private:
  std::vector<const ValueLink*> follow_;
};

}  // namespace callis::value
