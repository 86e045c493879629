// SPDX-License-Identifier: Apache-2.0
// Graphs of values that TypeCodes describe (Any's, DynAny's): made, copied and ended without any class of the
// application's. A *described value* has the state that its TypeCode says, level by level; `link` leads to that
// (callis/typecode/described_any.h). Other values are *opaque* here: nobody looks into them, and copies share them.
//
// In memory that is laid out by a described plan a slot of a valuetype holds a CORBA::ValueBase*. One thread at a
// time.
#pragma once
#include <callis/marshal/handlers.h>
#include <callis/marshal/plan.h>
#include <callis/value/value_base.h>
#include <memory>
#include <unordered_map>

namespace callis::value {

class DescribedValues;

// The link of a described value; nullptr: it is opaque, or its graph has ended.
const ValueLink* described_link(CORBA::ValueBase* value) noexcept;

// An object of a library above that stands for the described value, made by `make` when it is asked for first; it
// ends with the value itself, not with its graph. nullptr: the value is none. Throws what `make` throws.
void* described_companion(CORBA::ValueBase& value, void* (*make)(CORBA::ValueBase& value),
                          void (*drop)(void*) noexcept);
// For the copy handler of slots that refer to a value in another form than a CORBA::ValueBase*. While a DescribedCopy
// copies memory the slot, which holds zeros, gets the copy of the value later, by `put`, which takes over a count
// unless it throws std::bad_alloc. False: no DescribedCopy is being made.
bool put_copy_later(void* slot, CORBA::ValueBase& value, void (*put)(void* slot, CORBA::ValueBase& copy));

class DescribedGraph {
 public:
  // Throws std::bad_alloc, as all functions do that make or copy.
  DescribedGraph();
  // All its values end: they have no type and no state from then on, whoever counts them.
  ~DescribedGraph();
  DescribedGraph(const DescribedGraph&) = delete;
  DescribedGraph& operator=(const DescribedGraph&) = delete;

  // A value whose state is zeros. type: what the link belongs to, which is kept. The caller owns a count; nullptr:
  // values of this link cannot be made (custom, abstract, or of an unknown base).
  CORBA::ValueBase* make(const ValueLink& link, std::shared_ptr<void> type);
  bool has(CORBA::ValueBase* value) const noexcept;
  // Visits the slots in the states of all values.
  void each_slot(marshal::SlotVisitor visitor, void* context);
  // For an Any that holds some of the values (typecode::insert_described()): they do not end while it is there.
  // within: the Any itself lies in memory of the graph, and the values end without asking it.
  void* keep(bool within = false);

 private:
  friend class DescribedCopy;
  std::shared_ptr<DescribedValues> values_;
};

// What the any library keeps with described values in an Any (DescribedGraph::keep(), or of a message): whether they
// may end before the Any does, which lies within one of them or beside them.
bool ends_with_others(const void* kept) noexcept;

// What DescribedCopy has the any library do.
struct AnysWithin {
  // The slot is a copy of one with an Any whose values end with those around it. Puts a new Any there instead, whose
  // value is zeros at `to` that are to be replaced by a copy of `from`, and which keeps `kept()`; or the one that has
  // been made for the same Any before, by `made`, with plan == nullptr. Also nullptr: the slot is left alone.
  // Throws std::bad_alloc.
  void (*begin)(void* slot, DescribedGraph& graph, std::unordered_map<const void*, void*>& made,
                const marshal::Plan*& plan, const void*& from, void*& to);
};

// Copies of values in memory, each of which is made once, however often it occurs in all that is copied, in anys too.
class DescribedCopy {
 public:
  DescribedCopy(DescribedGraph& to, const AnysWithin& anys);
  ~DescribedCopy();
  DescribedCopy(const DescribedCopy&) = delete;
  DescribedCopy& operator=(const DescribedCopy&) = delete;
  // Memory of a described plan into memory that holds zeros. False when memory is exhausted: `to` has a valid value
  // of which a part may be missing. Graphs of any depth.
  bool copy(const marshal::Plan& plan, const void* from, void* to) noexcept;

 private:
  struct Made;
  void copy_memory(const marshal::Plan& plan, const void* from, void* to);
  void finish();
  DescribedGraph& graph_;
  const std::unique_ptr<Made> made_;
};

}  // namespace callis::value
