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
  // Adds what those that have been added lead to. Throws std::bad_alloc.
  void complete();
};

void follow(void* graph, void* slot, const marshal::SlotHandlers& handlers, const void* link) {
  if (handlers.each_slot_within) handlers.each_slot_within(slot, &follow, graph);
  if (handlers.value_in)
    static_cast<Graph*>(graph)->add(static_cast<CORBA::ValueBase*>(handlers.value_in(slot, link)));
}

void Graph::complete() {
  for (std::size_t i = 0; i < values.size() && !failed; ++i) each_slot(*values[i].in(), &follow, this);
  if (failed) throw std::bad_alloc();
}

}  // namespace

void empty(CORBA::ValueBase& v) noexcept try {
  each_slot(v, &let_go, nullptr);
} catch (...) {  // no memory for the plan of a state that nobody has read or written
}

void Reader::empty_all() noexcept {
  for (const Known& k : values)
    if (k.value.in()) value::empty(*k.value.in());
  has_abandoned = false;
}

// Nobody is led there any more.
void Reader::drop_led_to(std::size_t from) noexcept {
  for (std::size_t i = from; i < led_to.size(); ++i) values[led_to[i]].is_led_to = false;
  if (from < led_to.size()) led_to.resize(from);
}

void Reader::forget(marshal::ScopeMark since) noexcept {
  drop_led_to(since.led_to);
  described_values.resize(std::min<std::size_t>(since.described, described_values.size()));
  for (std::size_t i = since.values; i < values.size(); ++i)
    if (values[i].value.in()) value::empty(*values[i].value.in());
  // They may end now, and what ends may read and write messages of its own, but not this one.
  const auto first = static_cast<std::ptrdiff_t>(since.values);
  if (since.values < values.size()) values.erase(values.begin() + first, values.end());
}

void Reader::abandon(marshal::ScopeMark since) noexcept {
  drop_led_to(since.led_to);
  described_values.resize(std::min<std::size_t>(since.described, described_values.size()));
  for (std::size_t i = since.values; i < values.size(); ++i) values[i].abandoned = has_abandoned = true;
}

void Reader::lead_to(std::size_t at) {
  if (values[at].is_led_to) return;
  led_to.push_back(static_cast<std::uint32_t>(at));
  values[at].is_led_to = true;
}

// But for those that are led to, and what these lead to.
void Reader::empty_abandoned() noexcept try {
  Graph stays;
  for (const std::uint32_t at : led_to) stays.add(values[at].value.in());
  stays.complete();
  for (const Known& k : values)
    if (k.abandoned && k.value.in() && !stays.known.contains(k.value.in())) value::empty(*k.value.in());
} catch (...) {  // no memory: they stay
}

void take_apart(CORBA::ValueBase* value) {
  Graph graph;
  graph.add(value);
  graph.complete();
  for (const CORBA::ValueBase_var& v : graph.values) empty(*v.in());
}

}  // namespace callis::value
