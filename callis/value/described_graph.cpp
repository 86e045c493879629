// SPDX-License-Identifier: Apache-2.0
// Graphs of described values. A copy is made in two steps: the engine copies memory and leaves the slots of values
// null; then each slot gets the copy of its value, whose state is copied the same way. A loop, since a graph may be
// of any depth.
#include <callis/marshal/values.h>
#include <callis/value/described_graph.h>
#include <callis/value/internal/copies.h>
#include <callis/value/internal/described_value.h>
#include <callis/value/internal/scope.h>
#include <cstring>
#include <new>

namespace callis::value {

const ValueLink* described_link(CORBA::ValueBase* value) noexcept {
  const ValueLink* const link = value ? value->_callis_link() : nullptr;
  return link && link->flags & kDescribed ? link : nullptr;
}

void* described_companion(CORBA::ValueBase& value, void* (*make)(CORBA::ValueBase& value),
                          void (*drop)(void*) noexcept) {
  auto* const described = dynamic_cast<DescribedValue*>(&value);
  if (!described) return nullptr;
  if (!described->companion) {
    described->companion = make(value);
    described->drop_companion = drop;
  }
  return described->companion;
}

bool put_copy_later(void* slot, CORBA::ValueBase& value, void (*put)(void* slot, CORBA::ValueBase& copy)) {
  Copies* const copies = copies_in_progress();
  if (!copies || !copies->later) return false;
  copies->places.push_back({slot, &value, put});
  return true;
}

DescribedGraph::DescribedGraph() : values_(std::make_shared<DescribedValues>()) {}
DescribedGraph::~DescribedGraph() { values_->let_go(); }

CORBA::ValueBase* DescribedGraph::make(const ValueLink& link, std::shared_ptr<void> type) {
  if (!DescribedValue::can_be(link)) return nullptr;
  if (DescribedValue::state_bytes(link) == SIZE_MAX) throw std::bad_alloc();
  values_->add_type(std::move(type));
  CORBA::ValueBase_var made(new DescribedValue(link));
  values_->add(made);
  return made._retn();
}

bool DescribedGraph::has(CORBA::ValueBase* value) const noexcept {
  const auto* const described = dynamic_cast<const DescribedValue*>(value);
  return described && described->all() == values_.get();
}

void DescribedGraph::each_slot(marshal::SlotVisitor visitor, void* context) {
  for (const CORBA::ValueBase_var& v : values_->all())
    for (const ValueLink* l = described_link(v.in()); l; l = l->base)
      if (l->state != 0) marshal::each_slot(*plan_of(*l), v.in()->_callis_state(*l), visitor, context);
}

void* DescribedGraph::keep(bool within) {
  void* const kept = value::keep(values_, !within);
  if (!kept) throw std::bad_alloc();
  return kept;
}

// The copy of each value, and of each any that holds some.
struct DescribedCopy::Made {
  Copies copies;
  const AnysWithin& anys;
  std::unordered_map<const CORBA::ValueBase*, CORBA::ValueBase*> of;  // counted by the graph
  std::unordered_map<const void*, void*> any_of;
  std::vector<void*> any_slots;  // to be looked at
};

DescribedCopy::DescribedCopy(DescribedGraph& to, const AnysWithin& anys)
    : graph_(to), made_(new Made{{}, anys, {}, {}, {}}) {
  made_->copies.later = true;
}
DescribedCopy::~DescribedCopy() = default;

bool DescribedCopy::copy(const marshal::Plan& plan, const void* from, void* to) noexcept try {
  const Copying now(made_->copies);
  made_->copies.places.clear();
  made_->any_slots.clear();
  copy_memory(plan, from, to);
  finish();
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void DescribedCopy::copy_memory(const marshal::Plan& plan, const void* from, void* to) {
  if (!marshal::copy(plan, from, to)) throw std::bad_alloc();
  struct Found {
    std::vector<void*>& slots;
    const marshal::SlotHandlers* anys = marshal::slot_handlers(marshal::Kind::Any);
    bool failed = false;
  } found{made_->any_slots};
  const auto visit = [](void* context, void* slot, const marshal::SlotHandlers& handlers, const void*) {
    auto& f = *static_cast<Found*>(context);
    if (&handlers != f.anys) return;
    try {
      f.slots.push_back(slot);
    } catch (const std::bad_alloc&) {
      f.failed = true;
    }
  };
  marshal::each_slot(plan, to, visit, &found);
  if (found.failed) throw std::bad_alloc();
}

// Copying a state, or what is in an any, adds to both lists.
void DescribedCopy::finish() {
  auto& places = made_->copies.places;
  auto& any_slots = made_->any_slots;
  for (std::size_t i = 0, k = 0; i < places.size() || k < any_slots.size();) {
    if (k < any_slots.size()) {
      const marshal::Plan* plan = nullptr;
      const void* from = nullptr;
      void* to = nullptr;
      made_->anys.begin(any_slots[k++], graph_, made_->any_of, plan, from, to);
      if (plan) copy_memory(*plan, from, to);
      continue;
    }
    const Copies::Place p = places[i++];
    CORBA::ValueBase* to = p.value;
    if (auto* const from = dynamic_cast<DescribedValue*>(p.value)) {
      const ValueLink* const link = from->_callis_link();
      if (!link) continue;  // its graph has ended
      CORBA::ValueBase*& known = made_->of[from];
      if (!known) {
        graph_.values_->add_types_of(*from->all());
        CORBA::ValueBase_var fresh(new DescribedValue(*link));
        graph_.values_->add(fresh);
        known = fresh.in();
        for (const ValueLink* l = link; l; l = l->base)
          if (l->state != 0) copy_memory(*plan_of(*l), from->_callis_state(*l), known->_callis_state(*l));
      }
      to = known;
    }
    to->_add_ref();
    if (!p.put) {
      std::memcpy(p.slot, &to, sizeof to);
      continue;
    }
    CORBA::ValueBase_var counted(to);
    p.put(p.slot, *to);
    (void)counted._retn();
  }
}

}  // namespace callis::value
