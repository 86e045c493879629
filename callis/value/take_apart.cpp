// SPDX-License-Identifier: Apache-2.0
// Values that hold each other in circles: emptying those that a refused message leaves behind, and those that an
// application is done with.
#include <callis/marshal/values.h>
#include <callis/value/internal/scope.h>
#include <callis/value/link.h>
#include <unordered_set>
#include <utility>

namespace callis::value {
namespace {

// Calls the visitor for every slot in the state of a value, in that of a custom one too.
void each_slot(CORBA::ValueBase& v, marshal::SlotVisitor visitor, void* context) {
  for (const ValueLink* l = v._callis_link(); l; l = l->base) {
    if (l->state == 0) continue;
    void* const state = v._callis_state(*l);
    const marshal::Plan* const plan = plan_of(*l);
    if (state && plan) marshal::each_slot(*plan, state, visitor, context);
  }
}

void let_go(void*, void* slot, const marshal::SlotHandlers& handlers, const void* link) {
  if (&handlers != marshal::slot_handlers(marshal::Kind::TypeCode)) handlers.destroy(slot, link);
}

// What a value leads to. Found in a loop, since a graph may be of any depth.
struct Graph {
  std::vector<CORBA::ValueBase_var> values;
  std::unordered_set<const CORBA::ValueBase*> known;
  bool failed = false;

  void add(CORBA::ValueBase* v) noexcept try {
    if (v && known.insert(v).second) values.push_back(CORBA::callis_duplicate(v));
  } catch (...) {
    failed = true;
  }
};

void follow(void* graph, void* slot, const marshal::SlotHandlers& handlers, const void* link) {
  if (handlers.each_slot_within) handlers.each_slot_within(slot, &follow, graph);
  if (handlers.value_in) static_cast<Graph*>(graph)->add(static_cast<CORBA::ValueBase*>(handlers.value_in(slot, link)));
}

}  // namespace

void empty(CORBA::ValueBase& v) noexcept try {
  each_slot(v, &let_go, nullptr);
} catch (...) {  // no memory for the plan of a state that nobody has read or written
}

void Reader::empty(std::size_t first, std::size_t end) noexcept {
  for (; first < end && first < values.size(); ++first)
    if (values[first].value.in()) value::empty(*values[first].value.in());
}

void Reader::forget(std::size_t first) noexcept {
  if (first >= values.size()) return;
  empty(first, values.size());
  // They may end now, and what ends may read and write messages of its own, but not this one.
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
  std::erase_if(abandoned, [first](const Range& r) { return r.first >= first; });
}

void Reader::abandon(std::size_t first) noexcept try {
  if (first < values.size()) abandoned.push_back({first, values.size()});
} catch (...) {
  empty(first, values.size());
}

void Reader::adopt(std::size_t at) noexcept {
  std::erase_if(abandoned, [at](const Range& r) { return r.first <= at && at < r.end; });
}

void take_apart(CORBA::ValueBase* value) {
  Graph graph;
  graph.add(value);
  for (std::size_t i = 0; i < graph.values.size() && !graph.failed; ++i) each_slot(*graph.values[i].in(), &follow, &graph);
  if (graph.failed) throw std::bad_alloc();
  for (const CORBA::ValueBase_var& v : graph.values) empty(*v.in());
}

}  // namespace callis::value
